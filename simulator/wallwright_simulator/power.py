"""The supply of a simulated board: what its memory keeps without power, and a board that has none.

The world needs no power to stay as it is: without it all motors stand still and no tile moves.
"""

from collections.abc import Callable

from wallwright_firmware.hal import SLOTS

START_MS = 100
"""The board needs this long from power to its first poll, and longer than contacts chatter."""


class PowerFailure(Exception):
    """The power fails while the firmware writes into a slot; it comes back `for_ms` later."""

    def __init__(self, for_ms: int) -> None:
        super().__init__(f"the power fails for {for_ms} ms")
        self.for_ms = for_ms


class LeftForLoader(Exception):
    """The firmware has started the loader in the chip's ROM."""


class Slots:
    """The memory that lasts without power. `data` is what the slots hold, `writes` counts writes, cut ones too.

    While a slot is written its old content is lost: a write that is cut leaves the first bytes of the new one.
    """

    def __init__(self) -> None:
        self.data = [b""] * SLOTS
        self.writes = 0
        self._cut: tuple[int, int] | None = None

    def cut_next(self, after_bytes: int, for_ms: int) -> None:
        """Let the power fail within the next write, after so many bytes, for `for_ms`."""
        check_duration(for_ms)
        self._cut = (after_bytes, for_ms)

    def load(self, slot: int) -> bytes:
        """Return what a slot holds."""
        return self.data[slot]

    def save(self, slot: int, data: bytes) -> bool:
        """Write a slot; PowerFailure when that is cut."""
        self.writes += 1
        if self._cut is not None:
            after_bytes, for_ms = self._cut
            self._cut = None
            self.data[slot] = data[:after_bytes]
            raise PowerFailure(for_ms)
        self.data[slot] = data
        return True


class Unpowered:
    """Stands in the place of the firmware without power: hears and does nothing until `due`, then calls `start`."""

    def __init__(self, due: int, start: Callable[[], None]) -> None:
        self.due = due
        self._start = start

    def poll(self, now_ms: int, rx: bytes) -> bytes:  # noqa: ARG002 - what the wire brings is lost
        """Lose what the wire has brought; start the firmware when the power is back."""
        if now_ms >= self.due:
            self._start()
        return b""


def check_duration(for_ms: int) -> None:
    """ValueError when the power would be back too soon."""
    if for_ms < START_MS:
        raise ValueError(f"the power cannot fail for {for_ms} ms: a board needs {START_MS} ms to start")
