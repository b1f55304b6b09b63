"""Players for Hong Kong: one that does anything legal, one that plays to win.

A bot's `choose(view, acts, rng)` returns one of the legal acts. It looks at its own hand and at what lies open.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple, Protocol

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.distance import combine, honours_missing, missing, pungs_missing, suit_missing
from wallwright.rules.core.readings import ONE, held, unpack_tiles
from wallwright.rules.core.sets import TileSet, chow, kong, pung
from wallwright.rules.core.tiles import DRAGONS, EAST, STANDING, SUITED
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.hands import WINDS
from wallwright.rules.hong_kong.ruleset import Ruleset

_WORTH_A_LOOK = 0.9
"""Discards whose prospect is this part of the best one's are looked at more closely."""
_TIE = 1e-6
_TOO_LITTLE = 0.01
"""What a plan below the minimum is worth: it may grow."""


class View:
    """What one seat may know of a deal that goes on."""

    def __init__(self, deal: Deal, seat: int) -> None:
        self._deal = deal
        self.seat = seat
        self.ruleset: Ruleset = deal.ruleset
        own, of_round = (EAST + WINDS.index(wind) for wind in (deal.seat_wind(seat), deal.round_wind))
        self.valued = {**dict.fromkeys(DRAGONS, 1), own: 1, of_round: 1 + (own == of_round)}
        """Honours of which a pung earns something, with its faan."""

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
        each = 0.15 + 0.2 * view.left / 83
        if legal[0].verb == acts.PASS:
            return self._claim(view, legal, each)
        now = _prospect(view, view.hand, view.sets, each)
        for act in legal:
            if act.verb == acts.KONG and act.tile is not None:
                count = held(view.hand, act.tile)
                laid = view.sets if count == 1 else (*view.sets, kong(act.tile))
                if _prospect(view, view.hand - count * ONE[act.tile], laid, each) >= now:
                    return act
        return self._discard(view, [act for act in legal if act.verb == acts.DISCARD], each, rng)

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

    def _discard(self, view: View, discards: Sequence[Act], each: float, rng: Random) -> Act:
        """Of the discards that leave about the best prospect, the one after which the unseen tiles promise most."""
        unseen = view.unseen()
        after = [(view.hand - ONE[act.tile], act) for act in discards if act.tile is not None]
        prospects = [_prospect(view, rest, view.sets, each) for rest, _ in after]
        enough = _WORTH_A_LOOK * max(prospects)
        best, most = discards[0], -1.0
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


class _Plan(NamedTuple):
    """A way to complete a hand: the faan of its pattern, and where its lacking tiles stand in `_lacking`."""

    faan: int
    at: int


_ANY, _HALF, _FULL, _PUNGS, _CHOWS = 0, 1, 4, 7, 8
"""Places in `_lacking`: any four sets; half and full flush of each suit; four pungs; four chows and a suited pair."""


def _prospect(view: View, hand: int, laid: tuple[TileSet, ...], each: float) -> float:
    """The worth of a hand's best plan; `each` is the chance of a tile that is lacking."""
    ruleset, lacking = view.ruleset, _lacking(hand, 4 - len(laid))
    sure = 0
    for kind, faan in view.valued.items():
        if hand >> 8 * kind & 255 >= 3 or any(one.tile == kind for one in laid):
            sure += faan
    best = 0.0
    for faan, at in _plans(laid):
        total = faan + sure
        enough = total >= ruleset.min_faan or (ruleset.min_faan == 1 and not laid)
        best = max(best, (ruleset.base(total) if enough else _TOO_LITTLE) * each ** lacking[at])
    return best


@lru_cache(maxsize=1 << 12)
def _plans(laid: tuple[TileSet, ...]) -> tuple[_Plan, ...]:
    """What the sets laid down leave open."""
    plans = [_Plan(0, _ANY)]
    suits = {one.tile // 9 for one in laid if one.tile < SUITED}
    for suit in range(3):
        if suits <= {suit}:
            plans.append(_Plan(3, _HALF + suit))
            if all(one.tile < SUITED for one in laid):
                plans.append(_Plan(6, _FULL + suit))
    if not any(one.is_chow for one in laid):
        plans.append(_Plan(3, _PUNGS))
    if all(one.is_chow for one in laid):
        plans.append(_Plan(1, _CHOWS))
    return tuple(plans)


@lru_cache(maxsize=1 << 18)
def _lacking(hand: int, sets: int) -> tuple[int, ...]:
    """Tiles that a packed hand lacks for each plan."""
    suits = [suit_missing(hand >> 72 * suit & (1 << 72) - 1) for suit in range(3)]
    honours = honours_missing(hand >> 8 * SUITED)
    chows = combine(combine(suits[0], suits[1]), suits[2])
    return (
        missing((chows, honours), sets),
        *(missing((suit, honours), sets) for suit in suits),
        *(missing((suit,), sets) for suit in suits),
        pungs_missing(hand, sets),
        missing((chows,), sets),
    )


@cache
def _near(kind: int) -> int:
    """A mask over packed hands: the kinds beside which a tile of this kind can be of use."""
    if kind >= SUITED:
        return 255 << 8 * kind
    near = (kind + step for step in range(-2, 3) if (kind + step) // 9 == kind // 9 and kind + step >= 0)
    return sum(255 << 8 * one for one in near)
