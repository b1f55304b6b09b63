"""Test builds: the figures against the mechanics, people between the builds, and the first error ends them."""

from collections import Counter
from itertools import count

import pytest

from tests.host.doctor.people import Helper
from wallwright.doctor import builds
from wallwright.doctor.bench import Bench
from wallwright.doctor.builds import Built, run_builds
from wallwright.doctor.upkeep import change_settings
from wallwright.errors import CountsDiffer, NotInTime, Refused, TableFault
from wallwright.link.reports import Event
from wallwright.table.table import open_table
from wallwright_protocol import codes
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import Simulation, attach

NAMES = count()


def table_with(faults: str = "", seed: int = 11) -> tuple[Simulation, str]:
    simulation = Simulation(seed, faults=parse_faults(faults))
    return simulation, attach(f"builds-{next(NAMES)}", simulation)


def test_three_builds_are_counted_by_the_table_its_inputs_and_the_mechanics() -> None:
    simulation, port = table_with()
    helper = Helper(simulation)
    with open_table(port) as table:
        sets = []
        found = []
        for built in run_builds(Bench(table), helper, 3):
            found.append(built)
            carriers = [head.carrier for head in simulation.world.heads]
            assert built.stacks == tuple(len(stacks) for stacks in carriers) == built.pushes
            assert built.pulses == tuple(sum(len(stack) for stack in stacks) for stacks in carriers)
            sets.append({simulation.world.set_of(tile) for stacks in carriers for stack in stacks for tile in stack})
            assert built.missed == 0
            assert built.notices == ()
            assert max(built.after_ms) == built.duration_ms
            assert 15_000 < built.duration_ms < 45_000
        assert table.notes == ()
        assert table.status().state == "ready"
        assert table.status().deal == 2
    assert [built.number for built in found] == [1, 2, 3]
    assert sets == [{0}, {1}, {0}]
    assert len(helper.questions) == 6
    assert simulation.app.cycle.plan_mode == codes.TURNED  # type: ignore[attr-defined]


def test_a_table_with_finished_walls_begins_by_raising_them() -> None:
    simulation, port = table_with()
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", 120_000)
        table.pump(8000)
        (built,) = run_builds(Bench(table), Helper(simulation), 1)
        assert built.number == 1
        assert table.status().deal == 1


class Leaver(Helper):
    """Leaves when asked for the second time."""

    def does(self, task: str) -> bool | None:
        return None if len(self.questions) >= 1 else super().does(task)


def test_who_pushes_no_tiles_in_ends_the_builds() -> None:
    simulation, port = table_with()
    with open_table(port) as table:
        assert len(list(run_builds(Bench(table), Leaver(simulation), 5))) == 1
        assert table.status().state in ("lid_open", "lid_opening")


def test_what_the_table_got_over_is_told() -> None:
    _, port = table_with("jam lane 2 at 5 s frees 100 %")
    with open_table(port) as table:
        (built,) = run_builds(Bench(table), Helper(Simulation(0)), 1)
    assert [(fault, side) for fault, side, _ in built.notices] == [("lane_jam", 2)]


def test_the_first_error_ends_them() -> None:
    simulation, port = table_with("tile 57 missing")
    with open_table(port) as table:
        running = run_builds(Bench(table), Helper(simulation), 4)
        with pytest.raises(TableFault, match="tile_missing") as caught:
            list(running)
        assert (caught.value.found, caught.value.wanted) in ((25, 26), (27, 28))
        with pytest.raises(Refused):
            list(run_builds(Bench(table), Helper(simulation), 1))


def test_a_tile_that_is_left_over_is_found_after_the_walls_are_whole() -> None:
    simulation, port = table_with("extra tile")
    with open_table(port) as table, pytest.raises(TableFault, match="tile_too_many"):
        list(run_builds(Bench(table), Helper(simulation), 1))


def test_a_build_without_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "BUILD_LIMIT_MS", 5000)
    simulation, port = table_with()
    with open_table(port) as table, pytest.raises(NotInTime, match="build_done"):
        list(run_builds(Bench(table), Helper(simulation), 1))


def events(stacks: tuple[int, ...], plan: tuple[int, ...]) -> list[Event]:
    return [
        Event(1, 1, 0, "build_started", {"plan": plan}),
        Event(2, 1, 9, "build_done", {"duration_ms": 9, "stacks": stacks}),
    ]


@pytest.mark.parametrize(
    ("stacks", "pushes", "missed", "said"),
    [
        ((14, 13, 14, 13), (14, 13, 14, 13), 0, ""),
        ((14, 12, 14, 13), (14, 12, 14, 13), 0, "side 1: 12 stacks built, 13 planned"),
        ((14, 13, 14, 13), (14, 13, 15, 13), 0, "side 2: 14 stacks counted, 15 pushes of its head seen"),
        ((14, 13, 14, 13), (14, 13, 10, 13), 4, ""),
    ],
)
def test_counts_that_do_not_agree_are_an_error(stacks, pushes, missed: int, said: str) -> None:
    seen = Counter({f"head_pushed_{side}": pushed for side, pushed in enumerate(pushes)})
    if said:
        with pytest.raises(CountsDiffer, match=said):
            builds._checked(1, events(stacks, (14, 13, 14, 13)), seen, missed)
    else:
        built = builds._checked(1, events(stacks, (14, 13, 14, 13)), seen, missed)
        assert isinstance(built, Built)
        assert built.pushes == pushes


def test_the_command(run) -> None:
    result = run("doctor test-build --port sim://?seed=4 --json")
    assert (result.code, result.err) == (0, "1 of 1 builds, no error.\n")
    (record,) = result.records
    assert record["stacks"] == record["pushes"] == [14, 13, 14, 13]
    text = run("doctor test-build --port sim://?seed=4")
    assert text.code == 0
    assert "  side 1: 13 stacks after " in text.out
    assert "26 tiles seen, 13 strokes" in text.out
    broken = run("doctor test-build --port 'sim://?seed=4&faults=tile+57+missing'")
    assert broken.code == 4
    assert "Build 1 has ended with" in broken.err
    assert "error: tile_missing" in broken.err


@pytest.mark.parametrize("rotor", ["disc", "ring"])
def test_a_motor_that_is_too_slow_all_the_time_is_a_fault_in_the_end(rotor: str) -> None:
    """Its limit is shorter than its turn here, as that of a calibrated table whose motor has become slow."""
    simulation = Simulation(11)
    with open_table(attach(f"slow-{rotor}", simulation)) as table:
        change_settings(table, {f"{rotor}_limit_ms": {"disc": 1000, "ring": 2000}[rotor]})
        table.start_build()
        assert [table.wait_for("notice", 20_000).fields["tries"] for _ in range(3)] == [1, 2, 3]
        with pytest.raises(TableFault, match=f"{rotor}_stalled"):
            table.wait_for("build_done", 60_000)
        table.clear_fault()
        table.start_build()
        assert table.wait_for("notice", 20_000).fields["tries"] == 1, "another build, another count"
