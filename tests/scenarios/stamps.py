"""Times of the firmware's clock that can be told from other numbers, and where a firmware keeps any."""

from collections.abc import Iterator
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any

from tests.scenarios.boards import Between
from tests.scenarios.table import MakeFirmware
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.simulation import Firmware


class Stamp(int):
    """A time of the clock, in ms: with ms added it is another one, and the difference of two is a number again. A
    multiple of one, with something small put below, is one too."""

    def __add__(self, other: int) -> "Stamp":
        return Stamp(int(self) + int(other))

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        value = int(self) - int(other)
        return value if isinstance(other, Stamp) else Stamp(value)

    def __mul__(self, other: int) -> "Stamp":
        return Stamp(int(self) * int(other))

    __rmul__ = __mul__


class Stamped(Between):
    """The times of edges and reads are stamps."""

    @property
    def edge_ms(self) -> int:
        return Stamp(self.board.edge_ms)

    @property
    def read_ms(self) -> int:
        return Stamp(self.board.read_ms)


class StampedFirmware:
    """A firmware whose clock gives stamps."""

    def __init__(self, make: MakeFirmware, board: SimulatedBoard, unit: bytes, tiles: int) -> None:
        self.firmware: Firmware = make(Stamped(board), unit, tiles)  # type: ignore[arg-type]
        self.due = 0

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx = self.firmware.poll(Stamp(now_ms), rx)
        self.due = int(self.firmware.due)
        return tx

    def __getattr__(self, name: str) -> Any:
        return getattr(self.firmware, name)


def stamped(make: MakeFirmware) -> MakeFirmware:
    """The firmware that `make` makes, with a clock whose times can be found in it."""
    return lambda board, unit, tiles: StampedFirmware(make, board, unit, tiles)


def places(root: object) -> Iterator[tuple[tuple[str, str], Stamp]]:
    """Return every time that `root` and what hangs on it keeps, as (class and attribute, time)."""
    seen = set()
    waiting: list[tuple[tuple[str, str], object]] = [(("", ""), root)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, Stamp):
            yield place, value
        if isinstance(value, (int, str, bytes, bytearray, type, ModuleType, BuiltinMethodType)) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, (list, tuple, set, frozenset)):
            waiting.extend((place, each) for each in value)
        elif isinstance(value, dict):
            waiting.extend((place, each) for pair in value.items() for each in pair)
        elif isinstance(value, MethodType):
            waiting.append((place, value.__self__))
        elif isinstance(value, FunctionType):
            waiting.extend((place, cell.cell_contents) for cell in value.__closure__ or ())
        elif type(value).__module__.startswith(("wallwright_firmware", "wallwright_protocol")):
            waiting.extend(((type(value).__name__, name), each) for name, each in vars(value).items())
