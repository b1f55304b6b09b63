"""What a technician may set, within limits: numbers that fit the firmware to one machine. They survive power loss.

The index of a row is the setting's number, `codes.py` has the names. All are times in ms but for the wash, in s, and
the two of the game, the size of a set and the number of dice, which change on a table at rest with empty carriers only.

Limits keep a mistake from doing harm: a limit of a motion
stays below the run-time limit of its drive. They leave room for machines whose parts are a third faster or slower than
those of the usual one.
"""

import struct

from wallwright_protocol.codes import DICE_COUNT, MOST_WASH_S, SET_TILES, WASH
from wallwright_protocol.hardware import CARRIER_STACKS, MOST_DICE, SET_SIZES, TILES_PER_STACK

from .build import CHECK_MS, STARVED_MS
from .drivers.drum import VANE_LIMIT_MS
from .drivers.inputs import DEBOUNCE_MS
from .drivers.lane_times import (
    LEAST_STROKE_MS,
    LONGEST_DARK_MS,
    RETURN_MS,
    SHORTEST_DARK_MS,
    STANDING_LIMIT_MS,
    STROKE_LIMIT_MS,
)
from .drivers.lift import DOWN_LEAST_MS, LIFT_LIMIT_MS, UP_LEAST_MS
from .drivers.travel import LID_LEAST_MS, LID_LIMIT_MS
from .hal import WASH_S

USUAL_DICE = 2
OF_GAME = (SET_TILES, DICE_COUNT)
ROWS = (
    (DEBOUNCE_MS, 2, 20),
    (STROKE_LIMIT_MS, 450, 1900),
    (RETURN_MS, 400, 3000),
    (SHORTEST_DARK_MS, 15, 100),
    (LONGEST_DARK_MS, 50, 190),
    (STANDING_LIMIT_MS, 1000, 10000),
    (LIFT_LIMIT_MS, 1700, 4800),
    (LID_LIMIT_MS, 1200, 3800),
    (LEAST_STROKE_MS, 150, 900),
    (UP_LEAST_MS, 1000, 4000),
    (DOWN_LEAST_MS, 1000, 4000),
    (LID_LEAST_MS, 600, 3000),
    (VANE_LIMIT_MS, 1000, 9000),
    (VANE_LIMIT_MS, 2000, 9000),
    (STARVED_MS, 4000, 15000),
    (CHECK_MS, 2000, 8000),
    (SET_SIZES[0], SET_SIZES[0], SET_SIZES[-1]),
    (USUAL_DICE, 1, MOST_DICE),
    (WASH_S, 0, MOST_WASH_S),
    (0, 0, CARRIER_STACKS * TILES_PER_STACK),
)
"""(default, lowest, highest) of each setting. Of the sizes between, those of SET_SIZES are allowed."""
BYTES: int = 2 * len(ROWS)


def defaults(tiles: int = SET_SIZES[0], wash_s: int = WASH_S) -> list[int]:
    """Return the settings of a new board, for sets of `tiles` tiles that are washed for `wash_s`."""
    values = [row[0] for row in ROWS]
    values[SET_TILES] = tiles
    values[WASH] = wash_s
    return values


def is_allowed(number: int, value: int) -> bool:
    """Say whether there is a setting `number` that may have this value."""
    if number == SET_TILES:
        return value in SET_SIZES
    return number < len(ROWS) and ROWS[number][1] <= value <= ROWS[number][2]


def pack(values: list[int]) -> bytes:
    """Return the settings as they are stored."""
    return struct.pack("<%dH" % len(values), *values)


def unpack(stored: bytes) -> list[int]:
    """Return the settings that were stored; the usual one for each that is not there or not allowed."""
    values = defaults()
    unpack_into(values, stored)
    return values


def unpack_into(values: list[int], stored: bytes) -> None:
    """Set what was stored; a value that this firmware does not allow stays as it is, and what it does not know is left
    out."""
    for number, value in enumerate(struct.unpack("<%dH" % (len(stored) // 2), stored)):
        if is_allowed(number, value):
            values[number] = value


class Settings:
    """The settings in force, `values`: one and the same list for good. `stored` are those that survive power loss, as
    they are stored; `trial` is the session of the host that tries others, 0 without one."""

    def __init__(self, tiles: int, wash_s: int) -> None:
        self.values = defaults(tiles, wash_s)
        self.stored = pack(self.values)
        self.trial = 0

    def game(self) -> "tuple[int, ...]":
        """Return size of a set and number of dice."""
        return tuple([self.values[number] for number in OF_GAME])

    def game_with(self, stored: bytes) -> "tuple[int, int]":
        """Return size of a set and number of dice that the table would have with the settings of a record."""
        values = list(self.values)
        unpack_into(values, stored)
        return values[SET_TILES], values[DICE_COUNT]

    def restore(self, stored: bytes) -> None:
        """Go by what was stored."""
        unpack_into(self.values, stored)
        self.stored = pack(self.values)

    def change(self, wanted: "tuple[tuple[int, int], ...]") -> bool:
        """Go by these (number, value), and have them stored with the others but what is only tried; say whether there
        is anything to store."""
        before = self.stored
        values = unpack(before)
        for number, value in wanted:
            values[number] = self.values[number] = value
        self.stored = pack(values)
        return self.stored != before

    def take_back(self, values: list[int], stored: bytes) -> None:
        """Go by these again, which a change could not replace."""
        self.values[:] = values
        self.stored = stored

    def begin_trial(self, number: int, value: int, session: int) -> None:
        """Use a value that is not stored, as long as this session lasts."""
        self.values[number] = value
        self.trial = session

    def end_trial(self) -> None:
        """Use the stored settings again: the connection that has tried others has ended, or wants to try no more."""
        self.trial = 0
        self.values[:] = unpack(self.stored)
