"""A table on the emulated board whose build is under way, and when its drives were switched."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from wallwright_protocol.hardware import HEAD, HEAD_HOME, SIDES, drive_bit, input_number
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.readers import NO_READERS
from wallwright_simulator.sensors import Sensors
from wallwright_simulator.sorter import PLAIN, Hardware
from wallwright_simulator.timing import USUAL
from wallwright_simulator.world import World

LIFT_MS = 1600
"""A board that has its power asks to be started by then."""
BUILDING_MS = 2400
NEW_BOARD_TILES = 108
HEAD_STOP_MS = 10
EMERGENCY_MS = 5


def logged(
    chip: Callable[..., ChipSimulation],
    seed: int,
    tiles: int = 108,
    *,
    cam: float = 1.0,
    knows_size: bool = True,
    readers: int = NO_READERS,
    hardware: Hardware = PLAIN,
    **options: Any,
) -> ChipSimulation:
    """Make a table that keeps when its drives were switched. A turn of its heads takes `cam` times as long as usual.

    Its board is a new one unless it knows the size of its sets; such a one is set to wash none.
    """
    timing = replace(USUAL, head_cycle_ms=round(USUAL.head_cycle_ms * cam))
    world = World(seed % 1000, tiles, timing=timing, log_drives=True, readers=readers, hardware=hardware)
    size = tiles if knows_size else NEW_BOARD_TILES
    wash_s = 0 if knows_size else None
    return chip(seed % 1000, size, world=world, readers=readers, hardware=hardware, wash_s=wash_s, **options)


def build(chip: Callable[..., ChipSimulation], seed: int, **options: Any) -> ChipSimulation:
    """Likewise one whose motors run since a key was pressed."""
    simulation = logged(chip, seed, **options)
    simulation.run_until(LIFT_MS)
    assert simulation.board.displays[0] == "START?"
    simulation.players.press_lift(0)
    simulation.run_until(BUILDING_MS)
    assert simulation.world.drive_log[-1][1]
    return simulation


class HeadStops:
    """How long each head's motor ran on after its vane had come home, in ms, since this was made."""

    def __init__(self, simulation: ChipSimulation, patch: pytest.MonkeyPatch) -> None:
        self._world = simulation.world
        self._bits = {input_number(side, HEAD_HOME): drive_bit(side, HEAD) for side in range(SIDES)}
        self._homes: list[tuple[int, int]] = []
        show = Sensors._show

        def watch(sensors: Sensors, number: int, level: int) -> None:
            if level and number in self._bits and not sensors.levels[number]:
                self._homes.append((self._world.now_ms, self._bits[number]))
            show(sensors, number, level)

        patch.setattr(Sensors, "_show", watch)

    def all(self) -> list[int]:
        """Return them, in the order in which the heads came home with their motors on."""
        found = []
        masks = [(0, 0), *self._world.drive_log]
        for home_ms, bit in self._homes:
            if [mask for at_ms, mask in masks if at_ms < home_ms][-1] & bit:
                found.append(next(at_ms for at_ms, mask in masks if at_ms >= home_ms and not mask & bit) - home_ms)
        return found


def check_walls(simulation: ChipSimulation, stops: HeadStops, plan: Sequence[int]) -> None:
    """The walls are whole, no sample was lost, and every head stopped at home in time; `-rP` shows the figures."""
    simulation.world.check_conserved()
    assert [len(head.carrier) for head in simulation.world.heads] == list(plan)
    assert simulation.resets == 0
    found, lost = stops.all(), samples_lost(simulation)
    print(f"{2 * sum(plan)} tiles: {lost} samples lost, {max(found)} ms at most from home vane to motor off")
    assert lost == 0
    assert len(found) >= sum(plan), "each stack takes a turn of its head"
    assert max(found) <= HEAD_STOP_MS


def samples_lost(simulation: ChipSimulation) -> int:
    """How many milliseconds of the board's life had no sample of the inputs taken."""
    gaps = simulation.chip.do("counts")["samples"]["gaps"]
    assert int(gaps["1"]) > 1000
    return sum((int(ms) - 1) * times for ms, times in gaps.items())


def check_emergency(simulation: ChipSimulation, number: int, level: int) -> None:
    """Let an input of a building table ask for a stop; all drives are off EMERGENCY_MS later at the most."""
    began_ms = simulation.now_ms
    simulation.world.sensors.set_next(number, level)
    simulation.run_until(began_ms + 300)
    at_ms, mask = simulation.world.drive_log[-1]
    assert mask == 0
    assert 0 <= at_ms - began_ms <= EMERGENCY_MS
