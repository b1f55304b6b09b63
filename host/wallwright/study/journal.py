"""What the revealed walls of a journal show: the questions of `measures`, asked of tables that know their tiles.

A table gets no verdict when its walls were washed for different times, when there are too few, or when it has revealed
none; `Told.problem` says so in one sentence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..journal import read_journal
from .findings import FEWEST, Comparison, compare, comparison_records, significant, verdict
from .martingale import Standing
from .measures import SEGMENTS, Measured, along
from .revealed import KINDS, UNKNOWN, Counted, Rebuilt, RevealedWalls, read_rebuilt

SAID_BY_SEATS = {
    "rho": "tiles that fell first stand towards one end of the walls",
    "first_third": "the third that fell first is not spread evenly",
    "lower": "tiles that fell first lie in one layer",
    "same_side": "tiles come back to the side that pushed them",
    "neighbours": "tiles that stood in one stack stand in one stack again",
}
SAID_BY_WALLS = SAID_BY_SEATS | {
    "rho": "tiles keep their places along the walls, or change ends",
    "first_third": "the right ends of the last walls are not spread evenly",
    "lower": "the right ends of the last walls lie in one layer",
    "same_side": "tiles come back to the side of their last wall",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a table's walls tell: its verdict, or why there is none. `measured`, `tests` and `standings` have what led
    there; standings are those of the martingale after each wall. `problem` is empty when there is a verdict.
    """

    unit: str
    walls: tuple[Rebuilt, ...]
    problem: str
    verdict: str
    measured: Measured | None
    tests: tuple[Comparison, ...]
    shown: tuple[bool, ...]
    standings: tuple[Standing, ...]

    @property
    def wash_s(self) -> int | None:
        """For how long its walls were washed, None where the table did not say."""
        return self.walls[0].wash_s if self.walls else None

    @property
    def has_seats(self) -> bool:
        """Whether readers at its seats told in which order tiles fell, for most of its walls."""
        return 2 * sum(wall.has_seats for wall in self.walls) > len(self.walls)


def study_journals(paths: Sequence[str], unit: str = "", wash_s: int | None = None) -> tuple[Told, ...]:
    """Study the tables of some journals, of one `unit` or of all, and of walls washed `wash_s` or of all.

    All tests together hold the level of a study. Raises what `read_journal` does.
    """
    walls: dict[str, list[Rebuilt]] = {}
    counted: dict[str, Counted] = {}
    for path in paths:
        reading = RevealedWalls()
        for wall in read_rebuilt(read_journal(path, kinds=KINDS), reading):
            walls.setdefault(wall.unit, []).append(wall)
        for name, count in reading.counted.items():
            of_all = counted.setdefault(name, Counted())
            of_all.up += count.up
            of_all.sealed += count.sealed
            of_all.revealed += count.revealed
    told = [
        _told(name, [one for one in walls.get(name, []) if wash_s is None or one.wash_s == wash_s], counted[name])
        for name in sorted(counted)
        if unit in ("", name) and counted[name].up
    ]
    shown = iter(significant([test.p for one in told for test in one.tests]))
    return tuple(_with_verdict(one, tuple(next(shown) for _ in one.tests)) for one in told)


def measure_rebuilt(walls: Iterable[Rebuilt]) -> tuple[Measured, dict[str, NDArray[np.float64]]]:
    """Measure walls of which some tiles may not be known; return with it the exact mean of each measure on fair walls.

    The measures are those of `measures.measure`, but for neighbours: the old stacks that are stacks again.
    """
    table = np.zeros((SEGMENTS, SEGMENTS), dtype=np.int64)
    rows = [_measure(wall, table) for wall in walls]
    values = {name: np.array([row[name][0] for row in rows]) for name in rows[0]}
    means = {name: np.array([row[name][1] for row in rows]) for name in rows[0]}
    return Measured(values, table), means


def record_of(told: Told) -> dict[str, Any]:
    """Return a table's result as plain values, for report.json."""
    last = told.standings[-1] if told.standings else None
    return {
        "unit": told.unit,
        "builds": len(told.walls),
        "wash_s": told.wash_s,
        "seat_readers": told.has_seats,
        "verdict": told.verdict or None,
        "problem": told.problem or None,
        "evidence": None if last is None else float(f"{last.evidence:.4g}"),
        "alarm_at": None if last is None else last.alarm_at,
        "tests": comparison_records(told.tests, told.shown),
    }


def _told(unit: str, walls: Sequence[Rebuilt], counted: Counted) -> Told:
    problem = _problem(walls, counted)
    if problem:
        return Told(unit, tuple(walls), problem, "", None, (), (), ())
    measured, means = measure_rebuilt(walls)
    standings = [Standing()]
    for wall in walls:
        standings.append(standings[-1].after(wall))
    return Told(unit, tuple(walls), "", "", measured, compare(measured.values, means), (), tuple(standings[1:]))


def _problem(walls: Sequence[Rebuilt], counted: Counted) -> str:
    if not counted.sealed:
        return (
            "the board committed to no wall; it has no readers at its stacking heads, or the tiles have no tags "
            "(`wallwright study wash-test` needs neither)"
        )
    if not counted.revealed:
        return f"none of its {counted.up} walls was revealed yet"
    washes = Counter("unknown" if wall.wash_s is None else f"{wall.wash_s} s" for wall in walls)
    if len(washes) > 1:
        mixed = ", ".join(f"{count} for {wash}" for wash, count in washes.items())
        return f"its walls were washed for different times ({mixed}); choose one with --wash"
    if len(walls) < FEWEST:
        return (
            f"{len(walls)} walls can be compared with the set's wall before, {FEWEST} are needed "
            f"({counted.revealed} were revealed)"
        )
    return ""


def _with_verdict(told: Told, shown: tuple[bool, ...]) -> Told:
    if told.problem:
        return told
    words = verdict(told.tests, shown, SAID_BY_SEATS if told.has_seats else SAID_BY_WALLS)
    return Told(told.unit, told.walls, "", words, told.measured, told.tests, shown, told.standings)


def _measure(wall: Rebuilt, table: NDArray[np.int64]) -> dict[str, tuple[float, float]]:
    """Every measure of a wall with its mean on fair walls; its tiles are counted into `table`."""
    ranks = np.array(wall.ranks)
    known = ranks != UNKNOWN
    count = int(known.sum())
    far = along(wall.plan)[known]
    below = (np.arange(len(ranks)) % 2 == 0)[known]
    side = np.repeat(np.arange(len(wall.plan)), 2 * np.array(wall.plan))[known]
    pushed = np.array(wall.pushed)[known]
    ranks = ranks[known]
    centred, place = ranks - ranks.mean(), far - far.mean()
    third, half = ranks < count / 3, ranks < count / 2
    np.add.at(table, (ranks * SEGMENTS // count, (far * SEGMENTS).astype(np.int64)), 1)
    sides = range(len(wall.plan))
    home = sum(float((pushed == one).sum()) * float((side == one).sum()) for one in sides) / count**2
    return {
        "rho": (float(centred @ place / np.sqrt((centred**2).sum() * (place**2).sum())), 0.0),
        "first_third": (float((far[third] < 1 / 3).mean()), float((far < 1 / 3).mean())),
        "lower": (float(below[half].mean()), float(below.mean())),
        "same_side": (float((pushed == side).mean()), home),
        "neighbours": _again(wall),
    }


def _again(wall: Rebuilt) -> tuple[float, float]:
    """Old stacks that are stacks again, of those whose two tiles are known, and how many fair walls have."""
    pairs = [(at, other) for at, other in enumerate(wall.together) if other > at]
    again = sum(at ^ 1 == other for at, other in pairs)
    known = {at for at, rank in enumerate(wall.ranks) if rank != UNKNOWN}
    stacks = sum(at ^ 1 in known for at in known) / 2
    every = len(known) * (len(known) - 1) / 2
    return float(again), len(pairs) * stacks / every
