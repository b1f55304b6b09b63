"""The simulated hall of `wallwright serve --demo`, as a program of its own: it shares nothing with the server.

It writes JSON lines to its standard output: first the ports and units of its tables and when it was opened, then a list
of what was said at them before, in its order, then what is said now. A line `mend N` on its standard input has somebody
put right what is wrong at table N (from 0); it ends when that is closed.
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from ...simulated import simulator
from ...wall_clock import wall_ms
from .bots import Bots

EARLIER_MS = 1_200_000
"""So long the hall has been played at when it is opened."""
LATE_MS = 60_000
"""Nobody is later at a table than this."""
STEP_S = 0.1
FAULTS = {
    1: "jam lane 2 at {:.1f} s until cleared frees 0 %",
    4: "tile 30 missing",
    6: "key 1 referee stuck at {:.1f} s for 0.5 s",
    8: "eye 3 count dead at {:.1f} s",
    9: "host silent at {:.1f} s for 40.0 s",
    10: "press emergency stop at {:.1f} s",
}
"""What goes wrong at which table, some time after the hall was opened."""
FIRST_S = (4, 8, 12, 35, 60, 100)
"""When it does, in the order of `FAULTS`."""


def main() -> None:
    """Be a hall of so many tables until the standard input ends: `demo.program TABLES SEED`."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = Random(f"hall {seed}")
    is_open = [False]
    simulations = []
    people = []
    earlier: list[dict[str, Any]] = []
    walls: dict[int, dict[str, Any]] = {}

    def tell(number: int, before_ms: Callable[[], int], kind: str, body: Mapping[str, Any]) -> None:
        told = {"table": number, "kind": kind, **body}
        if is_open[0]:
            print(json.dumps(told), flush=True)
        elif kind == "wall":
            walls[number] = told
        else:
            earlier.append({**told, "at_ms": before_ms()})

    delays = dict(zip(FAULTS, FIRST_S, strict=True))
    for number in range(count):
        earlier_ms = EARLIER_MS - chance.randrange(LATE_MS)
        faults = ()
        if number in FAULTS:
            text = FAULTS[number].format(earlier_ms / 1000 + delays[number])
            faults = tuple(simulator("faults").load_faults(text))
        simulation = simulator("simulation").Simulation(seed * 100 + number, faults=faults)
        before_ms = partial(_before_ms, simulation, earlier_ms)
        bots = Bots(simulation, seed * 100 + number, 0, partial(tell, number, before_ms))
        while bots.due_ms < earlier_ms:
            simulation.run_until(max(simulation.now_ms, bots.due_ms))
            bots.act()
        simulation.run_until(max(simulation.now_ms, earlier_ms))
        simulations.append(simulation)
        people.append(bots)
    hall = simulator("hall").Hall(simulations, people)
    is_open[0] = True
    open_ms = wall_ms()
    told = sorted(({**one, "at_ms": open_ms + one["at_ms"]} for one in earlier), key=lambda one: int(one["at_ms"]))
    opening = {"ports": hall.ports, "units": [one.unit for one in simulations], "open_ms": open_ms}
    print(json.dumps(opening), json.dumps([*told, *walls.values()]), sep="\n", flush=True)
    orders: list[int] = []
    threading.Thread(target=_read_orders, args=(orders,), daemon=True).start()
    while True:
        hall.step(STEP_S)
        while orders:
            number = orders.pop()
            simulations[number].injection.mend()
            simulations[number].world.emergency_stop(False)


def _before_ms(simulation: Any, open_ms: int) -> int:
    """The table's time as what it is before the hall is opened, when that table's clock will be at `open_ms`."""
    return int(simulation.now_ms) - open_ms


def _read_orders(orders: list[int]) -> None:
    orders.extend(int(line.split()[1]) for line in sys.stdin)
    os._exit(0)


if __name__ == "__main__":
    main()
