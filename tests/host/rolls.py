"""A journal with rolls of every kind, made by a simulated table and its host."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

import pytest

from wallwright.doctor.upkeep import change_settings
from wallwright.errors import BoardReset
from wallwright.journal import Journal
from wallwright.table.table import open_table
from wallwright_simulator.simulation import Simulation, attach

_NAMES = count()


def port_of(simulation: Simulation) -> str:
    """The port that opens this simulation."""
    return attach(f"dice-{next(_NAMES)}", simulation)


def record_rolls(path: Path) -> None:
    """Write a journal of two rolls without a host, three with one, a start anew, and two more."""
    simulation = Simulation(21)
    port = port_of(simulation)
    for side in (0, 1):
        simulation.run_until(simulation.now_ms + 1500)
        simulation.players.press_dice(side)
    simulation.run_until(simulation.now_ms + 1500)
    with Journal(path) as journal, open_table(port, journal=journal, contribution=parts(5)) as table:
        for seat in (2, 3):
            table.roll_dice(seat)
        table.pump(1000)
        simulation.players.press_dice(1)
        table.pump(1000)
        simulation.cut_power(500)
        with pytest.raises(BoardReset):
            table.pump(5000)
        table.reconnect()
        table.roll_dice(0, "east", 1)
        table.roll_dice(1, "round_wind", 3)
        table.pump(1000)


def record_three_dice(path: Path) -> None:
    """Write a journal of a table that is set to three dice, and of one press of a dice key."""
    simulation = Simulation(21)
    with Journal(path) as journal, open_table(port_of(simulation), journal=journal, contribution=parts(5)) as table:
        table.pump(5000)
        change_settings(table, {"dice_count": 3})
        simulation.players.press_dice(1)
        table.pump(1000)


def parts(seed: int) -> Callable[[], bytes]:
    """Contributions that are the same every time."""
    rng = Random(seed)
    return lambda: rng.randbytes(16)
