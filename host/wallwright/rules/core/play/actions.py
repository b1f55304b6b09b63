"""What a seat does, as frozen values, and their text: `0 draw 3p`, `1 chow 345m`, `2 flower 1f`, `3 pass`."""

from typing import NamedTuple

from wallwright.rules.core.errors import NotationError, TileError
from wallwright.rules.core.tiles import format_tiles, parse_tiles

DRAW, LOOSE, DISCARD, FLOWER, GIVE = "draw", "loose", "discard", "flower", "give"
"""`draw` takes from the head of the wall, `loose` from its tail; `give` lays tiles down for an exchange."""
PASS, CHOW, PUNG, KONG, WIN = "pass", "chow", "pung", "kong", "win"
_TILES = {
    DRAW: (1,),
    LOOSE: (1,),
    DISCARD: (1,),
    FLOWER: (1,),
    GIVE: (1, 2, 3),
    PASS: (0,),
    CHOW: (3,),
    PUNG: (1,),
    KONG: (1,),
    WIN: (0, 1),
}
"""Verb -> how many tiles it has; a win on the dealt hand has none."""


class Action(NamedTuple):
    """One decision of a seat, or a tile drawn by it. `tiles` are kinds, sorted; of a chow all three."""

    seat: int
    verb: str
    tiles: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.seat} {self.verb} {format_tiles(self.tiles)}".rstrip()


def parse_action(text: str) -> Action:
    """The action that `str(action)` wrote. NotationError quotes what cannot be read."""
    words = text.split()
    if len(words) not in (2, 3) or words[0] not in ("0", "1", "2", "3") or words[1] not in _TILES:
        raise NotationError(
            f"{text!r} is not an action: write a seat 0 to 3, one of {', '.join(_TILES)}, and tiles, as '1 discard 5s'"
        )
    try:
        tiles = tuple(sorted(parse_tiles(words[2]))) if len(words) == 3 else ()
    except TileError as error:
        raise NotationError(f"{text!r}: {error}") from error
    wanted = _TILES[words[1]]
    if len(tiles) not in wanted:
        raise NotationError(f"{text!r}: {words[1]} takes {' or '.join(map(str, wanted))} tiles, not {len(tiles)}")
    return Action(int(words[0]), words[1], tiles)
