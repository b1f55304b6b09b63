"""The results that an extract tells, each of its deal, and which of them stand: docs/proofs.md says by which rules.

Nothing is proved here, and no event is made: these are the rules that every verifier can ask without those of a game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..journal.kinds.desk import ActUndone, DealAnnulled, ResultCorrected, TableBound
from ..journal.leaves import RESULTS
from .errors import BadExtract
from .extract_file import Extract, Result, is_whole

PLACE = ("session", "table", "deal")
_BOARDS = "deal_result"
_ASK = "ask the hall for its own file"


class ShownRow(NamedTuple):
    """A result as a page shows it; `missing` are the names of what no leaf proves of it."""

    session: int
    table: int
    deal: int
    entry: int
    kind: str
    unit: str | None
    points: tuple[int, ...]
    missing: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[int, int, int]:
        """Session, table and deal."""
        return self[:3]


def check_parts(extract: Extract, name: str) -> None:
    """Raise BadExtract when a part is told twice, or a result among what is no result."""
    said = (*extract.entries, *extract.stated)
    numbers = [*(one.entry for one in said), *(one.entry for one in extract.results)]
    if len(set(numbers)) < len(numbers):
        twice = next(number for number, count in Counter(numbers).items() if count > 1)
        raise BadExtract(name, f"entry {twice} is told twice; {_ASK}", "double")
    for one in said:
        if one.kind in RESULTS:
            raise BadExtract(name, f"entry {one.entry} ({one.kind}) has no place there; {_ASK}", "kind")


def check_places(extract: Extract, name: str) -> None:
    """Raise BadExtract when a result is told of another deal than its entry says, or of a board that was not there."""
    bound = {
        (one.body.get("unit"), table): one.entry
        for one in sorted((*extract.entries, *extract.stated), reverse=True, key=lambda one: one.entry)
        if one.kind == TableBound.KIND and is_whole(table := one.body.get("table")) and _is_unit(one.body.get("unit"))
    }
    for one in extract.results:
        if one.kind == _BOARDS:
            since = bound.get((one.unit, one.table), one.entry)
            is_there = one.unit is not None and one.told[:2] == (None, None) and since < one.entry
        else:
            is_there = one.told == (one.session, one.table, one.deal)
        if not is_there:
            what = f"entry {one.entry}, deal {one.deal} of table {one.table} in session {one.session}"
            raise BadExtract(name, f"{what} is not what its entry says; {_ASK}", "place")


def rows_of(extract: Extract, name: str) -> tuple[ShownRow, ...]:
    """Return all results that a page has to show, in the order of entries. BadExtract when two stand for one deal."""
    undone = set(_undone(extract))
    told = (*map(_row, extract.results), *_annulled(extract, name))
    rules = {one.entry: one.body.get("rule") for one in extract.stated}
    standing: dict[tuple[int, int, int], ShownRow] = {}
    found: list[ShownRow] = []
    for row in sorted((one for one in told if one.entry not in undone), key=lambda one: one.entry):
        before = standing.get(row.place)
        if row.kind != DealAnnulled.KIND and (row.kind == ResultCorrected.KIND) != (before is not None):
            what = f"entry {row.entry}, deal {row.deal} of table {row.table} in session {row.session}"
            problem = "corrects nothing" if before is None else f"stands beside entry {before.entry}"
            raise BadExtract(name, f"{what} {problem}; {_ASK}", "order")
        if row.kind == DealAnnulled.KIND and rules[row.entry] == "replay":
            found += [row] if before is None else [before, row]
            standing.pop(row.place, None)
        else:
            standing[row.place] = row
    return tuple(sorted((*found, *standing.values()), key=lambda one: one.entry))


def _row(one: Result) -> ShownRow:
    missing = PLACE if one.kind == _BOARDS else ()
    return ShownRow(one.session, one.table, one.deal, one.entry, one.kind, one.unit, one.points, missing)


def _annulled(extract: Extract, name: str) -> Iterator[ShownRow]:
    for one in extract.stated:
        if one.kind == DealAnnulled.KIND:
            session, table, deal = (one.body.get(part) for part in PLACE)
            points = one.body.get("points")
            if not (has_place(one.body) and are_points(points)):
                raise BadExtract(name, f"entry {one.entry} ({one.kind}) has no deal or points; {_ASK}")
            assert isinstance(session, int)
            assert isinstance(table, int)
            assert isinstance(deal, int)
            assert isinstance(points, list)
            yield ShownRow(session, table, deal, one.entry, one.kind, one.unit, tuple(points), (*PLACE, "points"))


def has_place(value: Mapping[str, Any]) -> bool:
    """Say whether session, table and deal stand there, each from 1."""
    return all(is_whole(value.get(part)) and value[part] >= 1 for part in PLACE)


def are_points(value: object) -> bool:
    """Say whether a JSON value is the points of four seats."""
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 4 and all(map(is_whole, value))


def _is_unit(value: object) -> bool:
    return value is None or isinstance(value, str)


def _undone(extract: Extract) -> Iterator[int]:
    for one in (*extract.entries, *extract.stated):
        entries = one.body.get("entries")
        if one.kind == ActUndone.KIND and isinstance(entries, list):
            yield from (number for number in entries if is_whole(number))
