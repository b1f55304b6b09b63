"""A host's wire to an emulated board on which frames get lost, damaged, doubled and late, and which is pulled out."""

import random
from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import Any

from tests.link_failures.bad_line import BadLine
from wallwright.errors import LinkError
from wallwright.link.connection import Connection
from wallwright.link.ports import Transport
from wallwright.link.reports import Event
from wallwright.link.transport import open_transport
from wallwright.table.table import Table
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.simulation import Simulation, attach

UNPLUGGED = PAUSES = 0.06
"""After a call the link is pulled out for up to 8 s, or the host looks at nothing for as long."""
HOSTS = 0.04
"""After a call another host takes the table over."""
_names = count()


class BadWire:
    """A transport whose frames go through a bad line each way, until it is `sound`."""

    def __init__(self, transport: Transport, rng: random.Random) -> None:
        self.name = transport.name
        self.up, self.down = BadLine(rng), BadLine(rng)
        self.sound = False
        self._transport = transport
        self._rest = b""

    def read(self, timeout_ms: int) -> bytes:
        *frames, self._rest = (self._rest + self._transport.read(timeout_ms)).split(b"\0")
        return b"".join(piece for frame in frames for piece in self._carry(self.down, frame + b"\0"))

    def write(self, data: bytes) -> None:
        for frame in data.split(b"\0")[:-1]:
            for piece in self._carry(self.up, frame + b"\0"):
                self._transport.write(piece)

    def close(self) -> None:
        self._transport.close()

    def now_ms(self) -> int:
        return self._transport.now_ms()

    def wall_ms(self) -> int:
        return self._transport.wall_ms()

    def _carry(self, line: BadLine, frame: bytes) -> list[bytes]:
        return [frame] if self.sound or len(frame) < 2 else line.carry(frame)


class Kept:
    """A journal in memory, which fails when one host hands an event over twice."""

    def __init__(self) -> None:
        self.events: dict[int, dict[int, Event]] = {}
        self.by_this_host: set[tuple[int, int]] = set()

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        assert event.lost == 0, f"{event.lost} events were lost before {event}"
        assert (event.boot_id, event.seq) not in self.by_this_host, f"twice: {event}"
        self.by_this_host.add((event.boot_id, event.seq))
        return int(self.events.setdefault(event.boot_id, {}).setdefault(event.seq, event) is event)

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        return 1


class Day:
    """A table at rest at which referees are called, while its link fails in every way; all is counted."""

    def __init__(self, simulation: ChipSimulation | Simulation, rng: random.Random) -> None:
        self.simulation = simulation
        self.kept = Kept()
        self.called: list[int] = []
        self.ends: Counter[str] = Counter()
        self.unplugged = self.pauses = self.hosts = 0
        self.fates: dict[str, int] = {}
        self.frames = 0
        self._rng = rng
        self.wire: BadWire
        self.table = self.start_host()

    def start_host(self) -> Table:
        """Another host takes the table over."""
        self.hosts += 1
        self.kept.by_this_host.clear()
        while True:
            port = attach(f"day-{next(_names)}", self.simulation)
            self.wire = BadWire(open_transport(port), self._rng)
            try:
                return Table(Connection(self.wire), self.kept)
            except LinkError as error:
                self.end(error)

    def end(self, error: LinkError) -> None:
        """A host has ended, or begins anew."""
        self.ends[type(error).__name__] += 1
        self.count()

    def count(self) -> None:
        """Add up what the wire has done."""
        for line in (self.wire.up, self.wire.down):
            self.frames += line.frames
            line.frames = 0
            for fate, times in line.fates.items():
                self.fates[fate] = self.fates.get(fate, 0) + times
            line.fates.clear()

    def told(self) -> str:
        """What there was, for the record."""
        return (
            f"{self.simulation.now_ms / 60_000:.1f} min of the table's time, {len(self.called)} calls, {self.frames} "
            f"frames {self.fates}, {self.unplugged} unplugged, {self.pauses} pauses, {self.hosts} hosts, "
            f"{dict(self.ends)}"
        )

    def act(self) -> None:
        """Something happens at the table, and something to its link."""
        rng, now_ms = self._rng, self.simulation.now_ms
        side = rng.randrange(4)
        self.called.append(side)
        self.simulation.later(now_ms + rng.randrange(200), lambda: self.simulation.players.press_referee(side))
        self.simulation.run_until(now_ms + 400)
        what = rng.random()
        if what < UNPLUGGED:
            self.unplug(rng.randrange(500, 8000))
        elif what < UNPLUGGED + PAUSES:
            self.pauses += 1
            self.simulation.run_until(self.simulation.now_ms + rng.randrange(500, 8000))
        elif what < UNPLUGGED + PAUSES + HOSTS:
            self.table.close()
            self.count()
            self.table = self.start_host()
        self.living(rng.randrange(1500))

    def unplug(self, for_ms: int) -> None:
        """No byte passes for so long, while the host goes on."""
        self.unplugged += 1
        self.simulation.silence(True)
        self.simulation.later(self.simulation.now_ms + for_ms, lambda: self.simulation.silence(False))
        self.living(for_ms)

    def living(self, for_ms: int) -> None:
        """The host listens, asks, and begins anew whenever that fails."""
        until = self.simulation.now_ms + for_ms
        while self.simulation.now_ms < until:
            try:
                self.table.status()
                self.table.pump(until - self.simulation.now_ms)
            except LinkError as error:
                self.end(error)
                self.meet_again()

    def meet_again(self) -> None:
        """Shake hands until the board answers."""
        while True:
            try:
                self.table.reconnect()
            except LinkError as error:
                self.end(error)
            else:
                return

    def settle(self) -> None:
        """Let everything arrive on a sound wire, and hold it against what has happened."""
        self.wire.sound = True
        self.simulation.silence(False)
        self.living(5000)
        self.count()
        (events,) = self.kept.events.values()
        assert list(events) == list(range(1, len(events) + 1)), "in their order, none left out"
        assert len(events) == self.table.status().newest_event
        told = [event.fields["side"] for event in events.values() if event.name == "referee_called"]
        assert told == self.called
