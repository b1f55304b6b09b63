"""One lane on a board with nothing behind it: edges come when a test says so, and what is told is written down."""

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.drivers.lane import Lane
from wallwright_firmware.safety import Outputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.hardware import (
    BELT_FULL,
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    HEAD,
    HEAD_HOME,
    drive_bit,
    input_number,
)

SIDE = 2
START_MS = 10_000


class OneLane:
    """Side 2, told to build `wanted` stacks; `told` is what it tells its owner, with the time. Times count from 0 ms.

    It stands for the build that owns the lane, and calls the lane the way the app does: level first, then its edge.
    """

    def __init__(self, wanted: int = 13) -> None:
        self.board = FakeBoard()
        self.settings = defaults()
        self.told: list[tuple[object, ...]] = []
        self.now_ms = 0
        self.outputs = Outputs(self.board, self.board.levels, self.trip, self.settings)
        self.lane = Lane(SIDE, self.outputs, self.board.levels, self)
        self.lane.wanted = wanted

    # What the lane tells.

    def trip(self, fault: int, side: int) -> None:
        self.told.append((self.now_ms, "trip", fault, side))
        self.stop()

    def notice(self, fault: int, side: int, tries: int) -> None:
        assert side == SIDE
        self.told.append((self.now_ms, "notice", fault, tries))

    def counted(self, now_ms: int) -> None:
        assert now_ms == self.now_ms + START_MS

    def surplus(self, side: int, now_ms: int) -> None:
        assert side == SIDE
        self.told.append((self.now_ms, "surplus"))

    def lane_rests(self, side: int, now_ms: int) -> None:
        assert (side, now_ms) == (SIDE, self.now_ms + START_MS)
        self.told.append((self.now_ms, "rests"))

    # What the build does.

    def start(self) -> "OneLane":
        self.lane.start(START_MS + self.now_ms)
        return self

    def pause(self) -> None:
        self.lane.pause(START_MS + self.now_ms)

    def shake(self) -> None:
        self.lane.shake(START_MS + self.now_ms)

    def check(self) -> None:
        self.lane.check(START_MS + self.now_ms)

    def end_check(self) -> None:
        self.lane.end_check(START_MS + self.now_ms)

    def stop(self) -> None:
        """Everything off, and the lane at rest, as at any fault."""
        self.outputs.all_off()
        self.lane.stop(START_MS + self.now_ms)

    # What happens.

    def at(self, ms: int) -> "OneLane":
        """Let time go by until `ms`, with all that is due on the way."""
        assert ms >= self.now_ms
        while self.lane.due <= START_MS + ms:
            self.now_ms = max(self.now_ms, self.lane.due - START_MS)
            self.lane.poll(START_MS + self.now_ms)
        self.now_ms = ms
        return self

    def eye(self, level: int, seen_ms: "int | None" = None) -> "OneLane":
        """The counting eye gets dark (1) or light (0) now; its edge was at `seen_ms`."""
        self.board.levels[input_number(SIDE, COUNT_EYE)] = level
        at_ms = START_MS + (self.now_ms if seen_ms is None else seen_ms)
        self.lane.count_eye(level, START_MS + self.now_ms, at_ms)
        return self

    def full(self, level: int) -> "OneLane":
        self.board.levels[input_number(SIDE, BELT_FULL)] = level
        self.lane.belt_full(level, START_MS + self.now_ms)
        return self

    def home(self, level: int) -> "OneLane":
        self.board.levels[input_number(SIDE, HEAD_HOME)] = level
        self.lane.head_home(level, START_MS + self.now_ms, START_MS + self.now_ms)
        return self

    def push(self, seen_ms: "int | None" = None) -> "OneLane":
        """The push vane comes and goes now; its edge was at `seen_ms`."""
        at_ms = START_MS + (self.now_ms if seen_ms is None else seen_ms)
        self.lane.head_pushed(1, START_MS + self.now_ms, at_ms)
        self.lane.head_pushed(0, START_MS + self.now_ms, START_MS + self.now_ms)
        return self

    def tile(self, at_ms: int, dark_ms: int = 80) -> "OneLane":
        """A tile darkens the eye from `at_ms` on for so long."""
        self.at(at_ms).eye(1)
        return self.at(at_ms + dark_ms).eye(0)

    def turn(self, from_ms: int) -> "OneLane":
        """The head, driven from `from_ms` on, goes round: 100 ms to leave home, 250 to push, 500 to be back."""
        self.at(from_ms + 100).home(0)
        self.at(from_ms + 250).push()
        return self.at(from_ms + 500).home(1)

    def stack(self, at_ms: int) -> "OneLane":
        """Two tiles and the stroke that pushes them, in 700 ms: darkness at 0 and 110, the stroke from 190 on."""
        return self.tile(at_ms).tile(at_ms + 110).turn(at_ms + 190)

    # What can be seen.

    @property
    def drives(self) -> str:
        """What is on: `forward`, `back`, `head`, in this order."""
        names = ((CONVEYOR, "forward"), (CONVEYOR_REVERSE, "back"), (HEAD, "head"))
        return " ".join(name for kind, name in names if self.outputs.mask & drive_bit(SIDE, kind))

    @property
    def counts(self) -> tuple[int, int]:
        """Stacks in the carrier, tiles in the head."""
        return self.lane.stacks, self.lane.in_head
