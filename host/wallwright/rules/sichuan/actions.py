"""The actions of a tracked deal as frozen values, and their text: `0 void 5s`, `1 draw 3p`, `2 pung 3p`, `3 pass`.

docs/rules.md, "Action sequences", says which of them are legal when. Equal actions are one shared object, so
comparing is cheap.
"""

from typing import NamedTuple

from wallwright.rules.core.errors import NotationError, TileError
from wallwright.rules.sichuan.tiles import KINDS, SUITS, parse_suit, parse_tile, tile_name

VOID, DRAW, DISCARD, PASS, PUNG, KONG, HU, TIME_UP = "void", "draw", "discard", "pass", "pung", "kong", "hu", "time_up"


class Action(NamedTuple):
    """One decision of a seat, or a tile drawn by it.

    `tile` is the kind concerned; None for pass, for a Hu on the dealt hand, for time_up, and for a void suit chosen
    by card, where `suit` (0..2) says which; `suit` is None for every other action.
    """

    seat: int
    verb: str
    tile: int | None = None
    suit: int | None = None

    def __str__(self) -> str:
        if self.tile is not None:
            return f"{self.seat} {self.verb} {tile_name(self.tile)}"
        if self.suit is not None:
            return f"{self.seat} {self.verb} {SUITS[self.suit]}"
        return f"{self.seat} {self.verb}"


def _by_seat(verb: str) -> tuple[tuple[Action, ...], ...]:
    return tuple(tuple(Action(seat, verb, kind) for kind in range(KINDS)) for seat in range(4))


VOIDS, DRAWS, DISCARDS, PUNGS, KONGS, HUS = (_by_seat(verb) for verb in (VOID, DRAW, DISCARD, PUNG, KONG, HU))
"""Every action with a tile: VOIDS[seat][kind] and so on."""

CARDS = tuple(tuple(Action(seat, VOID, None, suit) for suit in range(3)) for seat in range(4))
PASSES = tuple(Action(seat, PASS) for seat in range(4))
HUS_AS_DEALT = tuple(Action(seat, HU) for seat in range(4))
TIME_UPS = tuple(Action(seat, TIME_UP) for seat in range(4))

_WITH_TILE = {VOID: VOIDS, DRAW: DRAWS, DISCARD: DISCARDS, PUNG: PUNGS, KONG: KONGS, HU: HUS}
_WITHOUT_TILE = {PASS: PASSES, HU: HUS_AS_DEALT, TIME_UP: TIME_UPS}


def parse_action(text: str) -> Action:
    """The action that `str(action)` wrote. NotationError quotes what cannot be read."""
    words = text.split()
    if len(words) not in (2, 3) or words[0] not in ("0", "1", "2", "3"):
        raise NotationError(
            f"{text!r} is not an action: write a seat 0 to 3, a verb and a tile, such as '1 discard 5s'"
        )
    seat, verb = int(words[0]), words[1]
    if len(words) == 2:
        if verb not in _WITHOUT_TILE:
            raise NotationError(f"{text!r}: {verb!r} alone is not an action; {', '.join(_WITHOUT_TILE)} need no tile")
        return _WITHOUT_TILE[verb][seat]
    if verb not in _WITH_TILE:
        raise NotationError(f"{text!r}: {verb!r} is not a verb with a tile; use one of {', '.join(_WITH_TILE)}")
    try:
        if verb == VOID and len(words[2]) == 1:
            return CARDS[seat][parse_suit(words[2])]
        return _WITH_TILE[verb][seat][parse_tile(words[2])]
    except TileError as error:
        raise NotationError(f"{text!r}: {error}") from error
