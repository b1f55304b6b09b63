"""The finished deals of a journal, to be stepped through. What goes on is noted here and shown to nobody."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...errors import BadDeal, BadName
from ...journal import Entry, read_journal
from ...journal.places import JournalPath
from ...rules.declarations import deal_record
from ...rules.doubts import doubts, say_of_hands
from ...rules.errors import RulesError
from ...rules.records import read_deal
from ...rules.ruleset import PRESETS, Ruleset, load_ruleset
from ...tracking.moves import MOVES, read_moves
from ...words import told_by, words
from .replay import DeclaredReplay, Replay, TrackedReplay

STARTED, DECLARED, RESULT = "deal_started", "declared", "deal_result"
BY_SCORER = ("result_recorded", "result_corrected", "deal_annulled")
_KINDS = (STARTED, DECLARED, RESULT, MOVES, *BY_SCORER)

FindRuleset = Callable[[str | None], Ruleset]

EMBARGO = words(
    "there is no such deal, or it is shown once its session is published; who works at the event signs in to see it"
)


@dataclass(frozen=True, slots=True)
class Finished:
    """A deal that is over: the number of the entry with its result, and of those that begin it and have its moves."""

    entry: int
    deal: int
    unit: str | None
    at_ms: int
    points: tuple[int, ...]
    started: int | None = None
    moves: int | None = None


class Deals:
    """The deals in the journal at `place`, read as it grows. Any thread may use it.

    `find_ruleset` knows the rules of a name, and for None those of the event.
    """

    def __init__(self, place: JournalPath, find_ruleset: FindRuleset | None = None) -> None:
        self._place = place
        self._find = find_ruleset or find_preset
        self._lock = threading.Lock()
        self._seen = 0
        self._found: dict[int, Finished] = {}
        self._begun: dict[tuple[str | None, int], int] = {}
        self._last: dict[tuple[str | None, int], int] = {}

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
                return TrackedReplay(read_moves(self._entry(finished.moves).body, self._find))
            result = self._entry(finished.entry)
            if result.kind in BY_SCORER:
                if "record" not in result.body:
                    raise BadDeal(finished.deal, words("a referee has ruled on it, so it has no steps to show"))
                return DeclaredReplay(result.body["record"], self._find(None))
            record, ruleset = self._told(finished, result.body)
            return DeclaredReplay(record, self._find(ruleset))
        except RulesError as error:
            problem = words("it cannot be shown: {why}; verify the journal", why=told_by(error))
            raise BadDeal(finished.deal, problem) from error

    def record(self, finished: Finished) -> Mapping[str, Any] | None:
        """Return what was declared in it, as `wallwright rules settle` takes it; what a table has told is not
        asked again.

        None when it is known by its points alone: a referee has ruled on it, or its start is not in this journal.
        """
        if finished.moves is not None:
            moves = read_moves(self._entry(finished.moves).body, self._find)
            return _said(deal_record(moves.deal.declared()), moves.deal.ruleset)
        result = self._entry(finished.entry)
        if result.kind in BY_SCORER:
            record: Mapping[str, Any] | None = result.body.get("record")
            return record
        if finished.started is None:
            return None
        begun, ruleset = self._told(finished, result.body)
        return _said(begun, self._find(ruleset))

    def _told(self, finished: Finished, result: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """The record of a deal that its table has told, and its ruleset's name."""
        if finished.started is None:
            raise BadDeal(finished.deal, words("its start is not in this journal, so it has no steps to show"))
        start: Mapping[str, Any] = {}
        events = []
        for entry in read_journal(self._place, finished.started - 1, (STARTED, DECLARED)):
            if entry.id > finished.entry:
                break
            if entry.unit == finished.unit and entry.kind == STARTED:
                start = entry.body
            elif entry.unit == finished.unit:
                events.append({key: value for key, value in entry.body.items() if key != "deal"})
        record = {"dealer": start["dealer"], "events": events, "end": result["end"], "hands": result["hands"]}
        return record, start["ruleset"]

    def _entry(self, number: int) -> Entry:
        return next(iter(read_journal(self._place, number - 1)))

    def _follow(self) -> None:
        with self._lock:
            for entry in read_journal(self._place, self._seen, _KINDS):
                self._note(entry)
                self._seen = entry.id

    def _note(self, entry: Entry) -> None:
        if entry.kind == DECLARED:
            return
        key = (entry.unit, entry.body["deal"])
        if entry.kind == STARTED:
            self._begun[key] = entry.id
        elif entry.kind != MOVES:
            points = tuple(entry.body["points"])
            started = self._begun.pop(key, None)
            self._found[entry.id] = Finished(entry.id, key[1], entry.unit, entry.at_ms, points, started)
            self._last[key] = entry.id
        elif key in self._last:
            number = self._last[key]
            self._found[number] = replace(self._found[number], moves=entry.id)


def _said(record: dict[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    try:
        deal = read_deal(record, ruleset)
        return say_of_hands(record, doubts(deal, deal.settle()))
    except RulesError:
        # It is corrected because it cannot be; whoever enters it is told what is wrong with it.
        return record


def find_preset(name: str | None) -> Ruleset:
    """Return the rules of that name. RulesError when they are not this program's."""
    if name not in PRESETS:
        raise RulesError(words("its rules {name} are none of {known}", name=str(name), known=", ".join(PRESETS)))
    return load_ruleset(name)
