"""Declared sets: pungs and the four types of kong (SBR-4.4). A chow is never declared (SBR-4.3)."""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan.tiles import format_tiles, parse_tiles


class MeldType(StrEnum):
    """What a declared set is; the four kongs differ in what they are paid (SBR-6.3), not in their fan."""

    PUNG = "pung"
    CONCEALED = "concealed"
    MELDED = "melded"
    PROMOTED = "promoted"
    POSTPONED = "postponed"


KONG_TYPES = tuple(kind for kind in MeldType if kind is not MeldType.PUNG)


class Meld(NamedTuple):
    """A declared set of one kind of tile."""

    type: MeldType
    tile: int

    @property
    def is_kong(self) -> bool:
        """Four tiles rather than three."""
        return self.type is not MeldType.PUNG

    @property
    def tiles(self) -> tuple[int, ...]:
        """The three or four equal tiles."""
        return (self.tile,) * (4 if self.is_kong else 3)

    def __str__(self) -> str:
        return f"{self.type}:{format_tiles(self.tiles)}"


def pung(tile: int) -> Meld:
    """A declared pung of that kind."""
    return Meld(MeldType.PUNG, tile)


@lru_cache(maxsize=1024)
def make_meld(kind: str, tiles: str, kong_type: str | None = None) -> Meld:
    """A meld as the JSON shapes give it: kind "pung" or "kong", tiles "2222s", and the kong's type (default "melded").

    HandError when the tiles are not three or four equal ones, or the words are not known.
    """
    kinds = parse_tiles(tiles)
    sizes = {"pung": 3, "kong": 4}
    if kind not in sizes:
        raise HandError(f"a declared set is a pung or a kong, not {kind!r}")
    if len(kinds) != sizes[kind] or len(set(kinds)) != 1:
        raise HandError(f"a {kind} is {sizes[kind]} equal tiles, not {tiles!r}")
    if kind == "pung":
        if kong_type is not None:
            raise HandError(f"a pung has no type, but {kong_type!r} is given")
        return pung(kinds[0])
    if kong_type is not None and kong_type not in KONG_TYPES:
        raise HandError(f"a kong is {', '.join(KONG_TYPES)}, not {kong_type!r}")
    return Meld(MeldType(kong_type or "melded"), kinds[0])


def parse_meld(text: str) -> Meld:
    """The notation of `str(meld)`: "pung:777p", "concealed:2222s"."""
    word, _, tiles = text.partition(":")
    return make_meld("pung", tiles) if word == "pung" else make_meld("kong", tiles, word)
