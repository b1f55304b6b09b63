"""The counts of a wash test in a file: a line a build, typed in as they are counted, or taken from photographs.

The file is CSV with one of two heads. Behind `wash_s,marked` a line has the sum of the four walls; behind
`wash_s,side_0,side_1,side_2,side_3` each wall's own count, as it is taken from a photograph of that wall.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wallwright_protocol.hardware import SIDES

from ..errors import BadInput
from ..system.disk import read_whole, write_named
from ..system.spreadsheet import csv_lines
from ..text_files import BadText, text_of
from .wash_test import LONGEST_WASH_S, Count

SUMS = ("wash_s", "marked")
BY_SIDE = ("wash_s", *(f"side_{side}" for side in range(SIDES)))
_HEADS = (",".join(SUMS), ",".join(BY_SIDE))
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Build:
    """One build: for how long the set was washed, in s, and the marked tiles in the right halves, summed or by side."""

    wash_s: int
    counts: tuple[int, ...]

    @property
    def marked(self) -> int:
        """How many marked tiles stand there."""
        return sum(self.counts)


@dataclass(slots=True)
class Counts:
    """The builds of a file in their order; each line has the sum, or the counts of the four sides (`by_side`)."""

    path: Path
    count: Count
    by_side: bool
    builds: list[Build]

    @property
    def by_wash(self) -> dict[int, list[int]]:
        """The counts by wash time."""
        found: dict[int, list[int]] = {}
        for build in self.builds:
            found.setdefault(build.wash_s, []).append(build.marked)
        return found

    def add(self, wash_s: int, typed: str) -> None:
        """Take a build, as it was typed in, and write it to the file. BadInput when it cannot be meant."""
        build = Build(wash_s, _read_counts(typed.replace(",", " ").split(), self.count, self.by_side))
        self.builds.append(build)
        self._write()

    def take_back(self) -> None:
        """Take the last build out of the file again."""
        del self.builds[-1:]
        self._write()

    def _write(self) -> None:
        rows = [(build.wash_s, *build.counts) for build in self.builds]
        lines = csv_lines(BY_SIDE if self.by_side else SUMS, rows)
        write_named(self.path, "".join(f"{line}\n" for line in lines).encode())


def open_counts(path: Path, count: Count, *, by_side: bool) -> Counts:
    """Return the counts of a file to which more are to be added; a new one where there is none. BadInput as below."""
    if not path.exists():
        return Counts(path, count, by_side, [])
    found = read_counts(path, count)
    if found.by_side != by_side:
        raise BadInput(f"{path} begins with {_HEADS[found.by_side]}, not with {_HEADS[by_side]}; give another file")
    return found


def read_counts(path: Path, count: Count) -> Counts:
    """Read a file of builds. BadInput names the line that cannot be meant."""
    try:
        text = text_of(read_whole(path))
    except (OSError, BadText) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{path} cannot be read as text ({why}); give a CSV file with the head wash_s,marked") from error
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if any(map(str.strip, row))]
    except csv.Error as error:
        raise BadInput(f"{path} is no CSV file: {error}") from error
    head = tuple(rows[0]) if rows else ()
    if head not in (SUMS, BY_SIDE):
        raise BadInput(
            f"{path} has to begin with the line {_HEADS[False]} or {_HEADS[True]}; then one line a build, such as 10,31"
        )
    builds = []
    for number, row in enumerate(rows[1:], 1):
        try:
            builds.append(_build(row, count, by_side=head == BY_SIDE))
        except BadInput as error:
            raise BadInput(f"{path}, build {number}: {error}") from error
    return Counts(path, count, head == BY_SIDE, builds)


def _build(row: Sequence[str], count: Count, *, by_side: bool) -> Build:
    if not row[0].isdecimal() or len(row[0]) > _DIGITS:
        raise BadInput(f"{','.join(row)[:40]}; give whole numbers, such as 10,31")
    if int(row[0]) > LONGEST_WASH_S:
        raise BadInput(f"a wash of {row[0]} s; give 0 to {LONGEST_WASH_S}")
    return Build(int(row[0]), _read_counts(row[1:], count, by_side))


def _read_counts(cells: Sequence[str], count: Count, by_side: bool) -> tuple[int, ...]:
    due = SIDES if by_side else 1
    if len(cells) != due or not all(cell.isdecimal() and len(cell) <= _DIGITS for cell in cells):
        wanted = "the four counts of sides 0 to 3" if by_side else "one whole number, the sum of the four walls"
        raise BadInput(f"{' '.join(cells)[:40]!r} is not {wanted}")
    found = tuple(map(int, cells))
    if by_side and max(found) > 2 * count.stacks:
        raise BadInput(
            f"{max(found)} marked tiles on one side, but there are {2 * count.stacks} places in the {count.stacks} "
            "stacks at the right end of its wall"
        )
    if sum(found) > min(count.marked, count.places):
        raise BadInput(
            f"{sum(found)} marked tiles, but there are {count.marked} in all, and {count.places} places in the "
            f"{count.stacks} stacks at the right end of each wall"
        )
    return found
