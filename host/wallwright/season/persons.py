"""Who is who: the players of all days as persons, by their ids and by what somebody at the desk has said.

A player with an id is the person of that id. One without is a person of that day alone until somebody says otherwise:
nobody is taken for somebody else because of a name. Merges and splits are entries; nothing here guesses.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from ..journal.kinds.season import DayHead, DayResult
from ..person_text import same_key
from .state import DayInSeason, SeasonState

DAY_DIGITS = 8
"""Digits of a day's id in the key of a person who has no id."""
READ_DAYS = 64
"""So many days' results are kept at hand: those of a season, unless it is of thousands of days."""
PLACES = 1 << 16
"""A place is the number of a day by date, times this, and how many stand before it in the day's list."""


class Played(Sequence[tuple[DayHead, DayResult]]):
    """The days of a person, by date, each with what it gave. Only the places are kept, eight bytes a day."""

    __slots__ = ("_people", "places")

    def __init__(self, people: "People") -> None:
        self._people = people
        self.places = array("Q")

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.places)

    @overload
    def __getitem__(self, at: int) -> tuple[DayHead, DayResult]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[tuple[DayHead, DayResult], ...]: ...
    def __getitem__(self, at: int | slice) -> tuple[DayHead, DayResult] | tuple[tuple[DayHead, DayResult], ...]:
        """Return one, or some."""
        if isinstance(at, slice):
            return tuple(map(self._people.at, self.places[at]))
        return self._people.at(self.places[at])

    def __iter__(self) -> Iterator[tuple[DayHead, DayResult]]:
        """Go through them."""
        return map(self._people.at, self.places)

    def __repr__(self) -> str:
        """Return all of them."""
        return repr(tuple(self))


@dataclass(frozen=True, slots=True)
class Person:
    """A person: the key, the names as they were written, the last first, and what each day gave, by date.

    `keys` are all keys that were merged into this one, itself among them.
    """

    key: str
    names: tuple[str, ...]
    clubs: tuple[str, ...]
    days: Played
    keys: tuple[str, ...]

    @property
    def told_names(self) -> tuple[str, ...]:
        """The names that no hall has withheld."""
        withheld = {result.name for _, result in self.days if result.private}
        return tuple(name for name in self.names if name not in withheld)

    @property
    def name(self) -> str:
        """The name as it was written last."""
        return self.names[0]


class Keys:
    """The keys of players: what the day's list says, or somebody at the desk, and what that was merged into."""

    def __init__(self, state: SeasonState) -> None:
        self._splits = {(one.day, one.player): one.person for one in state.splits.values()}
        self._above: dict[str, str] = {}
        self.is_said = bool(state.splits or state.merges)
        """Whether anybody has said more of somebody than the days' lists do."""
        for merge in state.merges.values():
            for key in merge.persons[1:]:
                self._join(merge.persons[0], key)

    def of(self, day: DayHead, result: DayResult) -> str:
        """Return the key of the person that a player is."""
        return self.root(self.own(day, result))

    def own(self, day: DayHead, result: DayResult) -> str:
        """Return a player's key before merges."""
        return self._splits.get((day.day, result.number)) or key_of(day, result)

    def root(self, key: str) -> str:
        """Return the key that a key was merged into."""
        while key in self._above:
            key = self._above[key]
        return key

    def _join(self, one: str, other: str) -> None:
        first, second = self.root(one), self.root(other)
        if first != second:
            # The id of a federation before a day's own key; whoever is first in the order of texts stays.
            upper, lower = sorted((first, second), key=lambda key: (is_of_a_day(key), key))
            self._above[lower] = upper


class _Found:
    """A person, as the days are gone through."""

    __slots__ = ("clubs", "days", "merged", "names")

    def __init__(self, days: Played) -> None:
        self.days = days
        self.names: list[str] = []
        self.clubs: list[str] = []
        self.merged: tuple[str, ...] = ()


class People:
    """The persons of a season, by key, and which of them a player of a day is."""

    def __init__(self, state: SeasonState) -> None:
        self.days: tuple[DayInSeason, ...] = state.in_order()
        self.by_key: dict[str, Person] = {}
        self._keys = Keys(state)
        self.root = self._keys.root
        self._number_of = {one.day.day: number for number, one in enumerate(self.days)}
        self._results = lru_cache(READ_DAYS)(lambda number: self.days[number].results)
        self._who = lru_cache(READ_DAYS)(self._of_day)
        found: dict[str, _Found] = {}
        for number, one in enumerate(self.days):
            day = one.day
            for place, result in enumerate(self._results(number), number * PLACES):
                own = self._keys.own(day, result) if self._keys.is_said else key_of(day, result)
                key = self.root(own) if self._keys.is_said else own
                there = found.get(key)
                if there is None:
                    there = found[key] = _Found(Played(self))
                there.days.places.append(place)
                if there.names[-1:] != [result.name]:
                    _note(there.names, result.name)
                if result.club and there.clubs[-1:] != [result.club]:
                    _note(there.clubs, result.club)
                if own != key:
                    there.merged = (*there.merged, own)
        for key in list(found):
            one_found = found.pop(key)
            keys = tuple(sorted({key, *one_found.merged}))
            names, clubs = tuple(reversed(one_found.names)), tuple(reversed(one_found.clubs))
            self.by_key[key] = Person(key, names, clubs, one_found.days, keys)

    def at(self, place: int) -> tuple[DayHead, DayResult]:
        """Return the day of a place, and what it gave there."""
        number, at = divmod(place, PLACES)
        return self.days[number].day, self._results(number)[at]

    def hall(self, place: int) -> str:
        """Return the printed key of the hall where a place is."""
        return self.days[place // PLACES].day.key

    def of(self, day: str, player: int) -> str:
        """Return the key of the person that a player of a day is. KeyError when there is no such player."""
        return self._who(self._number_of[day])[player]

    def _of_day(self, number: int) -> dict[int, str]:
        day = self.days[number].day
        return {result.number: self._keys.of(day, result) for result in self._results(number)}

    def called(self, text: str) -> tuple[Person, ...]:
        """Return the persons with that key or name, else those whose names have the text in them, in order."""
        if self.root(text) in self.by_key:
            return (self.by_key[self.root(text)],)
        wanted = same_key(text)
        keys = [(one, [same_key(name) for name in one.names]) for one in self.by_key.values()]
        same = [one for one, names in keys if wanted in names]
        near = [one for one, names in keys if any(wanted in name for name in names)]
        return tuple(sorted(same or near, key=lambda one: one.key))


def _note(texts: list[str], text: str) -> None:
    """Put a text last."""
    if text in texts:
        texts.remove(text)
    texts.append(text)


def key_of(day: DayHead, result: DayResult) -> str:
    """Return the key of a player by the day's list alone."""
    return result.id or f"{day.day[:DAY_DIGITS]}/{result.number}"


def is_of_a_day(key: str) -> bool:
    """Whether a key is that of somebody without an id."""
    digits, slash, number = key.partition("/")
    return bool(slash) and len(digits) == DAY_DIGITS and number.isdecimal()


def overlaps(days: Iterable[DayHead]) -> tuple[DayHead, DayHead] | None:
    """Return two of the days in different halls that were played at one time, None when there are none."""
    before: DayHead | None = None
    for day in sorted(days, key=lambda one: (one.began_ms, one.day)):
        if before is not None and day.began_ms < before.ended_ms:
            return before, day
        if before is None or day.ended_ms > before.ended_ms:
            before = day
    return None
