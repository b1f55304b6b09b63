"""Players for Cumberland and Balsall: one that does anything legal, one that plays to win.

A bot's `choose(view, legal, rng)` returns one of the legal acts. It looks at its own hand and at what lies open.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import Protocol

from wallwright.rules.classical.balsall import GOULASH_MINIMUM
from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.hand import PLANTS, SEASONS
from wallwright.rules.classical.ruleset import Balsall
from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.distance import combine, honours_missing, missing, pungs_missing, suit_missing
from wallwright.rules.core.readings import ONE, held, unpack_tiles
from wallwright.rules.core.sets import TileSet, chow, kong, pung
from wallwright.rules.core.tiles import DRAGONS, EAST, STANDING, SUITED

_WORTH_A_LOOK = 0.9
"""Discards whose prospect is this part of the best one's are looked at more closely."""
_TIE = 1e-6
_TOO_LITTLE = 0.02
"""What a plan below the minimum is worth, beside one that reaches it."""


class View:
    """What one seat may know of a deal that goes on."""

    def __init__(self, deal: Deal, seat: int) -> None:
        self._deal = deal
        self.seat = seat
        self.sitting = deal.sitting
        rules = deal.sitting.rules
        self.minimum = 0
        """Points that a hand needs to win."""
        if isinstance(rules, Balsall):
            self.minimum = GOULASH_MINIMUM if deal.sitting.goulash else rules.min_points
        own, of_round = EAST + (seat - deal.dealer) % 4, EAST + "ESWN".index(deal.sitting.round_wind)
        self.valued = {**dict.fromkeys(DRAGONS, 1), own: 1, of_round: 1 + (own == of_round)}
        """Honours of which a pung earns something, and how much."""
        self._own_flowers = (PLANTS[own - EAST], SEASONS[of_round - EAST])

    @property
    def hand(self) -> int:
        """Own standing tiles, packed."""
        return self._deal.state.hands[self.seat]

    @property
    def sets(self) -> tuple[TileSet, ...]:
        """Own sets laid down."""
        return self._deal.state.sets[self.seat]

    @property
    def offered(self) -> int:
        """The tile that is being claimed."""
        return self._deal.state.offered

    @property
    def left(self) -> int:
        """Tiles that can still be drawn."""
        return self._deal.left

    def flower_points(self) -> int:
        """What the flowers laid out earn in Balsall (BAL-5.5)."""
        flowers = self._deal.state.flowers[self.seat]
        return sum(flower in flowers for flower in self._own_flowers) if flowers else 1

    def unseen(self) -> list[int]:
        """By kind: copies that neither lie open nor stand in the own hand."""
        state = self._deal.state
        counts = [4] * STANDING
        laid = (kind for sets in state.sets for one in sets for kind in one.tiles)
        for kind in (*state.unclaimed, *laid, *unpack_tiles(self.hand)):
            counts[kind] -= 1
        return counts


class Bot(Protocol):
    """What plays a seat."""

    def choose(self, view: View, legal: Sequence[Act], rng: Random) -> Act:
        """One of `legal`, which is never empty."""


class RandomBot:
    """Any legal act with equal chances."""

    def choose(self, view: View, legal: Sequence[Act], rng: Random) -> Act:  # noqa: ARG002 - part of the shape
        """One of the acts."""
        return legal[int(rng.random() * len(legal))]


class SmartBot:
    """Weighs what the hand may become against the tiles it lacks; it wins whenever it may."""

    def choose(self, view: View, legal: Sequence[Act], rng: Random) -> Act:
        """The act that serves the hand best; ties are broken by `rng`."""
        if len(legal) == 1:
            return legal[0]
        for act in legal:
            if act.verb == acts.HU:
                return act
        each = 0.15 + 0.2 * view.left / 91
        if legal[0].verb == acts.PASS:
            return self._claim(view, legal, each)
        now = _prospect(view, view.hand, view.sets, each)
        for act in legal:
            if act.verb == acts.KONG and act.tile is not None:
                count = held(view.hand, act.tile)
                laid = view.sets if count == 1 else (*view.sets, kong(act.tile))
                if _prospect(view, view.hand - count * ONE[act.tile], laid, each) >= now:
                    return act
        return self._give_away(view, [act for act in legal if act.verb in (acts.DISCARD, acts.GIVE)], each, rng)

    def _claim(self, view: View, legal: Sequence[Act], each: float) -> Act:
        """Pass unless the set brings the hand nearer to something worth more."""
        best, most = legal[0], _prospect(view, view.hand, view.sets, each)
        for act in legal[1:]:
            if act.tile is None:
                continue
            made = {acts.CHOW: chow, acts.PUNG: pung, acts.KONG: kong}[act.verb](act.tile)
            own = list(made.tiles)
            own.remove(view.offered)
            rest = view.hand - sum(ONE[kind] for kind in own)
            laid = (*view.sets, made)
            # A chow or pung leaves one tile too many; what goes is the one that serves least.
            after = [rest] if act.verb == acts.KONG else [rest - ONE[kind] for kind in set(unpack_tiles(rest))]
            worth = max(_prospect(view, hand, laid, each) for hand in after)
            if worth > most:
                best, most = act, worth
        return best

    def _give_away(self, view: View, choices: Sequence[Act], each: float, rng: Random) -> Act:
        """Of the tiles whose loss leaves about the best prospect, the one after which the unseen ones promise most."""
        unseen = view.unseen()
        after = [(view.hand - ONE[act.tile], act) for act in choices if act.tile is not None]
        prospects = [_prospect(view, rest, view.sets, each) for rest, _ in after]
        enough = _WORTH_A_LOOK * max(prospects)
        best, most = choices[0], -1.0
        for now, (rest, act) in zip(prospects, after, strict=True):
            if now < enough:
                continue
            worth = sum(
                left * (_prospect(view, rest + ONE[kind], view.sets, each) if rest & _near(kind) else now)
                for kind, left in enumerate(unseen)
                if left
            )
            worth *= 1 + rng.random() * _TIE
            if worth > most:
                best, most = act, worth
        return best


def _prospect(view: View, hand: int, laid: tuple[TileSet, ...], each: float) -> float:
    """The worth of a hand's best plan; `each` is the chance of a tile that is lacking."""
    lacking = _lacking(hand, 4 - len(laid))
    sure = 0
    for kind, points in view.valued.items():
        if hand >> 8 * kind & 255 >= 3 or any(one.tile == kind for one in laid):
            sure += points
    if not view.minimum:
        # Cumberland: every hand may win, and each double is worth as much again.
        return max(math.pow(2, doubles + sure) * each ** lacking[at] for doubles, at in _doubles(laid))
    sure += view.flower_points() + all(one.is_concealed for one in laid)
    best = 0.0
    for points, at in _rows(laid):
        total = points + sure
        # A self-draw may bring the one point that is missing.
        chance = 1.0 if total >= view.minimum else 0.3 if total + 1 == view.minimum else _TOO_LITTLE
        best = max(best, chance * (3 + total) * each ** lacking[at])
    return best


_ANY, _HALF, _FULL, _PUNGS, _CHOWS, _PAIRS = 0, 1, 4, 7, 8, 9
"""Places in `_lacking`: any four sets; one suit with honours or alone, three each; four pungs; four chows; pairs."""


@lru_cache(maxsize=1 << 12)
def _rows(laid: tuple[TileSet, ...]) -> tuple[tuple[int, int], ...]:
    """Points and places of the rows of Balsall that the sets laid down leave open (BAL-5.2, BAL-6.1)."""
    plans = [(0, _ANY)]
    for suit in _suits(laid):
        plans.append((3, _HALF + suit))
        if all(one.tile < SUITED for one in laid):
            plans.append((6, _FULL + suit))
    if not any(one.is_chow for one in laid):
        plans.append((3, _PUNGS))
    if all(one.is_chow for one in laid):
        plans.append((1, _CHOWS))
    if not laid:
        # The row gains nothing for being concealed.
        plans.append((5, _PAIRS))
    return tuple(plans)


@lru_cache(maxsize=1 << 12)
def _doubles(laid: tuple[TileSet, ...]) -> tuple[tuple[float, int], ...]:
    """The same for Cumberland, in doubles; pungs are worth about half a double (CUM-5)."""
    plans = [(0.0, _ANY)]
    for suit in _suits(laid):
        plans.append((1.0, _HALF + suit))
        if all(one.tile < SUITED for one in laid):
            plans.append((3.0, _FULL + suit))
    if not any(one.is_chow for one in laid):
        plans.append((0.5, _PUNGS))
    return tuple(plans)


def _suits(laid: tuple[TileSet, ...]) -> list[int]:
    """The suits of which a hand may be alone."""
    used = {one.tile // 9 for one in laid if one.tile < SUITED}
    return [suit for suit in range(3) if used <= {suit}]


@lru_cache(maxsize=1 << 18)
def _lacking(hand: int, sets: int) -> tuple[int, ...]:
    """Tiles that a packed hand lacks for each plan."""
    suits = [suit_missing(hand >> 72 * suit & (1 << 72) - 1) for suit in range(3)]
    honours = honours_missing(hand >> 8 * SUITED)
    suited = combine(combine(suits[0], suits[1]), suits[2])
    pairs = sum(count // 2 for count in hand.to_bytes(STANDING, "little"))
    return (
        missing((suited, honours), sets),
        *(missing((suit, honours), sets) for suit in suits),
        *(missing((suit,), sets) for suit in suits),
        pungs_missing(hand, sets),
        missing((suited,), sets),
        7 - pairs,
    )


@cache
def _near(kind: int) -> int:
    """A mask over packed hands: the kinds beside which a tile of this kind can be of use."""
    if kind >= SUITED:
        return 255 << 8 * kind
    near = (kind + step for step in range(-2, 3) if (kind + step) // 9 == kind // 9 and kind + step >= 0)
    return sum(255 << 8 * one for one in near)
