"""The look for a tile left over below whole walls: an act that comes meanwhile does not end it in silence."""

import random

import pytest

from tests.length import length
from tests.scenarios.table import Host, Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, LIFT_KEY, SET_SIZES, input_number
from wallwright_protocol.names import DRIVES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection

ACTS: dict[str, tuple[str, ...]] = {
    "lift key": ("lift_key",),
    "two keys": ("lift_key", "lift_key"),
    "open_lid": ("open_lid",),
    "stop": ("stop",),
    "emergency stop": ("emergency stop",),
    "power": ("power",),
    "key, stop": ("lift_key", "stop"),
    "key, power": ("lift_key", "power"),
    "service": ("begin_service",),
    "another plan": ("set_plan",),
    "clear_fault": ("clear_fault",),
}
"""What people and hosts may do while the drum is looked into."""
LOOK_ENDS_MS = 5_500
MOMENTS = length(3, 40)
OTHER_SIZES = [tiles for tiles in SET_SIZES if tiles != 108]
LEFT_OVER = (f"E{codes.TILE_TOO_MANY:02d}", f"E{codes.WRONG_SET:02d}")
MOST_ACTS = 12


def do(table: Table, act: str) -> None:
    """Let people or the host do that; the board may refuse it."""
    for side, part in enumerate(ACTS[act]):
        if part == "lift_key":
            table.press_lift(side)
        elif part == "emergency stop":
            stop_by_hand(table)
        elif part == "power":
            table.run(150)
            lose_power(table)
        else:
            table.run(150 * side)
            values = (*DEFAULT_PLANS[table.world.tiles], 0, 0, 0) if part == "set_plan" else ()
            host_of(table).request(part, *values)


def host_of(table: Table) -> Host:
    return table.host or table.connect()


def stop_by_hand(table: Table) -> None:
    table.world.emergency_stop(True)
    table.run(500)
    table.world.emergency_stop(False)
    table.run(500)


def lose_power(table: Table) -> None:
    table.host = None
    table.sim.cut_power(1_000)
    table.run(3_000)


def whole(seed: int, tiles: int, script: str = "extra tile", *, by_host: bool = False) -> Table:
    """A table whose walls have just become whole, with a tile left over unless `script` is empty."""
    table = Table(seed, tiles=tiles)
    if script:
        table.sim.injection = Injection(table.world, parse_faults(script), table.sim)
    if by_host:
        table.connect().do("start_build")
    else:
        table.press_lift()
    table.until("READY", 90_000)
    return table


def go_on(table: Table, *, by_host: bool) -> bool:
    """Do what the panels ask for until they name the tile left over, when this is True, or the walls are up."""
    for _ in range(MOST_ACTS):
        assert table.run(30_000, lambda: table.shown[:3] in LEFT_OVER or asks(table)), f"{table.shown} for ever"
        if table.shown[:3] in LEFT_OVER:
            return True
        if table.shown == "DICE?":
            return False
        if by_host and table.shown == "READY":
            host_of(table).request("open_lid")
        else:
            if table.shown == "DROP":
                table.sim.players.push_in()
            elif table.shown == "SERVICE":
                host_of(table).do("end_service")
            table.press_lift()
        table.run(600)
    raise AssertionError(f"not done after {MOST_ACTS} acts; the panel shows {table.shown}")


def is_told_within(table: Table, ms: int) -> bool:
    """Say whether the panels name the tile left over in the next `ms`."""
    return table.run(ms, lambda: table.shown[:3] in LEFT_OVER)


def asks(table: Table) -> bool:
    return table.shown in ("READY", "DROP", "DICE?", "SERVICE") or (table.shown[:1] == "E" and not table.world.mask)


@pytest.mark.parametrize("by_host", [False, True], ids=["key", "host"])
@pytest.mark.parametrize("act", ACTS)
def test_no_walls_rise_over_a_tile_left_over_whatever_is_done_while_it_is_looked_for(
    seed: int, act: str, by_host: bool
) -> None:
    chance = random.Random(seed)
    for _ in range(MOMENTS):
        world, after_ms = chance.randrange(2**32), chance.randrange(LOOK_ENDS_MS)
        table = whole(world, 108, by_host=by_host)
        if not is_told_within(table, after_ms):
            do(table, act)
        assert go_on(table, by_host=by_host), f"world {world}, {act} after {after_ms} ms: the walls are up"


@pytest.mark.parametrize("act", ["lift key", "open_lid", "key, power"])
@pytest.mark.parametrize("tiles", OTHER_SIZES)
def test_no_walls_of_another_size_rise_over_a_tile_left_over(seed: int, tiles: int, act: str) -> None:
    chance = random.Random(seed)
    world, after_ms = chance.randrange(2**32), chance.randrange(2_000)
    table = whole(world, tiles)
    if not is_told_within(table, after_ms):
        do(table, act)
    assert go_on(table, by_host=act == "open_lid"), f"world {world}, {act} after {after_ms} ms: the walls are up"


@pytest.mark.parametrize("act", ACTS)
def test_a_look_that_finds_nothing_lets_the_walls_rise_with_no_word(seed: int, act: str) -> None:
    chance = random.Random(seed)
    table = whole(chance.randrange(2**32), 108, "")
    host = table.connect()
    table.run(chance.randrange(4_000))
    do(table, act)
    assert not go_on(table, by_host=False)
    assert table.world.rises == [DEFAULT_PLANS[108]]
    said = [event.values["fault"] for event in (table.host or host).named("notice")]
    assert codes.DRUM_UNCHECKED not in said


def test_the_panel_and_the_status_say_what_the_lid_waits_for(seed: int) -> None:
    table = whole(seed, 108, "")
    host = table.connect()
    table.run(500)
    assert host.do("get_status")["unchecked"] == 1
    table.press_lift()
    table.until("CHECK", 100)
    assert host.do("get_status")["state"] == codes.CHECKING
    assert host.request("open_lid")[0] == codes.WRONG_STATE
    assert table.until("LID_OPEN", 6_000) > 2_000
    assert host.do("get_status")["unchecked"] == 0
    table.until("DROP", 3_000)


def test_a_power_loss_after_the_look_does_not_bring_it_back(seed: int) -> None:
    table = whole(seed, 108, "")
    table.run(LOOK_ENDS_MS + 500)
    lose_power(table)
    host = table.connect()
    assert [event.values["carriers"] for event in host.named("restored")] == [codes.CARRIERS_WHOLE]
    table.press_lift()
    table.until("LID_OPEN", 100)


def test_a_power_loss_while_it_is_looked_for_is_told_and_the_look_is_made_when_the_lid_is_wanted(seed: int) -> None:
    table = whole(seed, 108, "")
    table.run(1_000)
    lose_power(table)
    assert (table.shown, table.world.mask) == ("READY", 0), "nothing moves before an act"
    host = table.connect()
    assert [event.values["carriers"] for event in host.named("restored")] == [codes.CARRIERS_UNCHECKED]
    table.press_lift()
    table.until("CHECK", 100)
    assert table.until("DROP", 9_000) > 5_000


def test_a_lid_that_is_moved_before_the_look_has_ended_is_told_of(seed: int) -> None:
    """A technician opens it after a stop; what is in the drum then may be anything."""
    table = whole(seed, 108, "")
    table.run(1_000)
    host = table.connect()
    for name in ("stop", "clear_fault", "begin_service"):
        host.do(name)
    host.do("jog", DRIVES.index("lid_open"), 2_500)
    table.run(3_000)
    assert [event.values["fault"] for event in host.named("notice")].count(codes.DRUM_UNCHECKED) == 1
    assert host.do("get_status")["unchecked"] == 0


def test_a_lift_key_that_is_held_does_not_open_the_lid_early(seed: int) -> None:
    table = whole(seed, 108, "")
    table.world.act()
    table.world.press(input_number(2, LIFT_KEY), 8_000)
    table.until("CHECK", 100)
    table.press_lift(0)
    assert table.until("LID_OPEN", 7_000) > 3_000
