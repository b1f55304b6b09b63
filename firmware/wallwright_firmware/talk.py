"""Messages that the board sends unasked: events, its status once a second and with every state, and what follows
when the host comes or goes. A thing a poll, so that no poll is long."""

from wallwright_protocol import codes
from wallwright_protocol.link import NEVER

from .status import STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wallwright_protocol.link import Responder

    from .cycle import Cycle
    from .events import EventRing
    from .presses import Presses
    from .rewiring import Rewiring
    from .settings import Settings
    from .status import Status

STATUS_EVERY_MS = 1000


class Talk:
    """`due` is when the next status is to be sent; `payload` is one that was put together, until it is sent."""

    def __init__(
        self,
        responder: "Responder",
        status: "Status",
        cycle: "Cycle",
        events: "EventRing",
        settings: "Settings",
        presses: "Presses",
        rewiring: "Rewiring",
    ) -> None:
        self.due = NEVER
        self._responder = responder
        self._status = status
        self._cycle = cycle
        self._events = events
        self._settings = settings
        self._presses = presses
        self._rewiring = rewiring
        self.payload = b""
        self._told_state = codes.STARTING
        self._told_event = 0

    def has_news(self, now_ms: int) -> bool:
        """Say whether the link has something to do; that waits for a poll of its own, so that no poll is long."""
        present = self._responder.is_open()
        if self._responder.due <= now_ms or present != self._cycle.host_present:
            return True
        told = self._told_state == self._cycle.state and self._told_event == self._events.newest()
        return (not told or self.due <= now_ms) and present

    def forget_status(self) -> None:
        """Something has changed since the status was put together."""
        self.payload = b""

    def go_on(self, now_ms: int) -> bool:
        """Do one thing of the link, or notice that the host comes or goes; say whether deadlines may have changed."""
        responder = self._responder
        present = responder.is_open()
        if present != self._cycle.host_present:
            self._host_is(present, now_ms)
            return True
        if present and self._told_state != self._cycle.state:
            self._told_state = self._cycle.state
            self.due = now_ms
        newest = self._events.newest()
        if responder.due <= now_ms or self._told_event != newest:
            self._told_event = newest
            self.payload = b""
            changed = responder.poll(now_ms)
            trial = self._settings.trial
            if trial and trial != responder.session():
                self._settings.end_trial()
                changed = True
            return changed or responder.is_open() != present
        # What is so now is put together in one poll and sent in the next, if nothing else is to be done before.
        if self.payload:
            self.due = now_ms + STATUS_EVERY_MS
            responder.send_status(STATUS, self.payload)
            self.payload = b""
            return True
        if self.due <= now_ms:
            self.payload = self._status.payload()
        return False

    def _host_is(self, present: bool, now_ms: int) -> None:
        self._cycle.host_is(present)
        if not present:
            self._rewiring.end_jog(codes.BY_HOST)
            self._presses.set_throw(codes.CUT, 0, codes.NO_SIDE)
        self.due = now_ms if present else NEVER
