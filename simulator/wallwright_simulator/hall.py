"""A hall of simulated tables in one process and one thread, in real time, each behind a port of its own.

People play at them: they press the keys that the panels ask for and move the tiles, one deal after another. A table
that has nothing to do costs nothing until something is due.
"""

import heapq
import selectors
import time
from collections.abc import Callable, Sequence

from wallwright_protocol.hardware import SIDES
from wallwright_protocol.link import NEVER

from .serve import TcpWire, Wire
from .simulation import Simulation

_Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""It goes by numbers of descriptors, which come back for another host; `epoll` would forget one that was closed."""
LOOK_MS = 500
"""People look at their panel this often, in the table's time."""


def tcp_wire() -> Wire:
    """Return a TCP port of this machine that nobody has."""
    return TcpWire(0, say=lambda _: None)


class People:
    """Four people who play one deal after another, each `deal_ms` of the table's time long.

    They start with the table's next `READY` or `START?` after `first_ms`.
    """

    def __init__(self, simulation: Simulation, deal_ms: int, first_ms: int = 0) -> None:
        self.due_ms = simulation.now_ms + first_ms
        self.deals = 0
        self._simulation = simulation
        self._deal_ms = deal_ms
        self._seat = 0

    def act(self) -> None:
        """Do what the panel asks for, if anything; then look again at `due_ms`."""
        simulation = self._simulation
        players = simulation.players
        self.due_ms = simulation.now_ms + LOOK_MS
        shown = simulation.board.displays[0]
        if shown in ("START?", "READY", "TILE?"):
            players.press_lift(self._seat)
        elif shown == "DROP":
            players.push_in()
            players.press_lift(self._seat)
        elif shown == "DICE?":
            if any(head.carrier for head in simulation.world.heads):
                players.draw_in()
                self._seat = (self._seat + 1) % SIDES
                self.deals += 1
            players.press_dice(self._seat)
        elif self._has_rolled(shown):
            self.due_ms = simulation.now_ms + self._deal_ms

    @staticmethod
    def _has_rolled(shown: str) -> bool:
        words = shown.split()
        return len(words) == 2 and all(word.isdecimal() for word in words)


class Hall:
    """Serves `simulations`, `pace` times as fast as real tables, each with `people` or alone.

    `new_wire` makes the port of one table.
    """

    def __init__(
        self,
        simulations: Sequence[Simulation],
        people: Sequence[People] | None = None,
        pace: float = 1.0,
        new_wire: Callable[[], Wire] = tcp_wire,
    ) -> None:
        self.simulations = tuple(simulations)
        self.people = tuple(people or ())
        self._pace = pace
        self._new_wire = new_wire
        self._wires = [new_wire() for _ in simulations]
        self._start_s = time.monotonic()
        self._start_ms = [simulation.now_ms for simulation in simulations]
        self._selector = _Selector()
        self._handles: list[list[int]] = [[] for _ in simulations]
        self._due: list[tuple[float, int]] = []
        self._next: list[float] = [-1.0 for _ in simulations]
        for index in range(len(self.simulations)):
            self._watch(index)
            self._catch_up(index)

    @property
    def ports(self) -> tuple[str, ...]:
        """What hosts open, in the order of the tables."""
        return tuple(wire.name for wire in self._wires)

    def replug(self, index: int) -> None:
        """Take a table's port away and give it another one, as when a cable is pulled and put into another socket."""
        wire = self._new_wire()
        for handle in self._handles[index]:
            self._selector.unregister(handle)
        self._handles[index] = []
        self._wires[index].close()
        self._wires[index] = wire
        self._watch(index)

    def step(self, limit_s: float) -> None:
        """Wait until something happens, for `limit_s` at the most, and let the tables catch up with the time."""
        due = self._due[0][0] if self._due else NEVER
        wait_s = min(limit_s, max(0.0, due - self._now_s()))
        ready = {key.data for key, _ in self._selector.select(wait_s)}
        for index in ready:
            self.look(index)
        now = self._now_s()
        while self._due and self._due[0][0] <= now:
            due, index = heapq.heappop(self._due)
            if due == self._next[index]:
                self._catch_up(index)

    def look(self, index: int) -> None:
        """Let a table catch up, with what has come on its wire; needed when something was done to wire or table."""
        self._catch_up(index)
        data = self._wires[index].read()
        if data:
            self.simulations[index].write(data)
        self._watch(index)
        self._catch_up(index)

    def close(self) -> None:
        """Hang up and stop listening."""
        for wire in self._wires:
            wire.close()

    def _now_s(self) -> float:
        return time.monotonic() - self._start_s

    def _watch(self, index: int) -> None:
        """Wait for the descriptors that the wire has now."""
        handles = self._wires[index].handles()
        if handles == self._handles[index]:
            return
        for handle in set(self._handles[index]) - set(handles):
            self._selector.unregister(handle)
        for handle in set(handles) - set(self._handles[index]):
            self._selector.register(handle, selectors.EVENT_READ, index)
        self._handles[index] = handles

    def _catch_up(self, index: int) -> None:
        simulation = self.simulations[index]
        people = self.people[index] if self.people else None
        now_ms = self._start_ms[index] + int(self._now_s() * 1000 * self._pace)
        while people is not None and people.due_ms <= now_ms:
            simulation.run_until(max(people.due_ms, simulation.now_ms))
            people.act()
        simulation.run_until(max(now_ms, simulation.now_ms))
        data = simulation.read()
        if data:
            self._wires[index].write(data)
            # A write may find the host gone. Its descriptor's number is free from then on, for another table's host.
            self._watch(index)
        next_ms = min(simulation.next_ms(), people.due_ms if people else NEVER)
        # Up to the next whole millisecond: a wait cut short would be repeated with nothing to do.
        due = (next_ms + 1 - self._start_ms[index]) / 1000 / self._pace
        if due != self._next[index]:
            self._next[index] = due
            heapq.heappush(self._due, (due, index))
