"""Something that travels between two switches: a lift, the lid.

- Goes one way until the switch of that end is reached, then stops and says so.
- Stops and reports a stall when the switch is not reached within `limit_ms`.
- Never starts by itself.
"""

from wallwright_protocol.link import NEVER

from ..safety import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class End:
    """One end of the way: the drive that goes there, the input that tells it is reached."""

    def __init__(self, drive: int, number: int) -> None:
        self.drive = drive
        self.number = number


class Travel:
    """Drives `first` and `second` lead to the inputs that stand beside them."""

    def __init__(
        self,
        outputs: Outputs,
        steady: bytearray,
        limit_ms: int,
        arrived: "Callable[[], None]",
        stalled: "Callable[[], None]",
    ) -> None:
        self.due = NEVER
        self._outputs = outputs
        self._steady = steady
        self._limit_ms = limit_ms
        self._arrived = arrived
        self._stalled = stalled
        self._drive = 0
        self._number = -1

    def go(self, now_ms: int, end: End) -> None:
        """Start towards `end`; arrives at once when it is there already."""
        if self._steady[end.number]:
            self._arrived()
        elif self._outputs.on(end.drive, now_ms):
            self._drive = end.drive
            self._number = end.number
            self.due = now_ms + self._limit_ms

    def input_changed(self, number: int, level: int) -> None:
        """A switch has changed; stop when it is the one that is wanted."""
        if level and number == self._number:
            self.stop()
            self._arrived()

    def stop(self) -> None:
        """Stand still."""
        self._outputs.off(self._drive)
        self._drive = 0
        self._number = -1
        self.due = NEVER

    def poll(self, now_ms: int) -> None:
        """The switch has not come in time."""
        self.stop()
        self._stalled()
