"""Keys that are pressed too early, too late, twice or for ever, and what people at the table then have."""

import random

import pytest

from tests.scenarios.scenarios import check_walls, plan_of
from tests.scenarios.table import RELEASED_MS, Table
from wallwright_firmware.presses import REACTION_MS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC, LIFT_KEY, SIDES, input_number
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection

STOPPED = f"E{codes.STOPPED:02d}"
HELD_MS = 200_000


def inject(table: Table, script: str) -> None:
    table.sim.injection = Injection(table.world, parse_faults(script), table.sim)


@pytest.mark.parametrize("late_ms", [-6, -3, 0, 50, REACTION_MS - 20])
def test_a_key_pressed_before_anybody_can_have_seen_a_fault_leaves_it(seed, late_ms):
    table = Table(seed)
    host = table.connect()
    table.build()
    stop_ms = table.now_ms + 20
    table.sim.later(stop_ms + late_ms, lambda: table.world.press(input_number(1, LIFT_KEY)))
    table.run(20)
    host.do("stop")
    table.run(REACTION_MS + RELEASED_MS)
    assert table.shown == STOPPED
    assert [event.values["side"] for event in host.named("key_pressed")[1:]] == [1], "the press is told all the same"
    table.press_lift(1)
    table.run(50)
    assert table.shown == "READY"


@pytest.mark.parametrize("later_ms", [0, 30, REACTION_MS - 20])
@pytest.mark.parametrize("clears", ["key", "host"])
def test_a_key_pressed_before_anybody_can_have_seen_a_fault_go_moves_nothing(seed, clears, later_ms):
    table = Table(seed)
    host = table.connect()
    table.build()
    host.do("stop")
    table.run(REACTION_MS + RELEASED_MS)
    if clears == "host":
        host.do("clear_fault")
    else:
        table.press_lift(0)
    table.run(later_ms)
    table.press_lift(2)
    table.run(1_000)
    assert table.shown == "READY"
    assert not table.world.mask
    table.press_lift(2)
    table.until("DROP", 9_000)


def test_a_lift_key_that_is_stuck_makes_no_second_key_of_another(seed):
    table = Table(seed)
    table.world.act()
    table.world.press(input_number(2, LIFT_KEY), HELD_MS)
    table.until_building(50)
    table.run(3_000)
    table.press_lift(0)
    table.run(1_000)
    assert table.builds, "one key does nothing in a build"
    table.press_lift(0)
    table.press_lift(3)
    table.until("TILE?", 6_000)
    table.press_lift(1)
    table.until("READY")
    check_walls(table, plan_of(0), 0)
    table.raise_walls(1)
    assert table.world.rises == [plan_of(0)]


@pytest.mark.parametrize("by", ["key", "host"])
def test_carriers_that_sink_full_come_up_again_at_a_key(seed, by):
    """Somebody presses the dice key before the walls are drawn in."""
    chance = random.Random(seed)
    table = Table(chance.randrange(2**32))
    host = table.connect()
    table.world.plans = [plan_of(0), plan_of(2)]
    table.build()
    walls = [head.carrier[:] for head in table.world.heads]
    table.press_lift()
    table.until("DROP", 9_000)
    table.sim.players.push_in()
    table.press_lift()
    table.until("DICE?", 5_000)
    table.press_dice(2)
    table.run(chance.randrange(50, 1_900))
    dice = table.shown
    if by == "key":
        table.press_lift(3)
    else:
        host.do("raise_walls")
    table.until(f"{dice} LOW?", 5_000)
    assert all(lift.at_end for lift in table.world.lifts)
    assert [head.carrier for head in table.world.heads] == walls
    assert [event.values["deal"] for event in host.named("walls_up")] == [1], "they are the walls of the same deal"
    assert len(host.named("dice_rolled")) == 1
    table.sim.players.draw_in()
    table.press_lift()
    table.until_building(3_000)
    assert table.shown == dice, "people break the wall by them"
    assert all(lift.at_start for lift in table.world.lifts)
    table.until("READY")
    check_walls(table, plan_of(2), 1)


def test_power_that_fails_while_full_carriers_come_up_again(seed):
    table = Table(seed)
    table.build()
    table.press_lift()
    table.until("DROP", 9_000)
    table.sim.players.push_in()
    table.press_lift()
    table.until("DICE?", 5_000)
    table.press_dice()
    table.run(1_200)
    dice = table.shown
    table.press_lift()
    table.run(300)
    table.sim.cut_power(1_000)
    table.run(1_100)
    assert table.shown == f"{dice} LOW?"
    table.press_lift()
    table.run(600)
    table.press_lift()
    table.until(f"{dice} LOW?", 5_000)
    assert sum(len(head.carrier) for head in table.world.heads) == sum(plan_of(0))


@pytest.mark.parametrize("side", range(SIDES))
def test_walls_are_not_offered_to_rise_while_the_played_tiles_lie_above(seed, side):
    """A lift that seems to have left its lower end is mended first; then the lid opens as ever."""
    table = Table(seed)
    host = table.connect()
    table.build()
    table.raise_walls()
    table.press_dice()
    table.until_building(5_000)
    table.until("READY")
    assert any(table.world.walls)
    table.run(6_000)
    inject(table, f"switch lift {side} down stuck off at {(table.now_ms + 100) / 1000} s")
    limits = f"E{codes.LIFT_LIMITS:02d} S{side}"
    table.until(limits, 1_000)
    table.run(REACTION_MS)
    table.press_lift()
    table.run(500)
    assert table.shown == limits, "its cause can still be seen"
    assert host.request("raise_walls")[0] == codes.FAULT_ACTIVE
    table.sim.injection.mend()
    table.run(500)
    table.press_lift()
    table.until("READY", 100)
    table.run(1_000)
    table.press_lift()
    table.until("DROP", 9_000)
    assert table.world.rises == [plan_of(0)]


def test_the_dice_stay_on_the_displays_until_the_next_walls_are_built(seed):
    table = Table(seed)
    host = table.connect()
    table.build()
    table.raise_walls()
    rolled = "{} {}".format(*host.do("roll_dice", 0, codes.CUT, 0)["dice"])
    host.do("lower_lifts")
    shown = [table.shown]

    def is_ready() -> bool:
        if table.shown != shown[-1]:
            shown.append(table.shown)
        return shown[-1] == "READY"

    assert table.run(60_000, is_ready)
    assert shown == [rolled, "READY"]
    table.run(6_000)
    table.press_lift()
    table.until("DROP", 9_000)
    assert table.world.mask & DISC == 0
