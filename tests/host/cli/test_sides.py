"""`wallwright table sides`: a table with a dead side builds, plays and is scored on; power cuts change nothing."""

import json
from itertools import count
from pathlib import Path

import pytest

from tests.host.cli.test_table import Run, run  # noqa: F401
from wallwright.doctor.sides import leave_out
from wallwright.errors import NotInTime, TableFault
from wallwright.journal import read_journal
from wallwright.link.reports import Status
from wallwright.table.table import Table, open_table
from wallwright_protocol.hardware import DRIVES_PER_SIDE, drive_bit
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.sorters import read_hardware
from wallwright_simulator.world import World

NAMES = count()
PLANS = {
    108: ((0, 18, 18, 18), (18, 0, 18, 18), (18, 18, 0, 18), (18, 18, 18, 0)),
    112: ((0, 19, 18, 19), (19, 0, 19, 18), (18, 19, 0, 19), (19, 18, 19, 0)),
}
"""Stacks a side while side 0, 1, 2 or 3 is out, by tiles in a set: written down by hand."""
DEAD = """
eye {side} count blocked at {at}
eye {side} belt blocked at {at}
vane {side} home dead at {at}
vane {side} pushed blocked at {at}
switch lift {side} down stuck off at {at}
switch lift {side} up stuck on at {at}
stall lift {side} at {at}
stall conveyor {side} at {at}
"""
"""A side of which nothing works, and all that is seen is wrong."""


def attached(simulation: Simulation) -> str:
    return attach(f"sides-{next(NAMES)}", simulation)


def dead(side: int, at: str, seed: int = 5, tiles: int = 108) -> Simulation:
    return Simulation(seed, world=World(seed, tiles), faults=parse_faults(DEAD.format(side=side, at=at)))


def bring_up(table: Table, simulation: Simulation) -> tuple[int, ...]:
    """Build, push in, raise; return the walls that people draw in."""
    if table.state == "idle":
        table.start_build()
    table.wait_for("build_done", 120_000)
    table.run_until(lambda table: not table.last_status.unchecked, 20_000)
    table.open_lid()
    table.wait_state("lid_open", 20_000)
    simulation.players.push_in()
    table.raise_walls()
    table.wait_for("walls_up", 20_000)
    simulation.players.draw_in()
    return tuple(map(len, simulation.world.walls))


@pytest.mark.parametrize("tiles", PLANS)
@pytest.mark.parametrize("side", range(4))
def test_three_sides_build_raise_and_play_the_whole_set(run: Run, side: int, tiles: int) -> None:  # noqa: F811
    simulation = Simulation(5, world=World(5, tiles), faults=parse_faults(DEAD.format(side=side, at="1s")))
    port = attached(simulation)
    run(f"table setup --port {port} --tiles {tiles}")
    result = run(f"table sides --port {port} --out {side} --json")
    wanted = PLANS[tiles][side]
    assert (result.code, result.records) == (0, [{"unit": "SIM-5", "sides_out": [side], "plan": list(wanted)}])
    said = run(f"status --port {port}").out
    assert "stacks    " + "  ".join("out" if one == side else f"0/{wanted[one]}" for one in range(4)) in said
    with open_table(port) as table:
        table.events()
        for dealer in ((side + 1) % 4, (side + 2) % 4):
            assert bring_up(table, simulation) == wanted
            simulation.players.press_dice(dealer)
            table.wait_state("shuffling", 20_000)
        assert not [event for event in table.events() if event.name == "notice"]


def test_a_session_with_a_dead_side_is_verified_and_scored_again(run: Run, tmp_path: Path) -> None:  # noqa: F811
    path, faults = tmp_path / "day.journal", tmp_path / "dead.txt"
    faults.write_text(DEAD.format(side=2, at="1s"))
    result = run(f"demo --out 2 --deals 10 --seed 3 --journal {path} --faults {faults} --json")
    assert result.code == 0
    deals = [json.loads(line) for line in result.out.splitlines()]
    assert [deal["plan"] for deal in deals] == [[18, 18, 0, 18]] * 10
    for deal in deals:
        counted = (deal["dealer"] + sum(deal["dice"]) - 1) % 4
        assert deal["break"]["seat"] == (3 if counted == 2 else counted), "the next one counter-clockwise"
    assert any((deal["dealer"] + sum(deal["dice"]) - 1) % 4 == 2 for deal in deals)
    said = [entry.fields for entry in read_journal(path)]
    assert [one["plan"] for one in said if "plan" in one and "tile_set" in one] == [[18, 18, 0, 18]] * 11
    assert [one["sides_out"] for one in said if "sides_out" in one] == [[2]]
    assert run(f"log verify {path}").code == 0
    assert "10 deals scored again" in run(f"log replay {path}").out


@pytest.mark.parametrize(
    ("tiles", "out", "said"),
    [
        (136, "2", "three sides hold 114 tiles at the most, and this table's sets have 136"),
        (116, "0", "a side can be out with sets of 108 or 112 tiles"),
        (108, "1,2", "only one side can be out: 2 sides hold 76 tiles at the most, and the smallest set has 108"),
        (108, "0,1,2,3", "only one side can be out: no side is left"),
        (108, "4", "'4' is no side; sides are 0 to 3"),
        (108, "north", "'north' is no side"),
    ],
)
def test_what_three_sides_do_not_hold_is_refused_in_one_line(run: Run, tiles: int, out: str, said: str) -> None:  # noqa: F811
    port = attached(Simulation(5, tiles, world=World(5, tiles)))
    result = run(f"table sides --port {port} --out {out}")
    assert result.code == 2
    assert said in result.err
    assert result.err.count("\n") == 1
    assert "all four sides build" in run(f"table sides --port {port}").out


def test_a_larger_set_is_refused_while_a_side_is_out(run: Run) -> None:  # noqa: F811
    port = attached(Simulation(5))
    run(f"table sides --port {port} --out 0")
    result = run(f"table setup --port {port} --tiles 136")
    assert result.code == 4
    assert "leave a side out with sets of 108 or 112 tiles only" in result.err
    assert run(f"table setup --port {port} --tiles 112").code == 0
    assert run(f"table sides --port {port}").out == "SIM-5: side 0 is out, stacks a side 0, 19, 18, 19\n"


def test_a_table_that_sorts_needs_all_sides(run: Run) -> None:  # noqa: F811
    simulation = Simulation(5, hardware=read_hardware("ring", 18, None), readers=15)
    result = run(f"table sides --port {attached(simulation)} --out 0")
    assert result.code == 4
    assert "all four sides" in result.err


def test_a_plan_for_all_sides_is_refused_with_the_one_that_is_built(run: Run) -> None:  # noqa: F811
    port = attached(Simulation(5))
    run(f"table sides --port {port} --out 2")
    result = run(f"build --port {port} --plan 14,13,14,13")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "side 2, which is out; this table builds 18,18,0,18" in result.err
    assert "Built 18 18 0 18 stacks" in run(f"build --port {port} --wash 0").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--hardware ring --magnets 18", "--out needs a table that takes tiles as they come"),
        ("--game mil-2025-duplicate", "each draws from the own wall"),
        ("--game hong-kong", "three sides hold 114 tiles at the most"),
    ],
)
def test_a_demo_that_needs_all_sides_says_so(run: Run, options: str, said: str) -> None:  # noqa: F811
    result = run(f"demo --out 2 --deals 1 {options}")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert said in result.err


@pytest.mark.parametrize("at_ms", [1_000, 9_000, 20_000, 33_000, 43_000, 47_000])
def test_power_cuts_leave_the_side_out_and_the_walls_become_whole(at_ms: int) -> None:
    simulation = dead(2, "1s")
    port = attached(simulation)
    with open_table(port) as table:
        leave_out(table, 2)
        table.start_build()
    simulation.later(simulation.now_ms + at_ms, lambda: simulation.cut_power(500))
    simulation.run_until(simulation.now_ms + at_ms + 5_000)
    with open_table(port) as table:
        assert table.status().sides_out == (2,)
        assert table.status().plan == (18, 18, 0, 18)
        if table.state == "fault":
            assert table.last_status.fault == "walls_unknown", "as after every power cut in a build"
            for side in range(4):
                simulation.players.empty_side(side)
            table.clear_fault()
        if not table.last_status.set_whole:
            table.start_build()
            table.wait_for("build_done", 120_000)
        assert table.status().stacks == (18, 18, 0, 18)
        assert tuple(len(head.carrier) for head in simulation.world.heads) == (18, 18, 0, 18)


def out_of_build(table: Table, simulation: Simulation, side: int) -> Status:
    """A head sticks in a build: leave its side out, clear, open the lid, empty head and carrier, close, build on."""
    table.start_build()
    table.run_until(lambda table: table.last_status.stacks[side] >= 4, 30_000)
    simulation.world.heads[side].block()
    with pytest.raises(TableFault):
        table.wait_for("build_done", 120_000)
    assert (table.status().fault, table.last_status.fault_side) == ("head_jam", side)
    leave_out(table, side)
    assert table.wait_for("build_started", 2_000).fields["plan"] == PLANS[108][side]
    table.clear_fault()
    table.open_lid()
    table.wait_state("lid_open", 20_000)
    assert simulation.players.empty_side(side)
    simulation.world.heads[side].block()
    table.raise_walls()
    return table.status()


@pytest.mark.parametrize("side", range(4))
def test_a_side_that_fails_in_a_build_goes_out_and_the_build_goes_on(side: int) -> None:
    simulation = Simulation(7)
    with open_table(attached(simulation)) as table:
        out_of_build(table, simulation, side)
        assert table.wait_for("build_done", 120_000).fields["stacks"] == PLANS[108][side]
        assert tuple(len(head.carrier) for head in simulation.world.heads) == PLANS[108][side]
        table.wait_state("ready", 20_000)


def test_a_side_comes_back_with_empty_carriers(run: Run) -> None:  # noqa: F811
    simulation = Simulation(5)
    port = attached(simulation)
    run(f"table sides --port {port} --out 1")
    run(f"build --port {port}")
    result = run(f"table sides --port {port} --out none")
    assert result.code == 4
    simulation = Simulation(6)
    port = attached(simulation)
    run(f"table sides --port {port} --out 1")
    assert (
        run(f"table sides --port {port} --out none").out
        == "SIM-6: all four sides build, stacks a side 14, 13, 14, 13\n"
    )
    assert "Built 14 13 14 13 stacks" in run(f"build --port {port}").out


def test_no_drive_of_the_side_is_ever_on() -> None:
    simulation = dead(1, "1s")
    drives = drive_bit(1, 0) * ((1 << DRIVES_PER_SIDE) - 1)
    seen: list[int] = []
    drive = simulation.world.drive

    def watched(mask: int) -> None:
        seen.append(mask)
        drive(mask)

    simulation.world.drive = watched  # type: ignore[method-assign]
    with open_table(attached(simulation)) as table:
        leave_out(table, 1)
        assert bring_up(table, simulation) == (18, 0, 18, 18)
        simulation.players.press_dice(0)
        with pytest.raises(NotInTime):
            table.wait_state("fault", 60_000)
    assert len(seen) > 100
    assert not any(mask & drives for mask in seen)
