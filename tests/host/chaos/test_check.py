"""The comparison with what really happened can fail: whatever is broken in a good journal, it finds just that."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.host.entries import altered
from wallwright.chaos.check import BoardRun, Comparison, Declared, Happened, Seen, compare
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.kinds.house import BoardReset
from wallwright.link.reconnect import Known, tell_apart
from wallwright.table.table import open_table
from wallwright_simulator.hall import People
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.truth import Truth

POINTS = ((3, -1, -1, -1), (0, 2, -2, 0))


class Evening:
    """What happened at a table whose power failed once, and the journal that its host has kept of it."""

    def __init__(self, path: Path, seed: int) -> None:
        truth = Truth()
        simulation = Simulation(seed, firmware=truth.firmware)
        people = People(simulation, 5_000)
        port = attach(f"check-{seed}", simulation)
        with Journal(path) as journal:
            for _ in range(2):
                with open_table(port, journal=journal) as table:
                    self._play(simulation, people, table.pump, 90_000)
                simulation.cut_power(500)
                simulation.run_until(simulation.now_ms + 1_000)
                lost = {"boot_id": truth.runs[-1].boot_id, "lost": None, "state": "idle", "unit": simulation.unit}
                lost |= {"table": "1", "meeting": "board_reset", "port": port}
                journal.append("board_reset", lost, at_ms=1, unit=simulation.unit)
            with open_table(port, journal=journal) as table:
                table.pump(5_000)
            for deal, points in enumerate(POINTS, 1):
                body = {"session": 1, "table": 1, "deal": deal, "points": points, "dealer": 0, "next_dealer": 0}
                body |= {"penalties": [], "winners": []}
                journal.append("result_recorded", body, at_ms=1)
        self.runs = [
            BoardRun(
                simulation.unit,
                run.boot_id,
                {seq: Happened(told.time_ms, told.message, told.payload) for seq, told in run.events.items()},
                frozenset(run.acknowledged),
            )
            for run in truth.runs
        ]
        self.seen = [Seen(simulation.unit, (), people.deals)]
        self.declared = [Declared(1, points) for points in POINTS]
        self.entries = list(read_journal(path))

    @staticmethod
    def _play(simulation: Simulation, people: People, pump: Callable[[int], None], for_ms: int) -> None:
        until_ms = simulation.now_ms + for_ms
        while simulation.now_ms < until_ms:
            pump(max(1, people.due_ms - simulation.now_ms))
            if simulation.now_ms >= people.due_ms:
                people.act()

    def compare(self, entries: list[Entry]) -> Comparison:
        return compare(self.runs, self.seen, self.declared, entries)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("keys")))
        yield Evening(tmp_path_factory.mktemp("evening") / "hall.journal", 11)


def events(evening: Evening) -> list[Entry]:
    """Events that were acknowledged, without the last of a run, whose loss nobody could tell from a reset's."""
    return [
        entry for entry, after in zip(evening.entries, evening.entries[1:], strict=False) if entry.seq and after.seq
    ]


def counts(found: Comparison) -> dict[str, int]:
    names = ("lost", "doubled", "changed", "invented", "gaps_untold", "unseen", "scored_wrong")
    return {name: getattr(found, name) for name in names if getattr(found, name)}


def without(entries: list[Entry], entry: Entry) -> list[Entry]:
    return [one for one in entries if one is not entry]


def instead(entries: list[Entry], old: Entry, new: Entry) -> list[Entry]:
    return [new if one is old else one for one in entries]


def test_a_good_journal_has_what_happened(evening: Evening) -> None:
    found = evening.compare(evening.entries)
    acknowledged = sum(len(run.acknowledged) for run in evening.runs)
    numbers = {name: number for name, number in asdict(found).items() if number}
    happened = sum(len(run.events) for run in evening.runs)
    assert numbers == {"events": happened, "acknowledged": acknowledged, "declared": len(POINTS)}
    assert happened >= acknowledged > 60
    assert len(evening.runs) == 3


def test_an_acknowledged_event_that_is_not_there_is_lost_and_its_gap_not_told(evening: Evening, seed: int) -> None:
    gone = random.Random(seed).choice(events(evening))
    found = evening.compare(without(evening.entries, gone))
    assert counts(found) == {"lost": 1, "gaps_untold": 1}
    assert f"event {gone.seq} of {gone.unit}" in found.problems[0]


def test_a_lost_event_is_lost_though_its_gap_is_told(evening: Evening, seed: int) -> None:
    gone = random.Random(seed).choice(events(evening))
    after = next(one for one in evening.entries if one.id > gone.id and one.seq)
    told = altered(after, body={**after.body, "lost": 1})
    assert counts(evening.compare(instead(without(evening.entries, gone), after, told))) == {"lost": 1}


def test_an_event_that_is_there_twice_is_doubled(evening: Evening, seed: int) -> None:
    twice = random.Random(seed).choice(events(evening))
    found = evening.compare([*evening.entries, altered(twice, id=len(evening.entries) + 1)])
    assert counts(found) == {"doubled": 1}


@pytest.mark.parametrize("what", ["kind", "time", "field", "number"])
def test_an_event_that_is_another_one_is_changed(evening: Evening, what: str, seed: int) -> None:
    entry = random.Random(seed).choice([one for one in events(evening) if one.body["fields"]])
    body = json.loads(json.dumps(entry.body))
    name, value = sorted(body["fields"].items())[0]
    changes = {
        "kind": altered(entry, kind="booted" if entry.kind == "fault" else "fault"),
        "time": altered(entry, body={**body, "time_ms": body["time_ms"] + 1}),
        "field": altered(entry, body={**body, "fields": {**body["fields"], name: [value]}}),
        "number": altered(entry, seq=10_000),
    }
    found = evening.compare(instead(evening.entries, entry, changes[what]))
    expected = {"changed": 1} if what != "number" else {"lost": 1, "invented": 1, "gaps_untold": 2}
    assert counts(found) == expected


def test_an_event_that_never_happened_is_invented(evening: Evening) -> None:
    made = altered(events(evening)[0], boot_id=1)
    assert counts(evening.compare([*evening.entries, made])) == {"invented": 1}


def test_what_went_with_the_power_has_to_be_told(evening: Evening) -> None:
    """The end of the first run, which its board had not handed over, or the journal would say so."""
    first = evening.runs[0]
    last = max(seq for seq in first.events)
    unsaid = replace_run(first, last)
    runs = [unsaid, *evening.runs[1:]]
    shorter = [one for one in evening.entries if (one.boot_id, one.seq) != (first.boot_id, last)]
    told = compare(runs, evening.seen, evening.declared, shorter)
    assert (counts(told), told.gaps_told, told.missing) == ({}, 1, 1)
    silent = [one for one in shorter if one.kind != "board_reset"]
    assert counts(compare(runs, evening.seen, evening.declared, silent)) == {"gaps_untold": 1}


def replace_run(run: BoardRun, last: int) -> BoardRun:
    return replace(run, acknowledged=run.acknowledged - {last})


def test_dice_and_walls_that_no_board_told_of_are_found(evening: Evening) -> None:
    unit = evening.runs[0].unit
    for seen in (Seen(unit, ((7, 7),), 0), Seen(unit, (), 1000)):
        assert counts(compare(evening.runs, [seen], evening.declared, evening.entries)) == {"unseen": 1}


def test_a_result_that_is_lost_doubled_or_changed_is_found(evening: Evening) -> None:
    *_, first, second = evening.entries
    broken = [
        without(evening.entries, second),
        [*evening.entries, altered(second, body={**second.body, "deal": 3})],
        instead(evening.entries, second, altered(second, body={**second.body, "points": [4, -4, 0, 0]})),
        instead(evening.entries, second, altered(second, body={**second.body, "deal": first.body["deal"]})),
    ]
    for entries in broken:
        assert counts(evening.compare(entries)) == {"scored_wrong": 1}


def test_the_record_that_tells_of_a_reset_is_the_one_that_hosts_write() -> None:
    assert tell_apart(Known("T", 1, 5, 9), Known("T", 2, 0, 1), is_restart=False).kind == BoardReset.KIND
