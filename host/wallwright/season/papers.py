"""Lists of a season as rows, for screens, CSV, XLSX and JSON."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .desk import reports_of
from .final import FinalRow
from .persons import People
from .qualifiers import qualifiers
from .report.waiting import waiting_of
from .seen import Seen, SeenFiles, in_play
from .standings import standings
from .state import DayInSeason, SeasonState

DAY_COLUMNS = 60
"""No list of people has more columns of days; `explain` has each day of a person."""
Rows = list[dict[str, Any]]


def standings_paper(state: SeasonState) -> Rows:
    """One row a person, best first; of each day that was played what it is worth, in brackets if it does not count.

    Of a season of more than DAY_COLUMNS days it says how many somebody has played.
    """
    days = state.in_order()
    rows = []
    for row in standings(state):
        line: dict[str, Any] = {"rank": row.rank, "person": row.person, "name": row.name, "club": row.club}
        line |= {"total": row.total, "best": row.best, "won": row.won}
        if len(days) > DAY_COLUMNS:
            rows.append(line | {"days": len(row.days)})
            continue
        worth = {one.day.day: one for one in row.days}
        for number, one in enumerate(days, 1):
            found = worth.get(one.day.day)
            value = "" if found is None else str(found.value)
            line[f"day_{number}"] = value if found is None or found.counts else f"({value})"
        rows.append(line)
    return rows


def qualifiers_paper(state: SeasonState) -> Rows:
    """One row a finalist, in the order of the list; `wallwright event players import` takes name, club and id."""
    days = {one.day.day: one.day for one in state.in_order()}
    return [
        {
            "number": one.number,
            "name": one.name,
            "club": one.club,
            "id": one.person,
            "by": one.by,
            "place": one.place,
            "day": days[one.day].date if one.day else "",
        }
        for one in qualifiers(state)
    ]


def days_paper(state: SeasonState) -> Rows:
    """One row a day, by date, then the final, then the days that were withdrawn."""
    final = () if state.final is None else (state.final,)
    gone = (DayInSeason(one.day, one.text, one.entry) for one in state.withdrawn.values())
    return [
        {
            "day": one.day.day[:8],
            "date": one.day.date,
            "name": one.day.name,
            "hall": state.hall(one.day),
            "ruleset": one.day.ruleset,
            "players": sum(result.rank is not None for result in one.results),
            "status": _status(state, one),
            "replaced": len(one.past),
            "extract": one.day.extract[:16],
        }
        for one in (*state.in_order(), *final, *gone)
    ]


def reports_paper(place: str, state: SeasonState) -> Rows:
    """Return rows as those of days for what halls have reported by themselves and is no day of the season yet."""
    rows = [
        (seen.journal, day_of(seen.at_ms), "", seen.key, seen_status(seen), "")
        for seen in in_play(SeenFiles(reports_of(place)).all(), state)
    ]
    for one, _ in waiting_of(place, state):
        rows.append((one.day, one.date, one.name, one.key, f"waiting: {one.why}", one.extract))
    return [
        {
            "day": day[:8],
            "date": date,
            "name": name,
            "hall": state.halls.get(key, key[:8]),
            "ruleset": "",
            "players": None,
            "status": status,
            "replaced": 0,
            "extract": extract[:16],
        }
        for day, date, name, key, status, extract in rows
    ]


def seen_status(one: Seen) -> str:
    """Return what was seen of a day in play, in words."""
    told = f"in play: entry {one.entries} seen at {time_of(one.at_ms)}"
    if one.parted is None:
        return told
    return f"{told}; another history was signed too, seen at {time_of(one.parted.at_ms)}"


def time_of(at_ms: int) -> str:
    """Return a time as 2016-09-03 14:05 UTC."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def day_of(at_ms: int) -> str:
    """Return a date as 2016-09-03, in UTC."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d}"


def persons_paper(state: SeasonState) -> Rows:
    """One row a person, by name."""
    people = sorted(People(state).by_key.values(), key=lambda one: (one.name, one.key))
    return [
        {
            "person": one.key,
            "name": one.name,
            "clubs": "; ".join(one.clubs),
            "days": len(one.days),
            "other_names": "; ".join(one.names[1:]),
            "merged": "; ".join(key for key in one.keys if key != one.key),
        }
        for one in people
    ]


def final_paper(rows: Sequence[FinalRow]) -> Rows:
    """One row a finalist, best first."""
    return [
        {
            "rank": row.rank,
            "person": row.person,
            "name": row.name,
            "total": row.total,
            "carried": row.carried,
            "final": row.played,
        }
        for row in rows
    ]


PAPERS: Mapping[str, Callable[[SeasonState], Rows]] = {
    "standings": standings_paper,
    "qualifiers": qualifiers_paper,
    "days": days_paper,
    "persons": persons_paper,
}
"""By name."""


def _status(state: SeasonState, one: DayInSeason) -> str:
    if one.day.day in state.withdrawn:
        return f"withdrawn: {state.withdrawn[one.day.day].reason}"
    status = one.day.status.replace("_", " ")
    if one.seen is not None and not one.seen.fits:
        status = f"{status}; not what was seen during play: {one.reason or one.past[-1].reason}"
    elif one.reason:
        status = f"{status}; taken because: {one.reason}"
    return f"the final, {status}" if one.is_final else status
