"""The self-test: a healthy table passes, and of a broken one exactly the broken part is named."""

import os
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.host.doctor.conftest import Result as Done
from tests.host.doctor.people import Helper
from wallwright.doctor.bench import Bench
from wallwright.doctor.person import Terminal
from wallwright.doctor.selftest import FAILED, NOT_TESTED, PASSED, Result, run_self_test
from wallwright.errors import Refused, TableFault
from wallwright.table.table import Table, open_table
from wallwright_protocol.hardware import (
    CLAIM_KEY_0,
    COUNT_EYE,
    DICE_KEY,
    DISC_VANE,
    HEAD_HOME,
    HEAD_PUSHED,
    RING_VANE,
    SIDES,
    input_number,
)
from wallwright_protocol.names import DRIVES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import KINDS
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.timing import scaled
from wallwright_simulator.world import World

ALONE = 21
WITH_A_PERSON = 51
NAMES = count()


def results_of(simulation: Simulation, person: Helper | None = None) -> dict[str, Result]:
    with open_table(attach(f"selftest-{next(NAMES)}", simulation)) as table:
        table.pump(100)
        results = list(run_self_test(Bench(table), person, lambda step: None))
    assert len(results) == (ALONE if person is None else WITH_A_PERSON)
    return {result.step: result for result in results}


def of(results: dict[str, Result], verdict: str) -> dict[str, str]:
    return {name: result.found for name, result in results.items() if result.verdict == verdict}


@pytest.mark.parametrize("seed", range(4))
def test_a_healthy_table_passes_every_step(seed: int) -> None:
    simulation = Simulation(seed)
    results = results_of(simulation, Helper(simulation))
    assert {result.verdict for result in results.values()} == {PASSED}
    assert len(results) == WITH_A_PERSON


def test_every_drive_has_run_and_all_is_home_again() -> None:
    world = World(11, log_drives=True)
    simulation = Simulation(11, world=world)
    results_of(simulation, Helper(simulation))
    masks = [mask for _, mask in world.drive_log]
    assert {mask for mask in masks if mask} == {1 << drive for drive in range(len(DRIVES))}, "one at a time, each"
    assert masks[-1] == 0
    assert world.lid.at_start
    assert all(lift.at_start for lift in world.lifts)
    assert all(head.takes_tiles() for head in world.heads)


def broken(line: str) -> Simulation:
    return Simulation(11, faults=parse_faults(line))


@pytest.mark.parametrize(
    ("line", "failed"),
    [
        ("stall disc at 0 s", {"disc": "disc_vane stayed off"}),
        ("stall ring at 0 s", {"ring": "ring_vane stayed off"}),
        ("vane ring blocked", {"ring": "ring_vane stayed on"}),
        ("stall lid at 0 s", {"lid opens": "lid_is_closed stayed on"}),
        ("switch lid open stuck off", {"lid opens": "lid_is_open was not reached"}),
        ("stall lift 2 at 0 s", {"lift 2 rises": "lift_down_2 stayed on"}),
        ("switch lift 0 up stuck off", {"lift 0 rises": "lift_up_0 was not reached"}),
        ("switch lift 2 down stuck on", {"lift 2 rises": "lift_limits at side 2"}),
        ("jam head 3 at 0 s frees 0 %", {"head 3": "head_home_3 stayed on"}),
        ("vane 1 pushed dead", {"head 1": "head_pushed_1 was not seen"}),
        ("vane 1 pushed blocked", {"head 1": "head_pushed_1 is on before"}),
        ("vane 1 home blocked", {"head 1": "head_home_1 stayed on"}),
        ("vane 1 home dead", {"home": "head_home_1 was not reached", "head 1": "head_home_1 is off"}),
        ("eye 3 count blocked", {"eyes and keys 3": "count_eye_3 is on"}),
        ("eye 0 belt blocked", {"eyes and keys 0": "belt_full_0 is on"}),
        ("key 1 dice stuck", {"eyes and keys 1": "dice_key_1 is on"}),
        ("switch lid closed stuck off", {"home": "lid_is_closed was not", "lid closes": "lid_is_closed was not"}),
    ],
)
def test_a_broken_part_is_named_and_no_other(line: str, failed: dict[str, str]) -> None:
    found = of(results_of(broken(line)), FAILED)
    assert found.keys() == failed.keys()
    for step, text in failed.items():
        assert text in found[step]


@pytest.mark.parametrize(
    ("line", "failed"),
    [
        ("eye 3 count dead", {"count eye 3": "nothing changed"}),
        ("eye 2 belt dead", {"belt full 2": "nothing changed"}),
        ("stall conveyor 1 at 0 s", {"conveyor 1": "says no", "conveyor reverse 1": "says no"}),
    ],
)
def test_a_person_finds_what_the_inputs_cannot(line: str, failed: dict[str, str]) -> None:
    assert of(results_of(broken(line)), FAILED) == {}
    simulation = broken(line)
    found = of(results_of(simulation, Helper(simulation)), FAILED)
    assert found.keys() == failed.keys()
    for step, text in failed.items():
        assert text in found[step]


@pytest.mark.parametrize(
    ("number", "step", "text"),
    [
        (input_number(1, HEAD_HOME), "head 1", "head_home_1 was on for most of the stroke"),
        (input_number(3, HEAD_PUSHED), "head 3", "head_pushed_3 is on before the stroke"),
        (DISC_VANE, "disc", "disc_vane was on for most of a turn"),
        (RING_VANE, "ring", "ring_vane was on for most of a turn"),
        (input_number(2, COUNT_EYE), "eyes and keys 2", "count_eye_2 is on"),
        (input_number(0, DICE_KEY), "eyes and keys 0", "dice_key_0 is on"),
        (CLAIM_KEY_0 + 3, "eyes and keys 3", "claim_key_3 is on"),
    ],
)
def test_an_input_that_is_the_wrong_way_round_is_named_and_no_other(number: int, step: str, text: str) -> None:
    simulation = Simulation(11)
    simulation.world.sensors.distort(number, lambda level: 1 - level)
    found = of(results_of(simulation), FAILED)
    assert found.keys() == {step}
    assert text in found[step]


def test_claim_keys_are_tested_where_there_are_some() -> None:
    simulation = Simulation(11, readers=KINDS["all"])
    simulation.world.sensors.distort(CLAIM_KEY_0 + 2, lambda _: 0)
    with open_table(attach(f"selftest-{next(NAMES)}", simulation)) as table:
        table.pump(100)
        results = list(run_self_test(Bench(table), Helper(simulation), lambda step: None))
    assert len(results) == WITH_A_PERSON + SIDES
    assert {result.step for result in results if result.verdict != PASSED} == {"claim key 2"}


def block_lift(world: World) -> None:
    world.lifts[2].block(True)


def block_lid(world: World) -> None:
    world.lid.block(True)


def block_head(world: World) -> None:
    world.heads[0].block()


@pytest.mark.parametrize(
    ("block", "step"), [(block_lift, "lift 2 rises"), (block_lid, "lid opens"), (block_head, "head 0")]
)
def test_what_blocks_in_the_midst_of_its_way_is_named(block, step: str) -> None:
    simulation = Simulation(11)
    name = attach(f"selftest-{next(NAMES)}", simulation)
    results = []
    with open_table(name) as table:
        pump = table.pump

        def pump_and_block(timeout_ms: int) -> None:
            pump(timeout_ms)
            if moving[0] == step:
                block(simulation.world)

        moving = [""]
        table.pump = pump_and_block  # type: ignore[method-assign]

        def announce(step) -> None:
            moving[0] = step.name

        results = list(run_self_test(Bench(table), None, announce))
    assert [result.step for result in results if result.verdict == FAILED][:1] == [step]
    parts = {result.step.split()[0] for result in results if result.verdict == FAILED}
    assert parts <= {step.split()[0], "home"}


def test_slow_is_not_healthy() -> None:
    simulation = Simulation(11)
    simulation.world.lifts[1]._out_ms = 3400
    simulation.world.lifts[1]._length = 3400 * simulation.world.lifts[1]._back_ms
    assert of(results_of(simulation), FAILED) == {"lift 1 rises": "it took 3.41 s; the usual time is 2.50 s"}


@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_a_table_that_was_calibrated_is_judged_by_itself(
    factor: float, run: Callable[[str], Done], tmp_path: Path
) -> None:
    """All its parts are 30 % faster or slower than usual, which is its own way and no fault."""
    simulation = Simulation(11, timing=scaled(factor))
    port = attach(f"own-times-{factor}", simulation)
    failed = of(results_of(simulation), FAILED)
    assert {"lid opens", "lift 2 rises", "head 3", "disc", "ring"} <= failed.keys()
    assert all("the usual time is" in why for why in failed.values())
    calibrated = run(f"doctor calibrate {tmp_path / 'table.json'} --port {port} --builds 0 --yes")
    assert calibrated.code == 0, calibrated
    assert of(results_of(simulation), FAILED) == {}
    # A part that becomes a third slower than it was is not healthy, though it may be as fast as others.
    lift = simulation.world.lifts[1]
    slower = lift._out_ms * 4 // 3
    lift._out_ms, lift._length = slower, slower * lift._back_ms
    (why,) = of(results_of(simulation), FAILED).values()
    assert "this table's own time, by its limits, is" in why


def test_what_an_interlock_keeps_from_moving_is_not_called_broken() -> None:
    results = results_of(broken("switch lid closed stuck off"))
    skipped = of(results, NOT_TESTED)
    assert {f"lift {side} rises" for side in range(SIDES)} | {"disc", "ring"} <= skipped.keys()
    assert skipped["disc"] == "disc may not run now: lid_is_closed has to be on; bring it there first"


def test_after_a_fault_nothing_moves_any_more() -> None:
    world = World(11, log_drives=True)
    simulation = Simulation(11, world=world, faults=parse_faults("switch lift 2 down stuck on"))
    results = results_of(simulation, Helper(simulation))
    at = list(results).index("lift 2 rises")
    assert {result.found for result in list(results.values())[at + 1 :]} == {
        "the table stands in the fault lift_limits"
    }
    assert [mask for _, mask in world.drive_log][-2:] == [1 << DRIVES.index("lift_raise_2"), 0]


def test_wires_that_were_swapped_are_told() -> None:
    simulation = Simulation(11)
    person = Helper(
        simulation, {"Now press the lift key of side 2, then let go.": "Now press the dice key of side 3, then let go."}
    )
    assert of(results_of(simulation, person), FAILED) == {"lift key 2": "dice_key_3 changed in 30.00 s"}


class Unwilling(Helper):
    """Says no to everything, and does nothing."""

    def agrees(self, question: str) -> bool | None:
        return False

    def does(self, task: str) -> bool | None:
        return None


def test_a_lid_that_is_not_clear_does_not_move() -> None:
    world = World(11, log_drives=True)
    simulation = Simulation(11, world=world)
    results = results_of(simulation, Unwilling(simulation))
    names = {DRIVES[mask.bit_length() - 1] for _, mask in world.drive_log if mask}
    assert not [name for name in names if name.startswith(("lid", "lift"))]
    assert "disc" in names
    skipped = of(results, NOT_TESTED)
    assert skipped["lid opens"] == skipped["lift 3 goes down"] == "lid and lifts are not clear"
    assert skipped["lift key 2"] == skipped["conveyor 1"] == "skipped"
    assert of(results, FAILED) == {"lamps and displays": "the person says no"}


def test_finished_walls_stay_in_their_carriers() -> None:
    simulation = Simulation(11)
    with open_table(attach(f"selftest-{next(NAMES)}", simulation)) as table:
        table.start_build()
        table.wait_for("build_done", 90_000)
        table.pump(8000)
        before = [head.carrier[:] for head in simulation.world.heads]
        results = {result.step: result for result in run_self_test(Bench(table), None, lambda step: None)}
        assert [head.carrier for head in simulation.world.heads] == before
        assert table.status().set_whole
    assert of(results, FAILED) == {}
    assert {f"head {side}" for side in range(SIDES)} | {f"lift {side} rises" for side in range(SIDES)} <= set(
        of(results, NOT_TESTED)
    )
    assert "ring" in of(results, PASSED)


def test_a_table_in_a_fault_or_at_work_is_left_alone() -> None:
    simulation = Simulation(11)
    with open_table(attach(f"selftest-{next(NAMES)}", simulation)) as table:
        table.start_build()
        with pytest.raises(Refused, match="building"):
            list(run_self_test(Bench(table), None, lambda step: None))
        table.stop()
        with pytest.raises(TableFault, match="stopped: "):
            list(run_self_test(Bench(table), None, lambda step: None))


def test_ctrl_c_stops_the_motion_and_the_service(run, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(11, log_drives=True)
    simulation = Simulation(11, world=world)
    port = attach(f"selftest-{next(NAMES)}", simulation)
    pump = Table.pump

    def interrupted(table: Table, timeout_ms: int) -> None:
        if world.drive_log and world.drive_log[-1][1] == 1 << DRIVES.index("lift_raise_1"):
            raise KeyboardInterrupt
        pump(table, timeout_ms)

    monkeypatch.setattr(Table, "pump", interrupted)
    result = run(f"doctor test --port {port} --no-ask --json")
    assert result.code == 130
    assert "Everything is stopped." in result.err
    assert [record["step"] for record in result.records][-1] == "lift 0 goes down"
    assert [mask for _, mask in world.drive_log][-2:] == [1 << DRIVES.index("lift_raise_1"), 0]
    assert world.drive_log[-1][0] - world.drive_log[-2][0] < 500
    monkeypatch.undo()
    with open_table(port) as table:
        assert table.status().state != "service"


def test_the_command_announces_judges_and_sums_up(run) -> None:
    result = run("doctor test --port sim://?seed=4 --no-ask")
    assert result.code == 0
    assert f"{ALONE} passed" in result.out
    announced = re.search(
        r"lift 2 rises: lift_raise_2 runs; look for: lift_down_2 goes off, lift_up_2 comes on", result.err
    )
    assert announced
    assert re.match(r"[^\n]*\n  passed: 2\.\d\d s\n", result.err[announced.start() :])


def test_the_command_has_the_exit_code_4_when_something_failed(run) -> None:
    result = run("doctor test --port 'sim://?seed=4&faults=stall+lift+2+at+0+s' --no-ask --json")
    assert result.code == 4
    failed = [record for record in result.records if record["verdict"] == "failed"]
    assert [record["step"] for record in failed] == ["lift 2 rises"]
    text = run("doctor test --port 'sim://?seed=4&faults=stall+lift+2+at+0+s' --no-ask")
    assert text.code == 4
    assert re.search(r"lift 2 rises +│ failed +│ lift_down_2 stayed on for 4\.50 s", text.out)


class Typist:
    """Answers by a pipe, one line whenever the terminal is waiting."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.answers, self._keys = os.pipe()
        self.said: list[str] = []
        self.waited = 0

    def wait(self, _: int) -> None:
        self.waited += 1
        if self.lines:
            os.write(self._keys, self.lines.pop(0).encode())
        elif self._keys >= 0:
            os.close(self._keys)
            self._keys = -1

    def terminal(self) -> Terminal:
        return Terminal(self.answers, self.said.append, self.wait)


def test_the_terminal_listens_to_the_table_while_it_waits_for_answers() -> None:
    typist = Typist("maybe\n", "YES\nno\n", "s\n", "\n", "sk", "ip\n", "y")
    terminal = typist.terminal()
    assert [terminal.agrees("A?") for _ in range(3)] == [True, False, None]
    assert [terminal.does("B") for _ in range(2)] == [True, None]
    assert terminal.agrees("C?") is True
    assert [terminal.agrees("D?"), terminal.does("D")] == [None, None]
    assert typist.waited >= 8
    assert typist.said[:2] == ["A? [y]es, [n]o, [s]kip: "] * 2
