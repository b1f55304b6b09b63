"""The deals of a journal as mjai, the JSON lines that other mahjong programs read; there is no way back.

A game is what one table played, in an event one table of a session. A deal whose moves are known has them, any
other the kongs and Hu that were declared; a tile that nobody noted is "?". docs/journal.md says what mjai cannot say of
Sichuan mahjong. A game with flowers, or whose points need not sum to zero, it cannot say at all.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput
from ..rules.core.errors import RulesError
from ..rules.core.game_rules import GameRules, preset_rules
from ..rules.core.notation import is_told_by_turns
from ..rules.core.tiles import STANDING, parse_tiles
from .entry import Entry
from .kinds import Record
from .kinds.deals import DealMoves, DealResult, DealStarted, Declared
from .kinds.desk import EventCreated, ResultRecorded
from .mjai_moves import read_hands, read_moves
from .mjai_turns import mjai_tile, read_turns

Line = dict[str, Any]

UNKNOWN = "?"
KONGS = {"concealed": "ankan", "melded": "daiminkan", "promoted": "kakan", "postponed": "kakan"}
TYPES = (
    "start_game",
    "start_kyoku",
    *("tsumo", "dahai", "chi", "pon", "ankan", "daiminkan", "kakan", "hora"),
    "ryukyoku",
    "end_kyoku",
    "end_game",
)
"""All types of lines that are written."""
WON = ("three_hu", "win")
"""The ends of a deal that is no draw; the others are one in mjai, with their name as its reason."""


@dataclass
class _Deal:
    number: int
    dealer: int
    hands: list[list[str]] = field(default_factory=lambda: [[UNKNOWN] * 13] * 4)
    moves: list[Line] = field(default_factory=list)
    end: str = ""
    points: list[int] = field(default_factory=list)
    wind: str = "E"

    def lines(self, scores: list[int]) -> Iterator[Line]:
        yield {
            "type": "start_kyoku",
            # There are neither counters, nor deposits, nor dora; and in Sichuan mahjong no rounds of winds.
            "bakaze": self.wind,
            "kyoku": self.number,
            "honba": 0,
            "kyotaku": 0,
            "oya": self.dealer,
            "dora_marker": UNKNOWN,
            "scores": scores,
            "tehais": self.hands,
        }
        yield from self.moves
        if self.end not in WON:
            yield {"type": "ryukyoku", "reason": self.end}
        yield {"type": "end_kyoku", "deltas": self.points}


_Table = tuple[str, int, int]
"""A table's unit; or of an event "", the session and the number of the table."""


def mjai_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Return the lines of all games, one after the other in the order of their first deals, without line ends.

    A deal is there once it has a result, as it was first declared: what was corrected later is not applied. A deal
    whose record is none that this program writes is left out. BadInput for an event, or a deal, of a game that mjai
    cannot say.
    """
    games: dict[_Table, list[_Deal]] = {}
    checked: set[str] = set()
    for entry in entries:
        _check_game(entry, checked)
        # mjai gets only what this program has written; an export of the entries has all of them.
        with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError, RulesError):
            _take(games, entry)
    for deals in games.values():
        scores = [0] * 4
        yield _text({"type": "start_game", "names": ["0", "1", "2", "3"]})
        for deal in deals:
            if deal.points:
                yield from map(_text, deal.lines(scores))
                scores = [before + more for before, more in zip(scores, deal.points, strict=True)]
        yield _text({"type": "end_game"})


def _take(games: dict[_Table, list[_Deal]], entry: Entry) -> None:
    said, table = entry.said, (entry.unit or "", 0, 0)
    if isinstance(said, ResultRecorded):
        record = said.record or {}
        moves = [line for one in record.get("events") or () for line in _declared(one)]
        wind = str(record.get("round_wind", "E"))
        hands = [[UNKNOWN] * 13] * 4
        deal = _Deal(said.deal, record["dealer"], hands, moves, record["end"], list(said.points), wind)
        games.setdefault(("", said.session, said.table), []).append(deal)
    elif isinstance(said, DealStarted):
        wind = str((said.begin or {}).get("round_wind", "E"))
        games.setdefault(table, []).append(_Deal(said.deal, said.dealer, wind=wind))
    elif isinstance(said, Declared | DealResult | DealMoves) and table in games:
        # Moves may be tracked when the next deals have begun.
        begun = [one for one in games[table] if one.number == said.deal]
        if not begun:
            raise ValueError("this deal has not begun")
        deal = begun[-1]
        if isinstance(said, Declared):
            deal.moves += _declared(said.event)
        elif isinstance(said, DealResult):
            deal.end, deal.points = said.end, list(said.points)
            if not deal.moves:
                # A game whose deals are declared as a whole has all of it in the record.
                deal.moves = [line for one in (said.record or {}).get("events") or () for line in _declared(one)]
        elif is_told_by_turns(said.text):
            deal.hands, deal.moves = read_turns(said.text)
        else:
            # Both before either is taken: a record may be none.
            deal.hands, deal.moves = read_hands(said.text), read_moves(said.text)


def _check_game(entry: Entry, checked: set[str]) -> None:
    """BadInput names what of the game of an event or a deal mjai has no words for; each game is looked at once."""
    name, missing = "", []
    # What this program has not written is none of its events.
    with suppress(KeyError, TypeError, ValueError, AttributeError, RulesError):
        rules = _rules_of(entry.said)
        if rules is None or (key := repr((rules.preset, rules.options))) in checked:
            return
        checked.add(key)
        name, asked = rules.name, rules.asked({})
        if rules.game.table(asked).tiles > 4 * STANDING:
            missing.append("flowers")
        if not rules.game.sums_to_zero(asked):
            missing.append("points that need not sum to zero")
    if missing:
        problem = f"mjai cannot say the game {name}: it knows no {' and no '.join(missing)}"
        raise BadInput(f"{problem}; export the entries with --format jsonl, or the results with csv or xlsx")


def _rules_of(said: Record) -> GameRules | None:
    """Return the rules of an event or a deal; None for Sichuan, whose rules an event has as another record."""
    if isinstance(said, DealStarted):
        return preset_rules(said.ruleset).changed(said.options or {})
    if isinstance(said, EventCreated) and "preset" in said.format["ruleset"]:
        return GameRules(**said.format["ruleset"])
    return None


def _declared(event: Mapping[str, Any]) -> list[Line]:
    """The lines of a declared kong or Hu; mjai has none for a breach, nor for a Hu that is known to be false."""
    if event["type"] == "kong":
        line: Line = {"type": KONGS[event["kind"]], "actor": event["seat"]}
        line |= {"target": event["from"]} if event["kind"] == "melded" else {}
        line |= {} if event["kind"] == "concealed" else {"pai": UNKNOWN}
        return [line | {"consumed": [UNKNOWN] * (4 if event["kind"] == "concealed" else 3)}]
    if event["type"] == "hu":
        source = event.get("from")
        true = [one for one in event["winners"] if not one.get("false")]
        return [_hora(one, one["seat"] if source is None else source) for one in true]
    return []


def _hora(winner: Mapping[str, Any], target: int) -> Line:
    pai = [mjai_tile(kind) for kind in parse_tiles(winner.get("winning", ""))] or [UNKNOWN]
    line = {"type": "hora", "actor": winner["seat"], "target": target, "pai": pai[0]}
    if winner.get("standing"):
        line["hora_tehais"] = [mjai_tile(kind) for kind in parse_tiles(winner["standing"])]
    return line


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
