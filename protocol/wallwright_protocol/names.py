"""The names of all numbers of `codes.py` and `hardware.py`, by their lists: for host and documents.

A board sends numbers only and does not load this file.
"""

from . import codes, hardware
from .hardware import FIRST_SIDE_DRIVE, SIDES
from .lists import LISTS

MODULES = (codes, hardware)
"""Where the lists are begun; LISTS is whole once they are loaded."""


def named(heading: str) -> "tuple[str, ...]":
    """Return the names of a list, in the order of their numbers."""
    return tuple([name for of, _, names in LISTS if of == heading for name in names])


def _of_all_sides(heading: str) -> "tuple[str, ...]":
    return tuple(["%s_%d" % (name, side) for side in range(SIDES) for name in named(heading)])


REFUSALS = named("refusals")
STATES = named("states")
FAULTS = named("faults")
KEYS = named("keys")
SOURCES = named("sources")
CARRIERS = named("carriers")
PLAN_MODES = named("plan modes")
WALL_MODES = named("wall modes")
PURPOSES = named("purposes")
DEAL_KINDS = named("deal kinds")
JOG_ENDS = named("jog ends")
SEAL_LOSSES = named("seal losses")
RECORDS = named("records")
MEASUREMENTS = named("measurements")
SETTINGS = named("settings")
TIMINGS = tuple([name for name in SETTINGS if name.endswith("_ms")])
"""The settings that are times, in ms."""

SIDE_INPUTS = named("inputs of a side")
INPUTS = _of_all_sides("inputs of a side") + named("inputs of the table")
"""What the bits of a status' inputs mean, lowest first; `count_eye_2` is that of side 2."""
_TABLE_DRIVES = named("drives of the table")
DRIVES = _TABLE_DRIVES[:FIRST_SIDE_DRIVE] + _of_all_sides("drives of a side") + _TABLE_DRIVES[FIRST_SIDE_DRIVE:]
"""Likewise for the drives."""
LAMPS = _of_all_sides("lamps of a side")
"""Likewise for the lamps."""
