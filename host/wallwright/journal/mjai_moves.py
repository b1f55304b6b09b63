"""The moves of a tracked deal as lines of mjai, and back: `tsumo`, `dahai`, `pon` and so on between the hands as dealt
and the end. docs/journal.md has the types.

What is said beyond the record itself is worked out from the other moves, without the rules: from whom a tile was
claimed, which kong it was, whether the tile just drawn was discarded. The record has every decision, so also claims of
a tile that another player won on: here they are a `none` with a "claim".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..rules.tiles import format_tiles, parse_tiles, tile_name

Line = dict[str, Any]

_TYPES = {"draw": "tsumo", "discard": "dahai", "pung": "pon", "hu": "hora", "pass": "none", "time_up": "time_up"}
_VERBS = {line: verb for verb, line in _TYPES.items()} | dict.fromkeys(("ankan", "daiminkan", "kakan"), "kong")
_ANSWERS = ("pass", "pung", "kong", "hu")
_HEADS = ("ruleset", "dealer", "wall")


def moves_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    """Return the lines of a record of moves. KeyError, ValueError or IndexError when it is none."""
    texts = body["text"].splitlines()
    facts = dict(line.split(" ", 1) for line in texts if line.startswith(_HEADS))
    hands = [line.split(" ", 2)[2] for line in texts if line.startswith("hand ")]
    actions = texts[len(facts) + len(hands) :]
    yield {
        "type": "start_kyoku",
        "kyoku": body["deal"],
        "oya": int(facts["dealer"]),
        "ruleset": facts["ruleset"],
        "tehais": [[tile_name(kind) for kind in parse_tiles(hand)] for hand in hands],
        "wall": facts["wall"],
        "tracked": True,
    }
    table = _Table()
    for number, (action, at_ms) in enumerate(zip(actions, body["times"], strict=True)):
        line = table.line(*action.split(" "), is_won=_is_won(actions, number))
        if at_ms is not None:
            line["time_ms"] = at_ms
        if number in body["doubtful"]:
            line["doubtful"] = True
        yield line
    yield {"type": "end_kyoku", "tracked": True, "notices": body["notices"]}


def read_moves(lines: Sequence[Line]) -> Line:
    """Return the body of the record of which these are the lines."""
    start, *moves, end = lines
    texts = [f"ruleset {start['ruleset']}", f"dealer {start['oya']}"]
    for seat, hand in enumerate(start["tehais"]):
        texts.append(f"hand {seat} {format_tiles(kind for name in hand for kind in parse_tiles(name))}")
    texts += [f"wall {start['wall']}", *map(_action, moves)]
    return {
        "deal": start["kyoku"],
        "text": "\n".join(texts) + "\n",
        "times": [move.get("time_ms") for move in moves],
        "doubtful": [number for number, move in enumerate(moves) if move.get("doubtful")],
        "notices": end["notices"],
    }


def _action(line: Line) -> str:
    if line["type"] == "void_suit":
        return f"{line['actor']} void {line.get('pai', line['suit'])}"
    verb = line.get("claim", _VERBS[line["type"]])
    words = [str(line["actor"]), verb, *([line["pai"]] if "pai" in line else ())]
    return " ".join(words)


def _is_won(actions: Sequence[str], number: int) -> bool:
    """Whether somebody declares Hu among the answers to one tile, of which this action is one."""
    for step in (-1, 1):
        at = number + step
        while 0 <= at < len(actions) and (verb := actions[at].split(" ")[1]) in _ANSWERS:
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

    def line(self, seat: str, verb: str, tile: str = "", *, is_won: bool) -> Line:
        """Return the line of the next move; `is_won`: one of the answers to the same tile is a Hu."""
        actor = int(seat)
        if is_won and verb in ("pung", "kong") and self._offered is not None:
            return {"type": "none", "actor": actor, "claim": verb, "pai": tile}
        if verb == "void":
            return {"type": "void_suit", "actor": actor, "suit": tile[-1]} | ({"pai": tile} if len(tile) > 1 else {})
        line: Line = {"type": _TYPES.get(verb, verb), "actor": actor} | ({"pai": tile} if tile else {})
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
        elif verb == "hu":
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
