"""One lane on the simulated mechanics."""

from tests.firmware.hands import DARK_MS, Hands
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.hardware import BELT_FULL, CONVEYOR, SIDES, drive_bit, input_number
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.world import World

SLOWER = 2.8
"""Heads of 1.4 s a stroke: slow, and within the limit of 1.5 s."""


def test_slow_heads_fill_the_belts_and_the_build_still_ends_whole() -> None:
    world = World(3, log_drives=True)
    for head in world.heads:
        head._marks_ms = [int(mark * SLOWER) for mark in head._marks_ms]
    simulation = Simulation(3, world=world)
    app = simulation.app
    assert isinstance(app, App)
    eyes_dark = set()
    simulation.run_until(10)
    simulation.players.press_lift(0)
    while simulation.now_ms < 100_000 and app.cycle.state not in (codes.READY, codes.FAULT):
        simulation.run_until(simulation.now_ms + 20)
        eyes_dark |= {side for side in range(SIDES) if world.levels[input_number(side, BELT_FULL)]}
    assert eyes_dark, "the belts were full at some time"
    assert app.cycle.state == codes.READY
    assert app.build.stacks() == (14, 13, 14, 13)
    side = min(eyes_dark)
    starts = sum(
        bool(mask & drive_bit(side, CONVEYOR)) and not before & drive_bit(side, CONVEYOR)
        for (_, before), (_, mask) in zip(world.drive_log, world.drive_log[1:], strict=False)
    )
    assert starts > 1, "a conveyor with a full belt rests during strokes"


def test_a_third_tile_before_the_head_has_pushed_two_is_one_too_many() -> None:
    hands = Hands()
    hands.start((14, 13, 14, 13))
    for _ in range(2):
        hands.pass_eye(1, DARK_MS)
    lane = hands.build.lanes[1]
    assert (lane.in_head, lane.fault) == (2, codes.NO_FAULT)
    hands.pass_eye(1, DARK_MS)
    assert (lane.in_head, lane.fault, lane.stacks) == (3, codes.SIDE_OVER, 0)
