"""The ratings of a season from its tables, what they foretell, and both as plain values for programs."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from .persons import People
from .rating import Game, Pool, Rated, Ratings, Seat
from .rating_forecast import HeldOut, held_out
from .rating_update import MILLION
from .tables import GAMES_PLAYED, NOT_RATED, Tables


@dataclass(frozen=True, slots=True)
class RatingList:
    """What is rated together: how many games of how many days, the ratings, and what they foretold, if that was
    asked. `left_out` are tables of sessions that are not rated, for a stand-in sat there.
    """

    pool: Pool
    games: int
    days: int
    left_out: int
    rated: tuple[Rated, ...]
    held_out: HeldOut | None = None


def rating_lists(tables: Tables, hold_out: int = 0) -> Iterator[RatingList]:
    """Yield the list of each game and ruleset; with `hold_out` so many of its last days are foretold as well."""
    left_out = {Pool(*row[:2]): row[2] for row in tables.ask(NOT_RATED)}
    for pool, rows in groupby(tables.ask(GAMES_PLAYED), lambda row: Pool(*row[:2])):
        ratings, days, count = Ratings(), set(), 0
        kept: list[Game] = []
        for (date, day, session, table, first_deal), seats in groupby(rows, lambda row: row[2:7]):
            game = Game(date, day, session, table, first_deal, tuple(Seat(*row[7:]) for row in seats))
            ratings.add(game)
            days.add(day)
            count += 1
            if hold_out:
                kept.append(game)
        foretold = held_out(kept, hold_out) if hold_out else None
        yield RatingList(pool, count, len(days), left_out.get(pool, 0), ratings.rated(), foretold)


def rows_of(found: RatingList, people: People) -> list[dict[str, Any]]:
    """Return the ratings as rows, the best first; numbers are exact to the millionth."""
    return [
        {
            "place": place,
            "person": one.person,
            "name": people.by_key[one.person].name if one.person in people.by_key else one.person,
            "rating": one.skill.rating / MILLION,
            "mean": one.skill.mean / MILLION,
            "deviation": one.skill.deviation / MILLION,
            "games": one.games,
            "days": one.days,
            "last": one.last,
        }
        for place, one in enumerate(found.rated, 1)
    ]


def record_of(found: RatingList, people: People) -> dict[str, Any]:
    """Return a list for programs."""
    told = found.held_out
    return {
        **found.pool._asdict(),
        "games": found.games,
        "days": found.days,
        "left_out": found.left_out,
        "rated": rows_of(found, people),
        "held_out": None if told is None else asdict(told),
    }
