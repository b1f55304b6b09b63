"""Deals of a hall that log themselves: one thread tracks those of all tables with tile readers once they are over.

What has to be done is found in the journal, so that nothing is lost with this program. When walls go up, or a wall is
revealed, the last deals of that table are looked at which have no record of DONE yet.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any

from ..clocks import wall_ms
from ..errors import BadDeal, BadEnrolment, BadKey, WallwrightError
from ..journal.entry import Entry
from ..journal.kinds import deal_of, stored
from ..journal.kinds.deals import Answer, DealDisputed, DealMoves, DealQuestion, DealResult, DealToDeclare
from ..journal.kinds.tables import Claim
from ..journal.places import JournalPath
from ..journal.reader import UnitReader
from ..journal.sealing import DEAL_ENDS
from ..link.reports import Event
from ..rules.core.errors import RulesetError
from ..rules.core.followed import Done, Followed, Settled
from ..tiles.enrolment import enrolment_path, load_enrolment
from ..tracking.moves import MOVES, moves_record
from ..tracking.notes import note_deal
from ..tracking.outcome import Account, Outcome, Question
from ..tracking.reported_reads import rules_of_deal, track_journal
from .finished_deals import OverDeal, deals_over, running_deal
from .shared_journal import Record, SharedJournal
from .state import Change, DealNoted, DealOpened

WINDOW = 2000
"""Events of a table that are read again: four deals have less."""
LOOK_BACK = 3
"""Deals before the running one that are looked at; later no wall is revealed any more."""
RESET = "the board was reset before it had ended"
"""Why a deal has to be declared, besides what the tracker says."""

QUESTION = DealQuestion.KIND
TO_DECLARE = DealToDeclare.KIND
DISPUTED = DealDisputed.KIND
DONE = (MOVES, QUESTION, TO_DECLARE, DISPUTED)
"""Records of which a tracked deal has one at least."""

Tell = Callable[[Change], None]


@dataclass(frozen=True, slots=True)
class _Job:
    """What the thread does next for a table; `answer` is set for a person who waits for it."""

    table: str
    action: Callable[[], Any]
    answer: "Future[Any] | None" = None


class TrackedDeals:
    """Tracks the deals of all tables, in a thread of its own, into the journal at `path`.

    They are played by the hall's rules where the journal does not say otherwise: `follow(kept)` says how such a deal is
    followed, by what the last result at that table has left for it; RulesetError when it cannot be. `dealer_of(unit,
    deal)` is who dealt where nobody throws dice, None where nobody says that.

    `tell(change)` hears "tracked", "question", "disputed", "to_declare", with the board's "unit" and, of the
    last three, the number of their "entry"; and "untracked", when a table's deals cannot be tracked at all.
    """

    def __init__(
        self,
        path: JournalPath,
        journal: SharedJournal,
        tell: Tell,
        follow: Callable[[Mapping[str, Any]], Followed],
        dealer_of: Callable[[str, int], int | None] = lambda _unit, _deal: None,
    ) -> None:
        self._units = UnitReader(path)
        self._follow = follow
        self._dealer_of = dealer_of
        self._journal = journal
        self._tell = tell
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_stopping = False
        self._tried: dict[str, dict[tuple[int, bool], Outcome]] = {}
        """By unit: outcomes that are not noted, by the entry of the walls and whether these were known."""
        self._walls: dict[str, Event] = {}
        """By unit: the last walls that went up."""
        self._unenrolled: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="tracking")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def see(self, table: str, unit: str, event: Event) -> None:
        """Take note of an event that is in the journal; this never waits."""
        if event.name in (DEAL_ENDS, "wall_part", "wall_unverifiable"):
            self._put(_Job(table, partial(self._look, table, unit, event)))

    def answer(self, table: str, unit: str, deal: int, number: int) -> "Future[Settled]":
        """Note the deal as answer `number`, from 1, of its question has it.

        The future has its settlement. It raises BadDeal when there is no such question or answer, JournalError.
        """
        future: Future[Settled] = Future()
        if not self._put(_Job(table, partial(self._answer, table, unit, deal, number), future)):
            future.set_exception(BadDeal(deal, "this program is ending; answer when it has been started again"))
        return future

    def stop(self) -> None:
        """Finish the deal at hand and end the thread; what is left is found in the journal the next time."""
        with self._lock:
            self._is_stopping = True
            self._jobs.put(None)
        self._thread.join()

    def _put(self, job: _Job) -> bool:
        with self._lock:
            if not self._is_stopping:
                self._jobs.put(job)
            return not self._is_stopping

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._is_stopping:
                if job.answer is not None:
                    job.answer.cancel()
                continue
            if job.answer is not None and not job.answer.set_running_or_notify_cancel():
                continue
            try:
                done = job.action()
            except Exception as error:  # noqa: BLE001 (one deal that cannot be tracked must not end this for all tables)
                if job.answer is not None:
                    job.answer.set_exception(error)
                else:
                    self._tell(Change(wall_ms(), job.table, "untracked", {"text": _words(error)}))
            else:
                if job.answer is not None:
                    job.answer.set_result(done)

    def _look(self, table: str, unit: str, event: Event) -> None:
        """Track what is over and not done at that table, the oldest deal first."""
        if event.name != DEAL_ENDS and not self._tried.get(unit):
            return
        if event.name == DEAL_ENDS:
            before = self._walls.get(unit)
            self._walls[unit] = event
            if before is not None and before.boot_id != event.boot_id:
                self._give_up(table, unit, before)
        entries = self._units.read(unit, event.boot_id, event.seq - WINDOW, event.seq)
        tried = self._tried.get(unit, {})
        deals = deals_over(table, unit, entries)[-LOOK_BACK:]
        starts = {deal.start.id for deal in deals}
        self._tried[unit] = {key: outcome for key, outcome in tried.items() if key[0] in starts}
        for deal in deals:
            if deal.is_read and not any(entry.kind in DONE for entry in deal.records):
                self._settle(deal, entries)

    def _give_up(self, table: str, unit: str, walls: Event) -> None:
        """Say of a deal in which the board was reset that nobody can know what happened meanwhile."""
        entries = self._units.read(unit, walls.boot_id, walls.seq, walls.seq + WINDOW)
        deal = running_deal(table, unit, entries)
        is_done = any(entry.kind in (*DONE, "deal_result") for entry in deal.records)
        if deal.is_read and not is_done:
            self._declare(deal, RESET)

    def _settle(self, deal: OverDeal, entries: Sequence[Entry]) -> None:
        tried = self._tried[deal.unit]
        key = (deal.start.id, deal.has_wall)
        if key not in tried:
            outcome = self._track(deal, entries)
            if outcome is None:
                return
            tried[key] = outcome
        if self._note(deal, tried[key]):
            self._tried[deal.unit] = {key: one for key, one in tried.items() if key[0] != deal.start.id}

    def _track(self, deal: OverDeal, entries: Sequence[Entry]) -> Outcome | None:
        """Return the deal's outcome; None when the table is not enrolled, which is said once."""
        try:
            source = enrolment_path(deal.unit)
            enrolment = load_enrolment(source)
            if enrolment is None:
                if deal.unit not in self._unenrolled:
                    self._unenrolled.add(deal.unit)
                    text = (
                        f"{deal.unit} has tile readers and no list of tags at {source}: its deals have to be declared; "
                        "run `wallwright tiles enrol` for it"
                    )
                    self._tell(Change(wall_ms(), deal.table, "untracked", {"text": text}))
                return None
            rules = rules_of_deal(deal.records, self._follow(_kept_before(deal, entries)))
            has_keys = any(isinstance(entry.said, Claim) and entry.said.seat is not None for entry in entries)
            dealer = self._dealer_of(deal.unit, deal.number)
            return track_journal(entries, deal.number, rules, enrolment, claim_keys=has_keys, dealer=dealer)
        except (BadDeal, BadEnrolment, BadKey, RulesetError) as error:
            return Outcome(None, None, str(error), ())

    def _note(self, deal: OverDeal, outcome: Outcome) -> bool:
        """Write down what the deal has come to, if that is certain by now; say whether it was."""
        answers = () if outcome.question is None else outcome.question.answers
        accounts = [answer.account for answer in answers] if outcome.account is None else [outcome.account]
        points = deal.declared_points()
        if points is not None:
            # The declaration of the deal has answered the question, if there is one.
            agreeing = [account for account in accounts if account.settlement.points == points]
            if agreeing:
                self._write_moves(deal, agreeing[0], outcome)
                return True
            if accounts and deal.is_final:
                self._dispute(deal, accounts[0], points)
            return deal.is_final
        if outcome.account is not None:
            self._write_deal(deal, outcome.account, outcome)
            return True
        if not deal.is_final:
            return False
        if outcome.question is None:
            self._declare(deal, outcome.problem)
        else:
            self._ask(deal, outcome.question)
        return True

    def _answer(self, table: str, unit: str, number: int, chosen: int) -> Settled:
        """The question is worked out again, from the journal: it may have been asked before this program's start."""
        asked = [one.said for one in self._records(unit, number) if isinstance(one.said, DealQuestion)]
        if not asked:
            raise BadDeal(number, f"there is no question about it at {table}")
        question = asked[-1]
        first = question.seq
        entries = self._units.read(unit, question.boot_id, first - WINDOW, first + WINDOW)
        found = [deal for deal in deals_over(table, unit, entries) if deal.start.seq == first]
        if not found or any(isinstance(entry.said, DealMoves | DealDisputed) for entry in found[0].records):
            raise BadDeal(number, "its question has been answered")
        if not 1 <= chosen <= len(question.answers):
            raise BadDeal(number, f"its question has {len(question.answers)} answers; {chosen} is none of them")
        outcome = self._track(found[0], entries)
        answers = () if outcome is None or outcome.question is None else outcome.question.answers
        if outcome is None or [one.text for one in answers] != [one.text for one in question.answers]:
            raise BadDeal(number, "its question is not the same any more, for the list of tags has changed; declare it")
        account = answers[chosen - 1].account
        points = found[0].declared_points()
        if points is None:
            self._write_deal(found[0], account, outcome)
        elif points == account.settlement.points:
            self._write_moves(found[0], account, outcome)
        else:
            self._dispute(found[0], account, points)
        return account.settlement

    def _records(self, unit: str, number: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._units.read(unit) if entry.seq is None and deal_of(entry.said) == number)

    def _write_deal(self, deal: OverDeal, account: Account, outcome: Outcome) -> None:
        log = _Collected()
        note_deal(account, deal.number, log, unit=deal.unit, clock=wall_ms, start={}, notices=outcome.notices)
        self._journal.append_all(log.records)
        self._tell_noted(deal, account)

    def _write_moves(self, deal: OverDeal, account: Account, outcome: Outcome) -> None:
        said = moves_record(deal.number, account, outcome.notices)
        self._journal.append(*stored(said), at_ms=wall_ms(), unit=deal.unit)
        self._tell_noted(deal, account)

    def _tell_noted(self, deal: OverDeal, account: Account) -> None:
        points = list(account.settlement.points)
        said = ", ".join(f"seat {seat} {gained:+d}" for seat, gained in enumerate(points))
        text = f"deal {deal.number} is in the journal with its moves: {said}"
        body = {"deal": deal.number, "points": points, "unit": deal.unit, "text": text}
        self._tell(Change(wall_ms(), deal.table, "tracked", body, deal=DealNoted(deal.unit, deal.number)))

    def _dispute(self, deal: OverDeal, account: Account, declared: tuple[int, int, int, int]) -> None:
        tracked = account.settlement.points
        text = (
            f"deal {deal.number} was declared with points {list(declared)}, and its tiles say {list(tracked)}; "
            "let a referee decide"
        )
        self._record(deal, DealDisputed(deal=deal.number, text=text, declared=declared, tracked=tracked))

    def _declare(self, deal: OverDeal, why: str) -> None:
        text = f"deal {deal.number} has to be declared: {why}"
        self._record(deal, DealToDeclare(deal=deal.number, text=text, why=why))

    def _ask(self, deal: OverDeal, question: Question) -> None:
        answers = (
            Answer(text=one.text, action=_text(one.action), points=one.account.settlement.points)
            for one in question.answers
        )
        start = deal.start
        assert start.boot_id is not None
        assert start.seq is not None
        said = DealQuestion(
            deal=deal.number,
            text=question.text,
            asks=question.asks,
            after=_text(question.after),
            answers=tuple(answers),
            boot_id=start.boot_id,
            seq=start.seq,
        )
        self._record(deal, said)

    def _record(self, deal: OverDeal, said: DealQuestion | DealDisputed | DealToDeclare) -> None:
        """Write a record that somebody has to act upon, and tell it."""
        kind, body = stored(said)
        entry = self._journal.append(kind, body, at_ms=wall_ms(), unit=deal.unit)
        told = {**body, "entry": entry, "unit": deal.unit}
        opened = DealOpened(deal.unit, entry, said)
        self._tell(Change(wall_ms(), deal.table, kind.removeprefix("deal_"), told, deal=opened))


def _kept_before(deal: OverDeal, entries: Sequence[Entry]) -> Mapping[str, Any]:
    """What the last result at the table before this deal has left for it."""
    results = [one.said for one in entries if isinstance(one.said, DealResult) and one.id < deal.start.id]
    return (results[-1].kept or {}) if results else {}


class _Collected:
    """Takes records as a journal does, so that all go into it in one transaction."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        self.records.append(Record(kind, body, at_ms, unit))
        return len(self.records)


def _text(action: Done | None) -> str | None:
    return None if action is None else str(action)


def _words(error: Exception) -> str:
    why = str(error) if isinstance(error, WallwrightError) else f"this is a bug of this program ({error!r})"
    return f"a deal could not be tracked: {why}; that is tried again when the next walls are up, or declare it"
