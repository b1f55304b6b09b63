"""Players for demonstrations and studies: one that does anything legal, one that plays to win.

A bot's `choose(view, actions, rng)` returns one of the legal actions. It knows what its seat may know (`view`) and
keeps no state, so one bot can play all four seats.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from wallwright.rules import actions as act
from wallwright.rules.actions import Action
from wallwright.rules.fans import score_packed
from wallwright.rules.hands import kinds_of_mask, waits_packed
from wallwright.rules.packed import ONE, SUIT_BITS, SUIT_MASK, size
from wallwright.rules.shanten import shanten_packed
from wallwright.rules.view import View


class Bot(Protocol):
    """What plays a seat."""

    def choose(self, view: View, actions: Sequence[Action], rng: Random) -> Action:
        """One of `actions`, which is never empty."""


class RandomBot:
    """Any legal action with equal chances."""

    def choose(self, view: View, actions: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002 - part of the shape
        """One of the actions."""
        return actions[int(rng.random() * len(actions))]


class SmartBot:
    """Voids its weakest suit, goes the shortest way to a complete hand, and among equal ways takes the one worth more.

    It declares Hu whenever it may, and claims a pung or kong only when that brings the hand nearer.
    """

    def choose(self, view: View, actions: Sequence[Action], rng: Random) -> Action:
        """The action that serves the hand best; ties are broken by `rng`."""
        if len(actions) == 1:
            return actions[0]
        verb = actions[0].verb
        if verb == act.VOID:
            return self._choose_void(view, actions, rng)
        for action in actions:
            if action.verb == act.HU:
                return action
        if verb == act.PASS:
            return self._choose_claim(view, actions)
        return self._choose_turn(view, actions, rng)

    def _choose_void(self, view: View, actions: Sequence[Action], rng: Random) -> Action:
        """The suit whose loss leaves the hand nearest to complete; its loosest tile becomes the indicator."""
        hand = view.packed_hand

        def cost(action: Action) -> tuple[int, int, int, float]:
            suit = action.suit if action.tile is None else action.tile // 9
            assert suit is not None
            tiles = hand >> SUIT_BITS * suit & SUIT_MASK
            edge = 0 if action.tile is None else abs(action.tile % 9 - 4)
            return (shanten_packed(hand, suit), size(tiles), -edge, rng.random())

        return min(actions, key=cost)

    def _choose_claim(self, view: View, actions: Sequence[Action]) -> Action:
        """Pass unless the set brings the hand nearer to complete. A set of the forbidden suit is never taken
        (SBR-3.4).
        """
        kind = view.offered
        void = view.void
        if kind is None or kind // 9 == void:
            return actions[0]
        hand = view.packed_hand
        now = shanten_packed(hand, void)
        for action in reversed(actions[1:]):
            # A kong claimed leaves one tile to draw, a pung one to discard.
            after = hand - (3 if action.verb == act.KONG else 2) * ONE[kind]
            gain = now - shanten_packed(after, void)
            if gain > 0 or (action.verb == act.KONG and gain == 0):
                return action
        return actions[0]

    def _choose_turn(self, view: View, actions: Sequence[Action], rng: Random) -> Action:
        hand, void = view.packed_hand, view.void
        now = shanten_packed(hand, void)
        for action in actions:
            if action.verb == act.KONG and action.tile is not None and action.tile // 9 != void:
                held = hand >> 8 * action.tile & 7
                if shanten_packed(hand - held * ONE[action.tile], void) <= now:
                    return action
        discards = [action for action in actions if action.verb == act.DISCARD]
        if void is not None and hand >> SUIT_BITS * void & SUIT_MASK:
            of_void = [action for action in discards if action.tile is not None and action.tile // 9 == void]
            return of_void[0] if of_void else discards[0]
        return self._best_discard(view, discards, rng)

    def _best_discard(self, view: View, discards: Sequence[Action], rng: Random) -> Action:
        """Nearest to complete first; among those the most tiles (weighed by value when ready) that still help."""
        hand, void = view.packed_hand, view.void
        distances = []
        for action in discards:
            assert action.tile is not None
            distances.append(shanten_packed(hand - ONE[action.tile], void))
        nearest = min(distances)
        seen = view.on_table + hand
        best, best_worth = discards[0], -1.0
        for action, distance in zip(discards, distances, strict=True):
            if distance != nearest:
                continue
            assert action.tile is not None
            worth = self._worth(view, hand - ONE[action.tile], nearest, seen) + rng.random() / 2
            if worth > best_worth:
                best, best_worth = action, worth
        return best

    def _worth(self, view: View, hand: int, distance: int, seen: int) -> float:
        """Unseen tiles that bring the hand nearer; of a ready hand, each with its value."""
        void = view.void
        melds = view.melds(view.seat)
        worth = 0
        if distance == 0:
            for kind in kinds_of_mask(waits_packed(hand)):
                unseen = 4 - (seen >> 8 * kind & 7)
                worth += unseen * score_packed(hand + ONE[kind], melds, 0, view.ruleset).value
            return worth
        for kind in range(27):
            if kind // 9 != void:
                unseen = 4 - (seen >> 8 * kind & 7)
                if unseen and shanten_packed(hand + ONE[kind], void) < distance:
                    worth += unseen
        return worth
