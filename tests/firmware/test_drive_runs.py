"""A drive that nobody has switched on, and one that does not come: on a board that senses, and on one that does not.

The simulated table knows what its motors do; what the firmware makes of it comes out as events and on the panels.
"""

from contextlib import suppress

import pytest

from tests.scenarios.table import Event, Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import RING, SIDES
from wallwright_protocol.names import DRIVES, FAULTS, INPUTS

SOON_MS = 50
BY_VANE_MS = 300
CUT_MS = 120
"""From the voltage to the end of what keeps the supply alive, when nothing else ends it."""
FORCED_MS = 30_000
NONE = 255


def open_lid(table: Table) -> None:
    table.build()
    table.press_lift()
    table.until("DROP")


STATES = {
    "idle": lambda table: None,
    "ready": lambda table: table.build(),
    "lid open": open_lid,
}
"""State of the review -> how a table gets there."""
UNSEEN = {
    "idle": {"lid_close", "conveyor", "conveyor_reverse", "lift_lower"},
    "ready": {"lid_close", "conveyor", "conveyor_reverse", "lift_lower"},
    "lid open": {"lid_open", "conveyor", "conveyor_reverse", "lift_lower"},
}
"""Drives that a board without sensing cannot see: belts, and those that are driven against their own stop."""


def kind_of(drive: str) -> str:
    return drive.rstrip("_0123456789")


def at_rest(state: str, seed: int, *, senses: bool = True) -> Table:
    """A table in a state, with everything standing."""
    table = Table(seed)
    table.sim.board.senses = senses
    table.connect()
    STATES[state](table)
    table.run(6_000)
    assert table.world.mask == 0
    return table


def told(table: Table, name: str) -> list[Event]:
    """The events of that name that the host has been told of, and soon is."""
    table.run(1_000)
    return named(table, name)


def named(table: Table, name: str) -> list[Event]:
    """The events of that name that the host has been told of."""
    assert table.host
    return table.host.named(name)


def first_fault(table: Table) -> str:
    """The name of the first fault."""
    return str(FAULTS[told(table, "fault")[0].values["fault"]])


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("drive", DRIVES)
def test_a_drive_that_nobody_switched_on_is_told_and_cut(drive, state, seed):
    table = at_rest(state, seed % 100)
    board = table.sim.board
    began_ms = table.now_ms
    table.world.stick(1 << DRIVES.index(drive), True)
    table.run(CUT_MS)
    assert not board.keeps_supply
    table.run(FORCED_MS - CUT_MS)
    first = named(table, "fault")[0]
    assert FAULTS[first.values["fault"]] == "drive_runs"
    assert first.time_ms - began_ms <= SOON_MS
    evidence = named(table, "evidence")[0].values
    assert DRIVES[evidence["drive"]] == drive
    assert evidence["sensed"] == 1 << DRIVES.index(drive)
    assert evidence["drives"] == 0
    assert evidence["output"] == DRIVES.index(drive)
    assert evidence["input"] == NONE
    assert table.shown.startswith(f"E{codes.DRIVE_RUNS:02d}")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("drive", DRIVES)
def test_a_board_without_sensing_tells_what_its_inputs_show(drive, state, seed):
    table = at_rest(state, seed % 100, senses=False)
    shown_ms: list[int] = []
    table.world.stick(1 << DRIVES.index(drive), True)
    levels = bytes(table.world.levels)
    end_ms = table.now_ms + FORCED_MS
    while table.now_ms < end_ms:
        table.run(1)
        if not shown_ms and bytes(table.world.levels) != levels:
            shown_ms.append(table.now_ms)
    if kind_of(drive) in UNSEEN[state]:
        assert told(table, "fault") == []
        return
    first = told(table, "fault")[0]
    assert first.time_ms - shown_ms[0] <= BY_VANE_MS
    name = FAULTS[first.values["fault"]]
    if kind_of(drive) in ("disc", "ring", "head"):
        assert name == "drive_runs"
        evidence = named(table, "evidence")[0].values
        assert DRIVES[evidence["drive"]] == drive
        assert kind_of(INPUTS[evidence["input"]]) in ("disc_vane", "ring_vane", "head_home", "head_pushed")
        assert not table.sim.board.keeps_supply
    else:
        assert name in ("lift_sinking", "lift_limits", "lid_limits")


def test_a_fault_that_is_cleared_keeps_the_supply_again(seed):
    table = at_rest("idle", seed)
    board = table.sim.board
    table.world.stick(RING, True)
    table.run(CUT_MS)
    assert not board.keeps_supply
    table.world.stick(RING, None)
    table.run(500)
    assert not board.keeps_supply
    ask(table, "clear_fault")
    table.run(100)
    assert board.keeps_supply
    table.run(2_000)
    table.build()


def test_what_ends_with_the_command_leaves_the_supply(seed):
    table = at_rest("idle", seed)
    table.world.stick(RING, True)
    table.run(SOON_MS)
    table.world.stick(RING, None)
    table.run(1_000)
    assert table.shown == f"E{codes.DRIVE_RUNS:02d} RING"
    assert table.sim.board.keeps_supply


def ask(table: Table, request: str) -> None:
    """Let the host ask for something, which the board does."""
    assert table.host
    table.host.do(request)


def deal(table: Table) -> None:
    """Build, open the lid, push in, close it, raise the walls, roll, lower the lifts."""
    table.build()
    table.raise_walls()
    ask(table, "lower_lifts")
    table.run(8_000)


@pytest.mark.parametrize("drive", [drive for drive in DRIVES if not drive.startswith("conveyor_reverse")])
def test_a_drive_that_does_not_come_is_named(drive, seed):
    table = Table(seed % 100)
    table.connect()
    bit = 1 << DRIVES.index(drive)
    table.world.stick(bit, False)
    with suppress(AssertionError):  # where the table stops before its end
        deal(table)
    first = told(table, "fault")[0]
    assert FAULTS[first.values["fault"]] == "drive_dead"
    evidence = named(table, "evidence")[0].values
    assert DRIVES[evidence["drive"]] == drive
    assert evidence["drives"] & bit
    assert not evidence["sensed"] & bit


@pytest.mark.parametrize("side", range(SIDES))
def test_a_belt_that_does_not_come_back_from_a_jam_is_named(side, seed):
    table = Table(seed % 100)
    table.connect()
    table.world.stick(1 << DRIVES.index(f"conveyor_reverse_{side}"), False)
    table.press_lift()
    table.until_building()
    table.run(8_000)
    table.world.belts[side].jam(False, lambda: True)
    table.until_fault()
    assert first_fault(table) == "drive_dead"
    assert DRIVES[named(table, "evidence")[0].values["drive"]] == f"conveyor_reverse_{side}"


def test_motors_without_supply_are_not_called_dead_one_by_one(seed):
    table = Table(seed)
    table.connect()
    table.world.stick((1 << len(DRIVES)) - 1, False)
    table.press_lift()
    table.until_fault()
    assert first_fault(table) == "no_supply"


def test_nothing_is_said_while_the_stop_takes_the_supply(seed):
    table = Table(seed)
    table.connect()
    table.press_lift()
    table.until_building()
    table.run(3_000)
    table.world.emergency_stop(True)
    table.run(5_000)
    assert [FAULTS[event.values["fault"]] for event in told(table, "fault")] == ["emergency_stop"]


def flip(table: Table, place: int) -> None:
    """The bit of an output changes; the world is to know that somebody brings this about."""
    table.world.act()
    table.sim.board.flip(place)


@pytest.mark.parametrize("place", [0, 5, 23, 24, 31])
def test_an_output_that_flips_is_put_right_and_told_when_it_comes_back(place, seed):
    table = at_rest("ready", seed)
    board = table.sim.board
    other = 5 if place == 23 else 23
    lit = board.lamp_mask
    for flips, notices in ((1, 0), (2, 1), (3, 2)):
        flip(table, place)
        table.run(20)
        assert table.world.terminals.powered == 0
        assert board.lamp_mask == lit
        notes = [one for one in told(table, "notice") if one.values["fault"] == codes.OUTPUT_FLIPPED]
        assert len(notes) == notices, f"after {flips}"
        table.run(60_000)
    assert {one.values["output"] for one in named(table, "evidence")} == {place}
    flip(table, other)
    table.run(7_300_000)
    flip(table, other)
    assert len([one for one in told(table, "notice") if FAULTS[one.values["fault"]] == "output_flipped"]) == 2
    assert named(table, "fault") == []


def test_two_inputs_that_touch_are_named(seed):
    table = Table(seed % 100)
    table.connect()
    table.world.sensors.touch(INPUTS.index("belt_full_1"), INPUTS.index("count_eye_1"), True)
    table.press_lift()
    table.until_fault()
    assert first_fault(table) == "input_stuck"
    inputs = [INPUTS[one.values["input"]] for one in named(table, "evidence")]
    assert sorted(inputs) == ["belt_full_1", "count_eye_1"]
    assert named(table, "fault")[0].values["side"] == 1


def test_a_chain_of_deals_in_health_says_nothing(seed):
    table = Table(seed)
    table.connect()
    for _ in range(5):
        deal(table)
        table.until("READY", 90_000)
    assert named(table, "fault") == named(table, "evidence") == []


def test_what_coasts_on_a_board_without_sensing_says_nothing(seed):
    table = Table(seed)
    table.sim.board.senses = False
    table.connect()
    table.build()
    table.run(800)
    table.world.sensors.set_next(INPUTS.index("disc_vane"), 1 - table.world.levels[INPUTS.index("disc_vane")])
    assert told(table, "fault") == []
