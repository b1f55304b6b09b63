"""Scores every deal of a journal again, from what was declared alone, and compares it with what the journal says.

A deal is either told by its table (`deal_started`, `declared`, `deal_result`) or by a scorer (`result_recorded`,
`result_corrected`, `deal_annulled` with a "record"). What a referee ruled has no hands to score and is counted. Where
a table has tracked the tiles (`deal_moves`), the deal is played again as well, move by move.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..rules.core import notation as turns
from ..rules.core.errors import RulesError
from ..rules.core.game_rules import GameRules
from ..rules.core.registry import find_game
from ..rules.recorded import read_rules
from ..rules.sichuan.notation import parse_deal
from ..rules.sichuan.records import read_deal, settlement_record
from ..rules.sichuan.ruleset import PRESETS, Ruleset, load_ruleset
from .entry import Entry
from .fold import Fold
from .kinds import Unknown
from .kinds.deals import DealMoves, DealResult, DealStarted, Declared
from .kinds.desk import DealAnnulled, EventCreated, ResultCorrected, ResultRecorded, Scored

_OF_RESULT = ("points", "payments", "penalties", "hu", "kongs", "next_dealer")
_OF_SCORER = ("points", "penalties", "next_dealer")
_OF_GAME = ("points", "next_dealer")


@dataclass(frozen=True, slots=True)
class Difference:
    """A result that cannot be reached again: the number of its entry, whose it is, and what differs."""

    entry: int
    where: str
    text: str


@dataclass(slots=True)
class Replay:
    """What has been scored again, and played again where the moves are known; `ruled` deals have nothing to score,
    `unfinished` ones have no result.
    """

    scored: int = 0
    played: int = 0
    ruled: int = 0
    unfinished: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        """Whether every deal came to the points that the journal has."""
        return not self.differences


def replay_entries(entries: Iterable[Entry]) -> Replay:
    """Score all deals of a journal, in the order of its entries."""
    scorer = _Scorer()
    fold = Fold()
    scorer.follow(fold)
    for entry in entries:
        if isinstance(entry.said, Unknown) and entry.kind in fold.kinds:
            why = f"this program writes no such entry ({entry.said.why}); verify the journal"
            scorer.differ(entry, entry.kind, why)
        fold.take(entry)
    scorer.replay.unfinished += len(scorer.deals)
    return scorer.replay


@dataclass(slots=True)
class _Deal:
    number: int
    dealer: int
    ruleset: str
    events: list[Mapping[str, Any]] = field(default_factory=list)


class _Scorer:
    def __init__(self) -> None:
        self.replay = Replay()
        self.deals: dict[str | None, _Deal] = {}
        """By unit: the deal in play."""
        self._results: dict[tuple[str | None, int], DealResult] = {}
        """By unit and deal: the last result. Moves may be tracked when the next deals have theirs."""
        self._of_event: Ruleset | GameRules | None = None

    def follow(self, fold: Fold) -> None:
        """Take from now on what `fold` goes through."""
        fold.on(EventCreated, self._begin_event)
        fold.on(DealStarted, self._start)
        fold.on(Declared, self._declare)
        fold.on(DealResult, self._finish)
        fold.on(DealMoves, self._play_again)
        for by_scorer in (ResultRecorded, ResultCorrected, DealAnnulled):
            fold.on(by_scorer, self._score_again)

    def _begin_event(self, _: Entry, said: EventCreated) -> None:
        self._of_event = read_rules(said.format["ruleset"])

    def _start(self, entry: Entry, said: DealStarted) -> None:
        self.replay.unfinished += entry.unit in self.deals
        self.deals[entry.unit] = _Deal(said.deal, said.dealer, said.ruleset)

    def _declare(self, entry: Entry, said: Declared) -> None:
        if entry.unit in self.deals:
            self.deals[entry.unit].events.append(said.event)

    def _finish(self, entry: Entry, said: DealResult) -> None:
        self._results[entry.unit, said.deal] = said
        deal = self.deals.pop(entry.unit, None)
        where = f"deal {said.deal} at {entry.unit}"
        if deal is None or deal.number != said.deal:
            self.differ(entry, where, "its start is not in the journal")
            return
        if said.record is not None:
            asked = dict(said.record)
            self._compare(entry, where, lambda: find_game(str(asked["ruleset"])).settle(asked), _OF_GAME)
            return
        declared = {"dealer": deal.dealer, "events": deal.events, "end": said.end, "hands": said.hands}
        self._compare(entry, where, partial(self._settle, declared, deal.ruleset), _OF_RESULT)

    def _play_again(self, entry: Entry, said: DealMoves) -> None:
        where = f"deal {said.deal} at {entry.unit}"
        result = self._results.get((entry.unit, said.deal))
        if result is None:
            self.differ(entry, where, "its moves do not stand behind its result")
            return
        try:
            points = self._points_of_moves(said.text)
        except RulesError as error:
            self.differ(entry, where, f"its moves cannot be played again: {error}")
            return
        self.replay.played += 1
        if points != result.points:
            found, there = list(points), list(result.points)
            self.differ(entry, where, f"its moves come to the points {found}, not {there}")

    def _points_of_moves(self, text: str) -> tuple[int, ...]:
        if turns.is_told_by_turns(text):
            return turns.parse_deal(text).settle().points
        return parse_deal(text, self._find).settle().points

    def _score_again(self, entry: Entry, said: Scored) -> None:
        where = f"deal {said.deal} of table {said.table} in session {said.session}"
        if said.record is None:
            self.replay.ruled += 1
            return
        if isinstance(self._of_event, GameRules):
            rules = self._of_event
            asked = rules.asked(said.record)
            self._compare(entry, where, lambda: rules.game.settle(asked), _OF_GAME)
        else:
            self._compare(entry, where, partial(self._settle, said.record, None), _OF_SCORER)

    def _settle(self, declared: Mapping[str, Any], ruleset: str | None) -> Mapping[str, object]:
        return settlement_record(read_deal(declared, self._find(ruleset)).settle())

    def _compare(
        self, entry: Entry, where: str, settle: Callable[[], Mapping[str, object]], keys: tuple[str, ...]
    ) -> None:
        try:
            found = settle()
        except RulesError as error:
            self.differ(entry, where, f"it cannot be scored: {error}")
            return
        self.replay.scored += 1
        for key in keys:
            if found[key] != entry.body[key]:
                self.differ(entry, where, f"{key} are {entry.body[key]} in the journal, and {found[key]} by the rules")

    def _find(self, name: str | None) -> Ruleset:
        """Return the ruleset of that name, the event's own among them; without a name, the event's."""
        if isinstance(self._of_event, Ruleset) and name in (None, self._of_event.name):
            return self._of_event
        if name not in PRESETS:
            raise RulesError(f"its ruleset {name} is not in the journal and none of {', '.join(PRESETS)}")
        return load_ruleset(name)

    def differ(self, entry: Entry, where: str, text: str) -> None:
        """Note that something is not as it should be."""
        self.replay.differences.append(Difference(entry.id, where, text))
