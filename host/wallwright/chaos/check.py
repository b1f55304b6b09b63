"""Compares a journal with what really happened: nothing acknowledged lost, doubled or changed, and every gap told.

What really happened comes from the boards' own memory and from the people; nothing of the link, the host or the journal
has had a part in it. What is compared here is only read: the chain of hashes and the dice have checks of their own.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from wallwright_protocol.codec import EVENTS

from ..journal import Entry
from ..journal.kinds import Record
from ..journal.kinds.desk import ResultRecorded
from ..journal.kinds.house import BoardReset, JournalBehind, Met
from ..journal.kinds.tables import TableEvent
from ..link.reports import read_event

_Meeting = tuple[int, Met]
"""The number of an entry, and what it says: a board came back with another run, or with less than is in the journal;
what it had not handed over is gone."""
TICKS = 0xFFFFFFFF
"""The time of an event on the wire is this many ms at the most, and begins again."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event as the board had it in its memory."""

    time_ms: int
    message: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class BoardRun:
    """One run of a board from power to power: its events by number, and the numbers that a host has acknowledged."""

    unit: str
    boot_id: int
    events: Mapping[int, Happened]
    acknowledged: frozenset[int]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the people at a table saw: dice on their panel one after the other, and how many walls they drew in."""

    unit: str
    dice: Sequence[tuple[int, ...]]
    drawn: int


@dataclass(frozen=True, slots=True)
class Declared:
    """A deal's result whose declaration the console has confirmed to the scorer of a table; `points` by seat."""

    table: int
    points: tuple[int, ...]


@dataclass(slots=True)
class Comparison:
    """What came of it. `problems` are sentences, one for each promise that is broken in one place.

    `events` happened, `acknowledged` of them were told to their board to be stored. `gaps_told` and `gaps_untold` are
    places in the journal where events of a run are missing, `missing` how many events those are.
    """

    events: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    changed: int = 0
    invented: int = 0
    missing: int = 0
    gaps_told: int = 0
    gaps_untold: int = 0
    unseen: int = 0
    declared: int = 0
    scored_wrong: int = 0
    problems: list[str] = field(default_factory=list)


def compare(
    runs: Sequence[BoardRun], seen: Sequence[Seen], declared: Sequence[Declared], entries: Iterable[Entry]
) -> Comparison:
    """Compare what happened with a journal; the runs of each board are in their order."""
    found = Comparison()
    kept = list(entries)
    _compare_events(found, runs, kept)
    _compare_sights(found, runs, seen)
    _compare_results(found, declared, kept)
    return found


def _compare_events(found: Comparison, runs: Sequence[BoardRun], entries: Sequence[Entry]) -> None:
    journalled: dict[tuple[str, int], dict[int, Entry]] = defaultdict(dict)
    known = {(run.unit, run.boot_id) for run in runs}
    resets: dict[str, list[_Meeting]] = defaultdict(list)
    behind: dict[tuple[str, int], list[_Meeting]] = defaultdict(list)
    for entry in entries:
        unit = entry.unit or ""
        if isinstance(entry.said, BoardReset):
            resets[unit].append((entry.id, entry.said))
        elif isinstance(entry.said, JournalBehind):
            behind[unit, entry.said.boot_id].append((entry.id, entry.said))
        if entry.seq is None or entry.boot_id is None:
            continue
        if (unit, entry.boot_id) not in known:
            _count(found, "invented", f"entry {entry.id}: {unit} had no run {entry.boot_id:08x}")
        elif entry.seq in journalled[unit, entry.boot_id]:
            first = journalled[unit, entry.boot_id][entry.seq].id
            _count(found, "doubled", f"entries {first} and {entry.id} are both event {entry.seq} of {unit}")
        else:
            journalled[unit, entry.boot_id][entry.seq] = entry
    last_run = {run.unit: run.boot_id for run in runs}
    for run in runs:
        there = journalled[run.unit, run.boot_id]
        found.events += len(run.events)
        found.acknowledged += len(run.acknowledged)
        for seq in sorted(run.acknowledged - there.keys()):
            _count(
                found, "lost", f"event {seq} of {run.unit}, run {run.boot_id:08x}, was acknowledged and is not there"
            )
        for seq, entry in there.items():
            _compare_event(found, run, seq, entry)
        meetings = [*resets[run.unit], *behind[run.unit, run.boot_id]]
        _compare_gaps(found, run, there, meetings, is_last=last_run[run.unit] == run.boot_id)


def _compare_event(found: Comparison, run: BoardRun, seq: int, entry: Entry) -> None:
    happened = run.events.get(seq)
    if happened is None:
        _count(found, "invented", f"entry {entry.id}: {run.unit} had no event {seq}")
        return
    event = read_event(run.boot_id, seq, 0, happened.time_ms & TICKS, happened.message, happened.payload)
    fields = json.loads(json.dumps(dict(event.fields)))
    told = {"fields": fields, "time_ms": event.time_ms}
    if (entry.kind, {key: entry.body.get(key) for key in told}) != (EVENTS[happened.message].name, told):
        _count(found, "changed", f"entry {entry.id} is not what {run.unit} told as event {seq}")


def _compare_gaps(
    found: Comparison, run: BoardRun, there: Mapping[int, Entry], meetings: Sequence[_Meeting], *, is_last: bool
) -> None:
    """Events that a board had to overwrite, or that went with its power: what follows them in the journal says so.

    Those that went with an older journal are told by the records of meetings.
    """
    numbers = sorted(there)
    told = sum(met.lost or 0 for _, met in meetings if isinstance(met, JournalBehind))
    silent = {}
    for before, after in pairwise([0, *numbers]):
        hole = after - before - 1
        lost = _lost(there[after].said)
        if hole and not lost:
            silent[after] = hole
        elif lost:
            _gap(found, hole, lost == hole, f"{run.unit} lacks {hole} events before {after}, and entry says {lost}")
    for after, hole in silent.items():
        problem = f"{run.unit} lacks {hole} events before {after}, and no entry says so"
        _gap(found, hole, told == sum(silent.values()), problem)
    if told and not silent:
        _count(found, "gaps_untold", f"{run.unit} lacks no event, and {told} are said to be gone")
    tail = max(run.events, default=0) - max(numbers, default=0)
    if tail > 0 and is_last:
        _gap(found, tail, False, f"{run.unit} never handed over its last {tail} events")
    elif tail > 0:
        after_id = max((entry.id for entry in there.values()), default=0)
        resets = [(number, met) for number, met in meetings if isinstance(met, BoardReset)]
        is_told = any(number > after_id and met.boot_id != run.boot_id for number, met in resets)
        _gap(found, tail, is_told, f"{run.unit} lost {tail} events with run {run.boot_id:08x}, and no record says so")


def _lost(said: Record) -> int:
    """Return how many events are gone before one, as its entry says."""
    return said.lost or 0 if isinstance(said, TableEvent) else 0


def _gap(found: Comparison, missing: int, is_told: bool, problem: str) -> None:
    found.missing += missing
    if is_told:
        found.gaps_told += 1
    else:
        _count(found, "gaps_untold", problem)


def _compare_sights(found: Comparison, runs: Sequence[BoardRun], seen: Sequence[Seen]) -> None:
    """Dice that people saw, and walls that they drew in, are in the board's own events, in that order."""
    for one in seen:
        events = [
            read_event(run.boot_id, seq, 0, 0, event.message, event.payload)
            for run in runs
            if run.unit == one.unit
            for seq, event in sorted(run.events.items())
        ]
        rolled = iter(tuple(event.fields["dice"]) for event in events if event.name == "dice_rolled")
        for dice in one.dice:
            if dice not in rolled:
                _count(found, "unseen", f"{one.unit} showed the dice {dice}, and told of none such then")
                break
        raised = sum(event.name == "walls_up" for event in events)
        if one.drawn > raised:
            _count(found, "unseen", f"people drew {one.drawn} walls in at {one.unit}, which told of {raised}")


def _compare_results(found: Comparison, declared: Sequence[Declared], entries: Sequence[Entry]) -> None:
    """Each declaration that was confirmed is there once, in its table's order, and no other."""
    found.declared = len(declared)
    scored: dict[int, list[ResultRecorded]] = defaultdict(list)
    for entry in entries:
        if isinstance(entry.said, ResultRecorded):
            scored[entry.said.table].append(entry.said)
    told: dict[int, list[Declared]] = defaultdict(list)
    for one in declared:
        told[one.table].append(one)
    for table in sorted({*scored, *told}):
        deals = Counter(said.deal for said in scored[table])
        for deal, times in deals.items():
            if times > 1:
                _count(found, "scored_wrong", f"table {table}: deal {deal} has {times} results")
        written = [said.points for said in scored[table]]
        meant = [one.points for one in told[table]]
        if written != meant:
            problem = f"table {table}: {len(meant)} results were confirmed, {len(written)} are there"
            _count(found, "scored_wrong", problem if len(meant) != len(written) else f"table {table}: other points")


def _count(found: Comparison, what: str, problem: str) -> None:
    setattr(found, what, getattr(found, what) + 1)
    found.problems.append(problem)
