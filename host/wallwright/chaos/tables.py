"""The tables of the rehearsal: the real firmware on modelled mechanics, people who play, a wire that can fail.

All are in this process and one thread, in real time or up to four times as fast; their host is elsewhere.
"""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from wallwright_protocol.codec import EVENTS
from wallwright_protocol.codes import WATCHDOG_RESET

from ..link.simulator import simulator
from ..rules.sichuan.declared import DeclaredDeal
from ..rules.sichuan.ruleset import Ruleset
from . import schedule
from .check import BoardRun, Happened, Seen
from .people import People
from .schedule import Fault

EARLIER_MS = 60_000
"""Tables have been played at, without a host, for up to so long when it begins."""
DEAL_MS = 25_000
SEEDS = 100
CALL_AGAIN_S = 0.5
"""Somebody who calls the referee and is not heard presses the key again."""
CALL = "referee_called"


class Tables:
    """`count` tables; everything about them but the network's and hosts' timing follows from `seed`.

    `declare(table, deal)` hears of every deal that is over, by the table's number from 1.
    """

    def __init__(
        self, count: int, seed: int, pace: float, ruleset: Ruleset, declare: Callable[[int, DeclaredDeal], None]
    ) -> None:
        simulation, truth, bad_wire = simulator("simulation"), simulator("truth"), simulator("bad_wire")
        chance = Random(f"tables {seed}")
        self._truths: list[Any] = [truth.Truth() for _ in range(count)]
        self.simulations: list[Any] = [
            simulation.Simulation(seed * SEEDS + number, firmware=one.firmware, wash_s=None)
            for number, one in enumerate(self._truths)
        ]
        self._people = [
            People(one, number, ruleset, DEAL_MS, _at(number, declare)) for number, one in enumerate(self.simulations)
        ]
        for one, people in zip(self.simulations, self._people, strict=True):
            until_ms = chance.randrange(EARLIER_MS)
            while people.due_ms < until_ms:
                one.run_until(people.due_ms)
                people.act()
        wires: list[Any] = []

        def new_wire() -> Any:
            wires.append(bad_wire.BadWire(Random(f"wire {seed} {len(wires)}")))
            return wires[-1]

        self._hall: Any = simulator("hall").Hall(self.simulations, self._people, pace, new_wire)
        self._wires: Sequence[Any] = wires
        self._pace = pace
        self._calls: dict[int, tuple[Any, int, float]] = {}

    @property
    def ports(self) -> tuple[str, ...]:
        """What hosts open."""
        return tuple(self._hall.ports)

    @property
    def units(self) -> tuple[str, ...]:
        """What the boards call themselves."""
        return tuple(one.unit for one in self.simulations)

    def step(self, limit_s: float) -> None:
        """Let the tables go on, for so long at the most when nothing happens."""
        now_s = time.monotonic()
        due_s = min(wire.due_s for wire in self._wires)
        self._hall.step(max(0.0, min(limit_s, due_s - now_s)))
        now_s = time.monotonic()
        for number, wire in enumerate(self._wires):
            if wire.due_s <= now_s:
                self._hall.look(number)

    def begin(self, fault: Fault) -> None:
        """Let a fault of a board or of its network begin; it ends by itself."""
        assert fault.table is not None
        simulation, wire = self.simulations[fault.table], self._wires[fault.table]
        actions: dict[str, Callable[[], None]] = {
            schedule.POWER_CUT: lambda: simulation.cut_power(int(fault.for_s * 1000 * self._pace)),
            schedule.WATCHDOG: lambda: simulation.cut_power(simulator("power").START_MS, WATCHDOG_RESET),
            schedule.RESET: wire.reset,
            schedule.UNPLUG: lambda: wire.unplug(fault.for_s),
            schedule.DARK: lambda: wire.go_dark(fault.for_s),
            schedule.LOSE: lambda: wire.lose(fault.amount, fault.for_s),
            schedule.SPOIL: lambda: wire.spoil(fault.amount, fault.for_s),
            schedule.DELAY: lambda: wire.delay(fault.amount, fault.for_s),
        }
        if not (fault.kind in schedule.BOARD and not self._has_power(fault.table)):
            actions[fault.kind]()
        self._hall.look(fault.table)

    def call_referee(self, number: int) -> None:
        """Have a player of a table call the referee; see `is_heard`."""
        run = self._truths[number].runs[-1]
        self._calls[number] = (run, run.newest, 0.0)

    def is_heard(self, number: int) -> bool:
        """Whether that call has come into a journal, as the board was told; people press again until it was taken."""
        run, newest, pressed_s = self._calls[number]
        if run is not self._truths[number].runs[-1]:
            run = self._truths[number].runs[-1]
            self._calls[number] = (run, 0, 0.0)
            return False
        for seq in range(newest + 1, run.newest + 1):
            if EVENTS[run.events[seq].message].name == CALL:
                return bool(run.stored >= seq)
        if self._has_power(number) and time.monotonic() - pressed_s >= CALL_AGAIN_S:
            self._calls[number] = (run, newest, time.monotonic())
            self.simulations[number].players.press_referee(0)
            self._hall.look(number)
        return False

    def rest(self) -> None:
        """Have nobody play any more."""
        for people in self._people:
            people.rest()

    @property
    def is_handed_over(self) -> bool:
        """Whether every board has handed over all that it has."""
        return all(truth.runs[-1].stored == truth.runs[-1].newest for truth in self._truths)

    @property
    def events(self) -> int:
        """How many events there have been."""
        return sum(len(run.events) for truth in self._truths for run in truth.runs)

    def runs(self) -> list[BoardRun]:
        """Return what happened at the boards."""
        return [
            BoardRun(
                simulation.unit,
                run.boot_id,
                {seq: Happened(told.time_ms, told.message, told.payload) for seq, told in run.events.items()},
                frozenset(run.acknowledged),
            )
            for simulation, truth in zip(self.simulations, self._truths, strict=True)
            for run in truth.runs
        ]

    def seen(self) -> list[Seen]:
        """Return what the people saw."""
        pairs = zip(self.simulations, self._people, strict=True)
        return [Seen(one.unit, tuple(people.saw), people.drawn) for one, people in pairs]

    def close(self) -> None:
        """Hang up."""
        self._hall.close()

    def _has_power(self, number: int) -> bool:
        return hasattr(self.simulations[number].app, "events")


def _at(number: int, declare: Callable[[int, DeclaredDeal], None]) -> Callable[[DeclaredDeal], None]:
    return lambda deal: declare(number + 1, deal)
