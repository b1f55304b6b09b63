"""Who is who: the players of all days as persons, by their ids and by what somebody at the desk has said.

A player with an id is the person of that id. One without is a person of that day alone until somebody says otherwise:
nobody is taken for somebody else because of a name. Merges and splits are entries; nothing here guesses.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..journal.kinds.season import DayResult, SeasonDay
from .state import SeasonState

DAY_DIGITS = 8
"""Digits of a day's id in the key of a person who has no id."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person: the key, the names as they were written, the last first, and what each day gave, by date.

    `keys` are all keys that were merged into this one, itself among them.
    """

    key: str
    names: tuple[str, ...]
    clubs: tuple[str, ...]
    days: tuple[tuple[SeasonDay, DayResult], ...]
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
        for merge in state.merges.values():
            for key in merge.persons[1:]:
                self._join(merge.persons[0], key)

    def of(self, day: SeasonDay, result: DayResult) -> str:
        """Return the key of the person that a player is."""
        return self.root(self.own(day, result))

    def own(self, day: SeasonDay, result: DayResult) -> str:
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


class People:
    """The persons of a season, by key, and which of them a player of a day is."""

    def __init__(self, state: SeasonState) -> None:
        self._of: dict[str, dict[int, str]] = {}
        self.by_key: dict[str, Person] = {}
        keys = Keys(state)
        self.root = keys.root
        found: dict[str, list[tuple[SeasonDay, DayResult]]] = {}
        merged: dict[str, set[str]] = {}
        for one in state.in_order():
            here = self._of[one.day.day] = {}
            for result in one.day.results:
                own = keys.own(one.day, result)
                here[result.number] = key = keys.root(own)
                found.setdefault(key, []).append((one.day, result))
                if own != key:
                    merged.setdefault(key, set()).add(own)
        for key, days in found.items():
            names = tuple(dict.fromkeys(result.name for _, result in reversed(days)))
            clubs = tuple(dict.fromkeys(result.club for _, result in reversed(days) if result.club))
            self.by_key[key] = Person(key, names, clubs, tuple(days), tuple(sorted({key} | merged.get(key, set()))))

    def of(self, day: str, player: int) -> str:
        """Return the key of the person that a player of a day is. KeyError when there is no such player."""
        return self._of[day][player]

    def called(self, text: str) -> tuple[Person, ...]:
        """Return the persons with that key or name, else those whose names have the text in them, in order."""
        if self.root(text) in self.by_key:
            return (self.by_key[self.root(text)],)
        wanted = text.casefold()
        same = [one for one in self.by_key.values() if any(name.casefold() == wanted for name in one.names)]
        near = [one for one in self.by_key.values() if any(wanted in name.casefold() for name in one.names)]
        return tuple(sorted(same or near, key=lambda one: one.key))


def key_of(day: SeasonDay, result: DayResult) -> str:
    """Return the key of a player by the day's list alone."""
    return result.id or f"{day.day[:DAY_DIGITS]}/{result.number}"


def is_of_a_day(key: str) -> bool:
    """Whether a key is that of somebody without an id."""
    digits, slash, number = key.partition("/")
    return bool(slash) and len(digits) == DAY_DIGITS and number.isdecimal()


def overlaps(days: Iterable[SeasonDay]) -> tuple[SeasonDay, SeasonDay] | None:
    """Return two of the days in different halls that were played at one time, None when there are none."""
    before: SeasonDay | None = None
    for day in sorted(days, key=lambda one: (one.began_ms, one.day)):
        if before is not None and day.began_ms < before.ended_ms:
            return before, day
        if before is None or day.ended_ms > before.ended_ms:
            before = day
    return None
