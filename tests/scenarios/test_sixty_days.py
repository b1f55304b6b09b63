"""Weeks of a table in a real MicroPython: its heap stays as it is, and its clock small.

With WALLWRIGHT_LENGTH=campaign sixty days with a build every ten minutes, 8,640 of them in an hour and a half; else
six days with ten builds each.
"""

from functools import partial

import pytest

from tests.length import LONG, length
from wallwright_firmware.app import _LATE_MS as LATE_MS
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.vm import VmApp

DAYS = length(6, 60)
BUILDS = length(60, DAYS * 24 * 6)
EVERY_MS = DAYS * 86_400_000 // BUILDS
WARM = 30
"""Deals until nothing but what is kept longest is in the ring of events, which nobody stores here."""
MOST_BYTES = 128
"""By so much the heap in use may differ from deal to deal."""
LIMIT_S = 6 * 3600


def until(simulation: Simulation, text: str) -> None:
    """Wait until the panels show this."""
    end_ms = simulation.now_ms + 90_000
    while simulation.board.displays[0] != text:
        assert simulation.now_ms < end_ms, f"no {text!r} but {simulation.board.displays[0]!r}"
        simulation.run_until(simulation.now_ms + 100)


def play_deal(simulation: Simulation, dealer: int) -> None:
    """From whole walls below, by keys and hands, to the next ones."""
    players = simulation.players
    players.press_lift(0)
    until(simulation, "DROP")
    players.push_in()
    simulation.run_until(simulation.now_ms + 500)
    players.press_lift(0)
    until(simulation, "DICE?")
    players.draw_in()
    players.press_dice(dealer)
    until(simulation, "READY")
    simulation.world.check_conserved()


@pytest.mark.timeout(LIMIT_S if LONG else 300)
def test_the_heap_is_flat_for_weeks(seed, micropython_runtime):
    simulation = Simulation(seed, firmware=partial(VmApp, runtime=micropython_runtime))
    app = simulation.app
    assert isinstance(app, VmApp)
    used = []
    with app:
        simulation.run_until(3_000)
        simulation.players.press_lift(0)
        until(simulation, "READY")
        for deal in range(BUILDS):
            simulation.run_until(max(simulation.now_ms, (deal + 1) * EVERY_MS))
            play_deal(simulation, deal % 4)
            used.append(app.memory().now)
            assert simulation.now_ms - simulation.board.started_ms < 2 * LATE_MS
            app.durations_us.clear()
    assert simulation.now_ms >= DAYS * 86_400_000
    print(f"{BUILDS} builds: {used[0]} bytes in use after the first, {min(used[WARM:])} to {max(used[WARM:])} then")
    assert max(used[WARM:]) - min(used[WARM:]) <= MOST_BYTES
