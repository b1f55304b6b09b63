"""A table in virtual time whose board is an emulated chip; it has the shape of `Simulation`.

The world counts whole milliseconds, the chip nanoseconds. The chip runs up to the world's next event, or until one of
its outputs changes; then the world moves, and the chip sees its inputs.
"""

import base64
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from pathlib import Path

from wallwright_firmware.boards.pins import FIRST_LAMP_PLACE, IN_REGISTERS
from wallwright_protocol import codes
from wallwright_protocol.hardware import CLAIM_KEY_0, DRIVES, GUARD_WIRE, SET_SIZES, SIDES, STANDARD_PARTS
from wallwright_protocol.link import NEVER

from ..faults import Fault, FaultError, ProgramCrash, ProgramHang
from ..harness import Harness
from ..injection import Injection
from ..line import ModelSortingNode, TableNodes
from ..loader import LOOK_MS as LOADER_LOOK_MS
from ..loader import LoaderFolder
from ..noise import Noise, good
from ..players import Players
from ..power import check_duration
from ..readers import NO_READERS
from ..sorter import PLAIN, Hardware
from ..world import World
from .files import STATE_FILE, boot_program, file_system, state_file, with_map
from .image import FLASH_START, find_image, read_uf2
from .node import RealNode
from .process import EmulatedChip, Emulator, MakesChip, Turn

MS = 1_000_000
NOISE_BYTES = 1 << 16
"""Bytes that a noise source gives the oscillator, which repeats them: more than a day of dice."""
CRASHES = """
import machine
from wallwright_firmware.app import App
works = App.poll
def poll(*args):
    how = machine.mem32[{scratch}]
    if how:
        machine.mem32[{scratch}] = 0
        if how == 1:
            raise ValueError("on purpose")
        while True:
            pass
    return works(*args)
App.poll = poll
"""
"""What runs before the firmware on a chip whose program is to fail: when the emulator has set a scratch register of the
watchdog, SCRATCH1, which nobody else uses."""
LOOK_MS = 5
"""How far ahead a table in real time looks: a program always has something to do."""


class ChipBoard:
    """What the panels show. `started_ms` is when the chip got its power last; `usb` what it printed on its own USB.
    `is_enabled` says whether the registers of its outputs drive anything, `outputs` what, by the bits of the chain."""

    def __init__(self) -> None:
        self.lamp_mask = 0
        self.displays = [""] * SIDES
        self.started_ms = 0
        self.usb = b""
        self.is_enabled = False
        self.outputs = 0

    def lose_power(self) -> None:
        """Lamps and displays go off."""
        self.lamp_mask = 0
        self.displays = [""] * SIDES


class ChipSimulation:
    """A table with two sets of `tiles` tiles, its board a chip with `image` in its flash, a UF2 file (find_image).

    With other sets than those of a new board, or a `wash_s`, a technician has set these before, and unless a `harness`
    says how the table is wired the map of the standard wiring, with `hardware` for its sorter: that is in the flash.
    `flash` is (offset, bytes) that lies there instead. A `blank` chip has nothing at all in its flash and waits in its
    ROM's loader, whose disk is `loader`.
    `parts` are those of the carrier, and of the map. The chip is an RP2040 unless `emulator` is another class of chips.
    A `world` in which some time has passed goes on from there. `xip_miss` is how many cycles a miss of the flash's
    cache costs, and the other arguments are those of `Simulation` and `Emulator`. `nodes` are the four of the line;
    their power is the board's. At the address `real_node` there is none of these, but the node's own image on a chip of
    its own, its antennas before the tiles themselves. `polls` is counted by the feeds of the watchdog. ImageError,
    NoEmulator and ChipFault as those say.
    """

    def __init__(
        self,
        seed: int = 1,
        tiles: int = 108,
        *,
        image: Path | None = None,
        flash: Sequence[tuple[int, bytes]] | None = None,
        harness: Harness | None = None,
        blank: bool = False,
        world: World | None = None,
        faults: Sequence[Fault] = (),
        noise: Noise | None = None,
        xip_miss: int = 0,
        erase_ms: int = 45,
        worn: Sequence[int] = (),
        usb: bool = True,
        power: bool = True,
        readers: int = NO_READERS,
        hardware: Hardware = PLAIN,
        real_node: int | None = None,
        wash_s: int | None = None,
        parts: int = STANDARD_PARTS,
        emulator: MakesChip = Emulator,
    ) -> None:
        kind = emulator.kind
        self.seed = seed
        self.tiles = tiles
        self.world = world or World(seed, tiles, readers=readers | hardware.readers, hardware=hardware)
        self.world.supply.connect(parts)
        self.nodes = TableNodes(self.world)
        self.board = ChipBoard()
        self.players = Players(self.world)
        self.port: object = None
        self._acts: list[tuple[int, int, Callable[[], None]]] = []
        self._entries = count()
        self._silent = False
        self._rx = b""
        self._tx = bytearray()
        self._noise = noise or good(seed)
        self._may_crash = flash is None and any(isinstance(fault, ProgramCrash | ProgramHang) for fault in faults)
        self._nanos = float(self.world.now_ms * MS)
        self._resets = 0
        self._harness = harness
        self._is_blank = blank
        self._switched = (0, 0, True)
        self.loader: LoaderFolder | None = None
        self.is_in_loader = False
        program = [] if blank else read_uf2((image or find_image(kind.image)).read_bytes(), kind)
        if flash is None:
            files = {} if harness or blank else with_map(hardware, parts)
            files |= boot_program(CRASHES.format(scratch=kind.scratch)) if self._may_crash else {}
            if tiles != SET_SIZES[0] or wash_s is not None:
                files[STATE_FILE] = state_file(tiles, wash_s)
            flash = [file_system(files, kind)] if files else ()
        self.chip: EmulatedChip = emulator(
            [*program, *flash],
            seed=seed,
            noise=self._noise(0, NOISE_BYTES),
            xip_miss=xip_miss,
            erase_ms=erase_ms,
            worn=worn,
            usb=usb,
            nanos=self._nanos,
            parts=parts,
        )
        self.real_node = None if real_node is None else RealNode(self.chip, self.world, real_node)
        if self.real_node is not None:
            self.nodes.nodes[self.real_node.address].dead = True
        self.injection = Injection(self.world, faults, self)
        if power:
            self.power_on()

    @property
    def now_ms(self) -> int:
        """Virtual milliseconds of the world."""
        return self.world.now_ms

    @property
    def polls(self) -> int:
        """How often the firmware has fed its watchdog, which it does after each poll."""
        feeds: int = self.chip.do("counts")["feeds"]
        return feeds

    @property
    def resets(self) -> int:
        """How often the chip has been reset while it had power."""
        return self._resets

    def write(self, data: bytes) -> None:
        """Send bytes from the host to the board."""
        if not self._silent:
            self._rx += data

    def read(self, size: int | None = None) -> bytes:
        """Take what the board has sent so far, `size` bytes at the most."""
        data = bytes(self._tx if size is None else self._tx[:size])
        del self._tx[: len(data)]
        return data

    def waiting(self) -> int:
        """Return how many bytes from the board wait to be read."""
        return len(self._tx)

    def silence(self, silent: bool) -> None:
        """Lose every byte between host and board from now on, or none any more."""
        self._silent = silent

    def later(self, time_ms: int, call: Callable[[], None]) -> None:
        """Let `call` happen at `time_ms`, now or later."""
        heappush(self._acts, (time_ms, next(self._entries), call))

    def swap_noise(self, source: Noise) -> Noise:
        """Let the oscillator's bits come from `source` from now on; return the source until now.

        FaultError when it gives nothing: the chip's oscillator always has a level.
        """
        data = source(self.now_ms, NOISE_BYTES)
        if not data:
            raise FaultError("an oscillator on a chip cannot fall silent: let it be stuck, biased or repeating")
        self.chip.do("noise", bytes=base64.b64encode(data).decode())
        before, self._noise = self._noise, source
        return before

    def cut_power(self, for_ms: int, restart_cause: int = codes.NO_FAULT) -> None:
        """The power fails now for `for_ms`.

        With WATCHDOG_RESET as the cause the watchdog bites instead. With BROWN_OUT the supply of the core sags for
        so long, and the rest of the board keeps its own.
        """
        check_duration(for_ms)
        if restart_cause == codes.WATCHDOG_RESET:
            self.chip.do("bite")
            return
        if restart_cause == codes.BROWN_OUT:
            self.chip.do("sag", nanos=for_ms * MS)
            return
        self.power_off()
        self.later(self.now_ms + for_ms, self.power_on)

    def crash(self) -> None:
        """The firmware's next poll fails with an exception.

        FaultError unless `faults` had a ProgramCrash or ProgramHang and no `flash` was given: nothing reaches into the
        program of a chip, so a file in its flash lets the poll fail, and has to be there when it starts.
        """
        self._let_fail(1)

    def hang(self) -> None:
        """The firmware's next poll never ends, until the watchdog resets the chip. FaultError as with `crash`."""
        self._let_fail(2)

    def _let_fail(self, how: int) -> None:
        if not self._may_crash:
            raise FaultError("no program that can fail: give `program crashes|hangs at ...` with the chip's faults")
        self.chip.do("crash", how=how)

    def flip(self, place: int, *, latched: bool = True) -> None:
        """The bit of an output, by its place, changes behind the latch of its register, or else where it is shifted."""
        self.chip.do("flip", place=place, latched=latched)

    def cut_after(self, instructions: int) -> None:
        """The power fails when the chip has executed so many instructions more; `power_on` brings it back."""
        self.chip.do("cutAfter", instructions=instructions)

    def run_instructions(self, instructions: int) -> None:
        """Advance until the chip has executed so many instructions more."""
        goal = self.chip.do("stopAfter", instructions=instructions)
        while self.chip.do("counts")["instructions"] < goal:
            self._step(self.now_ms + LOOK_MS, False)

    @property
    def is_on(self) -> bool:
        """Whether the board has power."""
        on: bool = self.chip.do("isOn")
        return on

    def power_off(self) -> None:
        """The board loses its power; the world goes on without drives."""
        self.chip.do("power", on=False)
        self.is_in_loader = False
        if self.loader is not None:
            self.loader.vanish()
        self._rx = b""
        self._tx.clear()
        self.world.drive(0)
        self.board.lose_power()
        for node in self.nodes.nodes:
            if self.real_node is None or node.address != self.real_node.address:
                node.restart()
        if self.real_node is not None:
            self.real_node.power(False)

    def power_on(self) -> None:
        """The board gets its power; a chip without a program starts its ROM's loader."""
        if self._is_blank:
            self.enter_loader()
            return
        self.chip.do("power", on=True)
        if self.real_node is not None:
            self.real_node.power(True)
        self.board.started_ms = self.now_ms

    def enter_loader(self) -> None:
        """BOOTSEL is held while the board gets its power. The loader is a model: the ROM's own code does not run."""
        self.power_off()
        self.is_in_loader = True
        if self.loader is not None:
            self.loader.appear()
            self.later(self.now_ms + LOADER_LOOK_MS, self._look_at_disk)

    def type(self, text: str) -> None:
        """Somebody's terminal sends this to the chip's own USB."""
        self.chip.do("type", text=text)

    def run_until(self, until_ms: int) -> None:
        """Advance virtual time to `until_ms`, everything on the way included."""
        while self._step(until_ms, False):
            pass

    def run_until_output(self, until_ms: int) -> bool:
        """Advance until the board has sent something, to `until_ms` at the most; say whether it has."""
        while not self._tx and self._step(until_ms, True):
            pass
        return bool(self._tx)

    def next_ms(self) -> int:
        """Return when this table wants to be looked at again if nobody does anything."""
        return self.now_ms + LOOK_MS

    def close(self) -> None:
        """End the emulator."""
        self.chip.close()

    def _look_at_disk(self) -> None:
        """Take what has been copied to the loader's disk; with the last block the chip starts."""
        if not self.is_in_loader or self.loader is None:
            return
        if not self.loader.look():
            self.later(self.now_ms + LOADER_LOOK_MS, self._look_at_disk)
            return
        for address, page in self.loader.flash.items():
            self.chip.put_flash(address - FLASH_START, page)
        self._is_blank = self.is_in_loader = False
        self.power_on()

    def _step(self, until_ms: int, stop_for_host: bool) -> bool:
        """Let chip and world go on to the next thing that happens; False when they stand at `until_ms`."""
        world = self.world
        while self._acts and self._acts[0][0] <= world.now_ms:
            heappop(self._acts)[2]()
        if world.now_ms >= until_ms and self._nanos >= until_ms * MS:
            return False
        act_ms = self._acts[0][0] if self._acts else NEVER
        target = max(min(until_ms, act_ms, world.next_ms), world.now_ms)
        self._switches()
        rx, self._rx = self._rx, b""
        turn = self.chip.go(target * MS, self._inputs(), rx, stop_for_host=stop_for_host)
        self._nanos = turn.nanos
        if turn.pumped >= 0:
            world.supply.edge(int(turn.pumped // MS))
        now_ms = min(int(turn.nanos // MS), target)
        while world.now_ms < now_ms or (turn.nanos >= target * MS and world.next_ms <= target):
            world.advance(now_ms)
        world.edges.clear()
        self._take(turn)
        return True

    def _inputs(self) -> bytes:
        """The levels of the inputs as the bytes of their chain; claim keys are on the nodes."""
        if self._harness is not None:
            levels = self.world.levels
            return self._harness.packed(levels[:CLAIM_KEY_0] + bytearray(len(levels) - CLAIM_KEY_0))
        packed = bytearray(IN_REGISTERS)
        for number, level in enumerate(self.world.levels[:CLAIM_KEY_0]):
            packed[number >> 3] |= level << (number & 7)
        packed[GUARD_WIRE >> 3] |= self.world.supply.guard.report << (GUARD_WIRE & 7)
        return bytes(packed)

    def _switches(self) -> None:
        """Tell the chip's senses what is behind the switches of the drives, when that has changed."""
        terminals = self.world.terminals
        stuck = terminals.stuck_on | terminals.shows, terminals.stuck_off & ~terminals.shows | terminals.hides
        stuck = stuck[0], stuck[1] | ~self.world.supply.guard.feeds & ((1 << DRIVES) - 1)
        on, off = stuck if self._harness is None else map(self._harness.wires_with, stuck)
        switched = on, off, self.world.supply.is_on
        if switched != self._switched:
            self._switched = switched
            self.chip.do("switches", on=on, off=off, supplied=self.world.supply.is_on)

    def _take(self, turn: Turn) -> None:
        drives, lamps = turn.driven & ((1 << DRIVES) - 1), turn.driven >> FIRST_LAMP_PLACE
        if self._harness is not None:
            drives, lamps = self._harness.driven(drives, lamps)
        self.world.drive(drives)
        self.board.lamp_mask = lamps
        self.board.is_enabled, self.board.outputs = turn.enabled, turn.driven
        self._resets = turn.resets
        self.nodes.look()
        if self.real_node is not None:
            self.real_node.look()
            model = self.nodes.nodes[self.real_node.address]
            if isinstance(model, ModelSortingNode):
                self.real_node.work(model)
        if turn.line:
            for at_us, answer in self.nodes.answers(turn.nanos / 1000, turn.line):
                self.chip.do("line", at=at_us * 1000, bytes=base64.b64encode(answer).decode())
        self.board.displays = self.nodes.displays()
        self.board.usb += turn.usb
        if not self._silent:
            self._tx += turn.host
