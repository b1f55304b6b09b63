"""What really happened at a simulated board: every event as it came about, and which of them a host has acknowledged.

Written down at the board's own memory of events, so that nothing between it and a journal has a part in it.
"""

from wallwright_firmware.app import App
from wallwright_protocol.codec import EVENTS, NUMBER_OF

from .board import SimulatedBoard


class Told:
    """An event: its number, the board's time in ms, the message's id and its payload."""

    __slots__ = ("message", "payload", "seq", "time_ms")

    def __init__(self, seq: int, time_ms: int, message: int, payload: bytes) -> None:
        self.seq = seq
        self.time_ms = time_ms
        self.message = message
        self.payload = payload


class Run:
    """One run of a board, from power to power: its `events` by number, and the numbers that were `acknowledged`: those
    that the board held when it was told to forget them.
    """

    def __init__(self, app: App) -> None:
        self.boot_id = app.responder.boot_id
        self.events: dict[int, Told] = {}
        self.acknowledged: set[int] = set()
        self._ring = ring = app.events
        self._add, self._forget = ring.add, ring.forget
        ring.add = self._note  # type: ignore[method-assign]
        ring.forget = self._let_go  # type: ignore[method-assign]

    @property
    def stored(self) -> int:
        """The number up to which a host has said that events are stored."""
        return self._ring.stored()

    @property
    def newest(self) -> int:
        """The number of the newest event."""
        return self._ring.newest()

    def _note(self, now_ms: int, name: str, *values: int | bytes) -> None:
        self._add(now_ms, name, *values)
        message = NUMBER_OF[name]
        seq = self._ring.newest()
        self.events[seq] = Told(seq, now_ms, message, EVENTS[message].pack(*values))

    def _let_go(self, seq: int) -> None:
        record = self._ring.after(0)
        while record is not None and record[0] <= seq:
            self.acknowledged.add(record[0])
            record = self._ring.after(record[0])
        self._forget(seq)


class Truth:
    """The runs of one board, the last one last. `firmware` is for `Simulation`. Events of tags are not written down."""

    def __init__(self) -> None:
        self.runs: list[Run] = []

    def firmware(self, board: SimulatedBoard, unit: bytes, tiles: int) -> App:
        """Return the firmware of a board that has just got power."""
        app = App(board, unit, tiles)
        self.runs.append(Run(app))
        return app
