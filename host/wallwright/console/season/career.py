"""What a person's page shows: days, what they were worth, ratings after each, and the plots of both."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...season.rating import Game, Pool, Ratings, Seat
from ...season.rating_update import MILLION, Skill
from ...season.tables import GAMES_PLAYED, Tables

WIDTH, HEIGHT, EDGE = 640, 150, 14
"""Of a plot, in its own units."""


@dataclass(frozen=True, slots=True)
class After:
    """What is believed of a person after a day."""

    date: str
    day: str
    skill: Skill


Careers = Mapping[str, Mapping[Pool, Sequence[After]]]
"""By person and pool: what is believed after each day."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A day in a plot: where, its text, and whether it counts."""

    x: float
    y: float
    text: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: marks from left to right, a line through them, and the band around it; `zero` is the height of 0."""

    marks: tuple[Mark, ...]
    line: str
    band: str
    zero: float | None
    low: str
    high: str


def careers(tables: Tables) -> Careers:
    """Rate all games once, and keep everybody's ratings after each of their days."""
    found: dict[str, dict[Pool, list[After]]] = defaultdict(lambda: defaultdict(list))
    for pool, rows in groupby(tables.ask(GAMES_PLAYED), lambda row: Pool(*row[:2])):
        ratings = Ratings()
        for (date, day), games in groupby(rows, lambda row: (row[2], row[3])):
            here = set()
            for (session, table, first_deal), seats in groupby(games, lambda row: row[4:7]):
                game = Game(date, day, session, table, first_deal, tuple(Seat(*row[7:]) for row in seats))
                ratings.add(game)
                here |= {seat.person for seat in game.seats}
            for person in here:
                found[person][pool].append(After(date, day, ratings.skill(person)))
    return found


def value_plot(values: Sequence[tuple[str, float, bool]]) -> Plot:
    """Plot what days were worth: a text, the value, and whether it counts."""
    numbers = [value for _, value, _ in values]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    marks = tuple(
        Mark(_across(at, len(values)), _up(value, low, high), text, counts)
        for at, (text, value, counts) in enumerate(values)
    )
    return Plot(marks, "", "", _up(0, low, high), f"{low:g}", f"{high:g}")


def rating_plot(after: Sequence[After]) -> Plot:
    """Plot the means, with two deviations on both sides."""
    means = [one.skill.mean / MILLION for one in after]
    ends = [(one.skill.mean - way * 2 * one.skill.deviation) / MILLION for way in (1, -1) for one in after]
    low, high = min(ends), max(ends)
    marks = tuple(
        Mark(_across(at, len(after)), _up(mean, low, high), f"{one.date}: {one.skill.rating / MILLION:.2f}")
        for at, (one, mean) in enumerate(zip(after, means, strict=True))
    )
    across = [mark.x for mark in marks]
    outline = [
        *zip(across, ends[: len(after)], strict=True),
        *reversed(list(zip(across, ends[len(after) :], strict=True))),
    ]
    band = " ".join(f"{x:.1f},{_up(value, low, high):.1f}" for x, value in outline)
    line = " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in marks)
    return Plot(marks, line, band, None, f"{low:.0f}", f"{high:.0f}")


def _across(at: int, count: int) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * (at + 0.5) / count


def _up(value: float, low: float, high: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * ((value - low) / (high - low) if high > low else 0.5)
