"""A referee's judgement of single hands: is a declared Hu true and what is it worth, is a final hand ready (SBR-6.5,
6.6, 7).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan.events import DISCARD_HU, ROBBED_KONG_HU, SELF_DRAWN_HU, FinalHand, Hu, Winner
from wallwright.rules.sichuan.fans import AFTER_KONG, HandScore, condition_flags, score_hand, score_items, wait_values
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.tile_words import suit_words
from wallwright.words import NOTHING, Named, Seat, Words, words

_IMPLIED = {SELF_DRAWN_HU: "self_drawn", ROBBED_KONG_HU: "robbing_kong"}


@dataclass(frozen=True, slots=True)
class JudgedHu:
    """A declared Hu after the check of SBR-7.1. `score` is None when only a value was agreed on; a false Hu has value 0
    and says why.
    """

    winner: Winner
    false: bool
    value: int
    score: HandScore | None
    why: Words = NOTHING

    @property
    def seat(self) -> int:
        """The seat that declared it."""
        return self.winner.seat


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """A hand at the wall's end. `values` are the points by waiting kind; empty when not ready or judged by others.

    `why` says why it is not ready, or who has judged it.
    """

    hand: FinalHand
    ready: bool
    best: int
    why: Words
    values: Mapping[int, int] = field(default_factory=dict, hash=False)


def judge_hu(hu: Hu, winner: Winner, ruleset: Ruleset, breached: bool, kongs: int) -> JudgedHu:
    """Check one declared Hu. `breached`: the player may not win any more (SBR-11.2). `kongs` it has declared before.

    HandError when the hand cannot exist, or its conditions contradict the way in which the tile came.
    """
    if winner.standing is not None and winner.winning is not None:
        conditions = hu_conditions(hu, winner, ruleset)
        score = score_hand(winner.standing, winner.winning, ruleset, winner.melds, conditions, winner.void)
        if not score.complete:
            why = _why_incomplete(winner)
            if winner.false and winner.referee:
                why = words("{why}, found by the referee {referee}", why=why, referee=winner.referee)
            return JudgedHu(winner, True, 0, score, why)
    elif winner.items is not None:
        flags = condition_flags(hu_conditions(hu, winner, ruleset), ruleset)
        if flags & AFTER_KONG and not kongs:
            raise HandError(words("after_kong needs a declared kong in the hand"))
        score = score_items(winner.items, kongs, flags, ruleset)
    elif winner.value is not None:
        if winner.value not in worths(ruleset):
            problem = "{seat}: {value} is not the value of a hand: {values}"
            known = ", ".join(map(str, worths(ruleset)))
            raise HandError(words(problem, seat=Seat(winner.seat), value=winner.value, values=known))
        score = None
    elif winner.false:
        return JudgedHu(winner, True, 0, None, _found_false(winner))
    else:
        problem = "{seat}: give the hand (standing, winning), its items, its value, or that the Hu is false"
        raise HandError(words(problem, seat=Seat(winner.seat)))
    if winner.false:
        return JudgedHu(winner, True, 0, score, _found_false(winner))
    if breached:
        return JudgedHu(winner, True, 0, score, words("no Hu after an active breach of the forbidden suit"))
    if score is None:
        assert winner.value is not None
        return JudgedHu(winner, False, winner.value, None)
    return JudgedHu(winner, False, score.value, score)


def worths(ruleset: Ruleset) -> tuple[int, ...]:
    """Return what hands can be worth, in points; the largest hand has ten fans (SBR-5.6)."""
    return tuple(sorted({ruleset.value(fans) for fans in range(11)}))


def hu_conditions(hu: Hu, winner: Winner, ruleset: Ruleset) -> frozenset[str]:
    """What the event says about the tile, and what the winner's conditions add: only `under_the_sea` can be new."""
    implied = {_IMPLIED[hu.by]} if hu.by in _IMPLIED else set()
    if hu.after_kong:
        if hu.by == SELF_DRAWN_HU:
            implied.add("after_kong")
        elif hu.by == DISCARD_HU or ruleset.chain_rob_shoots:
            implied.add("shoot_after_kong")
    for name in sorted(winner.conditions - implied - {"under_the_sea"}):
        problem = "{seat}: the condition {name} contradicts the event (by {by}, after_kong {after_kong})"
        raise HandError(
            words(
                problem,
                seat=Seat(winner.seat),
                name=Named("condition", name),
                by=Named("by", hu.by),
                after_kong=Named("truth", str(hu.after_kong)),
            )
        )
    return winner.conditions | implied


def holds_void(standing: tuple[int, ...] | None, void: int | None) -> bool:
    """Whether standing tiles are of the forbidden suit."""
    return standing is not None and void is not None and any(kind // 9 == void for kind in standing)


def judge_hand(hand: FinalHand, ruleset: Ruleset) -> JudgedHand:
    """Ready or not, and the best hand waited for (SBR-6.5). HandError when the hand cannot exist or is not given."""
    if hand.value is not None:
        return JudgedHand(hand, hand.value > 0, hand.value, words("agreed at the table"))
    if hand.standing is None:
        problem = "{seat}: at the wall's end the hand must be shown (standing), or judged (value, 0 for not ready)"
        raise HandError(words(problem, seat=Seat(hand.seat)))
    values = wait_values(hand.standing, ruleset, hand.melds, hand.void)
    if values:
        return JudgedHand(hand, True, max(values.values()), NOTHING, MappingProxyType(values))
    if hand.void is not None and (
        holds_void(hand.standing, hand.void) or any(meld.tile // 9 == hand.void for meld in hand.melds)
    ):
        return JudgedHand(hand, False, 0, words("holds its forbidden suit {suit}", suit=suit_words(hand.void)))
    return JudgedHand(hand, False, 0, words("no tile completes it"))


def _found_false(winner: Winner) -> Words:
    if winner.referee:
        return words("found false by the referee {referee}", referee=winner.referee)
    return words("found false by a referee")


def _why_incomplete(winner: Winner) -> Words:
    assert winner.standing is not None
    assert winner.winning is not None
    void = winner.void
    if holds_void((*winner.standing, winner.winning), void) or any(meld.tile // 9 == void for meld in winner.melds):
        return words("the hand holds its forbidden suit {suit}", suit=suit_words(void or 0))
    return words("the hand is not complete")
