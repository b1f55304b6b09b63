"""One lane: conveyor, belt-full eye, counting eye, stacking head with its two vanes.

- Builds `wanted` stacks and then stops alone; tiles that it has on the belt by then run back into the drum.
- Counts a tile when the counting eye has become light again: the tile is then wholly in the head.
- Reports a jam of the head and a tile too many to the build, with the tiles found and wanted.
"""

from wallwright_protocol.codes import HEAD_JAM, SIDE_OVER
from wallwright_protocol.link import NEVER

from ..hal import CONVEYOR, CONVEYOR_REVERSE, HEAD, HEAD_HOME, drive_bit, input_number
from ..safety import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..build import Build

TILES_PER_STACK = 2
HEAD_LIMIT_MS = 1500
"""A stroke takes 0.5 s; after three times that the head is jammed."""
RETURN_MS = 800
"""The belt needs 0.6 s from end to end, so this empties it into the drum."""

OFF, FEEDING, STROKE, RETURNING = range(4)
"""Nothing to do, taking tiles, pushing a stack, sending surplus tiles back."""


class Lane:
    """Side `side`; `stacks` are in the carrier, `in_head` tiles wait in the stacking head."""

    def __init__(self, side: int, outputs: Outputs, steady: bytearray, build: "Build") -> None:
        self.side = side
        self.due = NEVER
        self.state = OFF
        self.stacks = 0
        self.in_head = 0
        self.wanted = 0
        self._outputs = outputs
        self._steady = steady
        self._build = build
        self._forward = drive_bit(side, CONVEYOR)
        self._reverse = drive_bit(side, CONVEYOR_REVERSE)
        self._head = drive_bit(side, HEAD)
        self._home = input_number(side, HEAD_HOME)
        self._pushed = False
        self._full = False
        self._belt_full = False
        self._return_until = NEVER
        self._head_until = NEVER

    def clear(self) -> None:
        """Forget the counts: the carrier of this side has been emptied."""
        self.stacks = 0
        self.in_head = 0

    def start(self, now_ms: int, wanted: int) -> None:
        """Go for `wanted` stacks, from the counts as they stand."""
        self.wanted = wanted
        self.state = FEEDING
        self._pushed = False
        self._full = False
        self._return_until = NEVER
        self._head_until = NEVER
        if not self._steady[self._home]:
            self._fail(HEAD_JAM)
        elif self.tiles() >= wanted * TILES_PER_STACK:
            self._send_back(now_ms)
            if self.in_head == TILES_PER_STACK:
                self._stroke(now_ms)
        else:
            self._feed(now_ms)
            if self.in_head == TILES_PER_STACK:
                self._stroke(now_ms)
        self._set_due()

    def stop(self) -> None:
        """Do nothing more; the outputs have been switched off."""
        self.state = OFF
        self.due = NEVER

    def tiles(self) -> int:
        """Return how many tiles were counted for this side, in the carrier and in the head."""
        return self.stacks * TILES_PER_STACK + self.in_head

    def missing(self) -> int:
        """Return how many tiles this side still lacks."""
        return self.wanted * TILES_PER_STACK - self.tiles()

    def done(self) -> bool:
        """Say whether the side is whole and the lane at rest."""
        return self.state == OFF and self.wanted > 0 and self.stacks == self.wanted

    def belt_full(self, level: int, now_ms: int) -> None:
        """The belt-full eye: while tiles stand under it the conveyor rests during strokes, when it feeds nothing."""
        self._belt_full = bool(level)
        self._feed(now_ms)

    def count_eye(self, level: int, now_ms: int) -> None:
        """The counting eye: light again means one more tile in the head."""
        if level or self.state == OFF:
            return
        self.in_head += 1
        if self._full or self.in_head > TILES_PER_STACK:
            self._fail(SIDE_OVER)
            return
        if self.in_head == TILES_PER_STACK:
            if self.stacks + 1 == self.wanted:
                self._send_back(now_ms)
            self._stroke(now_ms)
        self._set_due()

    def head_home(self, level: int, now_ms: int) -> None:
        """The home vane: the stroke ends when the head is back after a push."""
        if level and self.state == STROKE and self._pushed:
            self._outputs.off(self._head)
            self._head_until = NEVER
            self.state = RETURNING if self._full else FEEDING
            self._feed(now_ms)
            self._finish_when_done(now_ms)

    def head_pushed(self, level: int) -> None:
        """The push vane: the stack is in the carrier."""
        if level and self.state == STROKE and not self._pushed:
            self._pushed = True
            self.stacks += 1
            self.in_head = 0

    def poll(self, now_ms: int) -> None:
        """End the return run; find a stroke that takes too long."""
        if now_ms >= self._head_until:
            self._fail(HEAD_JAM)
            return
        if now_ms >= self._return_until:
            self._return_until = NEVER
            self._outputs.off(self._reverse)
            self._finish_when_done(now_ms)
        self._set_due()

    def _stroke(self, now_ms: int) -> None:
        self.state = STROKE
        self._pushed = False
        if self._outputs.on(self._head, now_ms):
            self._head_until = now_ms + HEAD_LIMIT_MS
            self._feed(now_ms)

    def _feed(self, now_ms: int) -> None:
        if self.state == OFF or self._full:
            return
        if self._belt_full and self.state == STROKE:
            self._outputs.off(self._forward)
        else:
            self._outputs.on(self._forward, now_ms)

    def _send_back(self, now_ms: int) -> None:
        self._full = True
        self.state = RETURNING
        self._outputs.off(self._forward)
        self._outputs.on(self._reverse, now_ms)
        self._return_until = now_ms + RETURN_MS

    def _finish_when_done(self, now_ms: int) -> None:
        if self.state == RETURNING and self._return_until == NEVER and self.stacks == self.wanted:
            self.state = OFF
            self._build.lane_done(self.side, now_ms)
        self._set_due()

    def _fail(self, fault: int) -> None:
        self._build.failed(fault, self.side, self.tiles(), self.wanted * TILES_PER_STACK)

    def _set_due(self) -> None:
        self.due = min(self._head_until, self._return_until) if self.state != OFF else NEVER
