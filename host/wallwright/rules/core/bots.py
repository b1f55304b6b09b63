"""Players of the games of `turns`: one that does anything legal, and what one that plays to win does in each game.

A bot's `choose(view, legal, rng)` returns one of the legal acts. It looks at its own hand and at what lies open. A game
says by `SmartBot.prospect` what a hand is worth to it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Generic, Protocol, TypeVar

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.distance import combine, honours_missing, missing, pungs_missing, suit_missing
from wallwright.rules.core.readings import ONE, held, unpack_tiles
from wallwright.rules.core.sets import TileSet, chow, kong, pung
from wallwright.rules.core.tiles import DRAGONS, STANDING, SUITED
from wallwright.rules.core.turns import Turns

_WORTH_A_LOOK = 0.9
"""Discards whose prospect is this part of the best one's are looked at more closely."""
_TIE = 1e-6
ANY, HALF, FULL, PUNGS, CHOWS, PAIRS = 0, 1, 4, 7, 8, 9
"""Places in `lacking`: any four sets; one suit with honours, or alone, three each; four pungs; four chows; pairs."""


class View:
    """What one seat may know of a deal that goes on. `own` and `of_round` are its winds' kinds.

    `valued` are the honours of which a pung earns something, and how often.
    """

    def __init__(self, deal: Turns, seat: int, own: int, of_round: int) -> None:
        self._deal = deal
        self.seat = seat
        self.valued: Mapping[int, int] = {**dict.fromkeys(DRAGONS, 1), own: 1, of_round: 1 + (own == of_round)}

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

    def earned(self, hand: int, laid: tuple[TileSet, ...]) -> int:
        """What the pungs of valued honours in a hand earn."""
        return sum(
            worth
            for kind, worth in self.valued.items()
            if hand >> 8 * kind & 255 >= 3 or any(one.tile == kind for one in laid)
        )


V = TypeVar("V", bound=View)
V_in = TypeVar("V_in", bound=View, contravariant=True)


class Bot(Protocol[V_in]):
    """What plays a seat."""

    def choose(self, view: V_in, legal: Sequence[Act], rng: Random) -> Act:
        """One of `legal`, which is never empty."""


class RandomBot:
    """Any legal act with equal chances."""

    def choose(self, view: View, legal: Sequence[Act], rng: Random) -> Act:  # noqa: ARG002 - part of the shape
        """One of the acts."""
        return legal[int(rng.random() * len(legal))]


class SmartBot(ABC, Generic[V]):
    """Weighs what the hand may become against the tiles it lacks; it wins whenever it may."""

    wall_size: int
    """Tiles that are left after the deal."""

    @abstractmethod
    def prospect(self, view: V, hand: int, laid: tuple[TileSet, ...], each: float) -> float:
        """The worth of a hand's best plan; `each` is the chance of a tile that is lacking."""

    def choose(self, view: V, legal: Sequence[Act], rng: Random) -> Act:
        """The act that serves the hand best; ties are broken by `rng`."""
        if len(legal) == 1:
            return legal[0]
        for act in legal:
            if act.verb == acts.HU:
                return act
        each = 0.15 + 0.2 * view.left / self.wall_size
        if legal[0].verb == acts.PASS:
            return self._claim(view, legal, each)
        now = self.prospect(view, view.hand, view.sets, each)
        for act in legal:
            if act.verb == acts.KONG and act.tile is not None:
                count = held(view.hand, act.tile)
                laid = view.sets if count == 1 else (*view.sets, kong(act.tile))
                if self.prospect(view, view.hand - count * ONE[act.tile], laid, each) >= now:
                    return act
        return self._give_away(view, [act for act in legal if act.verb in (acts.DISCARD, acts.GIVE)], each, rng)

    def _claim(self, view: V, legal: Sequence[Act], each: float) -> Act:
        """Pass unless the set brings the hand nearer to something worth more."""
        best, most = legal[0], self.prospect(view, view.hand, view.sets, each)
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
            worth = max(self.prospect(view, hand, laid, each) for hand in after)
            if worth > most:
                best, most = act, worth
        return best

    def _give_away(self, view: V, choices: Sequence[Act], each: float, rng: Random) -> Act:
        """Of the tiles whose loss leaves about the best prospect, the one after which the unseen ones promise most."""
        unseen = view.unseen()
        after = [(view.hand - ONE[act.tile], act) for act in choices if act.tile is not None]
        prospects = [self.prospect(view, rest, view.sets, each) for rest, _ in after]
        enough = _WORTH_A_LOOK * max(prospects)
        best, most = choices[0], -1.0
        for now, (rest, act) in zip(prospects, after, strict=True):
            if now < enough:
                continue
            worth = sum(
                left * (self.prospect(view, rest + ONE[kind], view.sets, each) if rest & _near(kind) else now)
                for kind, left in enumerate(unseen)
                if left
            )
            worth *= 1 + rng.random() * _TIE
            if worth > most:
                best, most = act, worth
        return best


@lru_cache(maxsize=1 << 12)
def open_plans(laid: tuple[TileSet, ...]) -> tuple[int, ...]:
    """The places of `lacking` that the sets laid down leave open, all but PAIRS."""
    plans = [ANY]
    suits = {one.tile // 9 for one in laid if one.tile < SUITED}
    has_honours = any(one.tile >= SUITED for one in laid)
    for suit in range(3):
        if suits <= {suit}:
            plans += [HALF + suit] if has_honours else [HALF + suit, FULL + suit]
    if not any(one.is_chow for one in laid):
        plans.append(PUNGS)
    if all(one.is_chow for one in laid):
        plans.append(CHOWS)
    return tuple(plans)


@lru_cache(maxsize=1 << 13)
def lacking(hand: int, sets: int) -> tuple[int, ...]:
    """Tiles that a packed hand lacks for each plan, by its place; `sets` are those that are not laid down."""
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
