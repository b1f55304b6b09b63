"""The list of a season, computed from its days each time: what each day gave, which of them count, who is ahead.

DECISION: of equal days the earlier one counts; who is equal by total is ranked by the best day, then by days won, then
by a lot that follows from the checkpoints of all days, so that nobody knows it before the last day is in.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from ..journal.kinds.season import DayResult, SeasonDay
from .format import RANK_POINTS, SeasonFormat
from .persons import People, Person
from .state import SeasonState

_LOT = b"Wallwright season lot 1\n"


@dataclass(frozen=True, slots=True)
class DayValue:
    """What a day is worth to a person: `value` by the format, and whether it counts; `is_home` is in the own hall."""

    day: SeasonDay
    result: DayResult
    value: Fraction
    is_home: bool
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A person's line. `rank` is shared by nobody; `best` and `won` break ties, then the lot."""

    rank: int
    person: str
    name: str
    club: str
    total: Fraction
    best: Fraction
    won: int
    days: tuple[DayValue, ...]


def standings(state: SeasonState, people: People | None = None) -> tuple[Row, ...]:
    """Return the list, best first; empty in a season without one. Whoever was ranked on no day is not in it."""
    season = state.format
    assert season is not None
    if not season.has_standings:
        return ()
    values = day_values(state, season)
    lots = lot_key(state)
    rows = []
    for person in (people or People(state)).by_key.values():
        days = _counting(season, _of_person(person, values))
        if days:
            counted = [one.value for one in days if one.counts]
            won = sum(one.counts and one.result.rank == 1 for one in days)
            club = person.clubs[0] if person.clubs else ""
            total = sum(counted, Fraction(0))
            rows.append(Row(0, person.key, person.name, club, total, max(counted, default=Fraction(0)), won, days))
    rows.sort(key=lambda row: (-row.total, -row.best, -row.won, hashlib.sha256(lots + row.person.encode()).digest()))
    return tuple(replace(row, rank=rank) for rank, row in enumerate(rows, 1))


def day_values(state: SeasonState, season: SeasonFormat) -> dict[tuple[str, int], Fraction]:
    """Return by day and player what each ranked result is worth."""
    return {
        (one.day.day, result.number): value
        for one in state.in_order()
        for result, value in _values(season, one.day.results)
    }


def lot_key(state: SeasonState) -> bytes:
    """Return the bytes that lots follow from: the checkpoints of all days that count."""
    signed = "\n".join(sorted(one.day.checkpoint for one in state.in_order()))
    return hashlib.sha256(_LOT + signed.encode()).digest()


def _values(season: SeasonFormat, results: Sequence[DayResult]) -> Iterable[tuple[DayResult, Fraction]]:
    ranked = [one for one in results if one.rank is not None]
    ranks = [one.rank for one in ranked]
    for one in ranked:
        if season.result != RANK_POINTS:
            yield one, _fraction(one.total)
            continue
        # Who ties shares what their places have together.
        assert one.rank is not None
        share = season.rank_points[one.rank - 1 : one.rank - 1 + ranks.count(one.rank)]
        yield one, Fraction(sum(share), ranks.count(one.rank))


def _of_person(person: Person, values: dict[tuple[str, int], Fraction]) -> list[DayValue]:
    home = person.days[0][0].key
    return [
        DayValue(day, result, values[day.day, result.number], day.key == home)
        for day, result in person.days
        if (day.day, result.number) in values
    ]


def _counting(season: SeasonFormat, days: Sequence[DayValue]) -> tuple[DayValue, ...]:
    """Return the days, which are in the order of their dates, with those marked that count."""
    # Of equal days the earlier one stays before the later one.
    best = sorted(days, key=_comparable, reverse=True)
    if season.best_of:
        chosen = best[: season.best_of]
    else:
        home = [one for one in best if one.is_home]
        away = [one for one in best if not one.is_home]
        chosen = home[: season.best_home] + away[: season.best_away]
    counted = {one.day.day for one in chosen}
    return tuple(
        DayValue(one.day, one.result, one.value, one.is_home, counts=True) if one.day.day in counted else one
        for one in days
    )


def _comparable(one: DayValue) -> int | Fraction:
    """Return a day's value in the form that compares fastest: a season of many days compares them millions of times."""
    return one.value.numerator if one.value.denominator == 1 else one.value


@cache
def _fraction(text: str) -> Fraction:
    return Fraction(text)
