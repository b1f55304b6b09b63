"""Ratings of a season's games: the formula, the same digits everywhere, and what they foretell."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from wallwright.errors import BadInput
from wallwright.season import rating_update
from wallwright.season.rating import Game, Ratings, Seat
from wallwright.season.rating_forecast import Baseline, HeldOut, held_out
from wallwright.season.rating_update import MILLION, NEWCOMER, Skill, updated, updated_in_decimal

SPREAD = 0.4
"""Of the simulated players' skills: one in six wins a table of middling ones in a third of the games or more."""
STEP = 0.01


def log_chance(means: Sequence[float], c: float, places: Sequence[int]) -> float:
    """ln of the chance of these places by Plackett–Luce, with the parts that share a place as the paper has them."""
    total = 0.0
    for mean, place in zip(means, places, strict=True):
        left = sum(math.exp(other / c) for other, at in zip(means, places, strict=True) if at >= place)
        total += (mean / c - math.log(left)) / places.count(place)
    return total


def by_slopes(skills: Sequence[Skill], places: Sequence[int]) -> list[tuple[float, float]]:
    """A game by what Weng and Lin's update is made of: slope and curvature of the log of the chance of what came."""
    means = [skill.mean / MILLION for skill in skills]
    variances = [(skill.deviation / MILLION) ** 2 + (1 / 12) ** 2 for skill in skills]
    c = math.sqrt(sum(variance + 12.5**2 for variance in variances))
    after = []
    for at, variance in enumerate(variances):
        low, here, high = (
            log_chance([mean + move * (by == at) for by, mean in enumerate(means)], c, places)
            for move in (-STEP, 0, STEP)
        )
        slope, curve = (high - low) / (2 * STEP), (high - 2 * here + low) / STEP**2
        after.append((means[at] + variance * slope, math.sqrt(variance * (1 + variance * curve))))
    return after


def some_skills(rng: random.Random) -> list[Skill]:
    return [Skill(rng.randrange(-5 * MILLION, 60 * MILLION), rng.randrange(MILLION // 2, 8_333_333)) for _ in range(4)]


def some_places(rng: random.Random) -> list[int]:
    points = [rng.randrange(6) for _ in range(4)]
    return [1 + sum(other > one for other in points) for one in points]


def simulated(seed: int, spread: float, days: int = 12, players: int = 48) -> tuple[dict[str, float], list[Game]]:
    """Games of players of known skills, who end in the orders of Plackett–Luce: each plays to skill and luck."""
    rng = random.Random(seed)
    skills = {f"p{number:02}": rng.gauss(0, spread) for number in range(players)}
    games = []
    for day in range(1, days + 1):
        for session in range(1, 6):
            drawn = rng.sample(sorted(skills), players)
            for table in range(players // 4):
                four = drawn[4 * table : 4 * table + 4]
                luck = {one: skills[one] - math.log(-math.log(rng.random())) for one in four}
                ranked = sorted(four, key=lambda one: luck[one])
                seats = tuple(sorted(Seat(one, points) for points, one in enumerate(ranked)))
                games.append(Game(f"2016-09-{day:02}", f"day {day}", session, table, 1, seats))
    return skills, games


@pytest.fixture(scope="module")
def season(pytestconfig: pytest.Config) -> tuple[dict[str, float], list[Game]]:
    return simulated(7, SPREAD)


@pytest.fixture(scope="module")
def foretold(season: tuple[dict[str, float], list[Game]]) -> HeldOut:
    return held_out(season[1], 6)


def test_a_game_changes_ratings_as_the_paper_has_it(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        skills, places = some_skills(rng), some_places(rng)
        for after, (mean, deviation) in zip(updated(skills, places), by_slopes(skills, places), strict=True):
            assert after.mean / MILLION == pytest.approx(mean, abs=0.001)
            assert after.deviation / MILLION == pytest.approx(deviation, abs=0.001)


def test_a_machine_whose_last_digits_differ_comes_to_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    games = [(some_skills(rng), some_places(rng)) for _ in range(3000)]
    here = [updated(*game) for game in games]
    assert here[:300] == [updated_in_decimal(*game) for game in games[:300]]
    model, error = rating_update._model(), 1e-11

    def rate(*game: Any, **words: Any) -> list[list[SimpleNamespace]]:
        after = [one for (one,) in model.rate(*game, **words)]
        wrong = 1 + rng.choice((-1, 1)) * error
        return [[SimpleNamespace(mu=one.mu * wrong, sigma=one.sigma * wrong)] for one in after]

    monkeypatch.setattr(rating_update, "_model", lambda: SimpleNamespace(rating=model.rating, rate=rate))
    assert [updated(*game) for game in games] == here
    # It does matter: with nothing but floating point some would differ.
    monkeypatch.setattr(rating_update, "_NEAR", 0)
    error = 1e-9
    assert any(updated(*game) != after for game, after in zip(games, here, strict=True))


def test_games_in_any_order_give_the_same_ratings(season: tuple[dict[str, float], list[Game]], seed: int) -> None:
    shuffled = random.Random(seed).sample(season[1], len(season[1]))
    assert shuffled != season[1]
    assert Ratings(shuffled).rated() == Ratings(season[1]).rated()


def test_known_skills_come_out(season: tuple[dict[str, float], list[Game]]) -> None:
    skills, games = season
    rows = Ratings(games).rated()
    assert {row.person for row in rows} == set(skills)
    assert {(row.games, row.days, row.last) for row in rows} == {(60, 12, "2016-09-12")}
    known = {person: rank for rank, person in enumerate(sorted(skills, key=lambda one: -skills[one]))}
    apart = sum((rank - known[row.person]) ** 2 for rank, row in enumerate(rows))
    spearman = 1 - 6 * apart / (len(rows) * (len(rows) ** 2 - 1))
    assert spearman > 0.7
    # A deviation says how far the mean is off: two of them hold some 95 of 100 players.
    mean = sum(skills.values()) / len(skills)
    inside = 0
    for row in rows:
        deviation = row.skill.deviation / MILLION
        true = 25 + (skills[row.person] - mean) * 2 * math.hypot(deviation, 12.5)
        inside += abs(row.skill.mean / MILLION - true) < 2 * deviation
    assert 0.85 * len(rows) < inside


def test_ratings_of_different_players_foretell_better_than_baselines(foretold: HeldOut) -> None:
    assert (foretold.days, foretold.games) == (6, 360)
    assert [(one.name, one.is_beaten) for one in foretold.baselines] == [("uniform", True), ("past places", True)]
    uniform, past = foretold.baselines
    assert uniform.log_loss == pytest.approx(math.log(24))
    assert uniform.gain == pytest.approx(uniform.log_loss - foretold.log_loss)
    assert past.gain == pytest.approx(past.log_loss - foretold.log_loss)
    assert sum(one.players for one in foretold.bins) == 4 * 360
    assert sum(one.won * one.players for one in foretold.bins) == pytest.approx(360)
    for one in foretold.bins:
        assert abs(one.won - one.foretold) < 3.5 * math.sqrt(0.25 / one.players)


def test_past_places_foretell_by_how_often_each_has_had_each_place() -> None:
    games = simulated(5, SPREAD, days=3, players=8)[1]
    past = held_out(games, 1).baselines[1]
    had = Counter(
        (seat.person, place)
        for game in games
        if game.date != games[-1].date
        for seat, place in zip(game.seats, game.places, strict=True)
    )
    losses = []
    for game in games:
        if game.date == games[-1].date:
            weights = {
                order: math.prod(1 + had[seat.person, place] for seat, place in zip(game.seats, order, strict=True))
                for order in permutations((1, 2, 3, 4))
            }
            losses.append(-math.log(weights[game.places] / sum(weights.values())))
    assert past.log_loss == pytest.approx(sum(losses) / len(losses))


def test_a_baseline_is_beaten_by_more_than_its_error_alone() -> None:
    assert not Baseline("as good", 3.0, 0.0, 0.0).is_beaten
    assert Baseline("worse", 3.0, 0.01, 0.0).is_beaten
    assert not Baseline("perhaps worse", 3.0, 0.01, 0.01).is_beaten


def test_of_equal_players_nothing_is_foretold() -> None:
    found = held_out(simulated(3, 0)[1], 6)
    uniform = found.baselines[0]
    assert (uniform.name, uniform.is_beaten) == ("uniform", False)
    assert found.log_loss > math.log(24)


def test_a_tie_is_any_of_the_orders_it_leaves_open() -> None:
    seats = tuple(Seat(person, points) for person, points in zip("abcd", (5, 5, 5, 1), strict=True))
    games = [Game(f"2016-09-{day:02}", str(day), 1, 1, 1, seats) for day in range(1, 31)]
    found = held_out(games, 1)
    assert found.baselines[0].log_loss == pytest.approx(-math.log(6 / 24))
    # a, b, c are still believed to be equal: only that d is the last is foretold.
    a, b, c, d = (Ratings(games[:29]).skill(person) for person in "abcd")
    assert a == b == c
    assert d.rating < NEWCOMER.rating < a.rating
    assert math.log(24 / 6) > found.log_loss > 0
    (low, high) = found.bins
    assert (low.players, low.won, high.players, round(high.won, 9)) == (1, 0, 3, 0.333333333)


def test_days_to_learn_from_are_left(season: tuple[dict[str, float], list[Game]]) -> None:
    with pytest.raises(BadInput, match="12; hold out fewer"):
        held_out(season[1], 12)
