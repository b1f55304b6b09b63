"""The names of all numbers of `codes.py`, `hardware.py` and `settings.py`, by their lists: for host and documents.

A board sends numbers only and does not load this file.
"""

from . import codes, hardware, settings
from .hardware import SIDES
from .lists import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Lists = Iterable[tuple[str, int, Iterable[str]]]
    """(heading, number of the first name, names) of every list, as in lists.LISTS or in a board's dictionary."""

MODULES = (codes, hardware, settings)
"""Where the lists are begun; LISTS is whole once they are loaded."""


def named(heading: str, lists: "Lists" = LISTS) -> "tuple[str, ...]":
    """Return the names of a list, in the order of their numbers."""
    return tuple([name for of, _, names in lists if of == heading for name in names])


def _of_all_sides(heading: str, lists: "Lists") -> "tuple[str, ...]":
    return tuple(["%s_%d" % (name, side) for side in range(SIDES) for name in named(heading, lists)])


def inputs_of(lists: "Lists") -> "tuple[str, ...]":
    """Return the names of all inputs by their numbers; `count_eye_2` is that of side 2."""
    return _of_all_sides("inputs of a side", lists) + named("inputs of the table", lists)


def drives_of(lists: "Lists") -> "tuple[str, ...]":
    """Return the names of all drives by their numbers."""
    of_table = named("drives of the table", lists)
    first = next((len(tuple(names)) for heading, _, names in lists if heading == "drives of the table"), 0)
    return of_table[:first] + _of_all_sides("drives of a side", lists) + of_table[first:]


def lamps_of(lists: "Lists") -> "tuple[str, ...]":
    """Return the names of all lamps by their numbers."""
    return _of_all_sides("lamps of a side", lists)


def readers_of(lists: "Lists") -> "tuple[str, ...]":
    """Return the names of all readers that messages have numbers for: `head_0` of side 0, `discards_3` of seat 3."""
    heads = tuple(["head_%d" % side for side in range(SIDES)])
    return heads + tuple(["%s_%d" % (name, seat) for seat in range(SIDES) for name in named("readers", lists)])


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
SELF_TESTS = named("self tests")
TEST_RESULTS = named("test results")
SETTINGS = named("settings")
SETTING_KINDS = named("setting kinds")
SETTING_UNITS = named("setting units")
SETTING_MEANINGS = dict(zip(SETTINGS, settings.MEANINGS))
FITTED = tuple([name for name, kind in zip(SETTINGS, settings.KINDS) if kind in settings.OF_MACHINE])
"""The settings that are fitted to one machine."""

SIDE_INPUTS = named("inputs of a side")
INPUTS = inputs_of(LISTS)
"""The names of the bits of a status' inputs, lowest first."""
DRIVES = drives_of(LISTS)
"""Likewise for the drives."""
LAMPS = lamps_of(LISTS)
"""Likewise for the lamps."""
READERS = readers_of(LISTS)
