"""The simulated hall of `wallwright serve --demo`, as a program of its own: it shares nothing with the server.

Before it is opened its tables have been played at for EARLIER_MS, with a host, as any hall. It writes JSON lines to its
standard output: first the ports and units of its tables and when it was opened, then a list of what was said at them
and what their boards told before, in its order, then what is said now. A line `mend N` on its standard input has
somebody put right what is wrong at table N (from 0); it ends when that is closed.
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any

from ...clocks import wall_ms
from ...journal.kinds import read_record
from ...link.reports import Event
from ...link.simulator import simulator
from ...rules.core.game_rules import preset_rules
from ...system.signals import leave_to_parent
from ...table.next_walls import SCORE_KINDS, ScoredDeals
from ...table.operated import Operated, ScoredLog
from ...table.table import open_table
from .bots import RULES, Bots

EARLIER_MS = 1_200_000
"""The hall has been played at for this long when it is opened."""
EVENT = "event"
"""What a board has told before the hall was opened; the score sheets tell the rest."""
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

    def tell(number: int, before_ms: Callable[[], int], kind: str, body: Mapping[str, Any]) -> None:
        told = {"table": number, "kind": kind, **body}
        if is_open[0]:
            print(json.dumps(told), flush=True)
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
        table = _Table(partial(tell, number, partial(_before_ms, simulation, earlier_ms)))
        bots = Bots(simulation, seed * 100 + number, 0, table.say)
        table.play(simulation, bots, earlier_ms)
        simulations.append(simulation)
        people.append(bots)
    hall = simulator("hall").Hall(simulations, people)
    is_open[0] = True
    open_ms = wall_ms()
    told = sorted(({**one, "at_ms": open_ms + one["at_ms"]} for one in earlier), key=lambda one: int(one["at_ms"]))
    opening = {"ports": hall.ports, "units": [one.unit for one in simulations], "open_ms": open_ms}
    print(json.dumps(opening), json.dumps(told), sep="\n", flush=True)
    orders: list[int] = []
    threading.Thread(target=_read_orders, args=(orders,), daemon=True).start()
    while True:
        hall.step(STEP_S)
        while orders:
            number = orders.pop()
            simulations[number].injection.mend()
            simulations[number].world.emergency_stop(False)


class _Table:
    """One table until the hall is opened: the log of its host, and of its people's score sheet."""

    def __init__(self, tell: Callable[[str, Mapping[str, Any]], None]) -> None:
        self._tell = tell
        self._scored = ScoredDeals(preset_rules(RULES))

    def play(self, simulation: Any, bots: Bots, for_ms: int) -> None:
        """Let bots play so long, with a host; from then on what is said is told alone."""
        port = simulator("simulation").attach(simulation.unit, simulation)
        with open_table(port, journal=ScoredLog(self, self._scored)) as table:
            operated = Operated(table, lambda: self._scored.coming)
            while bots.due_ms < for_ms:
                operated.run(bots.due_ms - simulation.now_ms)
                bots.act()
            operated.run(for_ms - simulation.now_ms)

    def say(self, kind: str, body: Mapping[str, Any]) -> None:
        """Something is said at the table."""
        self._tell(kind, body)
        if kind in SCORE_KINDS:
            self._scored.see(read_record(kind, body))

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:  # noqa: ARG002 (told with another clock)
        """See `wallwright.link.event_log.EventLog`."""
        self._tell(EVENT, {"unit": unit, "event": asdict(event)})
        return event.seq

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:  # noqa: ARG002
        """See `wallwright.link.event_log.EventLog`; the number of the record is not known here."""
        self._tell(kind, {**body, "unit": unit})
        return 0


def _before_ms(simulation: Any, open_ms: int) -> int:
    """The table's time as what it is before the hall is opened, when that table's clock will be at `open_ms`."""
    return int(simulation.now_ms) - open_ms


def _read_orders(orders: list[int]) -> None:
    orders.extend(int(line.split()[1]) for line in sys.stdin)
    os._exit(0)


if __name__ == "__main__":
    leave_to_parent()
    main()
