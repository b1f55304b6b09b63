"""What ratings foretell, of simulated players whose skills are known, and how wide their deviations are.

    .venv-dev/bin/python -m benchmarks.ratings [--seeds 3] [--days 20] [--players 80]

Players end in the orders of Plackett–Luce: `spread` is the standard deviation of ln(strength). At 0.3 one player in six
wins a table of middling ones in more than 31 % of the games. The last quarter of the days is foretold, each day from
those before it; less log loss is better, and ln 24 = 3.178 is that of knowing nothing. The last column but one is
openskill with its own values. `within 2` are the players whose true skill is within two deviations of the mean: 95 %
would be right.
"""

import argparse
import math
from random import Random
from statistics import fmean

from openskill.models import PlackettLuce
from rich.console import Console
from rich.table import Table as Grid

from wallwright.season.rating import Game, Ratings, Seat
from wallwright.season.rating_forecast import ORDERS, held_out
from wallwright.season.rating_update import LUCK, MILLION

SPREADS = (0.0, 0.15, 0.3, 0.5, 0.7)
SESSIONS = 5


def simulated(rng: Random, spread: float, days: int, players: int) -> tuple[dict[str, float], list[Game]]:
    """Games of players, and their skills."""
    skills = {f"p{number:04}": rng.gauss(0, spread) for number in range(players)}
    games = []
    for day in range(days):
        for session in range(1, SESSIONS + 1):
            drawn = rng.sample(sorted(skills), players)
            for table in range(players // 4):
                four = drawn[4 * table : 4 * table + 4]
                luck = {one: skills[one] - math.log(-math.log(rng.random())) for one in four}
                ranked = sorted(four, key=luck.__getitem__)
                seats = tuple(sorted(Seat(one, points) for points, one in enumerate(ranked)))
                games.append(Game(f"day {day:03}", f"day {day:03}", session, table, 1, seats))
    return skills, games


def by_openskill(games: list[Game], days: int, held: int) -> float:
    """The log loss of openskill with its own values, foretold in the same way."""
    model = PlackettLuce()
    known = {seat.person: model.rating() for game in games for seat in game.seats}
    losses = []
    for number in range(days):
        day = [game for game in games if game.day == f"day {number:03}"]
        for game in day if number >= days - held else ():
            four = [known[seat.person] for seat in game.seats]
            c = math.hypot(*(one.sigma for one in four), *[model.beta] * 4)
            chance, left = 1.0, [math.exp(one.mu / c) for one in four]
            for place in range(1, 5):
                at = game.places.index(place)
                chance *= left[at] / sum(left)
                left[at] = 0.0
            losses.append(-math.log(chance))
        for game in day:
            after = model.rate([[known[seat.person]] for seat in game.seats], ranks=[float(one) for one in game.places])
            known |= {seat.person: one for seat, (one,) in zip(game.seats, after, strict=True)}
    return fmean(losses)


def within_two(skills: dict[str, float], games: list[Game]) -> float:
    """The part of the players whose skill is within two deviations."""
    middle = fmean(skills.values())
    inside = []
    for row in Ratings(games).rated():
        deviation = row.skill.deviation / MILLION
        true = 25 + (skills[row.person] - middle) * 2 * math.hypot(deviation, float(LUCK))
        inside.append(abs(row.skill.mean / MILLION - true) < 2 * deviation)
    return fmean(inside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("seeds", 3), ("days", 20), ("players", 80)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    held = options.days // 4
    grid = Grid(title=f"Log loss of the order at a table, nothing known: {math.log(len(ORDERS)):.4f}")
    for name in ("spread", "rating", "past places", "openskill's own", "within 2"):
        grid.add_column(name, justify="right")
    for spread in SPREADS:
        rows = []
        for seed in range(options.seeds):
            skills, games = simulated(Random(f"{seed} {spread}"), spread, options.days, options.players)
            told = held_out(games, held)
            own = by_openskill(games, options.days, held)
            rows.append((told.log_loss, told.baselines[1].log_loss, own, within_two(skills, games)))
        *losses, inside = (fmean(column) for column in zip(*rows, strict=True))
        grid.add_row(f"{spread:g}", *(f"{one:.4f}" for one in losses), f"{inside:.0%}")
    Console(width=100).print(grid)


if __name__ == "__main__":
    main()
