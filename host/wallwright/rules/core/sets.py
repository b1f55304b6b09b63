"""Sets of tiles: chow, pung, kong and pair, laid down or read out of a standing hand.

The text of a set laid down is its word and its tiles: `chow:123m`, `pung:777p`, `concealed:2222s`. The word of a kong
is its type. A pung may be concealed too, where a game says so of standing ones.
"""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from wallwright.rules.core.errors import HandError
from wallwright.rules.core.tiles import STANDING, SUITED, format_tiles, parse_tiles


class SetKind(StrEnum):
    """What the tiles of a set are."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


class SetType(StrEnum):
    """How a set came to be: of own tiles alone, with a claimed one, or (a kong) a pung with its fourth tile added."""

    CONCEALED = "concealed"
    MELDED = "melded"
    PROMOTED = "promoted"
    POSTPONED = "postponed"


_SIZES = {SetKind.CHOW: 3, SetKind.PUNG: 3, SetKind.KONG: 4}
ADDED = (SetType.PROMOTED, SetType.POSTPONED)
"""Kongs whose fourth tile was drawn and added to a pung."""


class TileSet(NamedTuple):
    """A set; `tile` is its kind, of a chow the lowest one."""

    kind: SetKind
    tile: int
    type: SetType

    @property
    def tiles(self) -> tuple[int, ...]:
        """Its three or four kinds, sorted."""
        if self.kind is SetKind.CHOW:
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * _SIZES[self.kind]

    @property
    def is_kong(self) -> bool:
        """Four tiles rather than three."""
        return self.kind is SetKind.KONG

    @property
    def is_chow(self) -> bool:
        """A run of three."""
        return self.kind is SetKind.CHOW

    @property
    def is_concealed(self) -> bool:
        """Of own tiles alone."""
        return self.type is SetType.CONCEALED

    def __str__(self) -> str:
        return f"{self.type if self.is_kong else self.kind}:{format_tiles(self.tiles)}"


def chow(tile: int, type_: SetType = SetType.MELDED) -> TileSet:
    """A chow from its lowest tile up."""
    return TileSet(SetKind.CHOW, tile, type_)


def pung(tile: int, type_: SetType = SetType.MELDED) -> TileSet:
    """A pung."""
    return TileSet(SetKind.PUNG, tile, type_)


def kong(tile: int, type_: SetType = SetType.MELDED) -> TileSet:
    """A kong."""
    return TileSet(SetKind.KONG, tile, type_)


@lru_cache(maxsize=4096)
def make_set(kind: str, tiles: str, type_: str | None = None) -> TileSet:
    """A set as the JSON shapes give it: kind "chow", tiles "123m", and of a kong or pung its type (default "melded").

    HandError when the tiles are none such; a chow has suited tiles, and a flower is in no set.
    """
    kinds = tuple(sorted(parse_tiles(tiles)))
    if kind not in tuple(SetKind):
        raise HandError(f"a set laid down is a {', '.join(SetKind)}, not {kind!r}")
    size = _SIZES[SetKind(kind)]
    if any(one >= STANDING for one in kinds):
        raise HandError(f"{tiles!r} has a flower, which is part of no set")
    if kind == SetKind.CHOW:
        if any(one >= SUITED for one in kinds):
            raise HandError(f"a chow of honours, {tiles!r}: a chow is three suited tiles in a row")
        if len(kinds) != 3 or kinds[0] // 9 != kinds[2] // 9 or kinds != (kinds[0], kinds[0] + 1, kinds[0] + 2):
            raise HandError(f"a chow is three suited tiles in a row, not {tiles!r}")
    elif len(kinds) != size or len(set(kinds)) != 1:
        raise HandError(f"a {kind} is {size} equal tiles, not {tiles!r}")
    allowed = {
        SetKind.CHOW: (),
        SetKind.PUNG: (SetType.CONCEALED, SetType.MELDED),
        SetKind.KONG: tuple(SetType),
    }[SetKind(kind)]
    if type_ is not None and type_ not in allowed:
        raise HandError(f"a {kind} is {', '.join(allowed)}, not {type_!r}" if allowed else "a chow has no type")
    return TileSet(SetKind(kind), kinds[0], SetType(type_ or "melded"))


def set_record(one: TileSet) -> dict[str, object]:
    """A set laid down as the JSON shapes give it."""
    record: dict[str, object] = {"kind": str(one.kind), "tiles": format_tiles(one.tiles)}
    return record | ({"type": str(one.type)} if one.is_kong else {})


def parse_set(text: str) -> TileSet:
    """The set that `str(set)` wrote."""
    word, _, tiles = text.partition(":")
    return make_set(word, tiles) if word in ("chow", "pung") else make_set("kong", tiles, word)
