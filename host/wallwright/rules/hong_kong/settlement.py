"""A declared deal of Hong Kong and who pays what for it (HKO-6 to 8), every amount one payment with its clause.

What cannot have happened raises ImpossibleDeal with the clause. Hands are checked in `hands`, and valued in `faan`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wallwright.rules.core.errors import HandError, ImpossibleDeal
from wallwright.rules.core.payments import Payment
from wallwright.rules.core.tiles import fifth_copy, tile_name
from wallwright.rules.hong_kong.faan import Score, score_hand
from wallwright.rules.hong_kong.hands import (
    BYS,
    DRAWN,
    EARTHLY,
    ROBBED_KONG,
    THIRTEEN_ORPHANS,
    WINDS,
    Hand,
    check_hand,
    nine_pieces,
)
from wallwright.rules.hong_kong.ruleset import POINTS, Ruleset
from wallwright.words import Seat, words

WIN, WALL, FALSE_WIN, TIME_UP = ENDS = ("win", "wall", "false_win", "time_up")
PROMOTED, SHOWN, HIDDEN = ROBBED = ("promoted", "shown", "hidden")
"""Kongs that can be robbed, the last by thirteen orphans alone (HKO-4.6)."""
MISTAKES = ("win", "set", "count")
"""What ends a deal by a penalty: a false win, a wrong set found late, a long or short hand (HKO-7.1)."""
_TVB_HANDS = frozenset({"big_three_dragons", "little_four_winds", "big_four_winds", "all_honors"})
_SEATS = range(4)


@dataclass(frozen=True, slots=True)
class NinePieces:
    """A player has called three sets of one suit, made with discards (HKO-6.7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class TwelvePieces:
    """The fourth set laid down of such a hand was made with a discard of `from_` (HKO-6.8)."""

    seat: int
    from_: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A false win, or another mistake that ends the deal (HKO-7.1)."""

    seat: int
    what: str = "win"


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won, by the hand shown, or by the base that the table agreed on."""

    seat: int
    hand: Hand | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Win:
    """One or several wins on one tile; `from_` is the discarder or the player robbed, `kong` what was robbed."""

    by: str
    winners: tuple[Winner, ...]
    from_: int | None = None
    kong: str | None = None


Event = NinePieces | TwelvePieces | Mistake | Win


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a deal comes to. `winners` are those who are paid; `scores` theirs, None where points were agreed on.

    `round_wind` is that of the next deal, None when the session is over (HKO-8.2).
    """

    events: tuple[Event, ...]
    end: str
    winners: tuple[Winner, ...]
    scores: tuple[Score | None, ...]
    payments: tuple[Payment, ...]
    points: tuple[int, int, int, int]
    next_dealer: int
    round_wind: str | None


@dataclass(frozen=True, slots=True)
class Declared:
    """A deal as it was noted. `first_dealer` is who dealt the first deal of the session (HKO-8.2)."""

    ruleset: Ruleset
    dealer: int
    round_wind: str
    events: tuple[Event, ...]
    end: str
    first_dealer: int = 0

    def seat_wind(self, seat: int) -> str:
        """E, S, W or N (HKO-3.1)."""
        return WINDS[(seat - self.dealer) % 4]

    def settle(self) -> Settlement:
        """Who pays what. ImpossibleDeal names the event that cannot be, and the clause."""
        self._check()
        last = self.events[-1] if self.events else None
        winners: tuple[Winner, ...] = ()
        scores: tuple[Score | None, ...] = ()
        payments: tuple[Payment, ...] = ()
        at = len(self.events) - 1
        if isinstance(last, Win):
            winners = self._paid_winners(last)
            scores = tuple(None if one.hand is None else score_hand(one.hand, self.ruleset) for one in winners)
            seats = [one.seat for one in winners]
            payments = tuple(
                payment
                for winner, score in zip(winners, scores, strict=True)
                for payment in self._win_payments(last, winner, score, [one for one in _SEATS if one not in seats], at)
            )
        elif isinstance(last, Mistake):
            why = words("the mistake of {seat} ended the deal", seat=Seat(last.seat))
            others = (seat for seat in _SEATS if seat != last.seat)
            payments = tuple(Payment(last.seat, seat, self.ruleset.dearest, "HKO-7.1", why, at) for seat in others)
        points = [0, 0, 0, 0]
        for one in payments:
            points[one.payer] -= one.points
            points[one.payee] += one.points
        next_dealer = self._next_dealer(winners)
        wind: str | None = self.round_wind
        if next_dealer != self.dealer and next_dealer == self.first_dealer:
            wind = (*WINDS, None)[WINDS.index(self.round_wind) + 1]
        a, b, c, d = points
        return Settlement(self.events, self.end, winners, scores, payments, (a, b, c, d), next_dealer, wind)

    def _paid_winners(self, win: Win) -> tuple[Winner, ...]:
        """The nearest to who gave the tile, or all (HKO-4.9)."""
        if len(win.winners) == 1 or win.from_ is None:
            return win.winners
        from_ = win.from_
        ordered = tuple(sorted(win.winners, key=lambda one: (one.seat - from_) % 4))
        return ordered if self.ruleset.multi_win == "all" else ordered[:1]

    def _win_payments(
        self, win: Win, winner: Winner, score: Score | None, losers: Sequence[int], at: int
    ) -> Iterator[Payment]:
        base = winner.points if score is None or winner.points is not None else score.points
        assert base is not None
        seat, giver = winner.seat, win.from_
        called, feeder = self._liability(winner, score)
        if giver is None:
            why = words("self-drawn win of {seat}", seat=Seat(seat))
            if feeder is not None:
                liable = words("{why}; {from_} made the fourth set", why=why, from_=Seat(feeder))
                yield Payment(feeder, seat, 6 * base, "HKO-6.8", liable, at)
            else:
                yield from (Payment(loser, seat, 2 * base, "HKO-6.5", why, at) for loser in losers)
            return
        robbed = win.by == ROBBED_KONG
        text = "win of {seat} on the kong robbed from {from_}" if robbed else "win of {seat} on the discard of {from_}"
        why = words(text, seat=Seat(seat), from_=Seat(giver))
        clause = "HKO-6.6" if robbed else "HKO-6.4"
        if robbed and self.ruleset.robbed_pays == "all":
            yield Payment(giver, seat, 6 * base, clause, why, at)
        elif called:
            yield Payment(giver, seat, 4 * base, "HKO-6.7", words("{why}, after nine pieces", why=why), at)
        elif self.ruleset.payment == "full":
            yield Payment(giver, seat, 4 * base, clause, why, at)
        else:
            for loser in losers:
                yield Payment(loser, seat, base * (2 if loser == giver else 1), clause, why, at)

    def _liability(self, winner: Winner, score: Score | None) -> tuple[bool, int | None]:
        """Whether nine pieces are liable, and who is for twelve (HKO-6.7, 6.8); points are believed."""
        called = any(one == NinePieces(winner.seat) for one in self.events)
        feeders = [one.from_ for one in self.events if isinstance(one, TwelvePieces) and one.seat == winner.seat]
        if score is not None and winner.hand is not None:
            if self.ruleset.nine_call == "auto":
                called = called or nine_pieces(winner.hand.sets)
            if not self._is_liable_hand(winner.hand, score):
                return False, None
        return called, feeders[-1] if feeders else None

    def _is_liable_hand(self, hand: Hand, score: Score) -> bool:
        one_suit = max(hand.tiles) < 27 and len({kind // 9 for kind in hand.tiles}) == 1
        return one_suit or (self.ruleset.liable_hands == "tvb" and bool(_TVB_HANDS & set(score.items)))

    def _next_dealer(self, winners: Sequence[Winner]) -> int:
        """HKO-7.3, 8.1; a deal that is broken off is dealt again by the same dealer."""
        stays = not winners or self.dealer in [one.seat for one in winners]
        last = self.events[-1] if self.events else None
        if isinstance(last, Mistake) and last.seat == self.dealer and self.ruleset.false_win_dealer == "pass":
            stays = False
        if self.end != TIME_UP and not self.ruleset.dealer_repeat:
            stays = False
        return self.dealer if stays else (self.dealer + 1) % 4

    # What cannot have happened.

    def _check(self) -> None:
        for number, event in enumerate(self.events, 1):
            if number < len(self.events) and isinstance(event, Win | Mistake):
                raise ImpossibleDeal(f"event {number + 1}: the first win or false win ends the deal (HKO-4.2, 7.1)")
            try:
                self._check_event(event)
            except (ImpossibleDeal, HandError) as error:
                raise ImpossibleDeal(f"event {number}: {error}") from error
        if self.end not in ENDS:
            raise ImpossibleDeal(f"a deal ends by {', '.join(ENDS)}, not {self.end!r} (HKO-4.2, 4.10, 7.1)")
        last = self.events[-1] if self.events else None
        found = WIN if isinstance(last, Win) else FALSE_WIN if isinstance(last, Mistake) else None
        if found != (self.end if self.end in (WIN, FALSE_WIN) else None):
            raise ImpossibleDeal(f"the end is {self.end}, but the last event is {found or 'no win'} (HKO-4.2, 7.1)")
        if self.end == TIME_UP and self.ruleset.time_up != "stop":
            raise ImpossibleDeal("this ruleset plays the deal in progress out when time is up (HKO-8.2)")

    def _check_event(self, event: Event) -> None:
        if isinstance(event, TwelvePieces):
            if event.from_ == event.seat:
                raise ImpossibleDeal("the fourth set is made with another player's discard (HKO-6.8)")
            if self.ruleset.nine_call == "declared" and NinePieces(event.seat) not in self.events:
                raise ImpossibleDeal(f"seat {event.seat} has not called nine pieces (HKO-6.7, 6.8)")
        elif isinstance(event, Mistake):
            if event.what not in MISTAKES:
                raise ImpossibleDeal(f"a mistake is {', '.join(MISTAKES)}, not {event.what!r} (HKO-7.1)")
        elif isinstance(event, Win):
            self._check_win(event)

    def _check_win(self, win: Win) -> None:
        seats = [one.seat for one in win.winners]
        if win.by not in BYS:
            raise ImpossibleDeal(f"a win is by {', '.join(BYS)}, not {win.by!r} (HKO-4.2, 4.6)")
        if not seats or len(set(seats)) != len(seats):
            raise ImpossibleDeal("a win has one winner, or several different ones (HKO-4.9)")
        if win.by in DRAWN:
            if win.from_ is not None or len(seats) > 1:
                raise ImpossibleDeal("a self-drawn win has one winner and no `from` (HKO-6.5)")
        elif win.from_ is None or win.from_ in seats:
            raise ImpossibleDeal(f"a win by {win.by} has in `from` another seat than the winner's (HKO-6.4, 6.6)")
        if win.kong is not None and (win.by != ROBBED_KONG or win.kong not in ROBBED):
            raise ImpossibleDeal(f"`kong` says which one was robbed: {', '.join(ROBBED)} (HKO-4.6)")
        if win.kong in (SHOWN, HIDDEN) and self.ruleset.concealed_kong not in (win.kong, "choice"):
            raise ImpossibleDeal(f"concealed kongs are {self.ruleset.concealed_kong} in this ruleset (HKO-4.6)")
        for winner in win.winners:
            self._check_winner(win, winner)
        hands = [one.hand for one in win.winners if one.hand is not None]
        if hands:
            together = [kind for hand in hands for kind in hand.tiles]
            for hand in hands[1:]:
                if hand.winning != hands[0].winning:
                    raise ImpossibleDeal("several wins are on one tile (HKO-4.9)")
                together.remove(hand.winning)
            if (fifth := fifth_copy(together)) is not None:
                raise ImpossibleDeal(f"a fifth {tile_name(fifth)} among the winners' hands (HKO-1.1)")

    def _check_winner(self, win: Win, winner: Winner) -> None:
        ruleset, seat = self.ruleset, winner.seat
        if winner.hand is None:
            worth = {ruleset.base(faan) for faan in range(len(POINTS[ruleset.points_table]))}
            if winner.points not in worth:
                listed = ", ".join(map(str, sorted(worth)))
                raise ImpossibleDeal(f"no hand is worth {winner.points}: the base is {listed} (HKO-6.2, 6.3)")
            return
        hand = winner.hand
        check_hand(hand, ruleset)
        if EARTHLY in hand.conditions and win.from_ != self.dealer:
            raise ImpossibleDeal("earthly is a win on the dealer's very first discard (HKO-5.5)")
        score = score_hand(hand, ruleset)
        if not score.complete:
            raise ImpossibleDeal(f"the hand of seat {seat} is not complete: note a false_win (HKO-5.1, 7.1)")
        if not score.allowed:
            few = f"the hand of seat {seat} has too few faan, {ruleset.min_faan} are needed: note a false_win"
            raise ImpossibleDeal(f"{few} (HKO-5.7, 7.1)")
        if win.kong == HIDDEN and score.shape is not None and score.shape.form != THIRTEEN_ORPHANS:
            raise ImpossibleDeal("only thirteen orphans rob a hidden kong (HKO-4.6)")
        if NinePieces(seat) in self.events and not nine_pieces(hand.sets):
            raise ImpossibleDeal(f"seat {seat} has no three sets of one suit made with discards (HKO-6.7)")
        if len([one for one in hand.sets if not one.is_concealed]) < 4 and any(
            isinstance(one, TwelvePieces) and one.seat == seat for one in self.events
        ):
            raise ImpossibleDeal(f"seat {seat} has no four sets made with discards (HKO-6.8)")
