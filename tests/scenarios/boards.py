"""Boards between the simulated one and the firmware: what the firmware is told differs from what the world does."""

from typing import Any, cast

from tests.scenarios.table import MakeFirmware
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.simulation import Firmware


class Between:
    """Passes everything on; subclasses change what they are about."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board

    def __getattr__(self, name: str) -> Any:
        return getattr(self.board, name)


class Deaf(Between):
    """Edges of the inputs in `numbers` do not get through."""

    def __init__(self, board: SimulatedBoard, numbers: set[int]) -> None:
        super().__init__(board)
        self.numbers = numbers

    def next_edge(self) -> bool:
        while self.board.next_edge():
            if self.board.edge_input not in self.numbers:
                return True
        return False


class Ahead(Between):
    """The firmware's clock is `ahead_ms` before the world's."""

    def __init__(self, board: SimulatedBoard, ahead_ms: int) -> None:
        super().__init__(board)
        self._ahead_ms = ahead_ms

    @property
    def edge_ms(self) -> int:
        return self.board.edge_ms + self._ahead_ms

    @property
    def read_ms(self) -> int:
        return self.board.read_ms + self._ahead_ms


class AheadFirmware:
    """A firmware that has been running for `ahead_ms` when the world begins."""

    def __init__(self, make: MakeFirmware, ahead_ms: int, board: SimulatedBoard, unit: bytes, tiles: int) -> None:
        self.firmware: Firmware = make(cast(SimulatedBoard, Ahead(board, ahead_ms)), unit, tiles)
        self._ahead_ms = ahead_ms
        self.due = 0

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx = self.firmware.poll(now_ms + self._ahead_ms, rx)
        self.due = self.firmware.due - self._ahead_ms
        return tx

    def __getattr__(self, name: str) -> Any:
        return getattr(self.firmware, name)


def deaf(make: MakeFirmware, numbers: set[int]) -> MakeFirmware:
    """The firmware that `make` makes, on a board that misses the edges of these inputs."""
    return lambda board, unit, tiles: make(cast(SimulatedBoard, Deaf(board, numbers)), unit, tiles)


def ahead(make: MakeFirmware, ahead_ms: int) -> MakeFirmware:
    """The firmware that `make` makes, with a clock `ahead_ms` before the world's."""
    return lambda board, unit, tiles: AheadFirmware(make, ahead_ms, board, unit, tiles)
