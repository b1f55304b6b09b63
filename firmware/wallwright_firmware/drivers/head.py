"""The stacking head of a lane: a motor that turns a cam once for each stack, and the two vanes that the cam passes.

`lane` says what happens there and why. The motor does not know where the head is. The home vane opens when the head
leaves home, the push vane comes when the stack is in the carrier, the home vane closes again: `vanes` says how far that
has come. A head that gets stuck is rested, as a technician would, and driven on, a few times.
"""

from wallwright_protocol.codes import HEAD_JAM
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import HEAD as HEAD_DRIVE
from wallwright_protocol.hardware import drive_bit
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import STROKE_LIMIT

from ..safety import Outputs
from .lane_times import STROKE_REST_MS, STROKES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..owners import HeadOwner

HOME = const(0)
"""The gate is open, and the head takes tiles."""
DRIVEN = const(1)
"""It is in its stroke: the gate is closed until it is home again."""
RESTED = const(2)
"""It was stuck in its stroke, and its motor is off for a moment."""

HEAD = {
    HOME: {
        "two_tiles": (DRIVEN, "begin"),
        "away": (DRIVEN, "finish"),
    },
    DRIVEN: {
        "two_tiles": (DRIVEN, "begin"),
        "time": (RESTED, "rest"),
        "tried_enough": (DRIVEN, "give_up"),
        "back_home": (HOME, "come_home"),
        "stop": (HOME, "end"),
    },
    RESTED: {
        "two_tiles": (DRIVEN, "begin"),
        "time": (DRIVEN, "try_again"),
        "back_home": (HOME, "come_home"),
        "stop": (HOME, "end"),
    },
}

LEFT_HOME = const(1)
PUSHED = const(2)
"""What the vanes have shown of this stroke: bits of `vanes`."""


class Head(Machine):
    """The head of side `side`. `tries` is how often its motor was started in this stroke, which began at `began_ms` and
    pushed at `pushed_ms`."""

    table = HEAD

    def __init__(self, side: int, outputs: Outputs, settings: list[int], owner: "HeadOwner") -> None:
        super().__init__(HOME)
        self.vanes = 0
        self.tries = 0
        self.began_ms = -settings[STROKE_LIMIT]
        self.pushed_ms = 0
        self._outputs = outputs
        self._settings = settings
        self._owner = owner
        self._motor = drive_bit(side, HEAD_DRIVE)

    def leave_home(self) -> None:
        """The home vane has opened."""
        self.vanes |= LEFT_HOME

    def push(self, at_ms: int) -> None:
        """The push vane has come."""
        self.vanes |= PUSHED
        self.pushed_ms = at_ms

    def poll(self, now_ms: int) -> None:
        """The stroke takes too long, or the head was rested."""
        if self.state == DRIVEN and self.tries >= STROKES:
            self.happens("tried_enough", now_ms)
        else:
            self.happens("time", now_ms)

    def begin(self, now_ms: int) -> None:
        self.began_ms = now_ms
        self.vanes = 0
        self._drive(now_ms, 1)

    def finish(self, now_ms: int) -> None:
        """End a stroke that was stopped on its way."""
        self.vanes |= LEFT_HOME
        self._drive(now_ms, 1)

    def try_again(self, now_ms: int) -> None:
        self._drive(now_ms, self.tries + 1)

    def _drive(self, now_ms: int, tries: int) -> None:
        self.tries = tries
        if self._outputs.on(self._motor, now_ms):
            self.due = now_ms + self._settings[STROKE_LIMIT]

    def put_off(self, by_ms: int) -> None:
        super().put_off(by_ms)
        if self.tries == 1:
            self.began_ms += by_ms

    def rest(self, now_ms: int) -> None:
        self._outputs.off(self._motor)
        self.due = now_ms + STROKE_REST_MS

    def end(self, now_ms: int) -> None:
        self._outputs.off(self._motor)

    def come_home(self, now_ms: int) -> None:
        self._outputs.off(self._motor)
        self.vanes = 0

    def give_up(self, now_ms: int) -> None:
        self._owner.block(HEAD_JAM, now_ms)
