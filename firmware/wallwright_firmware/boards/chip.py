"""The names of a chip's module that a board uses, beside those of MicroPython's `machine`.

`rp2` is such a module; docs/recipes.md says what another one needs. This file is for readers and for types: no board
loads it.
"""

from collections.abc import Callable, Iterator, MutableSequence
from types import ModuleType
from typing import Protocol


class Samples(Protocol):
    """All inputs once a millisecond, whatever the program does, for half a second: half longer than a flash is erased.

    Times are in ms on the clock of the board.
    """

    @property
    def lost(self) -> int:
        """Return how many samples were written over before anybody looked at them."""

    @property
    def seen(self) -> int:
        """Return which sample was looked at last; another number after each one, for as long as samples come."""

    def newest_ms(self) -> int:
        """Return when the newest sample that was looked at was taken, by counting samples."""

    def has_edge(self) -> bool:
        """Say whether a wire has changed that was not taken yet; each turn of the loop asks."""

    def take(self) -> int:
        """Return the next change as its wire, plus 64 when it has gone to 1; only after `has_edge` has said so."""

    def seen_ms(self) -> int:
        """Return when the sample of the last change was taken."""

    def turn_back(self, by_ms: int) -> None:
        """Go by a clock that shows `by_ms` less."""

    def level(self, wire: int) -> int:
        """Return the level of a wire in the last sample that was looked at."""

    def told(self) -> tuple[int, int]:
        """Return the levels as the edges that were taken have told them, to come back to."""

    def skip(self) -> None:
        """Pass over all edges so far."""

    def come_back(self, told: tuple[int, int]) -> None:
        """Pass over all edges so far; what differs from the levels `told` is an edge again."""

    def stop(self) -> None:
        """Sample no more, and give the memory back: the board is about to start anew."""


class Pulses(Protocol):
    """Edges on the pin of the pump that holds the motors' supply; none comes that was not asked for."""

    def pulse(self) -> None:
        """Ask for one pulse, unless one waits; each turn of a healthy loop does."""

    def bridge(self) -> None:
        """Ask for pulses for longer than a flash is erased, and not much longer; they come without the program."""

    def end(self) -> None:
        """Forget all pulses that were asked for."""

    def stop(self) -> None:
        """Make no pulse any more: the board is about to start anew."""


class Chip(Protocol):
    """The names that the module of a chip has."""

    NAME: bytes
    """As the host is told it, in eight bytes at the most."""
    PINS: ModuleType
    """The module with the pins of its carrier, by the names of `pins`."""
    HOST_UART: int
    LINE_UART: int
    OUT_SPI: int
    """Numbers for `machine.UART` and `machine.SPI`."""
    KEPT: tuple[MutableSequence[int], int]
    """A memory that a reset leaves as it is, and the place in it that takes 30 bits."""

    def noise(self, count: int) -> bytes:
        """Return `count` samples for `Hal.noise`."""

    def self_test(self, test: int, sampler: Samples, now_ms: Callable[[], int]) -> Iterator[int]:
        """Yield what comes of a test of the hardware, as `Hal.self_test` does."""

    def restart_cause(self) -> int:
        """Return the notice that says why the chip has started; asked before the board starts its watchdog."""

    def Sampler(self, now_ms: Callable[[], int]) -> Samples:  # noqa: N802 - a class
        """Start to sample the inputs; `now_ms`, the clock of the board, says when the first sample was taken."""

    def Pump(self) -> Pulses:  # noqa: N802 - a class
        """Take the pin of the pump, without an edge."""
