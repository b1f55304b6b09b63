"""Single drives: what moves, what is refused, and what stops them."""

import re

import pytest

from wallwright.doctor.bench import Bench
from wallwright.errors import BadName, Forbidden, Refused, TableFault
from wallwright.table.table import Table
from wallwright_protocol.hardware import CONVEYOR, DICE_KEY, drive_bit, input_number
from wallwright_protocol.names import DRIVES
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(11, world=World(11, log_drives=True))


def driven(simulation: Simulation) -> list[tuple[int, int]]:
    """(when, mask) of every change of the motors."""
    return simulation.world.drive_log


def at(simulation: Simulation, monkeypatch: pytest.MonkeyPatch, time_ms: int, act) -> None:
    """Do something when the table's clock has come to `time_ms`."""
    pump = Table.pump

    def pump_and_act(table: Table, timeout_ms: int) -> None:
        nonlocal act
        pump(table, timeout_ms)
        if act and simulation.now_ms >= time_ms:
            acting, act = act, None
            acting()

    monkeypatch.setattr(Table, "pump", pump_and_act)


@pytest.mark.parametrize("drive", [name for name in DRIVES if not name.endswith(("_1", "_2", "_3"))])
def test_exactly_one_motor_runs_for_the_time_that_was_asked_for(
    simulation: Simulation, bench: Bench, drive: str
) -> None:
    at_end = drive in ("lid_close", "lift_lower_0")
    with bench.in_service():
        done = bench.jog(drive, 450)
    assert (done.drive, done.end, done.ran_ms) == (drive, *(("switch", 0) if at_end else ("time", 450)))
    log = driven(simulation)
    assert [mask for _, mask in log] == ([] if at_end else [1 << DRIVES.index(drive), 0])
    assert at_end or log[1][0] - log[0][0] == 450


def test_a_lift_stops_at_its_switch_and_comes_down_again(simulation: Simulation, bench: Bench) -> None:
    with bench.in_service():
        up = bench.jog("lift_raise_3", 4000)
        assert simulation.world.lifts[3].at_end
        down = bench.jog("lift_lower_3", 4000)
    assert simulation.world.lifts[3].at_start
    assert (up.end, down.end) == ("switch", "switch")
    assert 2400 < up.ran_ms < 2600
    assert 1900 < down.ran_ms < 2100
    assert [(edge.input, edge.level) for edge in up.edges] == [("lift_down_3", 0), ("lift_up_3", 1)]
    bench.table.wait_state("idle", 1000)


def test_a_key_ends_it(simulation: Simulation, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    at(simulation, monkeypatch, 1000, lambda: simulation.world.press(input_number(3, DICE_KEY)))
    with bench.in_service():
        done = bench.jog("disc", 9000)
        assert bench.table.status().state == "service"
    assert done.end == "key"
    assert 500 < done.ran_ms < 1500
    assert driven(simulation)[-1][1] == 0


def test_the_emergency_stop_ends_it_with_a_fault(
    simulation: Simulation, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(simulation, monkeypatch, 1000, lambda: simulation.world.emergency_stop(True))
    with pytest.raises(TableFault, match="emergency_stop"), bench.in_service():
        bench.jog("disc", 9000)
    assert simulation.world.drive_log[-1][1] == 0
    assert bench.table.status().state == "fault"


def test_an_interlock_refuses_by_the_name_of_its_input(simulation: Simulation, bench: Bench) -> None:
    with bench.in_service():
        bench.jog("lid_open", 3000)
        with pytest.raises(Forbidden, match="disc may not run now: lid_is_closed has to be on") as caught:
            bench.jog("disc", 500)
        assert (caught.value.drive, caught.value.input, caught.value.level) == ("disc", "lid_is_closed", 1)
    assert [mask for _, mask in driven(simulation)] == [1 << DRIVES.index("lid_open"), 0]


def test_nothing_is_jogged_while_the_table_builds(simulation: Simulation, bench: Bench) -> None:
    bench.table.start_build()
    bench.table.pump(2000)
    before = simulation.world.drive_log[:]
    with pytest.raises(Refused, match=r"begin_service \(wrong_state, its state is building\)"), bench.in_service():
        raise AssertionError
    assert simulation.world.drive_log[: len(before)] == before
    assert bench.table.status().state == "building"


def test_finished_walls_stay_where_they_are(simulation: Simulation, bench: Bench) -> None:
    bench.table.start_build()
    bench.table.wait_for("build_done", 90_000)
    bench.table.pump(8000)
    with bench.in_service():
        for drive in ("conveyor_0", "head_1", "lift_raise_2"):
            with pytest.raises(Refused, match="walls_below"):
                bench.jog(drive, 100)
        bench.jog("conveyor_reverse_0", 100)
    assert bench.table.status().set_whole
    assert bench.table.state == "ready"


def test_an_unknown_drive_is_named_with_those_there_are(bench: Bench) -> None:
    for ask in (lambda: bench.longest_jog_ms("belt"), lambda: bench.jog("belt", 1)):
        with pytest.raises(BadName, match=r"'belt'; there are disc, ring, conveyor_0"):
            ask()


def test_a_service_that_another_program_left_behind_is_taken_over(bench: Bench) -> None:
    bench.table.request("begin_service")
    with bench.in_service():
        assert bench.table.status().state == "service"
    assert bench.table.status().state == "idle"


def test_a_tile_that_came_into_a_head_is_told(simulation: Simulation, bench: Bench) -> None:
    world = simulation.world
    with bench.in_service():
        world.belts[2].take_in(world.pile.pop())
        done = bench.jog("conveyor_2", 1500)
    assert [(edge.input, edge.level) for edge in done.edges] == [("count_eye_2", 1), ("count_eye_2", 0)]
    assert bench.table.status().fault == "walls_unknown"
    assert drive_bit(2, CONVEYOR) == 1 << DRIVES.index("conveyor_2")


def test_the_command_prints_what_happened(run, port: str) -> None:
    text = run(f"doctor jog --port {port} --drive head_2 --ms 1000")
    assert text.code == 0
    first, *edges = text.out.splitlines()
    assert re.fullmatch(r"head_2 ran for \d+ ms and stopped: it is at its end\.", first)
    assert [line.split()[-2:] for line in edges] == [
        ["head_home_2", "off"],
        ["head_pushed_2", "on"],
        ["head_pushed_2", "off"],
        ["head_home_2", "on"],
    ]
    (record,) = run(f"doctor jog --port {port} --drive disc --ms 2000 --json").records
    assert (record["drive"], record["ran_ms"], record["end"]) == ("disc", 2000, "time")
    assert record["edges"][0] == {"after_ms": record["edges"][0]["after_ms"], "input": "disc_vane", "level": 1}


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("--drive belt --ms 100", 2, "no drive is called 'belt'"),
        ("--drive lid_open --ms 30000", 2, "lid_open may run for 3500 ms at a time"),
        ("--drive lid_open --ms 0", 2, "--ms"),
        ("--drive lid_open", 2, "--ms"),
    ],
)
def test_a_wrong_command_moves_nothing(
    run, port: str, simulation: Simulation, options: str, code: int, said: str
) -> None:
    result = run(f"doctor jog --port {port} {options}")
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert driven(simulation) == []


def test_a_stopped_table_refuses_with_its_own_exit_code(run) -> None:
    simulation = Simulation(4)
    simulation.world.emergency_stop(True)
    simulation.run_until(1000)
    result = run(f"doctor jog --port {attach('bench-stopped', simulation)} --drive disc --ms 100")
    assert result.code == 4
    assert result.err.startswith("error: emergency_stop: ")


def test_ctrl_c_stops_the_motor(run, port: str, simulation: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    at(simulation, monkeypatch, 1000, interrupt)
    result = run(f"doctor jog --port {port} --drive disc --ms 9000")
    assert (result.code, result.out, result.err) == (130, "", "disc is stopped.\n")
    (started, _), (stopped, mask) = driven(simulation)
    assert mask == 0
    assert stopped - started < 1500
