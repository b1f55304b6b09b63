"""Between a fault and what it is put into: its effect, and what there is around a world."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from wallwright_protocol import codes

from .noise import Noise as Source


class Effect(NamedTuple):
    """Begin a fault, and end it."""

    begin: Callable[[], None]
    end: Callable[[], None]


class Surroundings(Protocol):
    """The surroundings of a world: the board's supply, its random source and its line to the host."""

    seed: int

    def later(self, time_ms: int, call: Callable[[], None]) -> None:
        """Let `call` happen at `time_ms`, between two polls of the firmware."""

    def cut_power(self, for_ms: int, restart_cause: int = codes.NO_FAULT) -> None:
        """The power fails for this long; the board will say that this was why."""

    def crash(self) -> None:
        """The firmware fails with an exception, and the board starts again."""

    def hang(self) -> None:
        """The firmware goes no further until the watchdog starts the board again."""

    def flip(self, place: int) -> None:
        """The stored bit of an output changes by itself."""

    def swap_noise(self, source: Source) -> Source:
        """The board's random numbers come from `source` from now on; return the source until now."""

    def silence(self, silent: bool) -> None:
        """No byte passes between host and board any more, or they do again."""
