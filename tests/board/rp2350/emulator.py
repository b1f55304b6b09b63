"""A Wallwright board around an emulated RP2350, behind the interface of the emulated RP2040's process."""

import base64
import ctypes
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from wallwright_firmware.boards.pins import (
    IN_REGISTERS,
    OUT_REGISTERS,
    PIN_HOST_RX,
    PIN_HOST_TX,
    PIN_IN_CLOCK,
    PIN_IN_DATA,
    PIN_IN_LOAD,
    PIN_LINE_ENABLE,
    PIN_LINE_RX,
    PIN_LINE_TX,
    PIN_OUT_BACK,
    PIN_OUT_CLOCK,
    PIN_OUT_DATA,
    PIN_OUT_ENABLE,
    PIN_OUT_LATCH,
    PIN_PUMP,
    SENSE_REGISTERS,
)
from wallwright_protocol.hardware import READS_BACK, SENSED, STANDARD_PARTS
from wallwright_protocol.line import BAUD
from wallwright_simulator.chip.kinds import RP2350
from wallwright_simulator.chip.process import HOST_BAUD, ChipFault, Turn

from .chip import FLASH_BYTES, Chip
from .clock import Alarm, Clock
from .flash import Flash
from .pins import SPI, UART, Pins

PAUSE_NS = 300_000
"""With no byte for this long a frame to the host is over."""
KEPT_CHANGES = 1 << 16


class InputChain:
    """Six 74HC165: a low level at the load pin lets the inputs in, a rising clock brings the next one."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self.levels = bytes(IN_REGISTERS)
        self._held, self._at = self.levels, 0
        pins.drive(PIN_IN_DATA, "74HC165 (serial output)", 0)
        pins.listen(PIN_IN_LOAD, lambda level: self._load() if level == 0 else None)
        pins.listen(PIN_IN_CLOCK, lambda level: self._shift() if level else None)

    def _load(self) -> None:
        self._held, self._at = self.levels, 0
        self._show()

    def _shift(self) -> None:
        if self._pins.levels[PIN_IN_LOAD]:
            self._at += 1
            self._show()

    def _show(self) -> None:
        byte = self._at >> 3  # the serial input of the last one is tied to ground
        level = self._held[byte] >> 7 - (self._at & 7) & 1 if byte < IN_REGISTERS else 0
        self._pins.drive(PIN_IN_DATA, "74HC165 (serial output)", level)


class OutputChain:
    """Four 74HC595: what comes first is passed on, a rising latch shows it, a resistor holds their enable off.

    Behind them are three 74HC165 with the senses if `parts` has these: a low latch lets the senses in. What the last
    register passes on comes back, whole bytes at a time; the net itself has no bits of it.
    """

    def __init__(self, chip: "Rp2350", parts: int) -> None:
        self._board = chip
        self._senses = bytes(SENSE_REGISTERS if parts & SENSED else 0)
        if parts & READS_BACK:
            chip.pins.drive(PIN_OUT_BACK, "the last register of the outputs", 0)
        self._comes_back = bool(parts & READS_BACK)
        self._stages = self.latched = bytes(OUT_REGISTERS)
        self.writes = 0
        pins = chip.pins
        pins.pull(PIN_OUT_ENABLE, 1)
        pins.listen(PIN_OUT_LATCH, lambda level: self._latch() if level else self._load())
        pins.listen(PIN_OUT_ENABLE, lambda level: chip.changed())

    def scramble(self, stages: bytes, latched: bytes) -> None:
        """Power has come: the flip-flops stand as chance has it."""
        self._stages, self.latched = stages, latched
        self._board.changed()

    def shift(self, byte: int) -> int:
        """A byte has come on clock and data; return what has gone to the chip meanwhile."""
        chain = bytes([byte, *self._stages, *self._senses])
        self._stages, self._senses = chain[:OUT_REGISTERS], chain[OUT_REGISTERS:-1]
        return chain[-1] if self._comes_back else 0

    def flip(self, place: int, latched: bool) -> None:
        """A bit changes by itself, in a shift register or behind the latch: that of output `place`."""
        byte = place >> 3
        held = bytearray(self.latched if latched else self._stages)
        held[OUT_REGISTERS - 1 - byte if latched else byte] ^= 1 << (place & 7)
        if latched:
            self.latched = bytes(held)
        else:
            self._stages = bytes(held)
        self._board.changed()

    def _load(self) -> None:
        if self._senses:
            self._senses = self._board.sensed().to_bytes(SENSE_REGISTERS, "little")

    def _latch(self) -> None:
        if self._board.chip.spis[1].is_busy:
            raise ChipFault("the outputs were shown while they were shifted")
        # The first byte of the chain is the one that was shifted in first.
        self.latched = bytes(reversed(self._stages))
        self.writes += 1
        self._board.changed()


class Rp2350:
    """One chip with the board around it, without power at first. Arguments and methods are those of `Emulator`.

    It has no host at its own USB, no cache whose misses cost time and no real node, and its flash does not wear.
    """

    kind = RP2350

    def __init__(
        self,
        flash: Sequence[tuple[int, bytes]],
        *,
        seed: int = 1,
        id_bytes: bytes = b"\xe6\x60\x38\xb7\x13\x4a\x9c\x2f",
        noise: bytes = b"\x5a",
        xip_miss: int = 0,
        erase_ms: int = 45,
        worn: Sequence[int] = (),
        usb: bool = True,
        nanos: float = 0,
        parts: int = STANDARD_PARTS,
    ) -> None:
        if xip_miss or worn:
            raise ChipFault("an emulated RP2350 has neither misses of a cache nor worn sectors")
        cells: Any = (ctypes.c_ubyte * FLASH_BYTES)()
        ctypes.memset(cells, 0xFF, FLASH_BYTES)
        self._flash = Flash(cells, erase_ms)
        for offset, data in flash:
            self._flash.put(offset, data)
        self.pins = Pins()
        self._to_host, self._to_line = bytearray(), bytearray()
        self._stops_for_host = False
        self._is_powered = False
        self._seen = 0
        self._switches: dict[str, Any] = {"on": 0, "off": 0, "supplied": True}
        self._trace: deque[tuple[float, str, float]] = deque(maxlen=KEPT_CHANGES)
        self._samples: dict[str, Any] = {"count": 0, "last": None, "longestNanos": 0, "gaps": Counter()}
        self._pump: dict[str, Any] = {"edges": 0, "last": -1, "longestNanos": 0}
        self.pins.listen(PIN_PUMP, lambda level: self._pumped())
        self._coming: deque[int] = deque()
        self._line: list[tuple[float, int]] = []
        self._line_counts = {"undriven": 0, "deaf": 0}
        self._host_alarm: Alarm
        self._line_alarm: Alarm
        self._pause_alarm: Alarm
        self._inputs = InputChain(self.pins)
        self.chip = Chip(
            self.pins,
            self._flash,
            id_bytes=id_bytes,
            noise=noise,
            seed=seed,
            nanos=int(nanos),
            inputs=lambda: self._inputs.levels,
            sampled=self._sampled,
            send=self._sent,
            shift=self._shifted,
            fed=lambda: self._trace.append((self.chip.nanos, "poll", 1)),
            started=self._started,
        )
        self.outputs = OutputChain(self, parts)

    def go(self, until_ns: float, inputs: bytes, to_host_line: bytes = b"", *, stop_for_host: bool = False) -> Turn:
        """Run as `Emulator.go` says."""
        chip = self.chip
        self._stops_for_host = stop_for_host
        if inputs != self._inputs.levels:
            if chip.is_on:
                chip.sampling.catch_up()
            self._inputs.levels = bytes(inputs)
        is_quiet = not self._coming
        self._coming.extend(to_host_line)
        if is_quiet and self._coming and chip.is_on:
            self._host_alarm.schedule(chip.nanos + self._byte_ns(HOST_BAUD))
        chip.run(int(until_ns))
        host, line = bytes(self._to_host), bytes(self._to_line)
        self._to_host.clear()
        self._to_line.clear()
        enabled = self._is_powered and not self.pins.levels[PIN_OUT_ENABLE]
        return Turn(chip.nanos, self.driven, enabled, chip.counts["resets"], self._pump["last"], host, line, b"")

    @property
    def driven(self) -> int:
        """The outputs as one number, the first byte of the chain highest; 0 while nothing drives them."""
        if not self._is_powered or self.pins.levels[PIN_OUT_ENABLE]:
            return 0
        return int.from_bytes(self.outputs.latched, "big")

    def sensed(self) -> int:
        """Return where there is voltage behind the switches of the drives."""
        switches = self._switches
        drives = self.driven & (1 << 8 * SENSE_REGISTERS) - 1
        return (drives | switches["on"]) & ~switches["off"] if switches["supplied"] else 0

    def changed(self) -> None:
        """The outputs may have changed."""
        if self.driven != self._seen:
            self._seen = self.driven
            self._trace.append((self.chip.nanos, "outputs", self.driven))
            self.chip.stop()

    def do(self, name: str, **values: Any) -> Any:
        """Do one of the rarer acts of `emulator/main.mjs`; ChipFault for those that are not emulated here."""
        chip = self.chip
        if name == "power":
            self._power(values["on"])
        elif name == "sag":
            chip.sag_ns = values["nanos"]
        elif name == "noise":
            chip.noise = base64.b64decode(values["bytes"])
        elif name == "line":
            self._hear(values["at"], base64.b64decode(values["bytes"]))
        elif name in ("cutAfter", "stopAfter"):
            goal = chip.counts["instructions"] + values["instructions"]
            setattr(chip, "cut_at" if name == "cutAfter" else "stop_at", goal)
            return goal
        elif name == "flip":
            self.outputs.flip(values["place"], values["latched"])
        elif name == "switches":
            self._switches = values
        elif name == "bite":
            chip.bite()
        elif name == "crash":
            chip.set_scratch(**values)
        elif name in ("trace", "isOn", "counts", "functions"):
            return getattr(
                self, {"trace": "_changes", "isOn": "_is_on", "counts": "_counts", "functions": "_functions"}[name]
            )()
        else:
            raise ChipFault(f"the emulated RP2350 has no {name}")
        return None

    def put_flash(self, offset: int, data: bytes) -> None:
        """Let the flash hold this from `offset` on."""
        self._flash.put(offset, data)

    def flash(self) -> bytes:
        """Return all that the flash holds."""
        return bytes(self._flash.cells)

    def close(self) -> None:
        """End the chip."""
        self.chip.power_off()

    def _changes(self) -> list[tuple[float, str, float]]:
        return list(self._trace)

    def _is_on(self) -> bool:
        return self.chip.is_on

    def _counts(self) -> dict[str, Any]:
        gaps = {str(ms): times for ms, times in self._samples["gaps"].items()}
        flash = {"erases": self._flash.erases, "pages": self._flash.pages}
        board = {"samples": self._samples | {"gaps": gaps}, "writes": self.outputs.writes, "pump": self._pump}
        return {"feeds": 0, "instructions": 0, "resets": 0, **self.chip.counts, **flash, **board, **self._line_counts}

    def _functions(self) -> list[int]:
        return [self.pins.function(pin) for pin in range(len(self.pins.levels))]

    def _power(self, on: bool) -> None:
        if on == self._is_powered:
            return
        self._is_powered = on
        self._samples["last"] = None
        self._pump["last"] = -1
        if on:
            self.outputs.scramble(self.chip.chance(OUT_REGISTERS), self.chip.chance(OUT_REGISTERS))
            self.chip.power_on()
        else:
            self.chip.power_off()
            self._coming.clear()
            self._line.clear()
            self.changed()

    def _started(self, clock: Clock) -> None:
        """The chip has a new clock; what was under way on its lines is lost in its start."""
        self._host_alarm, self._line_alarm = clock.alarm(self._deliver_host), clock.alarm(self._deliver_line)
        self._pause_alarm = clock.alarm(self.chip.stop)
        self._line.clear()
        if self._coming:
            self._host_alarm.schedule(clock.now() + self._byte_ns(HOST_BAUD))

    @staticmethod
    def _byte_ns(baud: float) -> int:
        return round(10e9 / baud)

    def _deliver_host(self) -> None:
        self.chip.serial_in(PIN_HOST_RX, self._coming.popleft(), HOST_BAUD)
        if self._coming:
            self._host_alarm.schedule(self.chip.nanos + self._byte_ns(HOST_BAUD))

    def _hear(self, at_ns: float, data: bytes) -> None:
        """A node sends from `at_ns` on; its first byte is over one byte later."""
        byte_ns = self._byte_ns(BAUD)
        self._line += [(at_ns + byte_ns * number, byte) for number, byte in enumerate(data, 1)]
        self._line.sort()
        if self._line and self.chip.is_on:
            self._line_alarm.schedule(int(self._line[0][0]))

    def _deliver_line(self) -> None:
        _, byte = self._line.pop(0)
        if self._drives_line():
            self._line_counts["deaf"] += 1
        else:
            self.chip.serial_in(PIN_LINE_RX, byte, BAUD)
        if self._line:
            self._line_alarm.schedule(int(self._line[0][0]))

    def _drives_line(self) -> bool:
        return self.chip.is_on and bool(self.pins.levels[PIN_LINE_ENABLE])

    def _sent(self, number: int, byte: int) -> None:
        pin = (PIN_HOST_TX, PIN_LINE_TX)[number]
        if self.pins.function(pin) != UART:
            self.chip.counts["unrouted"] += 1
        elif pin == PIN_HOST_TX:
            self._to_host.append(byte)
            if self._stops_for_host:
                self._pause_alarm.schedule(self.chip.nanos + PAUSE_NS)
        elif not self._drives_line():
            self._line_counts["undriven"] += 1
        else:
            self._to_line.append(byte)
            if byte == 0:
                self.chip.stop()

    def _shifted(self, number: int, byte: int) -> int:
        functions = {self.pins.function(pin) for pin in (PIN_OUT_CLOCK, PIN_OUT_DATA)}
        if number != 1 or functions != {SPI}:
            return 0
        came = self.outputs.shift(byte)
        return came if self.pins.function(PIN_OUT_BACK) == SPI else 0

    def _pumped(self) -> None:
        pump, now = self._pump, self.chip.nanos
        pump["edges"] += 1
        if pump["last"] >= 0:
            pump["longestNanos"] = max(pump["longestNanos"], now - pump["last"])
        pump["last"] = now

    def _sampled(self, at_ns: int) -> None:
        samples = self._samples
        samples["count"] += 1
        if samples["last"] is not None:
            gap = at_ns - samples["last"]
            samples["gaps"][round(gap / 1e6)] += 1
            samples["longestNanos"] = max(samples["longestNanos"], gap)
        samples["last"] = at_ns
