"""Motors start gently: their supply bears what all draw together, and none turns round before it has stood.

Both follow from the log of the world's drives alone.
"""

import random
from itertools import pairwise

import pytest

from tests.scenarios.test_sixty_days import play_deal, until
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    LID_CLOSE,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    SET_SIZES,
    SIDES,
    drive_bit,
)
from wallwright_protocol.settings import DEFAULTS, STAND
from wallwright_simulator.currents import SUPPLY_A, highest_a
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.world import World

SEEDS = 50
DEALS = 2
JAMS = "jam lane {side} at {at} s frees 60 %\njam head {other} at {later} s frees 60 %"
PAIRS = [(LID_OPEN, LID_CLOSE)] + [
    (drive_bit(side, one), drive_bit(side, other))
    for side in range(SIDES)
    for one, other in ((CONVEYOR, CONVEYOR_REVERSE), (LIFT_RAISE, LIFT_LOWER))
]

Log = list[tuple[int, int]]


def stands_ms(log: Log) -> list[int]:
    """For how long each motor had stood when it was switched on to turn the other way."""
    found = []
    ended: dict[int, int] = {}
    for (_, before), (at_ms, mask) in pairwise([(0, 0), *log]):
        for pair in PAIRS:
            for one, other in (pair, pair[::-1]):
                if before & ~mask & one:
                    ended[one] = at_ms
                    ended.pop(other, None)
                if mask & ~before & one and other in ended:
                    found.append(at_ms - ended[other])
                    if mask & other:
                        found.append(-1)
    return found


def table_of(seed: int, tiles: int, script: str = "") -> Simulation:
    world = World(seed, tiles, log_drives=True)
    return Simulation(seed, tiles, world=world, faults=parse_faults(script))


def build(simulation: Simulation) -> None:
    simulation.run_until(3_000)
    simulation.players.press_lift(0)
    until(simulation, "READY")


def fresh(seed: int) -> list[int]:
    stream = random.Random(f"{seed}/gentle")
    return [stream.randrange(2**32) for _ in range(SEEDS)]


def hold(logs: list[Log]) -> None:
    """No log has more than the supply's current in it, nor a motor that turned round too soon."""
    most_a = max(map(highest_a, logs))
    stands = [stand for log in logs for stand in stands_ms(log)]
    print(
        f"{len(logs)} tables: {most_a:.2f} A at the most, {len(stands)} reversals, the shortest after {min(stands)} ms"
    )
    assert most_a <= SUPPLY_A
    assert min(stands) >= DEFAULTS[STAND]
    assert len(stands) > len(logs)


@pytest.mark.parametrize("tiles", SET_SIZES)
def test_a_build_stays_within_the_supply_and_turns_no_motor_round_at_once(seed: int, tiles: int) -> None:
    logs = []
    for each in fresh(seed):
        simulation = table_of(each, tiles)
        build(simulation)
        logs.append(simulation.world.drive_log)
    hold(logs)


def test_deals_stay_within_the_supply_and_turn_no_motor_round_at_once(seed: int) -> None:
    logs = []
    for each in fresh(seed)[: SEEDS // 5]:
        simulation = table_of(each, 136)
        build(simulation)
        for deal in range(DEALS):
            play_deal(simulation, deal % SIDES)
        logs.append(simulation.world.drive_log)
    hold(logs)


def test_jams_stay_within_the_supply_and_turn_no_motor_round_at_once(seed: int) -> None:
    logs = []
    for each in fresh(seed):
        stream = random.Random(each)
        script = JAMS.format(
            side=stream.randrange(SIDES),
            other=stream.randrange(SIDES),
            at=stream.randint(5, 14),
            later=stream.randint(5, 14),
        )
        simulation = table_of(each, 108, script)
        simulation.run_until(3_000)
        simulation.players.press_lift(0)
        simulation.run_until(40_000)
        logs.append(simulation.world.drive_log)
    hold(logs)


def test_a_stop_at_any_moment_of_the_starts_switches_off_and_lets_nothing_start(seed: int) -> None:
    for after_ms in range(0, 400, 3):
        simulation = table_of(seed % 1000 + after_ms, 108)
        simulation.run_until(3_000)
        simulation.players.press_lift(0)
        simulation.run_until(3_000 + after_ms)
        simulation.world.emergency_stop(True)
        pressed_ms = simulation.now_ms
        simulation.run_until(pressed_ms + 2_000)
        log = simulation.world.drive_log
        assert not log or log[-1][1] == 0
        assert all(at_ms <= pressed_ms + 10 for at_ms, _ in log)


def test_a_stop_while_a_belt_waits_to_turn_round_switches_off_and_lets_nothing_start(seed: int) -> None:
    whole = table_of(seed % 1000, 108)
    build(whole)
    log = whole.world.drive_log
    forwards = [drive_bit(side, CONVEYOR) for side in range(SIDES)]
    ends = [at for (_, before), (at, mask) in pairwise(log) for bit in forwards if before & ~mask & bit]
    for after_ms in range(0, DEFAULTS[STAND], 10):
        simulation = table_of(seed % 1000, 108)
        simulation.run_until(3_000)
        simulation.players.press_lift(0)
        pressed_ms = ends[-1] + after_ms
        simulation.run_until(pressed_ms)
        simulation.world.emergency_stop(True)
        simulation.run_until(pressed_ms + 2_000)
        log = simulation.world.drive_log
        assert log[-1][1] == 0
        assert log[-1][0] <= pressed_ms + 10
