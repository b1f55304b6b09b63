"""The moves of a tracked deal as lines of mjai: `tsumo`, `dahai`, `pon` and so on.

From whom a tile was claimed, which kong it was and whether the tile just drawn was discarded is worked out from the
other moves, without the rules. What mjai has no line for is left out: forbidden suits, passes, and claims of a tile
that another player won on.
"""

from collections.abc import Sequence
from typing import Any

from ..rules.sichuan.tiles import parse_tiles, tile_name
from ..text_files import lines_in

Line = dict[str, Any]

_TYPES = {"draw": "tsumo", "discard": "dahai", "pung": "pon", "hu": "hora"}
_ANSWERS = ("pass", "pung", "kong", "hu")
_HEADS = ("ruleset", "dealer", "wall")
_DEALT = 13


def read_hands(text: str) -> list[list[str]]:
    """Return the hands as mjai has them, 13 tiles each: the dealer draws the last one of 14."""
    return [hand[:_DEALT] for hand in _dealt(text)]


def read_moves(text: str) -> list[Line]:
    """Return the lines of a record of moves. KeyError, ValueError or IndexError when it is none."""
    texts = lines_in(text)
    dealer = int(next(iter(line for line in texts if line.startswith("dealer ")), "").split(" ")[1])
    actions = [line.split(" ") for line in texts if not line.startswith((*_HEADS, "hand "))]
    table = _Table()
    lines = [table.line(dealer, "draw", tile) for tile in _dealt(text)[dealer][_DEALT:]]
    for number, (seat, verb, *tile) in enumerate(actions):
        overruled = verb in ("pung", "kong") and table.is_offered and _is_won(actions, number)
        if (verb in _TYPES or verb == "kong") and not overruled:
            lines.append(table.line(int(seat), verb, *tile))
    return lines


def _dealt(text: str) -> list[list[str]]:
    hands = [line.split(" ", 2)[2] for line in lines_in(text) if line.startswith("hand ")]
    return [[tile_name(kind) for kind in parse_tiles(hand)] for hand in hands]


def _is_won(actions: Sequence[Sequence[str]], number: int) -> bool:
    """Whether somebody declares Hu among the answers to one tile, of which this action is one."""
    for step in (-1, 1):
        at = number + step
        while 0 <= at < len(actions) and (verb := actions[at][1]) in _ANSWERS:
            if verb == "hu":
                return True
            at += step
    return False


class _Table:
    """As much of the table as is needed to say from whom a tile came."""

    def __init__(self) -> None:
        self._drawn = ""
        self._offered: tuple[int, str] | None = None
        """The seat and the tile that others may claim: a discard, or one added to a pung."""
        self._pungs: set[tuple[int, str]] = set()

    @property
    def is_offered(self) -> bool:
        """Whether others may claim a tile."""
        return self._offered is not None

    def line(self, actor: int, verb: str, tile: str) -> Line:
        """Return the line of the next move."""
        line: Line = {"type": _TYPES.get(verb, verb), "actor": actor, "pai": tile}
        if verb == "draw":
            self._drawn, self._offered = tile, None
        elif verb == "discard":
            line["tsumogiri"] = tile == self._drawn
            self._drawn, self._offered = "", (actor, tile)
        elif verb == "pung":
            line |= {"target": self._claimed(tile), "consumed": [tile] * 2}
            self._pungs.add((actor, tile))
        elif verb == "kong":
            line |= self._kong(actor, tile)
            if line["type"] == "ankan":
                del line["pai"]
        else:
            line["target"] = actor if self._offered is None else self._offered[0]
        return line

    def _kong(self, actor: int, tile: str) -> Line:
        if self._offered is not None and self._offered[0] != actor:
            return {"type": "daiminkan", "target": self._claimed(tile), "consumed": [tile] * 3}
        if (actor, tile) in self._pungs:
            self._offered = (actor, tile)
            return {"type": "kakan", "consumed": [tile] * 3}
        return {"type": "ankan", "consumed": [tile] * 4}

    def _claimed(self, tile: str) -> int:
        if self._offered is None or self._offered[1] != tile:
            raise ValueError(f"nobody has offered {tile}")
        seat = self._offered[0]
        self._offered = None
        return seat
