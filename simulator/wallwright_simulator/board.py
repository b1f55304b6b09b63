"""The simulated board: the firmware's hardware contract on top of the modelled mechanics."""

from collections import deque

from wallwright_firmware.hal import WIRING_SLOT, Hal
from wallwright_firmware.wiring import ALL_DRIVES, HEAD, body_of, record, standard
from wallwright_protocol.dictionary import own
from wallwright_protocol.hardware import DRIVES, GUARD_WIRE, INPUTS, SENSED, SIDES, STANDARD_PARTS, WIRES
from wallwright_protocol.sorters import is_sorter

from .clock import NEVER
from .harness import Harness
from .noise import Noise
from .power import LeftForLoader, Slots
from .readers import ALL_READERS, Read
from .sorter import Hardware
from .terminals import SAMPLE_MS
from .world import World


class Crash(Exception):
    """The program of the board fails, because a test or a script of faults wants it to."""


class Fallen(Crash):
    """It has ended, its outputs are off, and it has kept the reason if it failed."""


def standard_record(hardware: Hardware, parts: int = STANDARD_PARTS) -> bytes:
    """Return the map of the standard wiring of a table with this hardware, as far as nodes can have it, and with these
    parts of a carrier."""
    fields = standard(parts)[len(HEAD) :]
    return record(body_of(fields + bytes(hardware if is_sorter(*hardware) else Hardware())))


class SimulatedBoard(Hal):
    """A board whose sensors and drives belong to `world`; `lamp_mask` and `displays` are what its panels show;
    `slots` is its memory that lasts without power. Its clock has shown 0 at `started_ms` of the world, or would have
    if it had not been turned back.

    `harness` is how it is wired; None stands for the standard wiring, bit for bit, with its map on the board. A board
    that was wired otherwise has no map yet. `parts` are those of its carrier.

    It is an RP2040 as far as a host can tell; `source` is where its random numbers come from. With `breaks` the program
    fails when it looks at its inputs. Where it `senses`, it knows which outputs have voltage; `flip` changes a bit of
    its output registers until it is written again.
    """

    chip = b"rp2040"
    image = b"simulated"
    dictionary = own().packed()

    def __init__(
        self, world: World, source: Noise, harness: Harness | None = None, parts: int = STANDARD_PARTS
    ) -> None:
        self.world = world
        self.harness = harness
        self.lamp_mask = 0
        self.displays = [""] * SIDES
        self.slots = Slots()
        if harness is None:
            self.slots.data[WIRING_SLOT] = standard_record(world.hardware, parts)
        self.started_ms = 0
        self.source = source
        self.readers = world.readers.fitted & ALL_READERS
        self.sorter, self.sorter_places, self.sorter_lead_ms = world.hardware
        self.breaks = False
        self._edges: deque[tuple[int, int, int]] = deque()
        self._reads: deque[Read] = deque()
        self._outputs = [0, 0]
        self.senses = False
        self._flipped = 0
        self._sensed = -1
        self._mend_at = NEVER
        self._look_at_wires()

    def lose_power(self) -> None:
        """Motors, lamps and displays go off."""
        self.breaks = False
        self._flipped = self.flips = 0
        self.keeps_supply = True
        self.world.drive(0)
        if self.world.sorter:
            self.world.sorter.rest()
        self.lamp_mask = 0
        self._outputs = [0, 0]
        self.displays = [""] * SIDES

    def start(self) -> None:
        """The power is back: what the inputs did without it nobody has seen, and the clock begins at 0."""
        self.world.edges.clear()
        self._edges.clear()
        self._reads.clear()
        self._look_at_wires()
        self.world.readers.restart()
        self.started_ms = self.world.now_ms

    def fetch_edges(self) -> bool:
        """Move the world's new edges and reads into the queues of the board; say whether there were any."""
        world = self.world
        if not world.edges and not world.readers.reads:
            return False
        if self.harness is None:
            self._edges.extend(world.edges)
        else:
            for at_ms, number, level in world.edges:
                if number == GUARD_WIRE:
                    continue  # harnesses have no interlock
                self._input_changed(self.harness, at_ms, number, level)
        world.edges.clear()
        self._reads.extend(world.readers.reads)
        world.readers.reads.clear()
        return True

    def has_edges(self) -> bool:
        return len(self._edges) > 0 or self.breaks

    def next_edge(self) -> bool:
        if self.breaks:
            raise Crash("asked for")
        if not self._edges:
            return False
        at_ms, self.edge_input, self.edge_level = self._edges.popleft()
        self.edge_ms = at_ms - self.started_ms
        return True

    def next_read(self) -> bool:
        if not self._reads:
            return False
        at_ms, self.read_reader, self.read_tag, self.read_there = self._reads.popleft()
        self.read_ms = at_ms - self.started_ms
        return True

    def level(self, number: int) -> int:
        if self.harness is not None:
            return self._wires[number]
        if number == GUARD_WIRE:
            return self.world.supply.guard.report
        return self.world.levels[number] if number < INPUTS else 0

    def drive(self, mask: int) -> None:
        self._outputs[0] = mask
        self._write()

    @property
    def sensed(self) -> int:  # type: ignore[override]
        if not self.senses:
            return -1
        drives = self.world.terminals.sample(self.world.now_ms)[1]
        return drives if self.harness is None else self.harness.wires_with(drives)

    @property
    def sensed_ms(self) -> int:  # type: ignore[override]
        return self.world.terminals.sample(self.world.now_ms)[0] - self.started_ms

    def use_parts(self, parts: int) -> None:
        self.senses = parts & SENSED != 0

    def refresh(self, now_ms: int) -> bool:  # noqa: ARG002 - the world's clock is not turned back
        has_news = False
        if self.world.now_ms >= self._mend_at:
            has_news = self._flipped != 0
            self.flips |= self._flipped
            self._flipped = 0
            self._mend_at = NEVER
            self._write()
        sensed = self.sensed
        if sensed != self._sensed:
            self._sensed = sensed
            has_news = has_news or sensed != self._outputs[0]
        return has_news

    def refresh_ms(self) -> int:
        """Return when `refresh` next has something to do, by the world's clock."""
        now_ms = self.world.now_ms
        return min(self._mend_at, self.world.terminals.next_ms(now_ms) if self.senses else NEVER)

    def flip(self, place: int) -> None:
        """The stored bit of an output changes by itself."""
        self._flipped ^= 1 << place
        self._mend_at = self.world.now_ms + SAMPLE_MS
        self._write()

    def drive_sorter(self, mask: int) -> None:
        if self.world.sorter:
            self.world.sorter.drive(mask)

    def drive_store(self, side: int, place: int, move: int) -> None:
        if self.world.sorter:
            self.world.sorter.store(side, place, move)

    def sorter_switches(self) -> int:
        return self.world.sorter.switches() if self.world.sorter else 0

    def lamps(self, mask: int) -> None:
        self._outputs[1] = mask
        self._write()

    def show(self, side: int, text: str) -> None:
        self.displays[side] = text

    def noise(self, count: int) -> bytes:
        return self.source(self.world.now_ms, count)

    def turn_back(self, by_ms: int) -> None:
        self.started_ms += by_ms

    def reboot_to_loader(self) -> None:
        raise LeftForLoader

    def restart(self) -> None:
        raise Fallen

    def load(self, slot: int) -> bytes:
        return self.slots.load(slot)

    def save(self, slot: int, data: bytes) -> bool:
        return self.slots.save(slot, data)

    def _look_at_wires(self) -> None:
        """Take every wire as it is now."""
        self._inputs = bytearray(self.world.levels)
        self._wires = bytearray(WIRES)
        if self.harness is not None:
            for wire in range(WIRES):
                self._wires[wire] = self.harness.level(self._inputs, wire)

    def _input_changed(self, harness: Harness, at_ms: int, number: int, level: int) -> None:
        self._inputs[number] = level
        for wire in harness.wires_of(number):
            now = harness.level(self._inputs, wire)
            if now != self._wires[wire]:
                self._wires[wire] = now
                self._edges.append((at_ms, wire, now))

    def _write(self) -> None:
        mask = self._outputs[0] ^ self._flipped & ALL_DRIVES
        lamps = self._outputs[1] ^ self._flipped >> DRIVES
        if self.harness is not None:
            mask, lamps = self.harness.driven(mask, lamps)
        self.lamp_mask = lamps
        self.world.drive(mask)
