"""A table with readers at which bots play, its host being a hall in threads of its own, behind a TCP port.

The board is never further ahead than what its host has acknowledged: nothing depends on how fast this machine is.
"""

import select
import time
from collections.abc import Callable

from wallwright.fleet import Change, Fleet
from wallwright_simulator.serve import TcpWire
from wallwright_simulator.simulation import Simulation

from .served import LIMIT_S, stored

STEP_MS = 250


class FarTable:
    """The only table of `fleet`; `pump` lets its time pass."""

    def __init__(self, simulation: Simulation) -> None:
        self.wire = TcpWire(0, say=lambda _: None)
        self.fleet: Fleet | None = None
        self.changes: list[Change] = []
        self._simulation = simulation
        self._told = 0

    def pump(self, timeout_ms: int) -> None:
        end = self._simulation.now_ms + timeout_ms
        while self._simulation.now_ms < end:
            self._step(min(STEP_MS, end - self._simulation.now_ms))

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
        # Of readers' events nobody is told.
        [keeper] = self._fleet._keepers.values()
        self._told = max(self._told, keeper.follower.shown)
