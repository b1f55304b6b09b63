"""A finished deal step by step: what is on the table after each move, and what it has come to by then.

A tracked deal has every draw, discard and claim; of a declared one there are the kongs, Hu and breaches, and the hands
that were shown. Neither is made from a deal that still goes on. Those here are deals of Sichuan; `turns` has others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...errors import BadDeal
from ...rules.core.payments import Payment
from ...rules.core.tiles import tile_name
from ...rules.sichuan.deal import Deal
from ...rules.sichuan.declared import DeclaredDeal
from ...rules.sichuan.events import TIME_UP_END, Breach, Event, Hu, Kong
from ...rules.sichuan.explain import explain
from ...rules.sichuan.melds import Meld
from ...rules.sichuan.records import read_deal
from ...rules.sichuan.ruleset import Ruleset
from ...rules.sichuan.settlement import Penalty, Settlement, settle
from ...rules.sichuan.tiles import SUITS
from ...tracking.moves import Moves
from ...words import Words, words

HU = words("Hu")
START, END = "start", "end"
"""The first and the last step of every deal; those between are named like actions and declarations."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Tiles that went from one hand to another in an exchange."""

    from_: int
    tiles: tuple[str, ...]
    to: int


@dataclass(frozen=True, slots=True)
class Move:
    """One step: what `seat` did with which tiles. `from_` is whose they were, `at_ms` counts from the first timed one.

    `is_doubtful`: the readers leave open whether it was this move or another one that comes to the same result. `how`
    is said beside it. `handed` is the exchange of hands that it has completed.
    """

    verb: str
    seat: int | None = None
    tiles: tuple[str, ...] = ()
    from_: int | None = None
    at_ms: int | None = None
    is_doubtful: bool = False
    how: Words | None = None
    handed: tuple[Handed, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatAt:
    """A seat's tiles by name: `hand` standing, `latest` the one just drawn or won on. An unknown `hand` is None.

    `flowers` were laid out. `worth` is what the hand was said to come to.
    """

    hand: tuple[str, ...] | None = None
    latest: str | None = None
    melds: tuple[tuple[str, ...], ...] = ()
    discards: tuple[str, ...] = ()
    void: str | None = None
    has_won: bool = False
    flowers: tuple[str, ...] = ()
    worth: int | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """How it stands after a step; four of everything by seat. `lines` explain the result, at the last step only.

    `points` are None before the end in games that settle then.
    """

    seats: tuple[SeatAt, ...]
    wall_left: int | None
    points: tuple[int, int, int, int] | None
    payments: tuple[Payment, ...]
    penalties: tuple[Penalty, ...]
    lines: tuple[Words, ...] = ()


class Replay(Protocol):
    """A deal whose `moves` can be stepped through, from START to END.

    `notices` is what a referee may want to look at, `facts` what is known of the deal before it begins, and `won` what
    is said of who has won.
    """

    moves: tuple[Move, ...]
    notices: tuple[str, ...]
    facts: tuple[Words, ...]
    won: Words

    def at(self, step: int) -> Position:
        """Return how it stands after step 0 to len(moves) - 1."""


class TrackedReplay(Replay):
    """The moves that a table has tracked. BadDeal when they do not reach the deal's end."""

    facts: tuple[Words, ...] = ()
    won = HU

    def __init__(self, moves: Moves[Deal]) -> None:
        if not moves.deal.is_over:
            problem = words("its moves do not reach its end, so it is not shown; verify the journal")
            raise BadDeal(moves.number, problem)
        self._deal = moves.deal
        self.notices = tuple(notice.text for notice in moves.notices)
        first_ms = next((at_ms for at_ms in moves.times if at_ms is not None), 0)
        steps = [Move(START)]
        for number, (action, at_ms) in enumerate(zip(moves.deal.log, moves.times, strict=True)):
            tiles = () if action.tile is None else names((action.tile,))
            since_ms = None if at_ms is None else at_ms - first_ms
            steps.append(Move(action.verb, action.seat, tiles, None, since_ms, number in moves.doubtful))
        self.moves = (*steps, Move(END))

    def at(self, step: int) -> Position:
        """See Replay.at."""
        whole = self._deal
        deal = whole.anew()
        for action in whole.log[:step]:
            deal.push(action)
        seats = tuple(_tracked_seat(deal, seat) for seat in range(4))
        settlement = whole.settle() if step == len(whole.log) + 1 else _so_far(deal.ruleset, deal.dealer, deal.events)
        return _position(seats, deal.tiles_left, settlement, whole.ruleset, is_end=step == len(whole.log) + 1)


class DeclaredReplay(Replay):
    """What a scorer has noted: `record` in the shape of `wallwright rules settle`. RulesError when it is none."""

    notices: tuple[str, ...] = ()
    facts: tuple[Words, ...] = ()
    won = HU

    def __init__(self, record: Mapping[str, Any], ruleset: Ruleset) -> None:
        self._deal = read_deal(record, ruleset)
        self._settlement = self._deal.settle()
        self.moves = (Move(START), *(_declared_move(event) for event in self._deal.events), Move(END))

    def at(self, step: int) -> Position:
        """See Replay.at."""
        deal = self._deal
        is_end = step == len(deal.events) + 1
        events = deal.events[:step]
        seats = tuple(_declared_seat(deal, events, seat, is_end=is_end) for seat in range(4))
        settlement = self._settlement if is_end else _so_far(deal.ruleset, deal.dealer, events)
        return _position(seats, None, settlement, deal.ruleset, is_end=is_end)


def names(kinds: Iterable[int]) -> tuple[str, ...]:
    """Tiles by name."""
    return tuple(map(tile_name, kinds))


def _so_far(ruleset: Ruleset, dealer: int, events: Sequence[Event]) -> Settlement:
    """What has been won and paid by now, as it would stay if the deal were broken off."""
    return settle(ruleset, dealer, events, TIME_UP_END, ())


def _position(
    seats: tuple[SeatAt, ...], wall_left: int | None, settlement: Settlement, ruleset: Ruleset, *, is_end: bool
) -> Position:
    lines = explain(settlement, ruleset) if is_end else ()
    return Position(seats, wall_left, settlement.points, settlement.payments, settlement.penalties, lines)


def _tracked_seat(deal: Deal, seat: int) -> SeatAt:
    hand = list(deal.hand(seat))
    latest = deal.drawn if seat in deal.pending[:1] and deal.offered is None else None
    if latest is not None:
        hand.remove(latest)
    return SeatAt(
        names(hand),
        None if latest is None else tile_name(latest),
        _sets(deal.melds(seat)),
        names(deal.discards(seat)),
        _suit(deal.void(seat)),
        deal.has_won(seat),
    )


def _declared_seat(deal: DeclaredDeal, events: Sequence[Event], seat: int, *, is_end: bool) -> SeatAt:
    for event in events:
        for winner in event.winners if isinstance(event, Hu) else ():
            if winner.seat == seat:
                hand = None if winner.standing is None else names(winner.standing)
                latest = None if winner.winning is None else tile_name(winner.winning)
                return SeatAt(hand, latest, _sets(winner.melds), void=_suit(winner.void), has_won=True)
    for shown in deal.hands if is_end else ():
        if shown.seat == seat:
            hand = None if shown.standing is None else names(shown.standing)
            return SeatAt(hand, None, _sets(shown.melds), void=_suit(shown.void))
    return SeatAt()


def _declared_move(event: Event) -> Move:
    if isinstance(event, Kong):
        return Move(f"{event.type} kong", event.seat, (), event.from_)
    if isinstance(event, Breach):
        return Move("breach", event.seat)
    first = event.winners[0]
    return Move("hu", first.seat, () if first.winning is None else names((first.winning,)), event.from_)


def _sets(melds: Sequence[Meld]) -> tuple[tuple[str, ...], ...]:
    return tuple(names(meld.tiles) for meld in melds)


def _suit(number: int | None) -> str | None:
    return None if number is None else SUITS[number]
