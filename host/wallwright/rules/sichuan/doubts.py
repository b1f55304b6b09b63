"""What costs a player points and follows from the tiles alone, so that a mistyped one would cost as much: it has to be
said (SBR-3, 6.6, 7.2, 11.2).

The rules settle a deal without it. A person who writes a result down is asked first: mistyped, or so?
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import Breach, FinalHand, Hu, Winner
from wallwright.rules.sichuan.settlement import Settlement
from wallwright.words import NOTHING, Seat, Words, words

FALSE_HU, NOT_READY, FORBIDDEN_SUIT = "false_hu", "not_ready", "forbidden_suit"
"""A Hu that is false, a hand at the wall's end that is not ready, points that a forbidden suit costs."""
READY, NO_FORBIDDEN_SUIT = "ready", "no_forbidden_suit"
"""The other way round: a hand is said to be not ready, or to hold its forbidden suit, and its tiles say otherwise."""

_FORBIDDEN_CLAUSES = ("SBR-3.3", "SBR-3.4", "SBR-3.5", "SBR-10.2", "SBR-11.2", "SBR-11.3")


@dataclass(frozen=True, slots=True)
class Doubt:
    """What has to be said of the hand of `seat`, which declared Hu in event `at`, from 0 on, or was shown at the end.

    `why` is what the tiles say.
    """

    kind: str
    seat: int
    at: int | None
    why: Words

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Words:
        """The question as a sentence, with what answers it in a record."""
        seat, why = self.seat, self.why
        return {
            FALSE_HU: words(
                "{seat} has no Hu: {why}. Correct what was mistyped; if a referee has found the Hu false, say so: "
                "{said}",
                seat=Seat(seat),
                why=why,
                said='"false": true, "referee": "NAME"',
            ),
            NOT_READY: words(
                "{seat} is not ready and pays: {why}. Correct what was mistyped; if it is so, say so: {said}",
                seat=Seat(seat),
                why=why,
                said='"not_ready": true',
            ),
            FORBIDDEN_SUIT: words(
                "{seat} loses points: {why}. Correct what was mistyped; if it is so, say so: {said}",
                seat=Seat(seat),
                why=why,
                said='"holds_void": true',
            ),
            READY: words(
                "{seat} is said to be not ready, and by its tiles it is; correct one of them", seat=Seat(seat)
            ),
            NO_FORBIDDEN_SUIT: words(
                "{seat} is said to hold its forbidden suit, and by its tiles it does not; correct one of them",
                seat=Seat(seat),
            ),
        }[self.kind]


def doubts(deal: DeclaredDeal, settlement: Settlement) -> tuple[Doubt, ...]:
    """Return all that has to be said of a deal and is not."""
    suits = tuple(_of_suits(deal, settlement))
    # A hand that holds its forbidden suit is not ready, and one word is enough for that.
    charged = [doubt.seat for doubt in suits if doubt.kind == FORBIDDEN_SUIT and doubt.at is None]
    hands = (doubt for doubt in _of_hands(settlement) if doubt.seat not in charged)
    return (*_of_hu(deal, settlement), *hands, *suits)


def say_of_hands(record: Mapping[str, Any], found: tuple[Doubt, ...]) -> dict[str, Any]:
    """Return a record in which the hands at the end say what their tiles do: of one whose tiles a table has read, or
    that was looked at. A false Hu is for a referee to say.
    """
    marks = {
        doubt.seat: {{NOT_READY: "not_ready", FORBIDDEN_SUIT: "holds_void"}[doubt.kind]: True}
        for doubt in found
        if doubt.at is None and doubt.kind in (NOT_READY, FORBIDDEN_SUIT)
    }
    return {**record, "hands": [{**hand, **marks.get(hand["seat"], {})} for hand in record["hands"]]}


def _of_hu(deal: DeclaredDeal, settlement: Settlement) -> Iterator[Doubt]:
    places = [at for at, event in enumerate(deal.events) if isinstance(event, Hu)]
    for at, hu in zip(places, settlement.hu, strict=True):
        for judged in hu.winners:
            if judged.false and not judged.winner.false:
                yield Doubt(FALSE_HU, judged.seat, at, judged.why)
            elif judged.false and not judged.winner.referee:
                yield Doubt(FALSE_HU, judged.seat, at, words("a referee finds a Hu false, and none is named"))


def _of_hands(settlement: Settlement) -> Iterator[Doubt]:
    for judged in settlement.hands:
        hand = judged.hand
        if judged.ready and hand.not_ready:
            yield Doubt(READY, hand.seat, None, judged.why)
        elif not judged.ready and hand.value is None and not (hand.not_ready or hand.holds_void):
            yield Doubt(NOT_READY, hand.seat, None, judged.why)


def _of_suits(deal: DeclaredDeal, settlement: Settlement) -> Iterator[Doubt]:
    breached = {event.seat for event in deal.events if isinstance(event, Breach)}
    charged: dict[int, Words] = {}
    for penalty in settlement.penalties:
        if penalty.clause in _FORBIDDEN_CLAUSES:
            charged.setdefault(penalty.seat, penalty.why)
    shown: list[tuple[int | None, Winner | FinalHand]] = [
        (at, winner) for at, event in enumerate(deal.events) if isinstance(event, Hu) for winner in event.winners
    ]
    shown += [(None, hand) for hand in deal.hands]
    for at, hand in shown:
        if hand.seat in charged and not hand.holds_void and hand.seat not in breached:
            yield Doubt(FORBIDDEN_SUIT, hand.seat, at, charged[hand.seat])
        elif hand.holds_void and not _holds(hand):
            yield Doubt(NO_FORBIDDEN_SUIT, hand.seat, at, NOTHING)


def _holds(hand: Winner | FinalHand) -> bool:
    tiles = [*(hand.standing or ()), *(meld.tile for meld in hand.melds)]
    if isinstance(hand, Winner) and hand.winning is not None:
        tiles.append(hand.winning)
    return any(kind // 9 == hand.void for kind in tiles)
