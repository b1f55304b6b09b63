"""The list of a season, computed from its days each time: what each day gave, which of them count, who is ahead.

DECISION: of equal days the earlier one counts; who is equal by total is ranked by the best day, then by days won, then
by a lot that follows from the checkpoints of all days, so that nobody knows it before the last day is in.
"""

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import compress
from typing import overload

from ..journal.kinds.season import DayHead, DayResult
from .format import RANK_POINTS, SeasonFormat
from .persons import PLACES, People
from .state import SeasonState

_LOT = b"Wallwright season lot 1\n"


@dataclass(frozen=True, slots=True)
class DayValue:
    """What a day is worth to a person: `value` by the format, and whether it counts; `is_home` is in the own hall."""

    day: DayHead
    result: DayResult
    value: Fraction
    is_home: bool
    counts: bool = False


_Values = Sequence[Sequence[Fraction | None]]
"""By day, and by place in the day's list, what a result is worth."""


class DayValues(Sequence[DayValue]):
    """What the days of a person are worth, by date; of each little is kept, and the rest looked up."""

    __slots__ = ("_counts", "_home", "_people", "_places", "_values")

    def __init__(self, people: People, values: _Values, places: "array[int]", counts: bytes, home: str) -> None:
        self._people = people
        self._home = home
        self._values = values
        self._places = places
        self._counts = counts

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> DayValue: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[DayValue, ...]: ...
    def __getitem__(self, at: int | slice) -> DayValue | tuple[DayValue, ...]:
        """Return one, or some."""
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        place = self._places[at]
        value = self._values[place // PLACES][place % PLACES]
        assert value is not None, "days without a rank are left out"
        return DayValue(*self._people.at(place), value, self._people.hall(place) == self._home, bool(self._counts[at]))

    def __eq__(self, other: object) -> bool:
        """Say whether all are the same."""
        return tuple(self) == tuple(other) if isinstance(other, DayValues) else NotImplemented

    def __hash__(self) -> int:
        """Return what is the same for the same days."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """Return all of them."""
        return repr(tuple(self))


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
    days: DayValues


def standings(state: SeasonState, people: People | None = None) -> tuple[Row, ...]:
    """Return the list, best first; empty in a season without one. Whoever was ranked on no day is not in it."""
    season = state.format
    assert season is not None
    if not season.has_standings:
        return ()
    people = people or People(state)
    values: list[list[Fraction | None]] = []
    first: list[frozenset[int]] = []
    for one in people.days:
        results = one.results
        values.append(_values(season, results))
        first.append(frozenset(at for at, result in enumerate(results) if result.rank == 1))
    lots = lot_key(state)
    rows = []
    for person in people.by_key.values():
        found = [
            (place, value)
            for place in person.days.places
            if (value := values[place // PLACES][place % PLACES]) is not None
        ]
        if found:
            places, worth = array("Q", [place for place, _ in found]), [value for _, value in found]
            home = people.hall(person.days.places[0])
            are_home = () if season.best_of else [people.hall(place) == home for place in places]
            counts = _counting(season, worth, are_home)
            won = sum(place % PLACES in first[place // PLACES] for place in compress(places, counts))
            club = person.clubs[0] if person.clubs else ""
            counted = list(compress(worth, counts))
            total, best = sum(counted, Fraction(0)), max(counted, default=Fraction(0))
            days = DayValues(people, values, places, counts, home)
            rows.append(Row(0, person.key, person.name, club, total, best, won, days))
    rows.sort(key=lambda row: (-row.total, -row.best, -row.won, hashlib.sha256(lots + row.person.encode()).digest()))
    return tuple(replace(row, rank=rank) for rank, row in enumerate(rows, 1))


def lot_key(state: SeasonState) -> bytes:
    """Return the bytes that lots follow from: the checkpoints of all days that count."""
    signed = "\n".join(sorted(one.day.checkpoint for one in state.in_order()))
    return hashlib.sha256(_LOT + signed.encode()).digest()


def _values(season: SeasonFormat, results: Sequence[DayResult]) -> list[Fraction | None]:
    """Return what each result of a day is worth, None without a rank."""
    if season.result != RANK_POINTS:
        return [None if one.rank is None else _fraction(one.total) for one in results]
    ranks = [one.rank for one in results]
    return [None if rank is None else _shared(season.rank_points, rank, ranks.count(rank)) for rank in ranks]


@cache
def _shared(points: Sequence[int], rank: int, many: int) -> Fraction:
    """Return what so many get who tie for a rank: they share what their places have together."""
    return Fraction(sum(points[rank - 1 : rank - 1 + many]), many)


def _counting(season: SeasonFormat, worth: Sequence[Fraction], are_home: Sequence[bool]) -> bytes:
    """Return of each of the days, which are in the order of their dates, whether it counts.

    `are_home` says which are in the own hall, where the format asks for that.
    """
    # Of equal days the earlier one stays before the later one.
    best = sorted(range(len(worth)), key=[_comparable(value) for value in worth].__getitem__, reverse=True)
    if season.best_of:
        chosen = best[: season.best_of]
    else:
        home = [at for at in best if are_home[at]]
        away = [at for at in best if not are_home[at]]
        chosen = home[: season.best_home] + away[: season.best_away]
    counts = bytearray(len(worth))
    for at in chosen:
        counts[at] = 1
    return bytes(counts)


def _comparable(value: Fraction) -> int | Fraction:
    """Return a value in the form that compares fastest: a season of many days compares them millions of times."""
    return value.numerator if value.denominator == 1 else value


@cache
def _fraction(text: str) -> Fraction:
    return Fraction(text)
