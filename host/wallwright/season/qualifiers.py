"""Who reaches the final: the best of each day, by date, and then the best of the list.

DECISION: a place of a day goes to the best of that day who has none yet, so that no place is lost to somebody who has
qualified before; of equal ones the better of the list is taken.
"""

from dataclasses import dataclass

from .persons import People
from .standings import Row, standings
from .state import SeasonState

BY_DAY, BY_LIST = "day", "list"


@dataclass(frozen=True, slots=True)
class Qualifier:
    """Somebody in the final. `by` is BY_DAY or BY_LIST, `place` the rank there, `day` the id of the day, if it was one.

    `number` counts from 1 in the order of the list; it is the number in the draw.
    """

    number: int
    person: str
    name: str
    club: str
    by: str
    place: int
    day: str = ""


def qualifiers(state: SeasonState) -> tuple[Qualifier, ...]:
    """Return them in the order of the list."""
    season = state.format
    assert season is not None
    people = People(state)
    rows = standings(state, people)
    places = {row.person: row.rank for row in rows}
    found: dict[str, tuple[str, int, str]] = {}
    for one in state.in_order():
        ranked = [
            (result.rank, places[key], key)
            for result in one.results
            if result.rank is not None and (key := people.of(one.day.day, result.number)) in places
        ]
        free = [(rank, key) for rank, _, key in sorted(ranked) if key not in found]
        found |= {key: (BY_DAY, rank, one.day.day) for rank, key in free[: season.qualify_a_day]}
    rest = [row for row in rows if row.person not in found][: season.qualify_by_list]
    found |= {row.person: (BY_LIST, row.rank, "") for row in rest}
    chosen: list[Row] = [row for row in rows if row.person in found]
    return tuple(
        Qualifier(number, row.person, row.name, row.club, *found[row.person]) for number, row in enumerate(chosen, 1)
    )
