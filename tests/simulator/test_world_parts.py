"""Lifts, lid, keys, emergency stop and the drives of the simulated world, by scripted drives."""

from itertools import pairwise

import pytest

from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DICE_KEY,
    DISC,
    DISC_VANE,
    EMERGENCY_STOP,
    HEAD,
    HEAD_HOME,
    INPUTS,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_KEY,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    RING_VANE,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_simulator.clock import NEVER
from wallwright_simulator.mechanics import BOUNCE_MS, LID_MS, LIFT_DOWN_MS, LIFT_UP_MS, VARIATION_PERCENT
from wallwright_simulator.supply import DROP_OUT_MS
from wallwright_simulator.surface import PhysicalError
from wallwright_simulator.world import World


def run_to(world, time_ms):
    """Let time run; return the edges as (time_ms, input number, level)."""
    while world.now_ms < time_ms:
        world.advance(time_ms)
    edges = world.edges[:]
    world.edges.clear()
    return edges


def first_times(edges):
    """(input, level) -> time of its first edge."""
    times: dict[tuple[int, int], int] = {}
    for time_ms, number, level in edges:
        times.setdefault((number, level), time_ms)
    return times


def near(time_ms, figure_ms):
    return abs(time_ms - figure_ms) <= figure_ms * VARIATION_PERCENT / 100 + 1


def test_at_power_up_heads_are_home_lifts_down_lid_closed():
    world = World(1)
    dark = {number for number in range(INPUTS) if world.levels[number]}
    home = {input_number(side, kind) for side in range(SIDES) for kind in (HEAD_HOME, LIFT_DOWN)}
    assert dark == home | {LID_IS_CLOSED}
    assert world.next_ms == NEVER
    world.check_conserved()
    assert len(world.drum.tiles) == len(world.pile) == 108
    assert sorted(world.drum.tiles) == list(range(108))


def test_lifts_and_lid_take_their_time_and_machines_differ_a_little(seed):
    seen = set()
    for number in range(seed, seed + 8):
        world = World(number)
        world.drive(sum(drive_bit(side, LIFT_RAISE) for side in range(SIDES)) | LID_OPEN)
        up = first_times(run_to(world, 4000))
        world.drive(sum(drive_bit(side, LIFT_LOWER) for side in range(SIDES)) | LID_CLOSE)
        down = first_times(run_to(world, 8000))
        for side in range(SIDES):
            assert near(up[input_number(side, LIFT_UP), 1], LIFT_UP_MS)
            assert near(down[input_number(side, LIFT_DOWN), 1] - 4000, LIFT_DOWN_MS)
            assert up[input_number(side, LIFT_DOWN), 0] == 40
            seen.add(up[input_number(side, LIFT_UP), 1])
        assert near(up[LID_IS_OPEN, 1], LID_MS)
        assert near(down[LID_IS_CLOSED, 1] - 4000, LID_MS)
    assert len(seen) > 5


def test_a_lift_stopped_half_way_stays_there():
    world = World(1)
    world.drive(drive_bit(3, LIFT_RAISE))
    run_to(world, 1000)
    world.drive(0)
    where = world.lifts[3].position()
    assert near(1000 / where, LIFT_UP_MS)
    assert run_to(world, 60_000) == []
    assert world.lifts[3].position() == where
    world.drive(drive_bit(3, LIFT_LOWER))
    edges = run_to(world, 62_000)
    assert near((first_times(edges)[input_number(3, LIFT_DOWN), 1] - 60_000) / where, LIFT_DOWN_MS)
    assert world.lifts[3].position() == 0


@pytest.mark.parametrize(
    "mask",
    [
        drive_bit(0, LIFT_RAISE) | drive_bit(0, LIFT_LOWER),
        LID_OPEN | LID_CLOSE,
        drive_bit(1, CONVEYOR) | drive_bit(1, CONVEYOR_REVERSE) | DISC | RING,
        drive_bit(0, CONVEYOR) | DISC,
        drive_bit(0, CONVEYOR) | RING,
    ],
)
def test_drives_against_each_other_or_only_half_of_a_pair_move_nothing(mask):
    world = World(1)
    before = world.locations()
    world.drive(mask)
    edges = run_to(world, 20_000)
    assert {number for _, number, _ in edges} <= {DISC_VANE, RING_VANE}
    assert world.locations() == before


def turns_ms(edges, vane):
    """The times between the edges at which a vane leaves its slot."""
    left = [time_ms for time_ms, number, level in edges if number == vane and not level]
    return [later - sooner for sooner, later in pairwise(left)]


def test_the_vanes_of_disc_and_ring_are_in_their_slots_for_a_tenth_of_each_turn(seed):
    world = World(seed)
    world.drive(DISC | RING)
    edges = run_to(world, 60_000)
    for vane, turns_a_minute in ((DISC_VANE, 40), (RING_VANE, 20)):
        turns = turns_ms(edges, vane)
        assert len(turns) >= turns_a_minute * 0.9 - 1
        assert len(set(turns)) == 1
        assert 0.95 < turns[0] * turns_a_minute / 60_000 < 1.08
        into, out = (
            next(time_ms for time_ms, number, level in edges if (number, level) == (vane, wanted)) for wanted in (1, 0)
        )
        assert 0.09 < (out - into) / turns[0] < 0.11


def test_disc_and_ring_go_on_from_where_they_were_stopped(seed):
    whole, broken = World(seed), World(seed)
    whole.drive(DISC)
    straight = run_to(whole, 9_000)
    edges = []
    for part in range(30):
        broken.drive(DISC)
        edges += run_to(broken, part * 1000 + 300)
        broken.drive(0)
        edges += run_to(broken, part * 1000 + 1000)
    ran = [(time_ms // 1000 * 300 + time_ms % 1000, number, level) for time_ms, number, level in edges]
    assert ran == straight
    assert len(ran) >= 10


def test_a_stalled_disc_or_ring_makes_no_edges_and_brings_no_tiles():
    for name in ("disc", "ring"):
        world = World(5)
        rotor = getattr(world, name)
        world.drive(DISC | RING | drive_bit(1, CONVEYOR))
        run_to(world, 2_000)
        rotor.stall(True)
        caught = world.locations()
        vane = DISC_VANE if name == "disc" else RING_VANE
        edges = run_to(world, 12_000)
        assert vane not in {number for _, number, _ in edges}
        assert {number for _, number, _ in edges} & {DISC_VANE, RING_VANE}
        assert sum(place == "drum" for place in world.locations().values()) == sum(
            place == "drum" for place in caught.values()
        )
        rotor.stall(False)
        edges = run_to(world, 18_000)
        assert vane in {number for _, number, _ in edges}
        assert len(world.drum.tiles) < 108 - 2


def test_a_blocked_lift_or_lid_stands_until_it_is_free_again():
    world = World(1)
    for part in (world.lid, world.lifts[2]):
        part.block(True)
    world.drive(LID_OPEN | drive_bit(2, LIFT_RAISE))
    assert run_to(world, 10_000) == []
    for part in (world.lid, world.lifts[2]):
        part.block(False)
    times = first_times(run_to(world, 20_000))
    assert near(times[LID_IS_OPEN, 1] - 10_000, LID_MS)
    assert near(times[input_number(2, LIFT_UP), 1] - 10_000, LIFT_UP_MS)


def test_contacts_chatter_for_3_ms_and_come_to_rest():
    world = World(1)
    key = input_number(2, DICE_KEY)
    run_to(world, 500)
    world.press(key)
    edges = run_to(world, 2000)
    assert [number for _, number, _ in edges] == [key] * 6
    assert [level for _, _, level in edges] == [1, 0, 1, 0, 1, 0]
    times = [time_ms for time_ms, _, _ in edges]
    assert times[0] == 500
    assert times[3] == 700
    assert times[2] <= 500 + BOUNCE_MS
    assert times[5] <= 700 + BOUNCE_MS
    assert len(set(times)) == 6


def test_a_key_that_is_pressed_cannot_be_pressed():
    world = World(1)
    key = input_number(0, LIFT_KEY)
    world.press(key, 1000)
    run_to(world, 500)
    with pytest.raises(PhysicalError, match="still pressed"):
        world.press(key)
    run_to(world, 1003)
    world.press(key)
    assert len(run_to(world, 2000)) == 6


def test_only_keys_can_be_pressed():
    world = World(1)
    for number in (input_number(0, LIFT_DOWN), EMERGENCY_STOP, INPUTS, -1):
        with pytest.raises(PhysicalError, match="is not a key"):
            world.press(number)
    with pytest.raises(ValueError, match="more than 3"):
        world.press(input_number(0, LIFT_KEY), 3)


def test_the_emergency_stop_cuts_the_power_of_all_motors_and_gives_it_back():
    world = World(1)
    world.drive(drive_bit(0, LIFT_RAISE) | drive_bit(1, HEAD) | LID_OPEN)
    run_to(world, 1000)
    world.emergency_stop(True)
    edges = run_to(world, 5000)
    contact = [(number, level) for _, number, level in edges if number == EMERGENCY_STOP]
    assert contact == [(EMERGENCY_STOP, level) for level in (1, 0, 1)]
    assert edges[0][0] == 1000
    assert edges[-1][0] <= 1000 + DROP_OUT_MS
    assert world.next_ms == NEVER
    world.emergency_stop(False)
    edges = run_to(world, 9000)
    assert near(first_times(edges)[input_number(0, LIFT_UP), 1] - 4000, LIFT_UP_MS)
    assert world.levels[EMERGENCY_STOP] == 0


@pytest.mark.parametrize("gap_ms", range(BOUNCE_MS + 1))
def test_a_contact_that_moves_while_it_chatters_comes_to_rest_where_it_is(gap_ms):
    for world_seed in range(20):
        world = World(world_seed)
        for pressed in (True, False, True):
            world.emergency_stop(pressed)
            run_to(world, world.now_ms + gap_ms)
        run_to(world, world.now_ms + 100)
        assert world.levels[EMERGENCY_STOP] == 1


def test_drives_are_logged_when_asked_for():
    world = World(1, log_drives=True)
    world.drive(DISC)
    run_to(world, 100)
    world.drive(DISC)
    world.drive(0)
    assert world.drive_log == [(0, DISC), (100, 0)]
    silent = World(1)
    silent.drive(DISC)
    assert silent.drive_log == []


def test_what_no_machine_can_do_is_refused():
    world = World(1)
    with pytest.raises(ValueError, match="no motor"):
        world.drive(1 << 24)
    with pytest.raises(ValueError, match="no motor"):
        world.drive(-1)
    run_to(world, 100)
    with pytest.raises(ValueError, match="back from 100 to 99"):
        world.advance(99)
    with pytest.raises(ValueError, match="no set of 110 tiles"):
        World(1, 110)


def test_time_stops_at_the_first_event_that_changes_an_input():
    world = World(1)
    world.drive(LID_OPEN)
    world.advance(10_000)
    assert world.now_ms == 40
    assert world.edges == [(40, LID_IS_CLOSED, 0)]
    assert 40 < world.next_ms <= 43
