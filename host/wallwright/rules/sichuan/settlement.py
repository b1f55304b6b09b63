"""Who pays what after a deal (SBR-6 to 8), from what was declared. Checks of possibility are in `declared`, of hands
in `judge`.

Every amount is one payment with its clause, or a penalty that nobody receives; the points of a deal are their sum.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wallwright.rules.core.payments import Payment
from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.sichuan.events import (
    DISCARD_HU,
    SELF_DRAWN_HU,
    THREE_HU,
    WALL,
    Breach,
    End,
    Event,
    FinalHand,
    Hu,
    Kong,
    Winner,
    declared_kongs,
)
from wallwright.rules.sichuan.judge import JudgedHand, JudgedHu, holds_void, judge_hand, judge_hu
from wallwright.rules.sichuan.melds import Meld, MeldType
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.tile_words import suit_words
from wallwright.words import NOTHING, Seat, Words, words

KONG_POINTS = {MeldType.CONCEALED: 2, MeldType.MELDED: 2, MeldType.PROMOTED: 1, MeldType.POSTPONED: 0}
"""From each player who has not won, for a melded one from the discarder alone (SBR-6.3)."""

KONG_WORDS = {
    MeldType.CONCEALED: words("concealed kong"),
    MeldType.MELDED: words("melded kong"),
    MeldType.PROMOTED: words("promoted kong"),
    MeldType.POSTPONED: words("postponed kong"),
}

SELF_DRAWN_POINT = 1
"""Added to the hand's value after doubling (SBR-6.2)."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that a seat loses and nobody receives; `at` as in Payment."""

    seat: int
    points: int
    clause: str
    why: Words
    at: int | None = None


@dataclass(frozen=True, slots=True)
class SettledKong:
    """A declared kong; when it earns nothing, `clause` and `why` say so, otherwise they are empty."""

    kong: Kong
    clause: str
    why: Words

    @property
    def paid(self) -> bool:
        """Whether its points stand."""
        return not self.clause


@dataclass(frozen=True, slots=True)
class SettledHu:
    """One Hu event and its judged winners."""

    event: Hu
    winners: tuple[JudgedHu, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The result of a deal and its `events`. `points` by seat; `hands` are the final hands that were checked."""

    points: tuple[int, int, int, int]
    payments: tuple[Payment, ...]
    penalties: tuple[Penalty, ...]
    hu: tuple[SettledHu, ...]
    next_dealer: int
    kongs: tuple[SettledKong, ...]
    hands: tuple[JudgedHand, ...]
    end: End
    events: tuple[Event, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with a true Hu, in the order of their Hu."""
        return tuple(judged.seat for hu in self.hu for judged in hu.winners if not judged.false)


def settle(ruleset: Ruleset, dealer: int, events: Sequence[Event], end: End, hands: Iterable[FinalHand]) -> Settlement:
    """Settle a deal whose events are possible. HandError when a hand cannot exist."""
    hands = tuple(hands)
    breaches = _breaches(ruleset, events, hands)
    hus = tuple(
        SettledHu(event, tuple(_judged(events[:at], event, winner, ruleset, breaches) for winner in event.winners))
        for at, event in enumerate(events)
        if isinstance(event, Hu)
    )
    judged = tuple(judge_hand(hand, ruleset) for hand in hands) if end == WALL else ()
    kongs = _settle_kongs(ruleset, events, hus, judged, breaches)
    payments = [*_payments_in_play(ruleset, events, hus, kongs), *_wall_payments(judged, breaches)]
    penalties = _penalties(ruleset, events, hus, hands, breaches, end)
    points = [0, 0, 0, 0]
    for payment in payments:
        points[payment.payer] -= payment.points
        points[payment.payee] += payment.points
    for penalty in penalties:
        points[penalty.seat] -= penalty.points
    a, b, c, d = points
    next_dealer = _next_dealer(dealer, hus)
    return Settlement(
        (a, b, c, d), tuple(payments), tuple(penalties), hus, next_dealer, kongs, judged, end, tuple(events)
    )


def meld_words(meld: Meld) -> Words:
    """A declared set with its tiles."""
    if meld.type in KONG_WORDS:
        return words("{kong} {tiles}", kong=KONG_WORDS[meld.type], tiles=Tiles(meld.tiles))
    return words("pung {tiles}", tiles=Tiles(meld.tiles))


def _judged(
    before: Sequence[Event], event: Hu, winner: Winner, ruleset: Ruleset, breaches: tuple[int, ...]
) -> JudgedHu:
    return judge_hu(event, winner, ruleset, winner.seat in breaches, declared_kongs(before, winner.seat))


def _breaches(ruleset: Ruleset, events: Sequence[Event], hands: tuple[FinalHand, ...]) -> tuple[int, ...]:
    """Seats with an active breach: those noted, and those that show a set of their forbidden suit (SBR-11.2)."""
    if not ruleset.breach_points:
        return ()
    seats = [event.seat for event in events if isinstance(event, Breach)]
    for seat, melds, void in _shown_sets(events, hands):
        if seat not in seats and any(meld.tile // 9 == void for meld in melds):
            seats.append(seat)
    return tuple(seats)


def _shown_sets(
    events: Sequence[Event], hands: tuple[FinalHand, ...]
) -> list[tuple[int, tuple[Meld, ...], int | None]]:
    """(seat, declared sets, forbidden suit) of every hand shown."""
    shown = [
        (winner.seat, winner.melds, winner.void)
        for event in events
        if isinstance(event, Hu)
        for winner in event.winners
    ]
    return [*shown, *((hand.seat, hand.melds, hand.void) for hand in hands)]


def _settle_kongs(
    ruleset: Ruleset,
    events: Sequence[Event],
    hus: tuple[SettledHu, ...],
    judged: tuple[JudgedHand, ...],
    breaches: tuple[int, ...],
) -> tuple[SettledKong, ...]:
    """Which kongs earn nothing, and by which clause (SBR-6.4, 7.3, 11.2)."""
    false = {judged_hu.seat for hu in hus for judged_hu in hu.winners if judged_hu.false}
    not_ready = {hand.hand.seat for hand in judged if not hand.ready}
    shot = _shot_kongs(ruleset, events)
    false_clause = "SBR-7.3" if ruleset.false_hu == "players" else "SBR-11.4"
    settled = []
    for at, event in enumerate(events):
        if not isinstance(event, Kong):
            continue
        clause, why = "", NOTHING
        if event.robbed:
            clause, why = "SBR-6.4", words("it was robbed")
        elif at in shot:
            clause, why = "SBR-6.4", words("the tile discarded right after it was won on")
        elif event.seat in false:
            clause, why = false_clause, words("its owner declared a false Hu")
        elif event.seat in breaches:
            clause, why = "SBR-11.2", words("its owner breached the forbidden suit")
        elif event.seat in not_ready:
            clause, why = "SBR-6.4", words("its owner was not ready when the wall ended")
        settled.append(SettledKong(event, clause, why))
    return tuple(settled)


def _shot_kongs(ruleset: Ruleset, events: Sequence[Event]) -> set[int]:
    """Indices of kongs lost because a Hu, true or false, was declared on the discard right after them."""
    shot = set()
    for at, event in enumerate(events):
        if not isinstance(event, Hu) or event.by != DISCARD_HU or not event.after_kong:
            continue
        kongs = [index for index in range(at) if isinstance(events[index], Kong)]
        while kongs:
            last = kongs.pop()
            shot.add(last)
            kong = events[last]
            assert isinstance(kong, Kong)
            if ruleset.shoot_voids == "last" or not kong.chain:
                break
    return shot


def _payments_in_play(
    ruleset: Ruleset, events: Sequence[Event], hus: tuple[SettledHu, ...], kongs: tuple[SettledKong, ...]
) -> list[Payment]:
    """Payments for kongs and Hu in the order of the events; who has declared Hu before pays no more."""
    payments: list[Payment] = []
    playing = [0, 1, 2, 3]
    next_hu, next_kong = iter(hus), iter(kongs)
    for at, event in enumerate(events):
        if isinstance(event, Kong):
            if next(next_kong).paid:
                payments += _kong_payments(at, event, playing)
        elif isinstance(event, Hu):
            settled = next(next_hu)
            seats = [judged.seat for judged in settled.winners]
            still_in = [seat for seat in playing if seat not in seats]
            for judged in settled.winners:
                if judged.false:
                    payments += _false_payments(ruleset, at, judged, still_in)
                else:
                    payments += _hu_payments(at, event, judged, still_in)
            playing = still_in
    return payments


def _kong_payments(at: int, kong: Kong, playing: list[int]) -> list[Payment]:
    payers = [kong.from_] if kong.from_ is not None else [seat for seat in playing if seat != kong.seat]
    points = KONG_POINTS[kong.type]
    why = words("{kong} of {seat}", kong=KONG_WORDS[kong.type], seat=Seat(kong.seat))
    return [Payment(payer, kong.seat, points, "SBR-6.3", why, at) for payer in payers if points]


def _hu_payments(at: int, hu: Hu, judged: JudgedHu, still_in: list[int]) -> list[Payment]:
    if hu.by == SELF_DRAWN_HU:
        points = judged.value + SELF_DRAWN_POINT
        text = "self-drawn Hu of {seat}: {value} + {more}"
        why = words(text, seat=Seat(judged.seat), value=judged.value, more=SELF_DRAWN_POINT)
        return [Payment(payer, judged.seat, points, "SBR-6.2", why, at) for payer in still_in]
    assert hu.from_ is not None
    why = (
        words("Hu of {seat} on the discard of {from_}", seat=Seat(judged.seat), from_=Seat(hu.from_))
        if hu.by == DISCARD_HU
        else words("Hu of {seat} on the kong robbed from {from_}", seat=Seat(judged.seat), from_=Seat(hu.from_))
    )
    return [Payment(hu.from_, judged.seat, judged.value, "SBR-6.1", why, at)]


def _false_payments(ruleset: Ruleset, at: int, judged: JudgedHu, still_in: list[int]) -> list[Payment]:
    if ruleset.false_hu != "players":
        return []
    why = words("false Hu of {seat}: {why}", seat=Seat(judged.seat), why=judged.why)
    return [Payment(judged.seat, seat, ruleset.false_hu_points, "SBR-7.3", why, at) for seat in still_in]


def _wall_payments(judged: tuple[JudgedHand, ...], breaches: tuple[int, ...]) -> list[Payment]:
    """Each player who is not ready pays each who is (SBR-6.5); one who breached the forbidden suit collects nothing
    (SBR-11.2).
    """
    return [
        Payment(
            payer.hand.seat,
            payee.hand.seat,
            payee.best,
            "SBR-6.5",
            words("{payee} is ready, {payer} is not", payee=Seat(payee.hand.seat), payer=Seat(payer.hand.seat)),
        )
        for payee in judged
        if payee.ready and payee.hand.seat not in breaches
        for payer in judged
        if not payer.ready and payee.best
    ]


def _penalties(
    ruleset: Ruleset,
    events: Sequence[Event],
    hus: tuple[SettledHu, ...],
    hands: tuple[FinalHand, ...],
    breaches: tuple[int, ...],
    end: End,
) -> list[Penalty]:
    """The penalties of SBR-3.3 to 3.5, 10.2, 11.2 to 11.4. A tile or declared set is a reason for one of them only."""
    penalties = [
        Penalty(
            seat,
            ruleset.breach_points,
            "SBR-11.2",
            words("active breach of the forbidden suit"),
            events.index(Breach(seat)) if Breach(seat) in events else None,
        )
        for seat in breaches
    ]
    places = (at for at, event in enumerate(events) if isinstance(event, Hu))
    for at, judged in ((at, judged) for at, hu in zip(places, hus, strict=True) for judged in hu.winners):
        winner = judged.winner
        if ruleset.breach_points == 0:
            penalties += _set_penalties(ruleset, at, winner.seat, winner.melds, winner.void)
            tiles = (*(winner.standing or ()), *(() if winner.winning is None else (winner.winning,)))
            if holds_void(tiles, winner.void):
                why = words("Hu with tiles of the forbidden suit {suit} in hand", suit=suit_words(winner.void or 0))
                penalties.append(Penalty(winner.seat, ruleset.void_points, "SBR-3.5", why, at))
        if judged.false and ruleset.false_hu == "penalty":
            why = words("false Hu: {why}", why=judged.why)
            penalties.append(Penalty(winner.seat, ruleset.false_hu_points, "SBR-11.4", why, at))
    checked = end == WALL or (end == THREE_HU and ruleset.void_check == "any")
    for hand in hands:
        if ruleset.breach_points == 0:
            penalties += _set_penalties(ruleset, None, hand.seat, hand.melds, hand.void)
        if not checked or not holds_void(hand.standing, hand.void) or hand.seat in breaches:
            continue
        if not (ruleset.passive_exempt and hand.only_void_discards):
            clause = "SBR-11.3" if ruleset.breach_points else "SBR-3.3" if end == WALL else "SBR-10.2"
            why = words("tiles of the forbidden suit {suit} in hand at the end", suit=suit_words(hand.void or 0))
            penalties.append(Penalty(hand.seat, ruleset.void_points, clause, why))
    return penalties


def _set_penalties(
    ruleset: Ruleset, at: int | None, seat: int, melds: tuple[Meld, ...], void: int | None
) -> list[Penalty]:
    """One for each declared set of the forbidden suit (SBR-3.4)."""
    return [
        Penalty(
            seat,
            ruleset.void_points,
            "SBR-3.4",
            words("declared set of the forbidden suit: {meld}", meld=meld_words(meld)),
            at,
        )
        for meld in melds
        if meld.tile // 9 == void
    ]


def _next_dealer(dealer: int, hus: tuple[SettledHu, ...]) -> int:
    """The first true Hu deals next; of several on one tile, the one whose tile it was (SBR-8.1, 7.4)."""
    for hu in hus:
        true = [judged.seat for judged in hu.winners if not judged.false]
        if len(true) == 1:
            return true[0]
        if true:
            assert hu.event.from_ is not None
            return hu.event.from_
    return dealer
