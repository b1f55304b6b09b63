"""Rarer acts than a build, on the emulated chip with a slow flash: what people and a host do brings no long poll.

`.venv-dev/bin/python -m pytest tests/board/test_polls.py -rP` prints the longest polls of each.
"""

from tests.board.polls import POLL_US, check_polls, noting
from tests.board.test_measure import FOUND_MS, SEED, XIP_MISS
from tests.board.test_sorter import RING_ON_LINE
from tests.firmware.prescribing import Director
from wallwright_protocol import codes
from wallwright_protocol.hardware import EMERGENCY_STOP
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.world import World

BUILDING_MS = 1_500
PAUSED_MS = 3_000
ACTED_MS = 300
LIFTED_MS = 4_000
LOWERED_MS = 3_000
SORTING_MS = 8_000
MOST_SORTING_MS = 12_000
CHECKED_US = 1_000
"""So much longer than those of other acts the longest polls may be while a signature is checked."""
SORTED_US = 2_000
"""And while a ring sorts: to judge a tile while the magnets hold many takes the longest."""
MOST_LONG = 80
"""Polls above POLL_US in SORTING_MS, or until a stack is in a carrier if that takes longer."""


def table_with_clock(chip, world=None):
    simulation = chip(SEED, world=world, flash=[noting()], readers=ALL_READERS, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    return simulation


def test_an_emergency_stop_in_a_build_takes_short_polls(chip):
    simulation = table_with_clock(chip)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + BUILDING_MS)
    simulation.world.sensors.set_next(EMERGENCY_STOP, 1)
    simulation.run_until(simulation.now_ms + ACTED_MS)
    assert simulation.board.displays[0] == f"E{codes.EMERGENCY_STOP:02d}"
    check_polls(simulation)


def test_a_pause_for_the_lid_takes_short_polls(chip):
    simulation = table_with_clock(chip)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + BUILDING_MS)
    for side in (0, 1):
        simulation.players.press_lift(side)
    simulation.run_until(simulation.now_ms + PAUSED_MS)
    assert simulation.board.displays[0] == "TILE?"
    check_polls(simulation)


def test_a_host_that_connects_stops_clears_and_throws_takes_short_polls(chip, operate):
    simulation = table_with_clock(chip)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + BUILDING_MS)
    table = operate(simulation)
    table.status()
    for request in (("stop",), ("clear_fault",), ("contribute", 1, bytes(16)), ("roll_dice", 0, codes.EAST, 0)):
        table.request(*request)
        table.pump(ACTED_MS)
    assert [event.name for event in table.events()].count("dice_rolled") == 1
    check_polls(simulation)


def test_a_dice_key_that_rolls_and_lowers_four_lifts_takes_short_polls(chip):
    world = World(SEED, readers=ALL_READERS)
    for lift in world.lifts:
        lift.run(True, False)
    world.advance(LIFTED_MS)
    simulation = table_with_clock(chip, world)
    simulation.run_until(world.now_ms + FOUND_MS)
    assert simulation.board.displays[0] == "DICE?"
    simulation.players.press_dice(1)
    simulation.run_until(simulation.now_ms + LOWERED_MS)
    assert all(lift.at_start for lift in world.lifts)
    check_polls(simulation)


def test_a_ring_that_takes_and_builds_what_a_director_has_signed_takes_short_polls(chip):
    notes = noting(hardware=RING_ON_LINE, long_us=POLL_US)
    simulation = chip(SEED, flash=[notes], readers=ALL_READERS, hardware=RING_ON_LINE, xip_miss=XIP_MISS)
    simulation.run_until(FOUND_MS)
    table = Director(SEED, RING_ON_LINE, sim=simulation)
    table.equip()
    one = table.drawn()
    assert table.prescribe(one) == "ok"
    check_polls(simulation, CHECKED_US)
    assert table.request("start_build")[0] == "ok"
    began_ms = simulation.now_ms
    table.run(SORTING_MS)
    while not any(head.carrier for head in simulation.world.heads):
        assert simulation.now_ms < began_ms + MOST_SORTING_MS, simulation.board.displays
        table.run(500)
    polls = check_polls(simulation, SORTED_US)
    assert len(polls) <= MOST_LONG
