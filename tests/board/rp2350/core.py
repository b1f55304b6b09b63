"""One Cortex-M33 of Unicorn with memory and a bus, and what Unicorn leaves out: exceptions, and its count as a time.

Unicorn executes instructions; it has no interrupt controller, no coprocessors and no boot ROM. An interrupt is entered
between two slices, with the frame that the architecture pushes (Armv8-M ARM, B3.20); the registers of the FPU are kept
aside. Sleep ends a slice.

The number of instructions that Unicorn has counted, and the one at which a slice ends, are in its memory and nowhere in
its interface. `_find_count` looks for them with a program that it knows, so that a clock can be read within a slice,
and a slice be ended behind the instruction that runs.
"""

import ctypes
import importlib
import struct
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from wallwright_simulator.chip.process import ChipFault, NoEmulator, find_emulator

from .nvic import Nvic

FLASH, RAM = 0x10000000, 0x20000000
FLASH_ALIASES = (FLASH, 0x14000000)
"""Through the cache, which is not emulated, and past it."""
MAINTENANCE, MAINTENANCE_BYTES = 0x18000000, 0x4000000
USB_MEMORY, USB_MEMORY_BYTES = 0x50100000, 0x1000
ROM_BYTES = 0x1000
BUSES = ((0x40000000, 0x200000), (0x50000000, 0x100000), (0x50110000, 0x6F0000), (0xD0000000, 0x40000))
PRIVATE, PRIVATE_BYTES = 0xE0000000, 0x100000
ENDLESS = 0xFFFFFFFE
BREAKPOINT, NO_COPROCESSOR, EXCEPTION_EXIT = 7, 17, 8
"""Numbers of Unicorn's interrupts."""
MAIN_STACK = 0xFFFFFFF9
"""EXC_RETURN: to a thread on the main stack, without a frame for the FPU; a handler's has no bit 3."""
TO_HANDLER = 0xFFFFFFF1
THUMB = 1 << 24
ALIGNED = 1 << 9
FRAME = struct.Struct("<8I")
FRAMED = ("R0", "R1", "R2", "R3", "R12", "LR", "PC", "XPSR")
_PEEK_WORDS = 1024
_PROBE_COUNT = 123457


class Unicorn(NamedTuple):
    """The package, the names of its ARM registers, and where in an engine the count and its end are."""

    package: Any
    arm: Any
    count_at: int
    end_at: int


@cache
def load_unicorn() -> Unicorn:
    """Return Unicorn; NoEmulator without what `make chip` fetches."""
    packages = find_emulator() / "python"
    if not (packages / "unicorn").is_dir():
        raise NoEmulator(f"{packages} has no unicorn: run `make chip`")
    if str(packages) not in sys.path:
        sys.path.append(str(packages))
    package, arm = importlib.import_module("unicorn"), importlib.import_module("unicorn.arm_const")
    return Unicorn(package, arm, *_find_count(package, arm))


def _engine(package: Any) -> Any:
    engine = package.Uc(package.UC_ARCH_ARM, package.UC_MODE_THUMB | package.UC_MODE_MCLASS)
    engine.ctl_set_cpu_model(package.arm_const.UC_CPU_ARM_CORTEX_M33)
    return engine


def _find_count(package: Any, arm: Any) -> tuple[int, int]:
    """Return where an engine keeps its count and the end of it: five instructions and a read, seven and a read."""
    engine = _engine(package)
    seen = []

    def read(*_: Any) -> int:
        seen.append(tuple((ctypes.c_uint64 * _PEEK_WORDS).from_address(engine._uch.value)))
        return 0

    nop, load, stay = 0xBF00, 0x6801, 0xE7FE
    engine.mem_map(RAM, 0x1000)
    engine.mmio_map(BUSES[0][0], 0x1000, read, None, lambda *_: None, None)
    engine.mem_write(RAM, struct.pack("<15H", *[nop] * 5, load, *[nop] * 7, load, stay))
    engine.reg_write(arm.UC_ARM_REG_R0, BUSES[0][0])
    engine.emu_start(RAM | 1, ENDLESS, count=_PROBE_COUNT)
    first, second = seen
    counts = [at for at in range(_PEEK_WORDS) if (first[at], second[at]) == (6, 14)]
    ends = [at for at in range(_PEEK_WORDS) if first[at] == _PROBE_COUNT]
    if len(counts) != 1 or len(ends) != 1:
        raise ChipFault("this Unicorn does not count as the one that the emulator was written for")
    return 8 * counts[0], 8 * ends[0]


class Core:
    """A core that starts at the vectors of `flash`; its memories are the caller's and outlive it.

    `read(address, size)` and `write(address, size, value)` are the bus, `call(number)` is told of each breakpoint in
    the ROM, `coprocessor(words, registers)` of each instruction for one.
    """

    def __init__(
        self,
        flash: Any,
        ram: Any,
        rom: bytes,
        *,
        read: Callable[[int, int], int],
        write: Callable[[int, int, int], None],
        call: Callable[[int], None],
        coprocessor: Callable[[int, int], None],
    ) -> None:
        package, arm, count, end = load_unicorn()
        self.arm = arm
        self._engine = engine = _engine(package)
        self._count = ctypes.c_uint64.from_address(engine._uch.value + count)
        self._end = ctypes.c_uint64.from_address(engine._uch.value + end)
        self._call = call
        self._coprocessor = coprocessor
        self.nvic = Nvic(self.stop)
        self.is_running = self.is_asleep = False
        self._has_event = False
        self._fault: Exception | None = None
        self._kept: list[Any] = []
        every = package.UC_PROT_ALL
        engine.mem_map(0, ROM_BYTES)
        engine.mem_write(0, rom)
        for address in FLASH_ALIASES:
            engine.mem_map_ptr(address, len(flash), every, ctypes.addressof(flash))
        engine.mem_map_ptr(RAM, len(ram), every, ctypes.addressof(ram))
        engine.mem_map(MAINTENANCE, MAINTENANCE_BYTES)
        engine.mem_map(USB_MEMORY, USB_MEMORY_BYTES)
        for base, size in (*BUSES, (PRIVATE, PRIVATE_BYTES)):
            bus = (self.nvic.read, self.nvic.write) if base == PRIVATE else (read, write)
            self._map(base, size, *bus)
        engine.hook_add(package.UC_HOOK_INTR, self._interrupted)
        engine.hook_add(package.UC_HOOK_INSN_INVALID, self._not_known)
        stack, entry = struct.unpack_from("<II", bytes(flash[:8]))
        engine.reg_write(arm.UC_ARM_REG_SP, stack)
        self._pc = entry
        self._core_registers = [getattr(arm, f"UC_ARM_REG_{name}") for name in FRAMED]
        names = [f"D{number}" for number in range(8)] + ["FPSCR"]
        self._float_registers = [getattr(arm, f"UC_ARM_REG_{name}") for name in names]

    @property
    def counted(self) -> int:
        """Instructions since this slice began, the one that runs included."""
        return min(self._count.value, self._end.value)

    def register(self, number: int) -> int:
        """Return r0 to r12."""
        value: int = self._engine.reg_read(self.arm.UC_ARM_REG_R0 + number)
        return value

    def set_register(self, number: int, value: int) -> None:
        """Set r0 to r12."""
        self._engine.reg_write(self.arm.UC_ARM_REG_R0 + number, value & 0xFFFFFFFF)

    def memory(self, address: int, size: int) -> bytes:
        """Return what the core would read there, which has to be memory."""
        return bytes(self._engine.mem_read(address, size))

    def put(self, address: int, data: bytes) -> None:
        """Write to memory."""
        self._engine.mem_write(address, data)

    def stop(self) -> None:
        """End the slice behind the instruction that runs."""
        if self.is_running:
            self._end.value = min(self._end.value, self._count.value)

    def execute(self, count: int) -> int:
        """Execute up to `count` instructions; return how many it were. Enters an interrupt first if one is due."""
        self._enter()
        self.is_running = True
        package_error = load_unicorn().package.UcError
        try:
            self._engine.emu_start(self._pc | 1, ENDLESS, count=max(count, 2))
        except package_error as error:
            if self._fault is None:
                self._fault = ChipFault(f"{error} at {self._engine.reg_read(self.arm.UC_ARM_REG_PC):#x}")
                self._fault.__cause__ = error
        self.is_running = False
        self._pc = self._engine.reg_read(self.arm.UC_ARM_REG_PC)
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault
        if self._count.value < self._end.value:
            self.is_asleep = True  # nothing else ends a slice early
        return self.counted

    def _map(
        self, base: int, size: int, read: Callable[[int, int], int], write: Callable[[int, int, int], None]
    ) -> None:
        def load(_: Any, offset: int, width: int, __: Any) -> int:
            try:
                return read(base + offset, width)
            except Exception as fault:  # noqa: BLE001 - told by `execute`, which no exception may pass through
                self._fail(fault)
                return 0

        def store(_: Any, offset: int, width: int, value: int, __: Any) -> None:
            try:
                write(base + offset, width, value)
            except Exception as fault:  # noqa: BLE001 - likewise
                self._fail(fault)

        self._engine.mmio_map(base, size, load, None, store, None)

    def _fail(self, fault: Exception) -> None:
        self._fault = self._fault or fault
        self.stop()

    def _not_known(self, engine: Any, _: Any) -> bool:
        """WFE comes here, with the program counter behind it."""
        at = engine.reg_read(self.arm.UC_ARM_REG_PC)
        if self.memory(at - 2, 2) != b"\x20\xbf":
            return False
        if self._has_event:
            self._has_event = False
            return True
        self.is_asleep = True
        engine.emu_stop()
        return True

    def _interrupted(self, engine: Any, number: int, _: Any) -> None:
        at = engine.reg_read(self.arm.UC_ARM_REG_PC)
        try:
            if number == EXCEPTION_EXIT:
                self._leave()
            elif number == NO_COPROCESSOR:
                first, second = struct.unpack("<HH", self.memory(at, 4))
                self._coprocessor(first, second)
                engine.reg_write(self.arm.UC_ARM_REG_PC, (at + 4) | 1)
            elif number == BREAKPOINT and at < ROM_BYTES:
                self._call(at)
                engine.reg_write(self.arm.UC_ARM_REG_PC, (at + 2) | 1)
            else:
                raise ChipFault(f"exception {number} at {at:#x}, which the program has no handler for")
        except Exception as fault:  # noqa: BLE001 - told by `execute`
            self._fail(fault)
            engine.emu_stop()

    def _enter(self) -> None:
        """Let the interrupt begin that is due, if one is."""
        engine, arm = self._engine, self.arm
        if not self.nvic.pending:
            return
        masks = (arm.UC_ARM_REG_PRIMASK, arm.UC_ARM_REG_BASEPRI, arm.UC_ARM_REG_FAULTMASK)
        primask, base, faultmask = (engine.reg_read(mask) for mask in masks)
        self.nvic.is_masked = bool(primask or faultmask)
        number = None if self.nvic.is_masked else self.nvic.take(base)
        if number is None:
            return
        *saved, _, status = engine.reg_read_batch(self._core_registers)
        stack = engine.reg_read(arm.UC_ARM_REG_SP)
        is_odd = stack & 4
        stack = (stack - FRAME.size) & ~7
        engine.mem_write(stack, FRAME.pack(*saved, self._pc & ~1, status | (ALIGNED if is_odd else 0)))
        self._kept.append(engine.reg_read_batch(self._float_registers))
        engine.reg_write(arm.UC_ARM_REG_SP, stack)
        engine.reg_write(arm.UC_ARM_REG_LR, TO_HANDLER if status & 0x1FF else MAIN_STACK)
        engine.reg_write(arm.UC_ARM_REG_XPSR, THUMB | number)
        (self._pc,) = struct.unpack("<I", self.memory(self.nvic.vectors + 4 * number, 4))

    def _leave(self) -> None:
        """The handler has returned."""
        engine, arm = self._engine, self.arm
        self.nvic.leave()
        self._has_event = True
        stack = engine.reg_read(arm.UC_ARM_REG_SP)
        *saved, back, status = FRAME.unpack(self.memory(stack, FRAME.size))
        for register, value in zip(self._core_registers, saved, strict=False):
            engine.reg_write(register, value)
        for register, value in zip(self._float_registers, self._kept.pop(), strict=True):
            engine.reg_write(register, value)
        engine.reg_write(arm.UC_ARM_REG_SP, stack + FRAME.size + (4 if status & ALIGNED else 0))
        engine.reg_write(arm.UC_ARM_REG_XPSR, status & ~ALIGNED | THUMB)
        engine.reg_write(arm.UC_ARM_REG_PC, back | 1)
        if self.nvic.pending:
            self.stop()
