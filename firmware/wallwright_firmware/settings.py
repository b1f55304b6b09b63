"""What a technician may set, within limits: numbers that fit the firmware to one machine. They survive power loss.

The index of a row is the setting's number, codes.SETTINGS has the names. Limits keep a mistake from doing harm: a limit
of a motion stays below the run-time limit of its drive and above the time that a healthy machine needs.
"""

import struct

from .drivers.inputs import DEBOUNCE_MS
from .drivers.lane_times import LONGEST_DARK_MS, RETURN_MS, SHORTEST_DARK_MS, STANDING_LIMIT_MS, STROKE_LIMIT_MS
from .drivers.lift import LIFT_LIMIT_MS
from .drivers.travel import LID_LIMIT_MS

ROWS = (
    (DEBOUNCE_MS, 2, 20),
    (STROKE_LIMIT_MS, 700, 1900),
    (RETURN_MS, 600, 3000),
    (SHORTEST_DARK_MS, 20, 75),
    (LONGEST_DARK_MS, 85, 190),
    (STANDING_LIMIT_MS, 1000, 10000),
    (LIFT_LIMIT_MS, 2600, 4800),
    (LID_LIMIT_MS, 1600, 3800),
)
"""(default, lowest, highest) of each setting, all in ms."""
LAYOUT = "<%dH" % len(ROWS)
BYTES = 2 * len(ROWS)


def defaults() -> list[int]:
    """Return the settings of a new board."""
    return [row[0] for row in ROWS]


def is_allowed(number: int, value: int) -> bool:
    """Say whether there is a setting `number` that may have this value."""
    return number < len(ROWS) and ROWS[number][1] <= value <= ROWS[number][2]


def pack(values: list[int]) -> bytes:
    """Return the settings as they are stored."""
    return struct.pack(LAYOUT, *values)


def unpack_into(values: list[int], stored: bytes) -> None:
    """Set what was stored; a value that this firmware does not allow stays as it is."""
    for number, value in enumerate(struct.unpack(LAYOUT, stored)):
        if is_allowed(number, value):
            values[number] = value
