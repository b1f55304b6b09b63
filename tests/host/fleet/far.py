"""A table with readers at which bots play, its host being a hall in threads of its own, behind a TCP port.

The board is never further ahead than what its host has acknowledged: nothing depends on how fast this machine is.
"""

import select
import time
from collections.abc import Callable, Sequence
from typing import Any

from wallwright.fleet import Change, Fleet
from wallwright.table import Table
from wallwright.values import Event, Info
from wallwright_simulator.serve import TcpWire
from wallwright_simulator.simulation import Simulation

from .served import LIMIT_S, stored

STEP_MS = 250


class FarTable:
    """What `PlayedTable` needs of a table, done through the only table of `fleet`."""

    def __init__(self, simulation: Simulation) -> None:
        self.wire = TcpWire(0, say=lambda _: None)
        self.fleet: Fleet | None = None
        self.changes: list[Change] = []
        self._simulation = simulation
        self._unread: list[Event] = []
        self._state = "idle"
        self._told = 0

    @property
    def info(self) -> Info:
        info = self._fleet.state().tables[0].info
        assert info is not None
        return info

    @property
    def state(self) -> str:
        return self._state

    def set_plan(self, plan: Sequence[int], dealer: int = 0, hold: bool = False) -> None:
        self._call(lambda table: table.set_plan(plan, dealer, hold))

    def start_build(self) -> None:
        self._call(lambda table: table.start_build())

    def wall_ms(self) -> int:
        return self._simulation.now_ms

    def pump(self, timeout_ms: int) -> None:
        end = self._simulation.now_ms + timeout_ms
        while self._simulation.now_ms < end:
            self._step(min(STEP_MS, end - self._simulation.now_ms))

    def wait_state(self, state: str, timeout_ms: int) -> None:
        self._until(lambda: self.state == state, timeout_ms)

    def wait_for(self, name: str, timeout_ms: int) -> Event:
        self._until(lambda: any(event.name == name for event in self._unread), timeout_ms)
        while (event := self._unread.pop(0)).name != name:
            pass
        return event

    def until(self, fits: Callable[[], bool]) -> None:
        """Serve the port, the table being no faster than a real one, until this is so."""
        end = time.monotonic() + LIMIT_S
        while not fits():
            assert time.monotonic() < end, self.changes[-5:]
            ready, _, _ = select.select(self.wire.handles(), (), (), 0.005)
            if not ready:
                self._simulation.run_until(self._simulation.now_ms + 5)
            self._exchange()

    def meet(self, fleet: Fleet) -> None:
        """Be found by this hall."""
        self.fleet = fleet
        self._take_news()
        self.until(lambda: fleet.state().tables[0].link == "connected" and self._is_stored())
        self._told = stored(self._simulation)[1]

    def lose_link(self) -> None:
        """Hang up in the middle of everything, and be found again."""
        since = len(self.changes)
        self.wire._hang_up()
        kinds = ("searching", "report", "connected")
        self.until(lambda: {change.kind for change in self.changes[since:]}.issuperset(kinds) and self._is_stored())

    @property
    def _fleet(self) -> Fleet:
        assert self.fleet is not None
        return self.fleet

    def _until(self, fits: Callable[[], bool], timeout_ms: int) -> None:
        end = self._simulation.now_ms + timeout_ms
        while not fits():
            assert self._simulation.now_ms < end, (self.state, self.changes[-5:])
            self._step(STEP_MS)

    def _call(self, action: Callable[[Table], Any]) -> None:
        future = self._fleet.call(self._fleet.state().tables[0].name, action)
        self.until(future.done)
        future.result()

    def _step(self, for_ms: int) -> None:
        self._simulation.run_until(self._simulation.now_ms + for_ms)
        self._exchange()
        self.until(lambda: self._is_stored() and self._told == stored(self._simulation)[1])

    def _is_stored(self) -> bool:
        return len(set(stored(self._simulation))) == 1

    def _exchange(self) -> None:
        simulation = self._simulation
        self.wire.write(simulation.read())
        data = self.wire.read()
        if data:
            simulation.write(data)
            simulation.run_until(simulation.now_ms + 2)
            self.wire.write(simulation.read())
        self._take_news()

    def _take_news(self) -> None:
        for change in self._fleet.news.take(0) or ():
            self.changes.append(change)
            if change.kind == "event":
                event = change.body["event"]
                self._unread.append(event)
                self._told = max(self._told, event.seq)
                if event.name == "state_changed":
                    self._state = event.fields["state"]
