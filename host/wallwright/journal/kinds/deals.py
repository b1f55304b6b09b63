"""What is known of a deal: its start, what was declared, its result, its moves where tiles are read, and what a referee
has to decide about it.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import field

from .fields import REST, Part, Plain
from .record import Record, kind
from .texts import Code, Sentences, Word
from .values import BoardDeal, BootId, Dealer, Dice, Fine, NextDealer, Payment, Plan, Points, Seat

SHEET = "the score sheet of a table's host"
TRACKING = "the host of a table with tile readers"


class WallBreak(Part):
    """Where the wall is broken."""

    seat: Seat
    indent: Annotated[int, "stacks to the right of the break"]


@kind("deal_started", by=SHEET)
class DealStarted(Record):
    """A deal begins."""

    deal: BoardDeal
    dealer: Dealer
    ruleset: Annotated[Word, "name of a preset, or of the event's own rules"]
    dice: Dice | None = None
    break_: WallBreak | None = field(name="break", default=None)
    plan: Plan | None = None
    options: Annotated[Plain | None, "options of the ruleset that are not those of the preset"] = None
    throws: Annotated[tuple[Dice, ...] | None, "all throws before the deal, where there are several"] = None
    begin: Annotated[
        Plain | None, "what the record of the deal begins with in games of `rules.core.turns`: who deals, winds, pot"
    ] = None
    build_ms: Annotated[int | None, "what the build took, ms"] = None


@kind("declared", by=SHEET)
class Declared(Record):
    """A kong, a Hu or a breach is declared."""

    deal: BoardDeal
    event: Annotated[Plain, REST, "one item of `events` as `wallwright rules settle` takes it"]


@kind("dealer_called", by="the score sheet of a table's host, or the console")
class DealerCalled(Record):
    """It is certain who deals next, before the result is."""

    deal: BoardDeal
    dealer: NextDealer
    by: Annotated[Word | None, "who has said it, with their role"] = None


class SettledHu(Part):
    """A Hu, and what the hand comes to."""

    seat: Seat
    by: Annotated[Word, "self_drawn, discard or robbed_kong"]
    from_: Annotated[Seat | None, "whose tile it was, null for a self-drawn one"] = field(name="from")
    is_false: Annotated[bool, "whether it was a false Hu"] = field(name="false")
    value: Annotated[int, "points of the hand before what the end adds; in games that one player wins, of the deal"]
    form: Annotated[Word | None, "regular or seven_pairs"] = None
    items: Annotated[Mapping[Word, int] | None, "what gives fans, by name"] = None
    fans: Annotated[int | None, "fans together"] = None
    why: Annotated[Sentences | None, "why it was false, in English"] = None


class SettledKong(Part):
    """A kong, and whether it was paid."""

    seat: Seat
    kind: Annotated[Word, "concealed, melded, promoted or postponed"]
    paid: Annotated[bool, "whether it was paid"]
    clause: Annotated[Word, "of the rules, by which it was not"]
    why: Annotated[Sentences, "in English"]


@kind("deal_result", by=SHEET)
class DealResult(Record):
    """A deal has ended and is settled."""

    deal: BoardDeal
    end: Annotated[Word, "three_hu, wall or time_up; in games that one player wins: win or wall"]
    hands: Annotated[tuple[Plain, ...], "hands of players without Hu, as `wallwright rules settle` takes them"]
    points: Points
    payments: Annotated[tuple[Payment, ...], "those between players; what a pot takes and gives is in `record` alone"]
    penalties: tuple[Fine, ...]
    hu: tuple[SettledHu, ...]
    kongs: tuple[SettledKong, ...]
    next_dealer: NextDealer
    record: Annotated[
        Plain | None, "the whole deal as `wallwright rules settle` takes it, in games of `rules.core.turns`"
    ] = None
    kept: Annotated[Plain | None, "what the record of the next deal begins with, in those games"] = None
    session_over: Annotated[bool | None, "whether it was the last of a session by the rounds of such a game"] = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats whose Hu was a true one, in their order."""
        return tuple(hu.seat for hu in self.hu if not hu.is_false)


class Notice(Part):
    """What a referee may want to look at."""

    at_ms: Annotated[int | None, "ms since the board's start; null where nobody knows"]
    text: Annotated[Sentences, "in English"]


@kind("deal_moves", by=TRACKING)
class DealMoves(Record):
    """The moves of a deal whose tiles were read."""

    deal: BoardDeal
    text: Annotated[Code, "the deal in the notation of docs/rules.md, of other games in that of `rules.core.notation`"]
    times: Annotated[tuple[int | None, ...], "of each action, ms since the board's start; null where nobody knows"]
    doubtful: Annotated[tuple[int, ...], "numbers of actions, from 0, that could have been others"]
    notices: tuple[Notice, ...]


class Answer(Part):
    """One answer to a question about a deal, and what it comes to."""

    text: Annotated[Sentences, "what would have happened"]
    action: Annotated[Word | None, "that as an action; null where the deal would have been over"]
    points: Points


@kind("deal_question", by=TRACKING)
class DealQuestion(Record):
    """The tiles of a deal leave something open that a referee has to answer."""

    deal: BoardDeal
    text: Annotated[Sentences, "the question"]
    asks: Annotated[Word, "which question it is"]
    after: Annotated[Word | None, "the action that it is about"]
    answers: tuple[Answer, ...]
    boot_id: BootId
    seq: Annotated[int, "number of the event of the board with which the deal began"]


@kind("deal_disputed", by=TRACKING)
class DealDisputed(Record):
    """What was declared is not what the tiles say."""

    deal: BoardDeal
    text: Annotated[Sentences, "in a sentence"]
    declared: Annotated[Points, "as declared"]
    tracked: Annotated[Points, "by the tiles"]


@kind("deal_to_declare", by=TRACKING)
class DealToDeclare(Record):
    """A deal cannot be told by its tiles; it has to be declared."""

    deal: BoardDeal
    text: Annotated[Sentences, "in a sentence"]
    why: Annotated[Sentences, "why not"]
