"""The finished deals of a journal, to be stepped through. What goes on is noted here and shown to nobody."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...errors import BadDeal, BadName
from ...journal import Entry, read_journal
from ...journal.fold import Fold
from ...journal.kinds import Record
from ...journal.kinds.deals import DealMoves, DealResult, DealStarted, Declared
from ...journal.kinds.desk import DealAnnulled, ResultCorrected, ResultRecorded, Scored
from ...journal.kinds.tables import BuildDone, WallsUp
from ...journal.places import JournalPath
from ...rules.core import notation as turns
from ...rules.core.errors import RulesError
from ...rules.core.game_rules import GameRules, preset_rules
from ...rules.core.records import without_rules
from ...rules.sichuan.deal import Deal
from ...rules.sichuan.declarations import deal_record
from ...rules.sichuan.doubts import doubts, say_of_hands
from ...rules.sichuan.notation import parse_deal
from ...rules.sichuan.records import read_deal
from ...rules.sichuan.ruleset import PRESETS, Ruleset, load_ruleset
from ...tracking.moves import read_moves
from ...words import told_by, words
from .replay import DeclaredReplay, Replay, TrackedReplay
from .turns import SettledReplay, TurnsReplay

FindRuleset = Callable[[str | None], Ruleset]
FindRules = Callable[[], GameRules | None]

EMBARGO = words(
    "there is no such deal, or it is shown once its session is published; who works at the event signs in to see it"
)


@dataclass(frozen=True, slots=True)
class Finished:
    """A deal that is over: the number of the entry with its result, and of those that begin it and have its moves.

    `washed_s` is for how many seconds its table had washed the tiles of its walls, None where it has not said so.
    """

    entry: int
    deal: int
    unit: str | None
    at_ms: int
    points: tuple[int, ...]
    started: int | None = None
    moves: int | None = None
    washed_s: int | None = None


class Deals:
    """The deals in the journal at `place`, read as it grows. Any thread may use it.

    `find_ruleset` knows the rules of a name, and for None those of the event. `other_rules` returns those of the event
    if it plays another game than Sichuan, else None.
    """

    def __init__(
        self,
        place: JournalPath,
        find_ruleset: FindRuleset | None = None,
        other_rules: FindRules = lambda: None,
    ) -> None:
        self._place = place
        self._find = find_ruleset or find_preset
        self._other_rules = other_rules
        self._lock = threading.Lock()
        self._seen = 0
        self._found: dict[int, Finished] = {}
        self._begun: dict[tuple[str | None, int], int] = {}
        self._last: dict[tuple[str | None, int], int] = {}
        self._built: dict[str | None, int | None] = {}
        self._washed: dict[tuple[str | None, int], int | None] = {}
        self._fold = Fold()
        self._fold.on(BuildDone, self._note_build)
        self._fold.on(WallsUp, self._note_walls)
        self._fold.on(DealStarted, self._note_start)
        self._fold.on(DealResult, self._note_result)
        for cls in (ResultRecorded, ResultCorrected, DealAnnulled):
            self._fold.on(cls, self._note_result)
        self._fold.on(DealMoves, self._note_moves)

    def of(self, unit: str) -> tuple[Finished, ...]:
        """Return the finished deals of a table, the newest first. Raises JournalError."""
        self._follow()
        with self._lock:
            return tuple(one for one in reversed(self._found.values()) if one.unit == unit)

    def find(self, entry: int) -> Finished | None:
        """Return the deal whose result is that entry, None when there is none. Raises JournalError."""
        self._follow()
        with self._lock:
            return self._found.get(entry)

    def finished(self, entry: int) -> Finished:
        """Likewise. Raises BadName when there is none."""
        found = self.find(entry)
        if found is None:
            problem = "entry {entry} is not the result of a finished deal; look at the deals of its table"
            raise BadName(words(problem, entry=entry))
        return found

    def replay(self, finished: Finished) -> Replay:
        """Return its steps. BadDeal when it cannot be stepped through: a referee's word has no moves."""
        try:
            if finished.moves is not None:
                return self._tracked(self._entry(finished.moves).said)
            result = self._result(finished)
            if isinstance(result, Scored):
                if result.record is None:
                    raise BadDeal(finished.deal, words("a referee has ruled on it, so it has no steps to show"))
                rules = self._other_rules()
                if rules is not None:
                    return SettledReplay(result.record, rules, result.points)
                return DeclaredReplay(result.record, self._find(None))
            if result.record is not None:
                return SettledReplay(without_rules(result.record), _rules_of(result.record), result.points)
            record, ruleset = self._told(finished, result)
            return DeclaredReplay(record, self._find(ruleset))
        except RulesError as error:
            problem = words("it cannot be shown: {why}; verify the journal", why=told_by(error))
            raise BadDeal(finished.deal, problem) from error

    def record(self, finished: Finished) -> Mapping[str, Any] | None:
        """Return what was declared in it, as `wallwright rules settle` takes it; what a table has told is not
        asked again.

        None when it is known by its points alone: a referee has ruled on it, or its start is not in this journal.
        """
        result = self._result(finished)
        if result.record is not None:
            return without_rules(result.record)
        if finished.moves is not None:
            moves = read_moves(self._entry(finished.moves).said, self._parse)
            return _said(deal_record(moves.deal.declared()), moves.deal.ruleset)
        if isinstance(result, Scored):
            return None
        if finished.started is None:
            return None
        begun, ruleset = self._told(finished, result)
        return _said(begun, self._find(ruleset))

    def _tracked(self, said: Record) -> Replay:
        if isinstance(said, DealMoves) and turns.is_told_by_turns(said.text):
            return TurnsReplay(read_moves(said, turns.parse_deal))
        return TrackedReplay(read_moves(said, self._parse))

    def _parse(self, text: str) -> Deal:
        return parse_deal(text, self._find)

    def _told(self, finished: Finished, result: DealResult) -> tuple[dict[str, Any], str]:
        """The record of a deal that its table has told, and its ruleset's name."""
        if finished.started is None:
            raise BadDeal(finished.deal, words("its start is not in this journal, so it has no steps to show"))
        start: DealStarted | None = None
        events = []
        for entry in read_journal(self._place, finished.started - 1, (DealStarted.KIND, Declared.KIND)):
            if entry.id > finished.entry:
                break
            if entry.unit == finished.unit and isinstance(entry.said, DealStarted):
                start = entry.said
            elif entry.unit == finished.unit and isinstance(entry.said, Declared):
                events.append(entry.said.event)
        assert start is not None
        record = {"dealer": start.dealer, "events": events, "end": result.end, "hands": result.hands}
        return record, start.ruleset

    def _result(self, finished: Finished) -> DealResult | Scored:
        said = self._entry(finished.entry).said
        assert isinstance(said, DealResult | Scored)
        return said

    def _entry(self, number: int) -> Entry:
        return next(iter(read_journal(self._place, number - 1)))

    def _follow(self) -> None:
        with self._lock:
            for entry in read_journal(self._place, self._seen, self._fold.kinds):
                self._fold.take(entry)
                self._seen = entry.id

    def _note_build(self, entry: Entry, said: BuildDone) -> None:
        self._built[entry.unit] = said.wash_s

    def _note_walls(self, entry: Entry, said: WallsUp) -> None:
        self._washed[entry.unit, said.deal] = self._built.pop(entry.unit, None)

    def _note_start(self, entry: Entry, said: DealStarted) -> None:
        self._begun[entry.unit, said.deal] = entry.id

    def _note_result(self, entry: Entry, said: DealResult | Scored) -> None:
        key = (entry.unit, said.deal)
        started = self._begun.pop(key, None)
        self._found[entry.id] = Finished(
            entry.id, said.deal, entry.unit, entry.at_ms, said.points, started, washed_s=self._washed.get(key)
        )
        self._last[key] = entry.id

    def _note_moves(self, entry: Entry, said: DealMoves) -> None:
        if (number := self._last.get((entry.unit, said.deal))) is not None:
            self._found[number] = replace(self._found[number], moves=entry.id)


def _said(record: dict[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    try:
        deal = read_deal(record, ruleset)
        return say_of_hands(record, doubts(deal, deal.settle()))
    except RulesError:
        # It is corrected because it cannot be; whoever enters it is told what is wrong with it.
        return record


def _rules_of(record: Mapping[str, Any]) -> GameRules:
    return preset_rules(str(record["ruleset"])).changed(record.get("options", {}))


def find_preset(name: str | None) -> Ruleset:
    """Return the rules of that name. RulesError when they are not this program's."""
    if name not in PRESETS:
        raise RulesError(words("its rules {name} are none of {known}", name=str(name), known=", ".join(PRESETS)))
    return load_ruleset(name)
