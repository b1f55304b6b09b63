"""Says who is who: merges, splits and their undoing, each with a reason; and proposes who might be one person.

A proposal is a question for a person at the desk, never an answer: nothing here merges by itself. Names are compared by
`rapidfuzz`, Chinese ones by their sounds too (`pypinyin`), both of the extra `season`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..errors import BadInput, EventRefused
from ..journal.kinds.season import PersonsMerged, PersonSplit, Undone
from ..person_text import same_key
from .days import find_day, refuse_overlap
from .desk import SeasonDesk
from .persons import DAY_DIGITS, People, Person, is_of_a_day, overlaps
from .state import SeasonState

LEAST = 85
"""Of 100: names that are less alike are not proposed."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_LACKING = "comparing names needs the extra `season`: pip install 'wallwright[season]'"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two persons who might be one, and how alike their names are, of 100."""

    one: Person
    other: Person
    alike: int


def merge(desk: SeasonDesk, names: Sequence[str], reason: str) -> Person:
    """Say that these, two or more, are one person; return who that is now."""
    _need_reason(reason)
    people = People(desk.state)
    found = [find_person(people, one) for one in names]
    keys = tuple(dict.fromkeys(one.key for one in found))
    if len(keys) < 2:
        raise EventRefused(f"{found[0].name} ({keys[0]}) is one person already")
    days = [day for one in found for day, _ in one.days]
    if len({day.day for day in days}) < len(days):
        raise EventRefused(
            f"{' and '.join(one.name for one in found)} sat at the tables of one day; they are two persons"
        )
    refuse_overlap(days, found[0].name, "persons")
    desk.write(PersonsMerged(persons=keys, reason=reason))
    return find_person(People(desk.state), keys[0])


def split(desk: SeasonDesk, day: str, player: int, person: str, reason: str) -> str:
    """Say that a player of a day is another person than the list has it, that of a key or, without one, one of the day
    alone; return the key.
    """
    _need_reason(reason)
    told = find_day(desk.state, day)
    found = told.day
    people = People(desk.state)
    try:
        before = people.of(found.day, player)
    except KeyError as error:
        raise EventRefused(f"{found.name} of {found.date} has no player {player}") from error
    key = people.root(person or f"{found.day[:DAY_DIGITS]}/{player}")
    if key == before:
        raise EventRefused(f"player {player} of {found.date} is {key} already")
    known = people.by_key.get(key)
    name = next(one.name for one in told.results if one.number == player)
    if known is not None:
        refuse_overlap((*(one for one, _ in known.days), found), name, "persons")
    desk.write(PersonSplit(day=found.day, player=player, person=key, reason=reason))
    return key


def undo(desk: SeasonDesk, entry: int, reason: str) -> str:
    """Take a merge or a split back, by the number of its entry; return in words what was taken back."""
    _need_reason(reason)
    merged, parted = desk.state.merges.get(entry), desk.state.splits.get(entry)
    if merged is None and parted is None:
        raise EventRefused(
            f"entry {entry} is no merge and no split that stands; see `wallwright season persons changes`"
        )
    desk.write(Undone(entry=entry, reason=reason))
    if merged is not None:
        return f"{' and '.join(merged.persons)} are several persons again"
    assert parted is not None
    return f"player {parted.player} of day {parted.day[:DAY_DIGITS]} is who the list says"


def find_person(people: People, name: str) -> Person:
    """Return the person of a key or a name. EventRefused when nobody, or several, are meant."""
    found = people.called(name)
    if len(found) == 1:
        return found[0]
    hint = ", ".join(f"{one.key} {one.name}" for one in found[:5]) or "look at `wallwright season persons list`"
    raise EventRefused(f"{'several persons are' if found else 'nobody is'} called {name!r}: {hint}")


def search(people: People, text: str) -> Iterator[Person]:
    """Go through the persons whose key, names or sounds have the text in them: zhang finds 张伟, and zw too."""
    wanted = same_key(text)
    for one in sorted(people.by_key.values(), key=lambda one: (one.name, one.key)):
        spoken = {way for name in one.names for way in (same_key(name), *sounds(name))}
        if any(wanted in way for way in (*spoken, *map(same_key, one.keys))):
            yield one


def proposals(state: SeasonState) -> Iterator[Proposal]:
    """Go through pairs of persons whose names are alike and who were never in two places at once, the likeliest first.

    Two ids are two persons for whoever has given them, so at least one of a pair has none.
    """
    likeness = _likeness()
    people = sorted(People(state).by_key.values(), key=lambda one: one.key)
    spoken = {
        one.key: {way for name in one.told_names for way in (same_key(name), *sounds(name)[:2])} for one in people
    }
    # Names that are withheld are like each other, and say nothing.
    people = [one for one in people if spoken[one.key]]
    found = []
    for one, other in combinations(people, 2):
        if not (is_of_a_day(one.key) or is_of_a_day(other.key)):
            continue
        alike = max(int(likeness(a, b)) for a in spoken[one.key] for b in spoken[other.key])
        days = [day for person in (one, other) for day, _ in person.days]
        if alike >= LEAST and len({day.day for day in days}) == len(days) and overlaps(days) is None:
            found.append(Proposal(one, other, alike))
    yield from sorted(found, key=lambda pair: (-pair.alike, pair.one.key, pair.other.key))


def _need_reason(reason: str) -> None:
    if not reason.strip():
        raise EventRefused("who is who is said for a reason; give one")


def sounds(name: str) -> tuple[str, ...]:
    """Return how a Chinese name is spoken, in letters, with blanks and without, and its first letters."""
    if not _HAN.search(name):
        return ()
    try:
        from pypinyin import lazy_pinyin
    except ImportError as error:
        raise BadInput(_LACKING) from error
    parts = lazy_pinyin(name)
    return " ".join(parts), "".join(parts), "".join(part[:1] for part in parts)


def _likeness() -> Callable[[str, str], float]:
    """Return what says how alike two names are, of 100, whatever the order of their words, and where they part."""
    try:
        from rapidfuzz import fuzz
    except ImportError as error:
        raise BadInput(_LACKING) from error
    return lambda a, b: max(fuzz.token_sort_ratio(a, b), fuzz.ratio(a.replace(" ", ""), b.replace(" ", "")))
