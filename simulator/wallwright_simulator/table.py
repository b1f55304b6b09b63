"""What ports and servers ask of a simulated table: `simulation` has it in this process, `chip` on an emulated chip."""

from typing import Protocol

from .injection import Injection
from .loader import LoaderFolder
from .players import Players
from .surroundings import Surroundings
from .world import World


class Panels(Protocol):
    """The board, as far as people at the table see it."""

    lamp_mask: int
    displays: list[str]


class Table(Surroundings, Protocol):
    """A table in virtual time, with a line to one host. `port` is the port that has it open, `loader` the
    disk of the loader in its chip's ROM, where somebody has plugged its USB in."""

    tiles: int
    world: World
    players: Players
    injection: Injection
    port: object
    loader: LoaderFolder | None

    @property
    def board(self) -> Panels:
        """What the panels show."""

    @property
    def now_ms(self) -> int:
        """Virtual milliseconds of the world."""

    def write(self, data: bytes) -> None:
        """Send bytes from the host to the board."""

    def read(self, size: int | None = None) -> bytes:
        """Take what the board has sent so far, `size` bytes at the most."""

    def waiting(self) -> int:
        """Return how many bytes from the board wait to be read."""

    def enter_loader(self) -> None:
        """Somebody holds BOOTSEL while the board gets its power."""

    def run_until(self, until_ms: int) -> None:
        """Advance virtual time to `until_ms`, everything on the way included."""

    def run_until_output(self, until_ms: int) -> bool:
        """Advance until the board has sent something, to `until_ms` at the most; say whether it has."""

    def next_ms(self) -> int:
        """Return when the next thing happens if nobody does anything."""

    def close(self) -> None:
        """Let go of what the table needs outside this process."""
