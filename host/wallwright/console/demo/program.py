"""The simulated hall of `wallwright serve --demo`, as a program of its own: it shares nothing with the server.

Its tables are set to the game of a ruleset, and bots play it. Where winners move on they play their deals together.

Before it is opened its tables have been played at for EARLIER_MS, with a host, as any hall. It writes JSON lines to its
standard output: first the ports and units of its tables and when it was opened, then a list of what was said at them
and what their boards told before, in its order, then what is said now. A line `mend N` on its standard input has
somebody put right what is wrong at table N (from 0); it ends when that is closed.
"""

import heapq
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any

from ...clocks import wall_ms
from ...doctor.upkeep import change_settings
from ...event.format import WINNERS
from ...journal.kinds import read_record
from ...link.reports import Event
from ...link.simulator import simulated_table, simulator
from ...rules.core.game_rules import GameRules
from ...rules.found import as_game, find_rules
from ...system.signals import leave_to_parent
from ...table.next_walls import SCORE_KINDS, ScoredDeals
from ...table.operated import Operated, ScoredLog
from ...table.table import open_table
from .bots import Bots

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
UNPLAYED = 4
"""The table at which no deal begins before somebody helps; nobody else would go on where winners move."""
FIRST_S = (4, 8, 12, 35, 60, 100)
"""When it does, in the order of `FAULTS`."""


def main() -> None:
    """Be a hall of so many tables until the standard input ends: `demo.program TABLES SEED RULESET STAY|WINNERS`."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rules, together = find_rules(sys.argv[3]), sys.argv[4] == WINNERS
    setup = as_game(rules).game.table(as_game(rules).asked({}))
    chance = Random(f"hall {seed}")
    is_open = [False]
    tables: list[_Table] = []
    earlier: list[dict[str, Any]] = []

    def may_go_on(deals: int) -> bool:
        return not together or all(one.bots.deals >= deals or one.bots.left for one in tables)

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
        if number in FAULTS and not (together and number == UNPLAYED):
            text = FAULTS[number].format(earlier_ms / 1000 + delays[number])
            faults = tuple(simulator("faults").load_faults(text))
        simulation = simulated_table(seed * 100 + number, setup.tiles, faults=faults, wash_s=None)
        say = partial(tell, number, partial(_before_ms, simulation, earlier_ms))
        table = _Table(say, simulation, as_game(rules), earlier_ms)
        table.bots = Bots(simulation, seed * 100 + number, rules, table.say, may_go_on)
        tables.append(table)
    _play(tables, setup.dice)
    simulations = [table.simulation for table in tables]
    hall = simulator("hall").Hall(simulations, [table.bots for table in tables])
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
    """One table until the hall is opened: the log of its host, and of its people's score sheet.

    It is played at for `earlier_ms` of its own time before that.
    """

    bots: Bots

    def __init__(
        self, tell: Callable[[str, Mapping[str, Any]], None], simulation: Any, rules: GameRules, earlier_ms: int
    ) -> None:
        self.simulation = simulation
        self._tell = tell
        self._scored = ScoredDeals(rules)
        self._earlier_ms = earlier_ms

    @property
    def due_ms(self) -> int:
        """When its people act next; the hall is opened at 0."""
        return self.bots.due_ms - self._earlier_ms

    @contextmanager
    def operated(self, dice: int) -> Iterator[Operated]:
        """Have a host that sets it to so many dice; when that is over, what is said is told alone."""
        simulation = self.simulation
        port = simulator("simulation").attach(simulation.unit, simulation)
        with open_table(port, journal=ScoredLog(self, self._scored)) as table:
            if table.last_status.dice_count != dice:
                change_settings(table, {"dice_count": dice})
            operated = Operated(table, lambda: self._scored.coming)
            yield operated
            operated.run(self._earlier_ms - simulation.now_ms)

    def act(self, operated: Operated) -> None:
        """Let its people do what is due next."""
        operated.run(self.bots.due_ms - self.simulation.now_ms)
        self.bots.act()

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


def _play(tables: Sequence[_Table], dice: int) -> None:
    """Let bots play at all tables until the hall is opened, always where they are furthest behind."""
    with ExitStack() as stack:
        hosts = [stack.enter_context(table.operated(dice)) for table in tables]
        waiting = [(table.due_ms, number) for number, table in enumerate(tables)]
        heapq.heapify(waiting)
        while waiting[0][0] < 0:
            _, number = heapq.heappop(waiting)
            tables[number].act(hosts[number])
            heapq.heappush(waiting, (tables[number].due_ms, number))


def _before_ms(simulation: Any, open_ms: int) -> int:
    """The table's time as what it is before the hall is opened, when that table's clock will be at `open_ms`."""
    return int(simulation.now_ms) - open_ms


def _read_orders(orders: list[int]) -> None:
    orders.extend(int(line.split()[1]) for line in sys.stdin)
    os._exit(0)


if __name__ == "__main__":
    leave_to_parent()
    main()
