"""What waits for a referee: calls from tables, and deals that their tiles do not settle. Both outlive the server.

Everything here is in the hall's journal: a call as the event of a table, who takes and ends it as `console_act`, a deal
as the record of whoever tracked it. `restore` reads what is still open.
"""

import threading
from dataclasses import dataclass, replace
from typing import Final

from ...event.limits import MINUTE_MS
from ...fleet.state import DealOpened
from ...fleet.tracked import DISPUTED, QUESTION, TO_DECLARE
from ...journal import read_journal
from ...journal.entry import Entry
from ...journal.kinds.deals import DealDisputed, DealMoves, DealQuestion, DealToDeclare
from ...journal.kinds.house import ConsoleAct, Met
from ...journal.kinds.tables import RefereeCalled
from ...journal.places import JournalPath
from ...link.reconnect import WORDS as MEETINGS
from ...tracking.moves import MOVES
from ..people.person import ACT

TAKE, END, ANSWER, SETTLE = "take_call", "end_call", "answer_deal", "settle_deal"
CALLED = "referee_called"
KINDS: Final = {QUESTION: "question", DISPUTED: "disputed", TO_DECLARE: "to_declare"}
"""The records of deals to decide, and what a fleet's news call them."""


@dataclass(frozen=True, slots=True)
class Call:
    """A referee is called from `side` since `since_ms` (ms since 1970); `taken_by` says who is on the way.

    `overdue_min` are the whole minutes that it has waited, once that is longer than the event wants and nobody goes.
    """

    id: str
    table: str
    side: int
    since_ms: int
    taken_by: str | None = None
    overdue_min: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a question about a deal: what would have happened, and the points by seat.

    `action` is that as an action's text; None where the deal would have been over.
    """

    text: str
    points: tuple[int, ...]
    action: str | None


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal that a person has to decide, since `since_ms`; `id` is the number of its record in the journal.

    `kind` is "question", with `answers` to choose from, "disputed", with the points `declared` and those by its tiles,
    `tracked`, or "to_declare", for the reason `why`. `text` says it in a sentence; of a question `asks` says which it
    is and `after` what it is about (see `tracking.outcome.Question`). The deal is over: no tile of one that goes on is
    in it.
    """

    id: int
    kind: str
    table: str
    unit: str
    deal: int
    since_ms: int
    text: str
    why: str = ""
    asks: str = ""
    after: str | None = None
    answers: tuple[Choice, ...] = ()
    declared: tuple[int, ...] = ()
    tracked: tuple[int, ...] = ()


class Waiting:
    """The open calls and deals of a hall, for any thread. A table has one call at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[str, Call] = {}
        self._deals: dict[int, OpenDeal] = {}
        self._known: set[str] = set()

    @property
    def calls(self) -> tuple[Call, ...]:
        """The open calls, the oldest first."""
        with self._lock:
            return tuple(sorted(self._calls.values(), key=lambda call: (call.since_ms, call.id)))

    @property
    def deals(self) -> tuple[OpenDeal, ...]:
        """The deals to decide, the oldest first."""
        with self._lock:
            return tuple(sorted(self._deals.values(), key=lambda deal: deal.id))

    def call(self, call_id: str) -> Call | None:
        """Return an open call."""
        with self._lock:
            return self._calls.get(call_id)

    def deal(self, deal_id: int) -> OpenDeal | None:
        """Return a deal to decide."""
        with self._lock:
            return self._deals.get(deal_id)

    def called(self, call_id: str, table: str, side: int, at_ms: int) -> None:
        """Open a call. It is the one that is open already, unless somebody came for that and has been called again."""
        with self._lock:
            if call_id in self._known:
                return
            self._known.add(call_id)
            for old in [call for call in self._calls.values() if call.table == table]:
                if old.taken_by is None:
                    return
                del self._calls[old.id]
            self._calls[call_id] = Call(call_id, table, side, at_ms)

    def taken(self, call_id: str, person: str) -> Call | None:
        """Note who goes there, and return the call as it is now; the first stays who it is. None when it is over."""
        with self._lock:
            call = self._calls.get(call_id)
            if call is not None and call.taken_by is None:
                self._calls[call_id] = call = replace(call, taken_by=person)
            return call

    def move_times(self, ms: int) -> None:
        """Have waited as long by a clock that was put forward by `ms`."""
        with self._lock:
            self._calls = {key: replace(call, since_ms=call.since_ms + ms) for key, call in self._calls.items()}
            self._deals = {key: replace(deal, since_ms=deal.since_ms + ms) for key, deal in self._deals.items()}

    def ended(self, call_id: str) -> None:
        """Note that somebody was there, or that nobody has to go any more."""
        with self._lock:
            # While the journal took nothing the board kept the call; what was done about it may stand before it then.
            self._known.add(call_id)
            self._calls.pop(call_id, None)

    def opened(self, table: str, opened: DealOpened, at_ms: int) -> None:
        """Note a deal to decide, since `at_ms`; a dispute takes the place of a question about it."""
        key = f"deal {opened.entry}"
        if key not in self._known:
            found = _open_deal(table, opened, at_ms)
            self.noted(found.unit, found.deal, found.id)
            with self._lock:
                self._known.add(key)
                self._deals[found.id] = found

    def noted(self, unit: str, deal: int, entry: int | None = None) -> None:
        """Note that a deal is in the journal, by `entry`, with all that happened in it: no question of it is open."""
        with self._lock:
            for old in [one for one in self._deals.values() if (one.unit, one.deal) == (unit, deal)]:
                if old.kind == "question" and (entry is None or old.id < entry):
                    del self._deals[old.id]

    def settled(self, deal_id: int) -> None:
        """Note that a person has decided a deal."""
        with self._lock:
            self._deals.pop(deal_id, None)


def restore(path: JournalPath) -> Waiting:
    """Return what is open by the journal at `path`. Raises JournalError."""
    waiting = Waiting()
    entries = tuple(read_journal(path, kinds=(ACT, CALLED, *KINDS, *MEETINGS)))
    table_of = {entry.unit: entry.said.table for entry in reversed(entries) if isinstance(entry.said, Met)}
    for entry in entries:
        if isinstance(entry.said, Met):
            table_of[entry.unit] = entry.said.table
        elif isinstance(entry.said, ConsoleAct):
            _follow(waiting, entry.said)
        elif entry.unit in table_of:
            _open(waiting, entry, table_of[entry.unit])
    questions = [deal.id for deal in waiting.deals if deal.kind == "question"]
    if questions:
        for entry in read_journal(path, min(questions), (MOVES,)):
            if isinstance(entry.said, DealMoves):
                waiting.noted(entry.unit or "", entry.said.deal, entry.id)
    return waiting


def _open(waiting: Waiting, entry: Entry, table: str) -> None:
    if isinstance(entry.said, RefereeCalled):
        waiting.called(call_id(entry.boot_id or 0, entry.seq or 0), table, entry.said.side, entry.at_ms)
    elif isinstance(entry.said, DealQuestion | DealDisputed | DealToDeclare):
        waiting.opened(table, DealOpened(entry.unit or "", entry.id, entry.said), entry.at_ms)


def _open_deal(table: str, opened: DealOpened, at_ms: int) -> OpenDeal:
    said = opened.said
    deal = OpenDeal(opened.entry, KINDS[said.KIND], table, opened.unit, said.deal, at_ms, said.text)
    if isinstance(said, DealQuestion):
        answers = tuple(Choice(one.text, one.points, one.action) for one in said.answers)
        return replace(deal, asks=said.asks, after=said.after, answers=answers)
    if isinstance(said, DealDisputed):
        return replace(deal, declared=said.declared, tracked=said.tracked)
    return replace(deal, why=said.why)


def _follow(waiting: Waiting, said: ConsoleAct) -> None:
    if said.act == TAKE and said.call is not None:
        waiting.taken(said.call, said.person)
    elif said.act == END and said.call is not None:
        waiting.ended(said.call)
    elif said.act == SETTLE and said.entry is not None:
        waiting.settled(said.entry)


def aged(call: Call, escalates_min: int, now_ms: int) -> Call:
    """Return a call with how long it is overdue after `escalates_min` minutes, 0 for never."""
    waited_min = (now_ms - call.since_ms) // MINUTE_MS
    is_overdue = call.taken_by is None and 0 < escalates_min <= waited_min
    return replace(call, overdue_min=waited_min) if is_overdue else call


def call_id(boot_id: int, seq: int) -> str:
    """Return what a call is named by: the board's boot and the number of its event."""
    return f"{boot_id:08x}-{seq}"
