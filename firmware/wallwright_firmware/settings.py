"""Settings, which a technician changes within limits: rows of the protocol's `settings.py`. They survive power loss."""

import struct

from wallwright_protocol.hardware import SET_SIZES, SIDES
from wallwright_protocol.settings import DEFAULTS, DICE_COUNT, HIGHEST, LOWEST, SET_TILES, SETTINGS, SIDES_OUT, WASH

BYTES: int = 2 * SETTINGS
OUT_OF = b"\x04\0\1\4\2\4\4\4\3"
"""By the setting `sides_out`: the side that is out, SIDES for none and for what the setting may not be."""


def defaults(tiles: int = SET_SIZES[0], wash_s: int = DEFAULTS[WASH]) -> list[int]:
    """Return the settings of a new board, for sets of `tiles` tiles that are washed for `wash_s`."""
    values = list(DEFAULTS)
    values[SET_TILES] = tiles
    values[WASH] = wash_s
    return values


def is_allowed(number: int, value: int) -> bool:
    """Say whether there is a setting `number` that may have this value."""
    if number == SET_TILES:
        return value in SET_SIZES
    if number == SIDES_OUT and value:
        return value < len(OUT_OF) and OUT_OF[value] < SIDES
    return number < SETTINGS and LOWEST[number] <= value <= HIGHEST[number]


def game_of(values: list[int]) -> "tuple[int, int, int]":
    """Return size of a set, number of dice, and the side that is out."""
    return values[SET_TILES], values[DICE_COUNT], OUT_OF[values[SIDES_OUT]]


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

    def game(self) -> "tuple[int, int, int]":
        """Return what `game_of` says."""
        return game_of(self.values)

    def game_with(self, stored: bytes) -> "tuple[int, int, int]":
        """Return what `game_of` would say with the settings of a record."""
        values = list(self.values)
        unpack_into(values, stored)
        return game_of(values)

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
