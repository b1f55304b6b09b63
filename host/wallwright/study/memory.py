"""What a player gains who remembers: bots of Sichuan play walls of a drum, and one of them uses what it knows.

Before each wall a deal is played with a fair one; its end says in which order tiles fall: what lay in the middle first,
then the rest of the wall, then hands and sets, each in any order. The wall is built of them by the drum, and played
five times with the same luck: by four bots that remember nothing, and with each of them in turn remembering. That one
knows which kinds lay in the middle, and how the places of a wall go with the order of falling at this table; it counts
an unseen tile for as much as it is likely to be drawn yet. Gains are points of that seat, by the same wall and dice.
"""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..link.simulator import simulator
from ..rules.core.walls import DEALT, deal_seats
from ..rules.sichuan.bots import Bot, SmartBot
from ..rules.sichuan.deal import Deal
from ..rules.sichuan.packed import ONE, unpack
from ..rules.sichuan.play import play, shuffled_deal
from ..rules.sichuan.ruleset import Ruleset, load_ruleset
from ..rules.sichuan.shanten import shanten_packed
from ..rules.sichuan.view import View
from ..rules.sichuan.wall import take_order, wall_plan
from .cells import PLACES, Cell
from .measures import SEGMENTS, along, measure

GAME = "sichuan"
TILES = 108
PLAY_BATCH = 5
"""Walls of one batch: each takes six deals."""
LEARNT = 400
"""Walls from which the remembering bot knows how places go with the order of falling."""
SOON = 20
"""So many tiles ahead in the wall, one counts for half as much as the next one. An estimate."""


class Played(NamedTuple):
    """Of some walls: by wall and seat what remembering gained in points, and what the same seat got without.

    `shanten` and `winners` are by wall and turn, 0 the dealer: the distance of the hand dealt, its first 13 tiles, from
    complete, and whether the seat won when nobody remembered.
    """

    gains: NDArray[np.int64]
    points: NDArray[np.int64]
    shanten: NDArray[np.int64]
    winners: NDArray[np.int64]


class RememberingBot(SmartBot):
    """Plays as SmartBot does, and counts unseen tiles by where they are likely to be.

    `early` says by kind what part of its tiles fell first; `places[0]` and `places[1]` how likely one of those that
    fell first, or later, is the tile that is taken next, next but one and so on from the wall that was built.
    """

    def __init__(self, early: Sequence[float], places: NDArray[np.float64], own: Iterable[int]) -> None:
        self._early = early
        others = places.copy()
        others[:, list(own)] = 0
        self._worth = {TILES - at: _share_to_come(places, others, at) for at in range(1, TILES)}

    def unseen(self, view: View) -> list[tuple[int, float]]:
        """See SmartBot.unseen."""
        first, later = self._worth.get(view.wall_left, (1.0, 1.0))
        return [
            (kind, count * (self._early[kind] * first + (1 - self._early[kind]) * later))
            for kind, count in super().unseen(view)
        ]


def play_batch(cell: Cell, stacks: tuple[int, ...], seed: int, index: int, walls: int) -> Played:
    """Play batch number `index` of a cell; it depends on nothing but these arguments."""
    sequence = np.random.SeedSequence(entropy=seed, spawn_key=(zlib.crc32(cell.name.encode()), 1, index))
    generator = np.random.default_rng(sequence)
    learnt = _learnt(cell, stacks, seed)
    ruleset = load_ruleset(GAME)
    rng = Random(int(generator.integers(2**63)))
    fallen = [_fallen(ruleset, rng) for _ in range(walls)]
    ranks = _build(cell, stacks, generator, walls)
    rows = [
        _play_wall(ruleset, order, middle, ranks[at], learnt, Random(int(generator.integers(2**63))))
        for at, (order, middle) in enumerate(fallen)
    ]
    return Played(*(np.array(column) for column in zip(*rows, strict=True)))


def _share_to_come(places: NDArray[np.float64], others: NDArray[np.float64], taken: int) -> tuple[float, float]:
    """How likely a tile that is not seen comes yet, soon rather than late, when so many are taken; else one of the
    others holds it. Of a tile that fell first, and of another one.
    """
    soon = 0.5 ** (np.arange(TILES - taken) / SOON)
    to_come = places[:, taken:]
    first, later = to_come @ soon / np.maximum(to_come.sum(axis=1) + others[:, :taken].sum(axis=1), 1e-12)
    return float(first), float(later)


@lru_cache(maxsize=4)
def _learnt(cell: Cell, stacks: tuple[int, ...], seed: int) -> NDArray[np.float64]:
    """By twelfth of the order of falling, how likely a tile is in each twelfth of the walls' length."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(zlib.crc32(cell.name.encode()), 2)))
    ranks = _build(cell, stacks, generator, LEARNT)
    counts = measure(ranks, np.zeros_like(ranks), stacks).map.astype(np.float64)
    shares: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _build(cell: Cell, stacks: tuple[int, ...], generator: np.random.Generator, walls: int) -> NDArray[np.int16]:
    mixing = simulator("places").Mixing(d=cell.d) if cell.drum == PLACES else None
    built = simulator("many_drums").build_walls(walls, stacks, generator, mixing=mixing, wash_ms=cell.wash_s * 1000)
    ranks: NDArray[np.int16] = built.ranks
    return ranks


def _fallen(ruleset: Ruleset, rng: Random) -> tuple[list[int], int]:
    """Play a deal with a fair wall; return the kinds of its tiles in the order of falling, and how many fell first."""
    _, deal = shuffled_deal(ruleset, rng.randrange(4), rng)
    play(deal, [SmartBot()] * 4, rng)
    middle = [kind for kind, count in enumerate(unpack(deal.pool())) for _ in range(count)]
    held = [kind for seat in range(4) for kind in deal.hand(seat)]
    held += [kind for seat in range(4) for meld in deal.melds(seat) for kind in meld.tiles]
    left = [4] * 27
    for kind in middle + held:
        left[kind] -= 1
    wall = [kind for kind, count in enumerate(left) for _ in range(count)]
    for stage in (middle, wall, held):
        rng.shuffle(stage)
    return middle + wall + held, len(middle)


def _play_wall(
    ruleset: Ruleset,
    order: Sequence[int],
    middle: int,
    ranks: NDArray[np.int16],
    learnt: NDArray[np.float64],
    rng: Random,
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Play one wall five times. `ranks` are by place, `order` the kinds by rank."""
    dealer = rng.choice((0, 2))  # the long walls are those of the dealer and the opposite side, as they were built
    dice = (rng.randint(1, 6), rng.randint(1, 6))
    plan = wall_plan(TILES, dealer, ruleset.long_walls)
    starts = np.concatenate(([0], np.cumsum(2 * np.array(plan))[:-1]))
    taken = [int(starts[place.seat]) + 2 * place.stack + place.layer for place in take_order(plan, dealer, dice)]
    wall = [order[ranks[place]] for place in taken]
    seats = deal_seats(dealer)
    hands = [[kind for seat, kind in zip(seats, wall, strict=False) if seat == one] for one in range(4)]
    luck = rng.getrandbits(64)

    def points(bots: Sequence[Bot]) -> tuple[list[int], tuple[int, ...]]:
        deal = Deal(ruleset, dealer, hands, TILES - DEALT, wall[DEALT:])
        settlement = play(deal, bots, Random(luck)).settle()
        return list(settlement.points), settlement.winners

    early = [order[:middle].count(kind) / 4 for kind in range(27)]
    places = _places(learnt, middle, plan, taken)
    plain = SmartBot()
    without, winners = points([plain] * 4)
    gains = []
    for one in range(4):
        knows = RememberingBot(early, places, [at for at, seat in enumerate(seats) if seat == one])
        gains.append(points([knows if seat == one else plain for seat in range(4)])[0][one] - without[one])
    turns = [(dealer + turn) % 4 for turn in range(4)]
    packed = [sum(ONE[kind] for kind in hands[seat][:13]) for seat in turns]
    return gains, without, [shanten_packed(hand, None) for hand in packed], [int(seat in winners) for seat in turns]


def _places(learnt: NDArray[np.float64], middle: int, plan: Sequence[int], taken: Sequence[int]) -> NDArray[np.float64]:
    """For tiles that fell first and for the others: how likely each place is, in the order in which they are taken."""
    edge = min(max(round(middle * SEGMENTS / TILES), 1), SEGMENTS - 1)
    segment = (along(tuple(plan)) * SEGMENTS).astype(np.int64)
    sizes = np.bincount(segment, minlength=SEGMENTS)
    by_place = np.array([learnt[:edge].mean(axis=0), learnt[edge:].mean(axis=0)])[:, segment] / sizes[segment]
    shares: NDArray[np.float64] = by_place[:, list(taken)]
    return shares
