"""What the tests of single failures share: simulated tables behind wires that fail, and what their motors did."""

from collections.abc import Callable
from itertools import count, pairwise

from wallwright.link.connection import Connection
from wallwright.link.ports import Transport
from wallwright.link.reports import Event
from wallwright.link.transport import open_transport
from wallwright.table.table import Table, open_table
from wallwright_protocol.frame import Decoder
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World

WALLS_MS = 60_000
"""In this time any of a table's works is done."""
_names = count()


class Spoilt:
    """A transport whose frames go through `up` and `down`, which return what arrives instead: nothing, or twice."""

    def __init__(self, transport: Transport) -> None:
        self.name = transport.name
        self.up: Callable[[bytes], bytes] = bytes
        self.down: Callable[[bytes], bytes] = bytes
        self._transport = transport

    def read(self, timeout_ms: int) -> bytes:
        return b"".join(self.down(frame) for frame in frames(self._transport.read(timeout_ms)))

    def write(self, data: bytes) -> None:
        for frame in frames(data):
            self._transport.write(self.up(frame))

    def close(self) -> None:
        self._transport.close()

    def now_ms(self) -> int:
        return self._transport.now_ms()

    def wall_ms(self) -> int:
        return self._transport.wall_ms()


def frames(data: bytes) -> list[bytes]:
    """The frames in whole ones, each with its end; a simulated port hands out no half ones."""
    *whole, rest = data.split(b"\0")
    assert not rest
    return [frame + b"\0" for frame in whole]


def body(frame: bytes) -> bytes:
    """What is in a good frame."""
    (found,) = Decoder().feed(frame)
    return found


def logged_world(seed: int) -> World:
    """A world that keeps its drives' history."""
    return World(seed, log_drives=True)


def spoilt_table(simulation: Simulation) -> tuple[Table, Spoilt]:
    """A host on a wire that can be spoilt; it has met the table already."""
    wire = Spoilt(open_transport(attach(f"failing-{next(_names)}", simulation)))
    return Table(Connection(wire)), wire


def all_events(table: Table) -> tuple[Event, ...]:
    """Everything that the table has reported, as the next host gets it: this one has stored nothing."""
    table.close()
    with open_table(table._connection.transport.name) as other:
        other.pump(3000)
        return other.events()


def starts(world: World, drive: int) -> int:
    """How often a drive was switched on."""
    masks = [0, *(mask for _, mask in world.drive_log)]
    return sum(1 for before, after in pairwise(masks) if after & ~before & drive)
