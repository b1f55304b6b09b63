"""The line of readers and displays in virtual time: the board's own code at one end, the nodes' at the others.

A byte takes its time on the wire, whoever sends hears nothing, and what two send at once is destroyed. `noise` puts
what it likes on the wire. Nodes are `ModelNode`: the firmware of a node whose antennas are told what they see.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from wallwright_firmware.line_node import reader_of
from wallwright_firmware.line_sorter import MOVE_BITS
from wallwright_firmware.nodes.node import Node
from wallwright_firmware.nodes.sorting import SortingNode
from wallwright_protocol import line
from wallwright_protocol.hardware import (
    CLAIM_KEY_0,
    FLAP_SORTER,
    MOUTH_READER,
    SORTER_DRIVES_PER_SIDE,
    SORTER_SWITCHES_PER_SIDE,
    STORE_RESTS,
)

from .readers import TileReaders
from .sorter import Sorter

BYTE_US = 10 * 1_000_000 / line.BAUD
"""8N1: ten bits a byte."""
NODE_LOOP_US = 1000
"""A node looks at the line this often; estimate, from the emulated one."""


class Readable(Protocol):
    """What of a world the nodes look at."""

    @property
    def readers(self) -> TileReaders:
        """The tile readers."""

    @property
    def levels(self) -> bytearray:
        """The raw levels of the inputs."""

    @property
    def now_ms(self) -> int:
        """The present time."""

    @property
    def sorter(self) -> Sorter | None:
        """What sorts its tiles."""


@dataclass(eq=False)
class Antenna:
    """A front end that is told what it sees."""

    works: bool = True
    news: list[tuple[bytes, bool]] = field(default_factory=list)

    def poll(self) -> None:
        """Find nothing but what it is told."""

    def next_news(self) -> tuple[bytes, bool]:
        """Take the oldest of what it was told."""
        return self.news.pop(0)


class ModelNode:
    """A node at `address` with `antennas`, a mask; `text` and `lamps` are what its panel shows.

    `dead` is one without power, `delay_us` is how much later than it should it answers, `waited_us` how long it waited
    before its last answer, as it has to.
    """

    def __init__(self, address: int, antennas: int = 15, unit: bytes = b"") -> None:
        self.address = address
        self.unit = unit or b"NODE-%03d" % address
        self.antennas = [Antenna(works=bool(antennas >> at & 1)) for at in range(line.ANTENNAS)]
        self.text = ""
        self.lamps = 0
        self.dead = False
        self.delay_us = 0
        self.waited_us = 0
        self.pressed = False
        self.starts = 0
        self.seen: set[tuple[int, bytes]] = set()
        self.firmware: Node
        self.restart()

    def restart(self) -> None:
        """Its power comes back: all that lies at its antennas is found anew."""
        self.starts += 1
        seen, self.seen = self.seen, set()
        self.text, self.lamps, self.dead = "", 0, False
        start = 1000 * self.address + 100 * self.starts
        self.firmware = self._program(start)
        for antenna, tag in sorted(seen):
            self.see(antenna, tag, True)

    def see(self, antenna: int, tag: bytes, there: bool) -> None:
        """An antenna begins or ceases to see a tag."""
        (self.seen.add if there else self.seen.discard)((antenna, tag))
        if self.antennas[antenna].works:
            self.antennas[antenna].news.append((tag, there))

    def press(self, now_ms: int, down: bool) -> None:
        """The claim key is pressed or let go."""
        self.pressed = down
        if not self.dead:
            self.firmware.note(now_ms, line.KEY, bytes(8), down)

    def poll(self, now_us: int, rx: bytes) -> bytes:
        """One turn of the node's loop."""
        if self.dead:
            return b""
        # What works is asked for by an answer alone, so that a look without news is due only before one.
        if rx or self.pressed or self._has_news():
            for _ in self.antennas:
                self.firmware.look(now_us // 1000, self.pressed)
        self.waited_us = 0
        return self.firmware.poll(now_us // 1000, rx)

    def _has_news(self) -> bool:
        first, second, third, fourth = self.antennas
        return bool(first.news or second.news or third.news or fourth.news)

    def _program(self, start: int) -> Node:
        return Node(self.address, self.unit, start, self.antennas, self._show, self._wait)

    def _show(self, text: bytes, lamps: int) -> None:
        self.text, self.lamps = text.decode(), lamps

    def _wait(self, ms: int) -> None:
        self.waited_us = 1000 * ms


class ModelSortingNode(ModelNode):
    """A node with parts that sort. `drives` and `moves` are what it has switched on, `switches` the ends that are
    reached, both as a WORK and a WORKED have them; `moved` is told when it switches something."""

    def __init__(self, address: int, antennas: int = 15, unit: bytes = b"") -> None:
        self.mouth = Antenna()
        self.drives = self.moves = self.switches = 0
        self.moved: Callable[[], None] = lambda: None
        super().__init__(address, antennas, unit)

    def see(self, antenna: int, tag: bytes, there: bool) -> None:
        """An antenna begins or ceases to see a tag, line.MOUTH among them."""
        if antenna == line.MOUTH:
            self.mouth.news.append((tag, there))
        else:
            super().see(antenna, tag, there)

    def lose_power(self) -> None:
        """It says nothing more, and springs bring all back."""
        self.dead = True
        self._drive(0, 0)

    def _has_news(self) -> bool:
        return bool(self.mouth.news) or super()._has_news()

    def _program(self, start: int) -> Node:
        parts = (self._drive, lambda: self.switches)
        rest = (parts, self._show, self._wait)
        return SortingNode(self.address, self.unit, start, self.antennas, self.mouth, *rest)

    def _drive(self, drives: int, moves: int) -> None:
        self.drives, self.moves = drives, moves
        self.moved()


class PartsOnNodes:
    """The parts of a sorter: `nodes` move them and see their end switches."""

    def __init__(self, sorter: Sorter, nodes: Sequence[ModelSortingNode]) -> None:
        self._sorter = sorter
        self._nodes = nodes
        self._moves: dict[tuple[int, int], int] = {}
        for node in nodes:
            node.moved = self._move

    def look(self) -> None:
        """Let the nodes see which ends are reached."""
        reached = self._sorter.switches()
        for node in self._nodes:
            node.switches = reached >> node.address * SORTER_SWITCHES_PER_SIDE & (1 << SORTER_SWITCHES_PER_SIDE) - 1

    def _move(self) -> None:
        sorter = self._sorter
        sorter.drive(sum(node.drives << node.address * SORTER_DRIVES_PER_SIDE for node in self._nodes))
        if sorter.hardware.kind != FLAP_SORTER:
            return
        for node in self._nodes:
            for place in range(sorter.hardware.places):
                move = node.moves >> place * MOVE_BITS & (1 << MOVE_BITS) - 1
                if self._moves.get((node.address, place), STORE_RESTS) != move:
                    self._moves[node.address, place] = move
                    sorter.store(node.address, place, move)


class TableNodes:
    """The four nodes of a table: `nodes` are told what the readers of `world` see and what its claim keys do. Where it
    has a sorter they have its parts."""

    def __init__(self, world: Readable) -> None:
        self._world = world
        self.nodes: list[ModelNode] = []
        self._parts: PartsOnNodes | None = None
        for address in range(line.NODES):
            mask = sum(
                1 << antenna
                for antenna in range(line.ANTENNAS)
                if world.readers.fitted >> reader_of(address, antenna) & 1
            )
            self.nodes.append(ModelSortingNode(address, mask) if world.sorter else ModelNode(address, mask))
        self._place = {
            reader_of(address, antenna): (address, antenna)
            for address in range(line.NODES)
            for antenna in range(line.ANTENNAS)
        }
        if world.sorter:
            self._place.update({MOUTH_READER + address: (address, line.MOUTH) for address in range(line.NODES)})
            self._parts = PartsOnNodes(
                world.sorter, [node for node in self.nodes if isinstance(node, ModelSortingNode)]
            )

    def displays(self) -> list[str]:
        """What the panels show."""
        return [node.text.rstrip() for node in self.nodes]

    def look(self) -> None:
        """Let the nodes see what has happened since the last call."""
        world = self._world
        for read in world.readers.reads:
            address, antenna = self._place[read.reader]
            self.nodes[address].see(antenna, read.tag, read.there)
        world.readers.reads.clear()
        for node in self.nodes:
            node.press(world.now_ms, bool(world.levels[CLAIM_KEY_0 + node.address]))
        if self._parts is not None:
            self._parts.look()
            for node in self.nodes:
                node.poll(world.now_ms * 1000, b"")

    def answers(self, now_us: float, data: bytes) -> list[tuple[float, bytes]]:
        """Return what the nodes answer to what the board has just sent, as (when it begins in us, bytes)."""
        found = []
        for node in self.nodes:
            answer = node.poll(int(now_us), data)
            if answer:
                found.append((now_us + NODE_LOOP_US + node.waited_us, answer))
        return found


class Wire:
    """The pair of wires between the board, which uses it as its serial port, and `nodes`; `now_us` is its time.

    `noise(now_us, data)` returns what becomes of a frame on its way. `sent` has what was said as (time in us, address,
    bytes); the board has the address -1.
    """

    def __init__(self, nodes: list[ModelNode]) -> None:
        self.nodes = nodes
        self.now_us = 0
        self.noise: Callable[[int, bytes], bytes] = lambda _, data: data
        self.sent: list[tuple[int, int, bytes]] = []
        self._board = bytearray()
        self._air: list[list[object]] = []
        self._rx: dict[ModelNode, bytes] = {}
        self._turn_us = 0

    def any(self) -> int:
        """How many bytes wait for the board."""
        return len(self._board)

    def read(self, size: int) -> bytes:
        """What waits for the board."""
        data = bytes(self._board[:size])
        del self._board[:size]
        return data

    def readinto(self, into: bytearray) -> int:
        """Likewise, into a buffer."""
        data = self.read(len(into))
        into[: len(data)] = data
        return len(data)

    def send(self, frame: bytes) -> None:
        """The board sends."""
        self._begin(None, frame)

    def inject(self, data: bytes) -> None:
        """Somebody who is no node sends."""
        self._begin("stranger", data)

    def advance(self, now_us: int) -> None:
        """Let time go by up to `now_us`: bytes arrive, nodes take their turns."""
        while self._turn_us <= now_us:
            self.now_us = self._turn_us
            if self._air:
                self._deliver()
            for node in self.nodes:
                answer = node.poll(self.now_us, self._rx.pop(node, b""))
                if answer:
                    self._begin(node, answer, node.delay_us + node.waited_us)
            self._turn_us += NODE_LOOP_US
        self.now_us = now_us
        if self._air:
            self._deliver()

    def _begin(self, who: object, data: bytes, delay_us: int = 0) -> None:
        start = self.now_us + delay_us
        end = start + round(len(data) * BYTE_US)
        self.sent.append((start, getattr(who, "address", -1), data))
        data = self.noise(start, data)
        for other in self._air:
            if other[1] > start and other[0] < end:  # type: ignore[operator]
                other[3] = data = bytes(len(data) * [0x5A])
        self._air.append([start, end, who, data])

    def _deliver(self) -> None:
        for sending in [each for each in self._air if each[1] <= self.now_us]:  # type: ignore[operator]
            self._air.remove(sending)
            _, _, who, data = sending
            assert isinstance(data, bytes)
            if who is not None:
                self._board += data
            for node in self.nodes:
                if node is not who:
                    self._rx[node] = self._rx.get(node, b"") + data
