"""Players of the games of `turns`: one that does anything legal, and what one that plays to win does in each game.

A bot's `choose(view, legal, rng)` returns one of the legal acts. It looks at its own hand and at what lies open. A game
says by `SmartBot.worth` what a hand is worth to it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Generic, Protocol, TypeVar

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.distance import Missing, combine, honours_missing, missing, pungs_missing, suit_missing
from wallwright.rules.core.packed import HONOURS_SHIFT, SUIT_BITS, SUIT_MASK
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
    def worth(self, view: V, away: Sequence[int], sure: int, laid: tuple[TileSet, ...], each: float) -> float:
        """The worth of a hand's best plan: `away` tiles are `lacking` for each, and pungs of honours earn `sure`.

        `each` is the chance of a tile that is lacking.
        """

    def prospects(self, view: V, laid: tuple[TileSet, ...], each: float) -> Callable[[int], float]:
        """Return a function from packed hands to their worth, beside these sets; it remembers what it was asked."""
        earned: dict[int, int] = {}
        found: dict[tuple[Sequence[int], int], float] = {}
        sets = 4 - len(laid)

        def prospect(hand: int) -> float:
            honours = hand >> HONOURS_SHIFT
            sure = earned.get(honours)
            if sure is None:
                sure = earned[honours] = view.earned(hand, laid)
            key = (lacking(hand, sets), sure)
            worth = found.get(key)
            if worth is None:
                worth = found[key] = self.worth(view, *key, laid, each)
            return worth

        return prospect

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
        prospect = self.prospects(view, view.sets, each)
        now = prospect(view.hand)
        for act in legal:
            if act.verb == acts.KONG and act.tile is not None:
                count = held(view.hand, act.tile)
                after = prospect if count == 1 else self.prospects(view, (*view.sets, kong(act.tile)), each)
                if after(view.hand - count * ONE[act.tile]) >= now:
                    return act
        return self._give_away(view, [act for act in legal if act.verb in (acts.DISCARD, acts.GIVE)], prospect, rng)

    def _claim(self, view: V, legal: Sequence[Act], each: float) -> Act:
        """Pass unless the set brings the hand nearer to something worth more."""
        best, most = legal[0], self.prospects(view, view.sets, each)(view.hand)
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
            worth = max(map(self.prospects(view, laid, each), after))
            if worth > most:
                best, most = act, worth
        return best

    @staticmethod
    def _give_away(view: View, choices: Sequence[Act], prospect: Callable[[int], float], rng: Random) -> Act:
        """Of the tiles whose loss leaves about the best prospect, the one after which the unseen ones promise most."""
        unseen = view.unseen()
        after = [(view.hand - ONE[act.tile], act) for act in choices if act.tile is not None]
        prospects = [prospect(rest) for rest, _ in after]
        enough = _WORTH_A_LOOK * max(prospects)
        best, most = choices[0], -1.0
        for now, (rest, act) in zip(prospects, after, strict=True):
            if now < enough:
                continue
            worth = sum(
                left * (prospect(rest + ONE[kind]) if rest & _NEAR[kind] else now)
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


def lacking(hand: int, sets: int) -> tuple[int, ...]:
    """Tiles that a packed hand lacks for each plan, by its place; `sets` are those that are not laid down."""
    counts = hand.to_bytes(STANDING, "little")
    return _lacking(
        suit_missing(hand & SUIT_MASK),
        suit_missing(hand >> SUIT_BITS & SUIT_MASK),
        suit_missing(hand >> 2 * SUIT_BITS & SUIT_MASK),
        honours_missing(hand >> HONOURS_SHIFT),
        (counts.count(1), counts.count(2), counts.count(3), counts.count(4)),
        sets,
    )


@lru_cache(maxsize=1 << 15)
def _lacking(
    a: Missing, b: Missing, c: Missing, honours: Missing, kinds: tuple[int, int, int, int], sets: int
) -> tuple[int, ...]:
    """The same of what suits and honours lack; `kinds` are how many there are once, twice, three and four times.

    Hands are many, and what counts of them is little.
    """
    suits = (a, b, c)
    suited = combine(combine(a, b), c)
    singles, pairs, pungs, quads = kinds
    return (
        missing((suited, honours), sets),
        *(missing((suit, honours), sets) for suit in suits),
        *(missing((suit,), sets) for suit in suits),
        pungs_missing(singles, pairs, pungs + quads, sets),
        missing((suited,), sets),
        7 - pairs - pungs - 2 * quads,
    )


def _near(kind: int) -> int:
    if kind >= SUITED:
        return 255 << 8 * kind
    near = (kind + step for step in range(-2, 3) if (kind + step) // 9 == kind // 9 and kind + step >= 0)
    return sum(255 << 8 * one for one in near)


_NEAR = tuple(map(_near, range(STANDING)))
"""By kind, a mask over packed hands: the kinds beside which a tile of this kind can be of use."""
