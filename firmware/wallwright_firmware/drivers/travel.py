"""Something that travels between two switches: a lift, the lid.

- Goes one way until the switch of that end is reached and a little on, then stops and says so.
- A switch that comes sooner than nearly the whole way can take is not believed; one that comes a little too soon does
  no harm, for the rest of the way is gone all the same.
- When the switch does not come in the time that the setting `limit` allows, it goes back a little, waits, and tries
  again; then it reports a stall.
- Never starts by itself.
"""

from wallwright_protocol.link import NEVER

from ..safety import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LID_LIMIT_MS = 3500
"""The lid needs 1.5 s a way, and never less than LID_LEAST_MS. Default of a setting."""
LID_LEAST_MS = 1250
"""Default of a setting."""
PRESS_MS = 300
"""So long it is driven on after its switch, against its stop. With the least time of a way it makes more than the way
takes."""
BACK_MS = 300
"""So far it goes back from what is in its way."""
WAIT_MS = 1000
"""So long it gives people to take a hand away."""
TRIES = 2

STANDS, GOES, PRESSES, BACKS, WAITS = range(5)


class End:
    """One end: the drive that goes there, the input of its switch, the setting with the least time of the way."""

    def __init__(self, drive: int, number: int, least: int) -> None:
        self.drive = drive
        self.number = number
        self.least = least


class Travel:
    """Between `first` and `second`; `arrived()`, `retried()` and `stalled()` tell the owner."""

    def __init__(
        self,
        outputs: Outputs,
        steady: bytearray,
        settings: list[int],
        limit: int,
        first: End,
        second: End,
        arrived: "Callable[[], None]",
        retried: "Callable[[], None]",
        stalled: "Callable[[], None]",
        too_soon: "Callable[[], None]",
    ) -> None:
        self.due = NEVER
        self.first = first
        self.second = second
        self._outputs = outputs
        self._steady = steady
        self._settings = settings
        self._limit = limit
        self._arrived = arrived
        self._retried = retried
        self._stalled = stalled
        self._too_soon = too_soon
        self._believed_from = 0
        self._gives_up_at = NEVER
        self._state = STANDS
        self._end = first
        self._tries = 0

    def is_moving(self) -> bool:
        """Say whether it is on its way, a wait within a second try included."""
        return self._state != STANDS

    def go(self, now_ms: int, end: End) -> None:
        """Start towards `end`; arrives at once when it is there already."""
        self._end = end
        self._tries = 1
        self._set_out(now_ms)

    def input_changed(self, now_ms: int, number: int, level: int) -> None:
        """A switch has changed; it is nearly there when it is the one that is wanted."""
        if level and self._state == GOES and number == self._end.number:
            if now_ms < self._believed_from:
                self.stop()
                self._too_soon()
            else:
                self._state = PRESSES
                self.due = min(now_ms + PRESS_MS, self._gives_up_at)

    def stop(self) -> None:
        """Stand still."""
        self._outputs.off(self.first.drive | self.second.drive)
        self._state = STANDS
        self.due = NEVER

    def poll(self, now_ms: int) -> None:
        """A part of the way has taken its time."""
        if self._state == WAITS:
            self._set_out(now_ms)
            return
        if self._state == PRESSES:
            if self._steady[self._end.number]:
                self._arrive()
                return
            self._state = GOES
            self.due = self._gives_up_at
            if now_ms < self.due:
                return
        goes = self._state == GOES
        self.stop()
        if goes and self._tries >= TRIES:
            self._stalled()
        elif goes:
            self._tries += 1
            back = self.second if self._end is self.first else self.first
            if self._outputs.on(back.drive, now_ms):
                self._state = BACKS
                self.due = now_ms + BACK_MS
        else:
            self._state = WAITS
            self.due = now_ms + WAIT_MS

    def _set_out(self, now_ms: int) -> None:
        if self._steady[self._end.number]:
            self._arrive()
        elif self._outputs.on(self._end.drive, now_ms):
            other = self.second if self._end is self.first else self.first
            self._believed_from = now_ms
            if self._steady[other.number]:
                self._believed_from += self._settings[self._end.least]
            self._state = GOES
            self.due = self._gives_up_at = now_ms + self._settings[self._limit]

    def _arrive(self) -> None:
        self.stop()
        if self._tries > 1:
            self._retried()
        self._arrived()
