"""The gate of a lane that sorts, whatever it is made of: `mouth` has solenoids, `tides` nothing but the belt."""

from wallwright_protocol.link import NEVER
from wallwright_protocol.machine import Machine


class Gate(Machine):
    """The gate to the lane of side `side`. `read_ms` is when its reader saw a tile last, however late that was told;
    `ebbs` says that the belt runs back because it is to; `tick` is called when its deadline has come, `look` every
    LOOK_MS."""

    def __init__(self, side: int) -> None:
        super().__init__(0)
        self.side = side
        self.read_ms = 0

    @property
    def ebbs(self) -> bool:
        """Whether the belt runs back because it is to."""
        return False

    def read(self, at_ms: int, now_ms: int) -> None:
        """Its reader has seen a tile."""
        self.read_ms = at_ms
        self.happens("pass", now_ms)

    def tick(self, now_ms: int) -> None:
        """Its deadline has come."""
        self.due = NEVER
        self.happens("time", now_ms)

    def look(self, now_ms: int) -> None:
        """See whether all is where it was sent."""
