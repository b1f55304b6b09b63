"""A real port with a simulated table behind it whose time passes while the port is read.

The bytes cross a pseudo-terminal or a TCP connection, opened as any program opens it; how fast or busy this machine is
makes no difference to the table.
"""

import select

from wallwright.link.transport import open_transport
from wallwright_simulator.serve import Wire
from wallwright_simulator.simulation import Simulation

CROSSING_MS = 10_000
"""Bytes that have not come out at the other end by then are lost."""
CHUNK = 1024
"""What every kernel's buffer takes at once."""


class Stepped:
    """A `wallwright.link.transport.Transport`."""

    def __init__(self, simulation: Simulation, wire: Wire) -> None:
        self.name = wire.name
        self._simulation = simulation
        self._wire = wire
        self._transport = open_transport(wire.name)
        # A TCP port accepts its host when it is read.
        assert wire.read() == b""

    def write(self, data: bytes) -> None:
        """Send all of `data`; it has reached the table's end when this returns."""
        self._transport.write(data)
        arrived = b""
        while len(arrived) < len(data):
            assert select.select(self._wire.handles(), [], [], CROSSING_MS / 1000)[0], "bytes were lost on the way up"
            arrived += self._wire.read()
        assert arrived == data
        self._simulation.write(arrived)

    def read(self, timeout_ms: int) -> bytes:
        """Let the table's time pass until it says something, or that long; return what it said."""
        simulation = self._simulation
        simulation.run_until_output(simulation.now_ms + timeout_ms)
        arrived = b""
        while simulation.waiting():
            data = simulation.read(CHUNK)
            self._wire.write(data)
            got = b""
            while len(got) < len(data):
                piece = self._transport.read(CROSSING_MS)
                assert piece, "bytes were lost on the way down"
                got += piece
            assert got == data
            arrived += got
        return arrived

    def close(self) -> None:
        """Close both ends."""
        self._transport.close()
        self._wire.close()

    def now_ms(self) -> int:
        """The table's time."""
        return self._simulation.now_ms

    def wall_ms(self) -> int:
        """Likewise."""
        return self.now_ms()
