"""Where a number of a season comes from: somebody's total, day by day, and a day, deal by deal."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from .days import find_day, read_extract
from .format import RANK_POINTS
from .persons import People, Person
from .qualifiers import BY_DAY, qualifiers
from .standings import Row, standings
from .state import SeasonState


def explain_person(state: SeasonState, people: People, person: Person) -> Iterator[str]:
    """Yield sentences: who it is, each day and whether it counts, the total, and the final."""
    season = state.format
    assert season is not None
    yield f"{person.name} is {person.key}."
    if len(person.keys) > 1 or len(person.names) > 1:
        yield f"Keys: {', '.join(person.keys)}. Names as written: {', '.join(person.names)}."
    row = next((one for one in standings(state, people) if one.person == person.key), None)
    days = {} if row is None else {one.day.day: one for one in row.days}
    for day, result in person.days:
        rank = "without a rank" if result.rank is None else f"rank {result.rank}"
        what = (
            f"{day.date}, {day.name} at {state.hall(day)} ({day.day[:8]}): {rank} with {_told(Fraction(result.total))}"
        )
        worth = days.get(day.day)
        if worth is None:
            yield f"{what}."
        elif worth.counts:
            yield f"{what}{_worth(season.result, worth.value)}; counts."
        else:
            yield f"{what}{_worth(season.result, worth.value)}; does not count, others are better."
    if row is not None:
        yield _total(row)
    for one in qualifiers(state) if season.has_final else ():
        if one.person == person.key:
            how = (
                f"as number {one.place} of the day {one.day[:8]}"
                if one.by == BY_DAY
                else f"as number {one.place} of the list"
            )
            yield f"Qualified for the final {how}."


def explain_day(state: SeasonState, person: Person, wanted: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each deal of somebody on a day: where it was, the points, and the entry that proves it."""
    played = [day for day, _ in person.days if wanted == day.date or day.day.startswith(wanted)]
    day = played[0] if len(played) == 1 else find_day(state, wanted).day
    numbers = {result.number for one, result in person.days if one.day == day.day}
    for deal in read_extract(folder, day).day.deals:
        for seat, player in enumerate(deal.seats):
            if player in numbers:
                yield {
                    "session": deal.session,
                    "table": deal.table,
                    "deal": deal.deal,
                    "seat": seat,
                    "points": deal.points[seat],
                    "what": deal.kind,
                    "corrected": deal.is_corrected,
                    "entry": deal.entry,
                }


def _total(row: Row) -> str:
    counted = " + ".join(_told(one.value) for one in row.days if one.counts)
    return f"Total: {counted or '0'} = {_told(row.total)}, rank {row.rank}."


def _worth(result: str, value: Fraction) -> str:
    return f", which is worth {_told(value)}" if result == RANK_POINTS else ""


def _told(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
