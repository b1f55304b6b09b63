"""How well ratings foretell: each of the last days is foretold from the days before it, and compared with what came.

The measure is the log loss of the order in which a table's four end: the mean of -ln p, of p the chance that was given
to what happened; less is better, and ln 24 = 3.178 is what somebody has who knows nothing. A tie is any of the orders
that it leaves open. Two baselines are measured beside the rating: every order is equally likely; and an order is as
likely as the four have had these places before, each of the places once more than that, so that newcomers have a
chance of each.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, permutations
from statistics import fmean, stdev
from typing import Protocol

from ..errors import BadInput
from .rating import Game, Ratings
from .rating_update import LUCK, MILLION

RATING, UNIFORM, PAST_PLACES = "rating", "uniform", "past places"
ORDERS = tuple(permutations((1, 2, 3, 4)))
"""The places of four, in every order."""
BINS = 10
SURE = 2
"""A difference of so many standard errors is one."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A way to foretell: its log loss, and how much less the rating's is, in nats a game, with the standard error."""

    name: str
    log_loss: float
    gain: float
    gain_error: float

    @property
    def is_beaten(self) -> bool:
        """Whether the rating foretells better, and that is no accident of these games."""
        return self.gain > SURE * self.gain_error


@dataclass(frozen=True, slots=True)
class Bin:
    """Players who were given a chance from `low` to below `high` to win their table: how many, the mean of those
    chances, and which part of them won. Who shares the first place with others has won that part of it.
    """

    low: float
    high: float
    players: int
    foretold: float
    won: float


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What the rating was worth on `games` of the last `days` days; `bins` are those with players in them."""

    days: int
    games: int
    log_loss: float
    baselines: tuple[Baseline, ...]
    bins: tuple[Bin, ...]


class _Forecaster(Protocol):
    """Foretells games, and learns from them."""

    def chances(self, game: Game) -> Sequence[float]:
        """Return the chance of each of ORDERS."""

    def add(self, game: Game) -> None:
        """Learn from a game."""


def held_out(games: Sequence[Game], days: int) -> HeldOut:
    """Foretell the last `days` days, each from all before it. Raises BadInput where there are not more days."""
    by_day = [list(each) for _, each in groupby(sorted(games), lambda game: (game.date, game.day))]
    if len(by_day) <= days:
        raise BadInput(f"days with rated games: {len(by_day)}; hold out fewer, so that some are left to learn from")
    forecasters: dict[str, _Forecaster] = {RATING: _ByRating(), UNIFORM: _Uniform(), PAST_PLACES: _ByPlaces()}
    losses: dict[str, list[float]] = {name: [] for name in forecasters}
    foretold: list[tuple[float, float]] = []
    for number, day in enumerate(by_day):
        if number >= len(by_day) - days:
            for game in day:
                for name, forecaster in forecasters.items():
                    chances = forecaster.chances(game)
                    losses[name].append(_loss(chances, game))
                    if name == RATING:
                        foretold += _winners(chances, game)
        for game in day:
            for forecaster in forecasters.values():
                forecaster.add(game)
    baselines = tuple(_compare(name, losses[RATING], losses[name]) for name in (UNIFORM, PAST_PLACES))
    return HeldOut(days, len(losses[RATING]), fmean(losses[RATING]), baselines, _bins(foretold))


class _ByRating:
    """By the model of the ratings: who is first, then who of the others is, and so on, by their means."""

    def __init__(self) -> None:
        self._ratings = Ratings()

    def chances(self, game: Game) -> Sequence[float]:
        skills = [self._ratings.skill(seat.person) for seat in game.seats]
        c = math.hypot(*(one.deviation / MILLION for one in skills), *[float(LUCK)] * len(skills))
        strengths = [math.exp(one.mean / MILLION / c) for one in skills]
        return [_plackett_luce(strengths, order) for order in ORDERS]

    def add(self, game: Game) -> None:
        self._ratings.add(game)


class _Uniform:
    """Every order is as likely as any."""

    def chances(self, _: Game) -> Sequence[float]:
        return [1 / len(ORDERS)] * len(ORDERS)

    def add(self, game: Game) -> None:
        """There is nothing to learn."""


class _ByPlaces:
    """By how often each of the four has had each place."""

    def __init__(self) -> None:
        self._had: dict[str, list[int]] = defaultdict(lambda: [1, 1, 1, 1])

    def chances(self, game: Game) -> Sequence[float]:
        had = [self._had[seat.person] for seat in game.seats]
        weights = [math.prod(one[place - 1] for one, place in zip(had, order, strict=True)) for order in ORDERS]
        return [weight / sum(weights) for weight in weights]

    def add(self, game: Game) -> None:
        for seat, place in zip(game.seats, game.places, strict=True):
            self._had[seat.person][place - 1] += 1


def _plackett_luce(strengths: Sequence[float], order: Sequence[int]) -> float:
    """Return the chance of an order; `order` are the places of the seats."""
    chance, left = 1.0, sum(strengths)
    for _, strength in sorted(zip(order, strengths, strict=True)):
        chance *= strength / left
        left -= strength
    return chance


def _loss(chances: Sequence[float], game: Game) -> float:
    return -math.log(sum(chance for chance, order in zip(chances, ORDERS, strict=True) if _is_open(game, order)))


def _is_open(game: Game, order: Sequence[int]) -> bool:
    """Whether the places of a game leave an order open: of two seats the one with the better place is before."""
    ranked = sorted(zip(order, game.places, strict=True))
    return all(one[1] <= other[1] for one, other in pairwise(ranked))


def _winners(chances: Sequence[float], game: Game) -> list[tuple[float, float]]:
    """Return the chance that each seat was given to be first, and the part of the first place that it got."""
    places = game.places
    got = 1 / places.count(1)
    first = [sum(chance for chance, order in zip(chances, ORDERS, strict=True) if order[at] == 1) for at in range(4)]
    return [(chance, got if place == 1 else 0.0) for chance, place in zip(first, places, strict=True)]


def _compare(name: str, rating: Sequence[float], baseline: Sequence[float]) -> Baseline:
    gains = [theirs - ours for ours, theirs in zip(rating, baseline, strict=True)]
    error = stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.inf
    return Baseline(name, fmean(baseline), fmean(gains), error)


def _bins(foretold: Sequence[tuple[float, float]]) -> tuple[Bin, ...]:
    rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for chance, won in foretold:
        rows[min(int(chance * BINS), BINS - 1)].append((chance, won))
    return tuple(
        Bin(at / BINS, (at + 1) / BINS, len(row), fmean(chance for chance, _ in row), fmean(won for _, won in row))
        for at, row in sorted(rows.items())
    )
