"""Something that travels between two switches: a lift, the lid.

**What happens there.** A motor drives it towards one of two ends, each with a switch. Under it may be a hand, on it a
stack that has tilted; the switch may be bent, so that it comes early, or broken, so that it always or never comes.

**Why it has these states.** The switch is passed a little before the stop that ends the way, so it is driven on after
it: pressing is a state, in which a switch that opens again was none. What does not arrive in time goes back a little,
for a hand is not to be held, and waits, for people need time to take it away; then it tries again, once. A switch that
comes sooner than nearly the whole way can take is not believed at all; one that comes a little too soon does no harm,
for the rest of the way is gone all the same. It never starts by itself.
"""

from wallwright_protocol import codes, hardware
from wallwright_protocol.constants import const
from wallwright_protocol.link import NEVER
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import HAND_WAIT, LEAST_LID, LID_LIMIT

from ..safety import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Owner(Protocol):
        """The part that sends it and hears of its arrival."""

        def arrived(self, travel: "Travel") -> None:
            """It is where it was sent."""

        def notice(self, fault: int, side: int, tries: int) -> None:
            """It is there at the second try."""

        def fail(self, fault: int, side: int, found: int, wanted: int) -> None:
            """It stalled, or has a switch that cannot be right."""


PRESS_MS = 300
"""The drive runs this long after its end switch, against its stop. With the least time of a way it makes more than the
way takes."""
BACK_MS = 300
"""It moves back for this long from what is in its way."""
TRIES = 2

STANDS = const(0)
"""It stands still."""
GOES = const(1)
"""It is on its way."""
PRESSES = const(2)
"""It has reached its switch and is driven on against its stop."""
BACKS = const(3)
"""It goes back a little from what is in its way."""
WAITS = const(4)
"""It gives people time to take away what was in its way."""

TRAVEL = {
    STANDS: {
        "go": (GOES, "set_out"),
    },
    GOES: {
        "is_there": (STANDS, "arrive"),
        "switch": (PRESSES, "press"),
        "switch_too_soon": (STANDS, "refuse"),
        "time": (BACKS, "go_back"),
        "tried_enough": (STANDS, "stall"),
        "stop": (STANDS, "stand"),
    },
    PRESSES: {
        "is_there": (STANDS, "arrive"),
        "switch_opened": (GOES, "go_on"),
        "stop": (STANDS, "stand"),
    },
    BACKS: {
        "time": (WAITS, "wait"),
        "stop": (STANDS, "stand"),
    },
    WAITS: {
        "time": (GOES, "set_out"),
        "stop": (STANDS, "stand"),
    },
}


class End:
    """One end: the drive that goes there, the input of its switch, the setting with the least time of the way."""

    def __init__(self, drive: int, number: int, least: int) -> None:
        self.drive = drive
        self.number = number
        self.least = least


class Travel(Machine):
    """Between `first` and `second`; the lift of `side`, or the lid.

    `stall` is the fault when it does not arrive, `contradiction` that of a switch that cannot be right, `limit` the
    setting with the longest time of a way.
    """

    table = TRAVEL

    def __init__(
        self,
        side: int,
        faults: "tuple[int, int]",
        outputs: Outputs,
        steady: bytearray,
        settings: list[int],
        limit: int,
        first: End,
        second: End,
        owner: "Owner",
    ) -> None:
        super().__init__(STANDS)
        self.side = side
        self.first = first
        self.second = second
        self._stall, self._contradiction = faults
        self._outputs = outputs
        self._steady = steady
        self._settings = settings
        self._limit = limit
        self._owner = owner
        self._believed_from = 0
        self._gives_up_at = NEVER
        self._end = first
        self._tries = 0

    def is_moving(self) -> bool:
        """Say whether it is on its way, a wait within a second try included."""
        return self.state != STANDS

    def go(self, now_ms: int, end: End) -> None:
        """Start towards `end`, from a stand; arrives at once when it is there already."""
        self._end = end
        self._tries = 1
        self.happens("go", now_ms)

    def stop(self, now_ms: int) -> None:
        """Stand still."""
        self.happens("stop", now_ms)

    def input_changed(self, now_ms: int, number: int, level: int) -> None:
        """A switch has changed; it is nearly there when it is the one that is wanted."""
        if level and number == self._end.number:
            self.happens("switch_too_soon" if now_ms < self._believed_from else "switch", now_ms)

    def poll(self, now_ms: int) -> None:
        """A part of the way has taken its time."""
        if self.state == PRESSES:
            self.happens("is_there" if self._steady[self._end.number] else "switch_opened", now_ms)
        elif self.state == GOES and self._tries >= TRIES:
            self.happens("tried_enough", now_ms)
        else:
            self.happens("time", now_ms)

    def put_off(self, by_ms: int) -> None:
        super().put_off(by_ms)
        self._believed_from += by_ms
        if self._gives_up_at is not NEVER:
            self._gives_up_at += by_ms

    def set_out(self, now_ms: int) -> None:
        if self._steady[self._end.number]:
            self.happens("is_there", now_ms)
        elif self._outputs.on(self._end.drive, now_ms):
            self._believed_from = now_ms
            if self._steady[self._other().number]:
                self._believed_from += self._settings[self._end.least]
            self.due = self._gives_up_at = now_ms + self._settings[self._limit]

    def press(self, now_ms: int) -> None:
        self.due = min(now_ms + PRESS_MS, self._gives_up_at)

    def go_on(self, now_ms: int) -> None:
        """The switch has opened again, perhaps when there is no time left."""
        self.due = self._gives_up_at
        if now_ms >= self.due:
            self.poll(now_ms)

    def go_back(self, now_ms: int) -> None:
        self.stand(now_ms)
        self._tries += 1
        if self._outputs.on(self._other().drive, now_ms):
            self.due = now_ms + BACK_MS

    def wait(self, now_ms: int) -> None:
        self.stand(now_ms)
        self.due = now_ms + self._settings[HAND_WAIT]

    def stand(self, now_ms: int) -> None:
        self._outputs.off(self.first.drive | self.second.drive)

    def arrive(self, now_ms: int) -> None:
        self.stand(now_ms)
        if self._tries > 1:
            self._owner.notice(self._stall, self.side, 1)
        self._owner.arrived(self)

    def stall(self, now_ms: int) -> None:
        self.stand(now_ms)
        self._owner.fail(self._stall, self.side, 0, 0)

    def refuse(self, now_ms: int) -> None:
        self.stand(now_ms)
        self._owner.fail(self._contradiction, self.side, 0, 0)

    def _other(self) -> End:
        return self.second if self._end is self.first else self.first


class Lid(Travel):
    """The lid, on its way open (`first`) and closed (`second`)."""

    def __init__(self, outputs: Outputs, steady: bytearray, settings: list[int], owner: "Owner") -> None:
        opened = End(hardware.LID_OPEN, hardware.LID_IS_OPEN, LEAST_LID)
        closed = End(hardware.LID_CLOSE, hardware.LID_IS_CLOSED, LEAST_LID)
        faults = (codes.LID_OBSTRUCTED, codes.LID_LIMITS)
        super().__init__(codes.NO_SIDE, faults, outputs, steady, settings, LID_LIMIT, opened, closed, owner)
