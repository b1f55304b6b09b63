"""Players for demonstrations and studies: one that does anything legal, one that plays to win.

A bot's `choose(view, actions, rng)` returns one of the legal actions. It knows what its seat may know (`view`) and
keeps no state, so one bot can play all four seats.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.packed import ONE, size
from wallwright.rules.sichuan.plans import chance, prospect
from wallwright.rules.sichuan.shanten import shanten_packed
from wallwright.rules.sichuan.view import View


class Bot(Protocol):
    """What plays a seat."""

    def choose(self, view: View, actions: Sequence[Action], rng: Random) -> Action:
        """One of `actions`, which is never empty."""


_WORTH_A_LOOK = 0.6
"""Discards whose prospect is this part of the best one's are looked at more closely."""

_TIE = 1e-6


class RandomBot:
    """Any legal action with equal chances."""

    def choose(self, view: View, actions: Sequence[Action], rng: Random) -> Action:  # noqa: ARG002 - part of the shape
        """One of the actions."""
        return actions[int(rng.random() * len(actions))]


class SmartBot:
    """Voids its weakest suit, then weighs the value of what the hand may become against the tiles it lacks.

    It declares Hu whenever it may, and claims a pung or kong only when that brings the hand nearer to complete.
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

    def unseen(self, view: View) -> list[tuple[int, float]]:
        """Every kind with the number of its tiles that the seat does not see."""
        seen = view.on_table + view.packed_hand
        return [(kind, 4 - (seen >> 8 * kind & 7)) for kind in range(27)]

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
        """Pass unless the set brings the hand nearer to complete; never a set of the forbidden suit (SBR-3.4)."""
        kind = view.offered
        void = _suit_to_leave(view)
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
        hand, void = view.packed_hand, _suit_to_leave(view)
        now = shanten_packed(hand, void)
        for action in actions:
            if action.verb == act.KONG and action.tile is not None and action.tile // 9 != void:
                held = hand >> 8 * action.tile & 7
                if shanten_packed(hand - held * ONE[action.tile], void) <= now:
                    return action
        discards = [action for action in actions if action.verb == act.DISCARD]
        if hand >> SUIT_BITS * void & SUIT_MASK:
            of_void = [action for action in discards if action.tile is not None and action.tile // 9 == void]
            return of_void[0] if of_void else discards[0]
        return self._best_discard(view, discards, rng)

    def _best_discard(self, view: View, discards: Sequence[Action], rng: Random) -> Action:
        """Of the discards that leave about the best prospect, the one after which the unseen tiles promise most."""
        hand, melds = view.packed_hand, view.melds(view.seat)
        void = _suit_to_leave(view)
        each = chance(view.wall_left)
        useful = [(kind, unseen) for kind, unseen in self.unseen(view) if kind // 9 != void]
        after = [(hand - ONE[action.tile], action) for action in discards if action.tile is not None]
        prospects = [prospect(rest, melds, void, each) for rest, _action in after]
        enough = _WORTH_A_LOOK * max(prospects)
        best, best_worth = discards[0], -1.0
        for now, (rest, action) in zip(prospects, after, strict=True):
            if now < enough:
                continue
            worth = sum(unseen * prospect(rest + ONE[kind], melds, void, each) for kind, unseen in useful if unseen)
            # Ties are broken by chance, so that equal hands are not always played alike.
            worth *= 1 + rng.random() * _TIE
            if worth > best_worth:
                best, best_worth = action, worth
        return best


def _suit_to_leave(view: View) -> int:
    """The forbidden suit; where nobody forbids one, the suit whose loss leaves the hand nearest to complete now."""
    if view.void is not None:
        return view.void
    hand = view.packed_hand
    declared = {meld.tile // 9 for meld in view.melds(view.seat)}

    def cost(suit: int) -> tuple[bool, int, int]:
        return (suit in declared, shanten_packed(hand, suit), size(hand >> SUIT_BITS * suit & SUIT_MASK))

    return min(range(3), key=cost)
