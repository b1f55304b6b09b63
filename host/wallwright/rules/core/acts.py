"""What is done in a deal with chows, flowers and a wall of two ends, as frozen values and as text.

0 draw 5s            from the head          0 discard 5s        0 hu 5s (0 hu: with the dealt hand)
0 replace 5s         from the tail          1 chow 345m         1 pass
0 flower 2f          laid out               1 pung 3p           0 kong 3p, 0 kong 3p hidden
0 give 5s            face down to another    1 call: what a game knows, such as nine pieces of Hong Kong
"""

from typing import NamedTuple

from wallwright.rules.core.errors import NotationError, TileError
from wallwright.rules.core.tiles import STANDING, format_tiles, parse_tiles, tile_name

DRAW, REPLACE, FLOWER, DISCARD, PASS = "draw", "replace", "flower", "discard", "pass"
CHOW, PUNG, KONG, HU, CALL, GIVE = "chow", "pung", "kong", "hu", "call", "give"
VERBS = (DRAW, REPLACE, FLOWER, DISCARD, PASS, CHOW, PUNG, KONG, HU, CALL, GIVE)
_ALONE = (PASS, HU, CALL)
FACES = ("shown", "hidden")
"""How a concealed kong is laid down, where a game tells them apart."""


class Act(NamedTuple):
    """One decision of a seat, or a tile drawn by it; `tile` is the lowest one of a chow."""

    seat: int
    verb: str
    tile: int | None = None
    face: str | None = None

    def __str__(self) -> str:
        parts = [str(self.seat), self.verb]
        if self.tile is not None:
            chow = (self.tile, self.tile + 1, self.tile + 2)
            parts.append(format_tiles(chow) if self.verb == CHOW else tile_name(self.tile))
        return " ".join([*parts, self.face] if self.face else parts)


def _each(verb: str, face: str | None = None) -> tuple[tuple[Act, ...], ...]:
    return tuple(tuple(Act(seat, verb, kind, face) for kind in range(STANDING)) for seat in range(4))


DISCARDS, CHOWS, PUNGS, HUS, GIVES = (_each(verb) for verb in (DISCARD, CHOW, PUNG, HU, GIVE))
"""By seat and kind; of a chow the lowest kind."""
KONGS = {face: _each(KONG, face) for face in (None, *FACES)}
"""By face, seat and kind."""
PASSES = tuple(Act(seat, PASS) for seat in range(4))
"""By seat."""


def parse_act(text: str) -> Act:
    """The act that `str(act)` wrote. NotationError quotes what cannot be read."""
    words = text.split()
    if not 2 <= len(words) <= 4 or words[0] not in ("0", "1", "2", "3") or words[1] not in VERBS:
        known = f"write a seat 0 to 3, one of {', '.join(VERBS)}, and a tile, such as '1 discard 5s'"
        raise NotationError(f"{text!r} is not an act: {known}")
    seat, verb = int(words[0]), words[1]
    if len(words) == 2:
        if verb not in _ALONE:
            raise NotationError(f"{text!r}: {verb} needs a tile")
        return Act(seat, verb)
    try:
        tiles = parse_tiles(words[2])
    except TileError as error:
        raise NotationError(f"{text!r}: {error}") from error
    if verb in (PASS, CALL) or len(tiles) != (3 if verb == CHOW else 1):
        raise NotationError(f"{text!r}: {'a chow has three tiles' if verb == CHOW else verb + ' has another form'}")
    tile = min(tiles)
    if verb == CHOW and (sorted(tiles) != [tile, tile + 1, tile + 2] or tile >= 27 or tile % 9 > 6):
        raise NotationError(f"{text!r}: a chow is three suited tiles in a row")
    if len(words) == 4 and (verb != KONG or words[3] not in FACES):
        raise NotationError(f"{text!r}: only a kong is {' or '.join(FACES)}")
    return Act(seat, verb, tile, words[3] if len(words) == 4 else None)
