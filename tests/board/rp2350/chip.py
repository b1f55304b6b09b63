"""One RP2350 with its flash: it starts what lies there, runs, is reset and loses its power.

Nothing here is the chip. The boot ROM is missing: its functions are stubs (`Chip._call`), and the core starts at the
vectors where its ROM would have left it. Every instruction takes as long as another, INSTRUCTION_NS, whatever the
cache and the buses would make of it. A register that nothing is known of here holds what is written to it.
"""

import ctypes
import random
import struct
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from wallwright_simulator.chip.process import ChipFault

from .clock import Clock
from .core import Core
from .flash import Flash
from .pins import UART, Pins
from .pio import Sampling
from .pulses import Pulses
from .registers import WRITES, Answers, Registers
from .spi import Spi
from .timer import BY_TIMER, REASON, SCRATCH, Timer, Watchdog
from .uart import Uart

FLASH_BYTES, RAM_BYTES = 4 * 1024 * 1024, 520 * 1024
INSTRUCTION_NS = 10
"""At 150 MHz one and a half cycles: an estimate, not a figure of a chip."""
LONGEST = 200_000
"""Instructions in a slice."""
MASKED = 100
"""Instructions in a slice while an interrupt waits that the program does not let in."""
CRYSTAL_HZ = 12e6
UART_IRQ = 33
LOST_IN_A_SAG = 1021
"""Words of memory, of which a brown-out spoils one."""
TABLE_LOOKUP, LOOKUP, FUNCTIONS, SETUP_POINTER, DATA = 0x16, 0x100, 0x200, 0xF00, 0xF10
BREAK_AND_RETURN = struct.pack("<HH", 0xBE00, 0x4770)
RETURNS = 0x47704770
WANTS_DATA = 0x40
REBOOT_TYPE, TO_LOADER = 0xF, 2
CHIP_INFO, BOOT_RANDOM, BOOT_INFO = 0x1, 0x10, 0x40
POWER_ON, BROWN_OUT, BITTEN = 1 << 16, 1 << 17, 1 << 28
"""Bits of POWMAN's CHIP_RESET, RP2350 datasheet 6.4."""
CHIP_A2 = 0x20004927
CLOCKS, CLK_SYS, CLK_PERI, PLL_SYS, PLL_USB = 0x40010000, 0x3C, 0x48, 0x40050000, 0x40058000
DOUBLES_FREE = (0xEE10, 0x0430)
"""The start asks the coprocessor for doubles for a flag, which clears another one."""
IDLE = frozenset(("IF", "EX", "FC", "CX", "SR", "RC", "SS"))
"""Functions of the ROM after which nothing is other than before: there is neither a cache nor a bus to the flash."""


def _rom() -> bytes:
    rom = bytearray(0x1000)
    rom[0x10:0x14] = b"Mu\x02\x02"
    struct.pack_into("<H", rom, TABLE_LOOKUP, LOOKUP | 1)
    for at in range(LOOKUP, SETUP_POINTER, 4):
        rom[at : at + 4] = BREAK_AND_RETURN
    return bytes(rom)


class Chip:
    """`flash` outlives it. `send(uart, byte)` and `shift(spi, byte)` are the far ends of its buses."""

    def __init__(
        self,
        pins: Pins,
        flash: Flash,
        *,
        id_bytes: bytes,
        noise: bytes,
        seed: int,
        nanos: int,
        inputs: Callable[[], bytes],
        sampled: Callable[[int], None],
        send: Callable[[int, int], None],
        shift: Callable[[int, int], int],
        fed: Callable[[], None],
        started: Callable[[Clock], None],
    ) -> None:
        self.pins, self.flash = pins, flash
        self._id, self._shift, self._send, self._fed = id_bytes, shift, send, fed
        self._inputs, self._sampled, self._started = inputs, sampled, started
        self.noise, self._noise_at = noise, 0
        self._random = random.Random(seed)
        self._ram: Any = (ctypes.c_ubyte * RAM_BYTES)()
        self._base_ns = nanos
        self.core: Core | None = None
        self._kept: dict[int, int] = {}
        self._cause = POWER_ON
        self.counts: Counter[str] = Counter()
        self.is_stopped = False
        self._restarts = False
        self.in_loader = False
        self.sag_ns = 0
        self._back_ns: int | None = None
        self.cut_at: int | None = None
        self.stop_at: int | None = None

    @property
    def nanos(self) -> int:
        """The time, within a slice as well."""
        if self.core is not None and self.core.is_running:
            return self._base_ns + self.core.counted * INSTRUCTION_NS
        return self._base_ns

    @property
    def is_on(self) -> bool:
        """Whether it has power and is not held in reset."""
        return self.core is not None

    def chance(self, size: int) -> bytes:
        """Chance for what the hardware leaves to chance."""
        return self._random.randbytes(size)

    def power_on(self) -> None:
        """Memory holds chance."""
        if self.core is None:
            self._kept, self._back_ns = {}, None
            ctypes.memmove(self._ram, self.chance(RAM_BYTES), RAM_BYTES)
            self._start(POWER_ON)

    def power_off(self) -> None:
        """Nothing is left but the flash."""
        self._back_ns = None
        self._stand()

    def _reset(self) -> None:
        """Start again; memory stays, and the watchdog's registers."""
        self.counts["resets"] += 1
        self.flash.cut(self.nanos, self.chance)
        self._start(BITTEN)

    def bite(self) -> None:
        """The watchdog bites as soon as the chip runs again, which tells its caller of the outputs at once."""
        self._kept[REASON] = BY_TIMER
        self._restarts = True

    def set_scratch(self, how: int = 1) -> None:
        """The hook of a program that a test lets fail."""
        self._kept[SCRATCH + 4] = how

    def stop(self) -> None:
        """Whoever runs this chip shall look at it."""
        self.is_stopped = True
        self.break_slice()

    def break_slice(self) -> None:
        """An alarm may ring before the slice would end."""
        if self.core is not None:
            self.core.stop()

    def serial_in(self, pin: int, byte: int, baud: float) -> None:
        """A byte has come on a pin."""
        if self.core is not None and self.pins.function(pin) == UART:
            self.uarts[(pin + 4) >> 3 & 1].receive(byte, baud)
        else:
            self.counts["unheard"] += 1

    def _stand(self) -> None:
        if self.core is not None:
            self.flash.cut(self.nanos, self.chance)
        self.core = None
        self.pins.attach(False)

    def _start(self, cause: int) -> None:
        self._cause, self._restarts, self.in_loader = cause, False, False
        self.clock = clock = Clock(lambda: self.nanos, self.break_slice)
        self._names: list[int] = []
        self.core = core = Core(
            self.flash.cells,
            self._ram,
            _rom(),
            read=self._read,
            write=self._write,
            call=self._call,
            coprocessor=self._coprocessor,
        )
        self.pins.attach(True)
        line = core.nvic.set_line
        self.timers = [Timer(clock, line, 4 * number) for number in (0, 1)]
        rate, now = self._peripheral_hz, partial(getattr, self, "nanos")
        self.uarts = [
            Uart(clock, rate, partial(line, UART_IRQ + number), partial(self._send, number), self.counts)
            for number in (0, 1)
        ]
        self.spis = [Spi(now, rate, partial(self._shift, number)) for number in (0, 1)]
        self.sampling = Sampling(self.pins, lambda: self.nanos, self._system_hz, self._inputs, core.put, self._sampled)
        watchdog = Watchdog(clock, self._kept, self._bite, self._feed)
        self._parts = {
            0x40000000: Answers({0: lambda _: CHIP_A2}),
            CLOCKS: Answers({at: _selected(at) for at in (0x08, 0x14, 0x20, 0x2C, 0x38, 0x44, 0x50)}),
            0x40020000: Answers({8: lambda part: 0x1FFFFFFF & ~part.held(0)}),
            0x40028000: self.pins.controls,
            0x40030000: Answers({0x18: lambda _: 0xFFFFFFFF}),
            0x40038000: self.pins.pads,
            0x40048000: Answers({4: lambda _: 0x80001000}),
            PLL_SYS: Answers({0: lambda part: part.held(0) | 1 << 31}),
            PLL_USB: Answers({0: lambda part: part.held(0) | 1 << 31}),
            0x40070000: self.uarts[0],
            0x40078000: self.uarts[1],
            0x40080000: self.spis[0],
            0x40088000: self.spis[1],
            0x400B0000: self.timers[0],
            0x400B8000: self.timers[1],
            0x400D0000: Answers({0: lambda part: part.held(0) & ~3 | 1 << 11}),
            0x400D8000: watchdog,
            0x400E0000: Answers(
                {at: lambda _: 1 for at in range(0x80C, 0x830, 4)}, dict.fromkeys(range(0, 256, 4), RETURNS)
            ),
            0x400E8000: Answers({0x1C: lambda _: 0x80001000, 0x20: lambda _: self._random_bit()}),
            0x40100000: Answers({0x2C: lambda _: self._cause}),
            0x50000000: self.sampling.dma,
            0x50200000: self.sampling.pio,
            0x50300000: Pulses(clock, self._system_hz, partial(self.pins.set_pio, 1)),
        }
        self._started(clock)

    def _system_hz(self) -> float:
        """The rate of clk_sys, which the program has made from its PLL or has left at the crystal."""
        return self._pll_hz(PLL_SYS) if self._parts[CLOCKS].held(CLK_SYS) & 1 else CRYSTAL_HZ

    def _peripheral_hz(self) -> float:
        """The rate of clk_peri, which is clk_sys or comes from a PLL."""
        source = self._parts[CLOCKS].held(CLK_PERI) >> 5 & 7
        return self._pll_hz(PLL_USB if source == 2 else PLL_SYS) if source in (1, 2) else self._system_hz()

    def _pll_hz(self, base: int) -> float:
        pll = self._parts[base]
        dividers = (pll.held(12) >> 16 & 7) * (pll.held(12) >> 12 & 7)
        return CRYSTAL_HZ / (pll.held(0) & 63 or 1) * pll.held(8) / dividers if dividers else CRYSTAL_HZ

    def _random_bit(self) -> int:
        at, self._noise_at = self._noise_at, (self._noise_at + 1) % (8 * len(self.noise))
        return self.noise[at >> 3] >> (at & 7) & 1

    def _bite(self) -> None:
        self._restarts = True
        self.stop()

    def _feed(self) -> None:
        self.counts["feeds"] += 1
        self._fed()

    def _read(self, address: int, _size: int) -> int:
        if address == 0xD0000000:
            return 0  # of two cores it is the first one, which its program asks often
        if address >= 0xD0000000:
            offset = address & 0xFFF
            value = self.pins.read_sio(offset)
            if value is not None:
                return value
            return 2 if offset == 0x50 else 1 if 0x100 <= offset < 0x180 else 0
        part = self._part(address)
        return part.read(address & 0xFFC) >> 8 * (address & 3)

    def _write(self, address: int, size: int, value: int) -> None:
        if address >= 0xD0000000:
            self.pins.write_sio(address & 0xFFF, value)
            return
        part, offset, way = self._part(address), address & 0xFFC, address >> 12 & 3
        value *= {1: 0x01010101, 2: 0x00010001, 4: 1}[size]  # a narrow write puts the same on all lanes
        part.write(offset, WRITES[way](part.held(offset), value) & 0xFFFFFFFF if way else value & 0xFFFFFFFF)
        if part is self.pins.pads or part is self.pins.controls:
            self.pins.update(range(len(self.pins.levels)))

    def _part(self, address: int) -> Registers:
        base = address & ~0x3FFF
        part = self._parts.get(base)
        if part is None:
            part = self._parts[base] = Registers()
        return part

    def _coprocessor(self, first: int, second: int) -> None:
        """MCRR and MCR for coprocessor 0 are emulated, which set pins, and none that calculates with doubles."""
        assert self.core is not None
        if second >> 8 & 15 == 0 and first >> 4 == 0xEC4:
            values = self.core.register(second >> 12), self.core.register(first & 15)
            self.pins.coprocessor(second >> 4 & 15, second & 15, *values)
        elif second >> 8 & 15 == 0 and first >> 8 == 0xEE and not first >> 4 & 1 and second >> 4 & 1:
            self.pins.coprocessor(first >> 5 & 7, second & 15, self.core.register(second >> 12), 0)
        elif (first, second) == DOUBLES_FREE:
            self.core.set_register(0, 0)
        else:
            raise ChipFault(f"the instruction {first:04x} {second:04x} of a coprocessor is not emulated")

    def _call(self, at: int) -> None:
        """The program has called the ROM."""
        core = self.core
        assert core is not None
        if at == LOOKUP:
            core.set_register(0, self._look_up(core.register(0), core.register(1)))
            return
        code = self._names[(at - FUNCTIONS) // 4]
        name = chr(code & 0xFF) + chr(code >> 8)
        arguments = [core.register(number) for number in range(4)]
        result = 0
        if name == "RE":
            self.flash.begin(arguments[0], arguments[1], None, self.nanos)
            core.stop()
        elif name == "RP":
            self.flash.begin(arguments[0], arguments[2], core.memory(arguments[1], arguments[2]), self.nanos)
            core.stop()
        elif name == "GS":
            result = self._system(arguments)
        elif name == "RB":
            self.in_loader = arguments[0] & REBOOT_TYPE == TO_LOADER
            self._restarts = not self.in_loader
            self.stop()
        elif name not in IDLE:
            raise ChipFault(f"the program has called the ROM's function {name}, which is not emulated")
        core.set_register(0, result)

    def _look_up(self, code: int, wanted: int) -> int:
        if wanted & WANTS_DATA:
            return DATA
        if code not in self._names:
            self._names.append(code)
        return FUNCTIONS + 4 * self._names.index(code) | 1

    def _system(self, arguments: list[int]) -> int:
        """Answer get_sys_info (RP2350 datasheet 5.4.8.17): the chip's number, random bits, or that of a usual boot."""
        buffer, _, flags, _ = arguments
        assert self.core is not None
        words = {CHIP_INFO: b"\0" * 4 + self._id[::-1], BOOT_RANDOM: self.chance(16), BOOT_INFO: b"\0" * 16}.get(flags)
        if words is None:
            raise ChipFault(f"the program has asked the ROM for {flags:#x}, which is not emulated")
        self.core.put(buffer, struct.pack("<I", flags) + words)
        return 1 + len(words) // 4

    def run(self, until_ns: int) -> None:
        """Run to the time `until_ns`, or to what stops it."""
        self.is_stopped = False
        while not self.is_stopped and self.nanos < until_ns:
            if self.cut_at is not None and self.counts["instructions"] >= self.cut_at:
                self.cut_at = None
                self.power_off()
            if self.stop_at is not None and self.counts["instructions"] >= self.stop_at:
                self.stop_at = None
                return
            if self._restarts and self.core is not None:
                self._reset()
            elif self.sag_ns and self.core is not None:
                self.counts["resets"] += 1
                self._back_ns, self.sag_ns = self.nanos + self.sag_ns, 0
                self._stand()
            elif self.core is not None:
                self._turn(self.core, until_ns)
            else:
                self._base_ns = min(until_ns, self._back_ns or until_ns)
                if self._base_ns == self._back_ns:
                    self._come_back()

    def _come_back(self) -> None:
        """The supply is back. Memory holds what it held, but for a word here and there."""
        self._back_ns, self._kept = None, {}
        for at in range(self._random.randrange(LOST_IN_A_SAG), RAM_BYTES // 4, LOST_IN_A_SAG):
            self._ram[4 * at : 4 * at + 4] = self.chance(4)
        self._start(BROWN_OUT)

    def _turn(self, core: Core, until_ns: int) -> None:
        """Let some time pass: a slice of the program, or rest until something happens."""
        self.clock.ring()
        if self.is_stopped:
            return
        first = self.clock.first()
        end = until_ns if first is None else min(until_ns, first)
        act = self.flash.act
        if act is not None:
            self._base_ns = max(self._base_ns, min(end, act.until_ns))
            if self._base_ns >= act.until_ns:
                self.flash.finish()
            return
        if core.is_asleep:
            if not core.nvic.pending:
                self.counts["idle_ns"] += end - self._base_ns
                self._base_ns = end
                return
            core.is_asleep = False
        if self.in_loader:
            self._base_ns = end
            return
        limits = [at for at in (self.cut_at, self.stop_at) if at is not None]
        left = min(limits) - self.counts["instructions"] if limits else LONGEST
        longest = MASKED if core.nvic.is_masked and core.nvic.pending else LONGEST
        done = core.execute(max(1, min(-(-(end - self._base_ns) // INSTRUCTION_NS), longest, left)))
        self.counts["instructions"] += done
        self._base_ns += done * INSTRUCTION_NS


def _selected(at: int) -> Callable[[Answers], int]:
    """Return what CLK_..._SELECTED says of the register two before it: one bit for its source."""
    return lambda part: 1 << (part.held(at - 8) & (3 if at == 0x38 else 1))
