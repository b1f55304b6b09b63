"""What a referee does about what waits: goes where a call is and ends it, answers a deal's question, settles a deal."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from ...errors import BadDeal, BadName
from ...journal.kinds.house import ConsoleAct
from ...rules.core.followed import Settled
from ...words import words as in_words
from ..people.person import Person, who
from ..problems import NotDone
from .calls import ANSWER, END, SETTLE, TAKE, Call, OpenDeal, Waiting

WORK_OUT_S = 60.0
"""A deal is worked out again when its question is answered, after those that wait for it to be worked out at all."""

Record = Callable[[str, ConsoleAct], None]


class Answering(Protocol):
    """Who works a deal out again: a `wallwright.fleet.Fleet`."""

    def answer(self, table: str, deal: int, number: int) -> "Future[Settled]":
        """Have a question about a deal answered."""


@dataclass(frozen=True, slots=True)
class AnsweredDeal:
    """What the deal of that number comes to by its tiles, by seat."""

    deal: int
    points: tuple[int, int, int, int]


class Referee:
    """Acts upon what is `waiting`; `record` has an act in the journal, as one of a table, before it counts.

    Every method raises JournalError when nothing was done because the journal takes nothing, and BadName when what it
    is about is open no more.
    """

    def __init__(self, waiting: Waiting, fleet: Answering, record: Record) -> None:
        self._waiting = waiting
        self._fleet = fleet
        self._record = record

    def take_call(self, person: Person, call_id: str) -> Call:
        """Say that `person` goes to the table of a call; the first who says so stays it."""
        call = self._call(call_id)
        if call.taken_by is None:
            self._record(call.table, ConsoleAct(**who(person), act=TAKE, table=call.table, call=call_id))
            call = self._waiting.taken(call_id, person.name) or call
        return call

    def end_call(self, person: Person, call_id: str, words: str) -> Call:
        """Say that a call is answered, and if wanted in `words` what it was about."""
        call = self._call(call_id)
        said = ConsoleAct(**who(person), act=END, table=call.table, call=call_id, words=words)
        self._record(call.table, said)
        self._waiting.ended(call_id)
        return call

    def answer_deal(self, person: Person, entry: int, number: int) -> AnsweredDeal:
        """Have a question about a deal answered with answer `number`, from 1.

        Raises BadDeal when there is no such answer, or it is asked no more; NotDone when that takes for long.
        """
        deal = self._deal(entry)
        if not 1 <= number <= len(deal.answers):
            problem = in_words("there is no answer {number} to choose; settle it with words", number=number)
            raise BadDeal(deal.deal, problem)
        text = deal.answers[number - 1].text
        said = ConsoleAct(
            **who(person), act=ANSWER, table=deal.table, entry=entry, deal=deal.deal, answer=number, text=text
        )
        self._record(deal.table, said)
        try:
            settlement = self._fleet.answer(deal.table, deal.deal, number).result(WORK_OUT_S)
        except TimeoutError:
            problem = in_words("deal {deal} is still worked out; it leaves this list when that is done", deal=deal.deal)
            raise NotDone(problem) from None
        return AnsweredDeal(deal.deal, settlement.points)

    def settle_deal(self, person: Person, entry: int, words: str) -> OpenDeal:
        """Say in `words` how a deal was decided."""
        deal = self._deal(entry)
        said = ConsoleAct(**who(person), act=SETTLE, table=deal.table, entry=entry, deal=deal.deal, words=words)
        self._record(deal.table, said)
        self._waiting.settled(entry)
        return deal

    def _call(self, call_id: str) -> Call:
        call = self._waiting.call(call_id)
        if call is None:
            raise BadName(in_words("no such call is open; somebody else may have answered it"))
        return call

    def _deal(self, entry: int) -> OpenDeal:
        deal = self._waiting.deal(entry)
        if deal is None:
            raise BadName(in_words("no such deal waits to be decided; somebody else may have done it"))
        return deal
