"""The pins of an RP2350: what drives each net, and erratum RP2350-E9. Sources: RP2350 datasheet 9.4, 9.11, 3.1.

A net has one driver, the pin itself by the function that it is muxed to or a part outside; two are an error whatever
their levels. A net that nothing drives is pulled by a resistor outside, or else by the pad's own. By E9 a pad whose
input is enabled leaks so much at 2 V that its own pull-down does not bring a net down that was high: it stays high.
"""

from collections.abc import Callable, Iterable

from wallwright_simulator.chip.process import ChipFault

from .registers import Registers

PINS = 30
SPI, UART, I2C, SIO, PIO_0, PIO_1, NOTHING = 1, 2, 3, 5, 6, 7, 31
NAMES = {SPI: "SPI", UART: "UART", SIO: "SIO", PIO_0: "PIO 0", PIO_1: "PIO 1"}
ISOLATED, OUTPUT_DISABLE, INPUT_ENABLE, PULL_UP, PULL_DOWN = 1 << 8, 1 << 7, 1 << 6, 1 << 3, 1 << 2
PAD_AT_RESET, CONTROL_AT_RESET = 0x116, 0x1F
PADS_FROM = 4
SIO_OUT, SIO_SET, SIO_CLEAR, SIO_XOR, SIO_ENABLE, SIO_IN = 0x10, 0x18, 0x20, 0x28, 0x30, 0x04
SIO_ENABLE_SET, SIO_ENABLE_CLEAR, SIO_ENABLE_XOR = 0x38, 0x40, 0x48


class Pins:
    """`listen` tells a part of every change of a net."""

    def __init__(self) -> None:
        self._listeners: dict[int, list[Callable[[int], None]]] = {}
        self._outside: dict[int, tuple[str, int]] = {}
        self._pulls: dict[int, int] = {}
        self.levels = [0] * PINS
        self.latched: set[int] = set()
        """Pins that E9 has held high since the chip has started."""
        self.watch: Callable[[int, int], None] = lambda pin, level: None
        self.attach(False)

    def attach(self, has_power: bool) -> None:
        """The chip starts, or has no power any more: every register is as after a reset."""
        self._has_power = has_power
        self.pads = Registers({PADS_FROM + 4 * pin: PAD_AT_RESET for pin in range(PINS)})
        self.controls = Registers({8 * pin + 4: CONTROL_AT_RESET for pin in range(PINS)})
        self.out = self.enabled = 0
        self._pio_out, self._pio_enabled = [0, 0], [0, 0]
        self.latched.clear()
        self.update(range(PINS))

    def drive(self, pin: int, name: str, level: int) -> None:
        """A part outside drives this net from now on."""
        self._outside[pin] = (name, level)
        self.update((pin,))

    def pull(self, pin: int, level: int) -> None:
        """A resistor outside pulls this net."""
        self._pulls[pin] = level
        self.update((pin,))

    def listen(self, pin: int, listener: Callable[[int], None]) -> None:
        """Tell `listener` of every change of a net."""
        self._listeners.setdefault(pin, []).append(listener)

    def function(self, pin: int) -> int:
        """Return what a pin is muxed to."""
        return self.controls.held(8 * pin + 4) & 0x1F

    def pad(self, pin: int) -> int:
        """Return the register of a pad."""
        return self.pads.held(PADS_FROM + 4 * pin)

    def own(self, pin: int) -> int | None:
        """Return the level to which the chip itself drives a pin, or None."""
        if not self._has_power or self.pad(pin) & (ISOLATED | OUTPUT_DISABLE):
            return None
        select = self.function(pin)
        if select == SPI:
            return None if pin & 3 == 0 else 1 if pin & 3 == 1 else 0
        if select == UART:
            return 1 if pin & 3 in (0, 3) else None
        if select in (PIO_0, PIO_1):
            number = select - PIO_0
            return self._pio_out[number] >> pin & 1 if self._pio_enabled[number] >> pin & 1 else None
        if select == SIO:
            return self.out >> pin & 1 if self.enabled >> pin & 1 else None
        if select in (NOTHING, I2C):
            return None
        raise ChipFault(f"GP{pin} is muxed to function {select}, which is not emulated")

    def update(self, pins: Iterable[int]) -> None:
        """Work the levels of these nets out anew."""
        for pin in pins:
            level = self._level(pin)
            if level != self.levels[pin]:
                self.levels[pin] = level
                self.watch(pin, level)
                for listener in self._listeners.get(pin, ()):
                    listener(level)

    def _level(self, pin: int) -> int:
        own, outside = self.own(pin), self._outside.get(pin)
        if own is not None and outside is not None:
            name = f"GP{pin} ({NAMES[self.function(pin)]})"
            raise ChipFault(f"{name} and {outside[0]} both drive the net GP{pin}")
        if own is not None:
            return own
        if outside is not None:
            return outside[1]
        if pin in self._pulls:
            return self._pulls[pin]
        pad = self.pad(pin) if self._has_power else 0
        if pad & PULL_UP:
            return 1
        if pad & PULL_DOWN and not pad & ISOLATED and pad & INPUT_ENABLE and self.levels[pin]:
            self.latched.add(pin)
            return 1
        return 0 if pad & PULL_DOWN else self.levels[pin]

    def set_out(self, value: int) -> None:
        """The program writes to the outputs of the SIO."""
        changed, self.out = self.out ^ value, value
        self.update(pin for pin in range(PINS) if changed >> pin & 1)

    def set_enabled(self, value: int) -> None:
        """Likewise to their enables."""
        changed, self.enabled = self.enabled ^ value, value
        self.update(pin for pin in range(PINS) if changed >> pin & 1)

    def set_pio(self, number: int, out: int, enabled: int) -> None:
        """State machines of a PIO set their pins."""
        changed = self._pio_out[number] ^ out | self._pio_enabled[number] ^ enabled
        self._pio_out[number], self._pio_enabled[number] = out, enabled
        if changed:
            self.update(pin for pin in range(PINS) if changed >> pin & 1)

    def coprocessor(self, operation: int, place: int, first: int, second: int) -> None:
        """An instruction for coprocessor 0, which does what the SIO's registers do (RP2350 datasheet 3.6.1).

        `operation` 0 to 3 writes, inverts, sets and clears a mask, 4 puts one bit; `place` 0 is outputs, 4 enables.
        """
        old = self.out if place == 0 else self.enabled
        if operation == 4:
            new = old | 1 << first if second & 1 else old & ~(1 << first)
        elif operation < 4:
            new = (first, old ^ first, old | first, old & ~first)[operation]
        else:
            raise ChipFault(f"operation {operation} of the coprocessor for pins is not emulated")
        if place not in (0, 4):
            raise ChipFault(f"register {place} of the coprocessor for pins is not emulated")
        (self.set_out if place == 0 else self.set_enabled)(new)

    def read_sio(self, offset: int) -> int | None:
        """Return a register of the SIO if it is one of pins."""
        if offset == SIO_IN:
            inputs = (pin for pin in range(PINS) if self.levels[pin] and self.pad(pin) & INPUT_ENABLE)
            return sum(1 << pin for pin in inputs)
        if SIO_OUT <= offset < SIO_ENABLE and offset & 4 == 0:
            return self.out
        return self.enabled if SIO_ENABLE <= offset < SIO_ENABLE + 0x20 and offset & 4 == 0 else None

    def write_sio(self, offset: int, value: int) -> None:
        """Write a register of the SIO if it is one of pins."""
        changes = {SIO_OUT: value, SIO_SET: self.out | value, SIO_CLEAR: self.out & ~value, SIO_XOR: self.out ^ value}
        if offset in changes:
            self.set_out(changes[offset])
        changes = {
            SIO_ENABLE: value,
            SIO_ENABLE_SET: self.enabled | value,
            SIO_ENABLE_CLEAR: self.enabled & ~value,
            SIO_ENABLE_XOR: self.enabled ^ value,
        }
        if offset in changes:
            self.set_enabled(changes[offset])
