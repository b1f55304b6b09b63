"""The way to the loader in the chip's ROM, which takes another firmware: at rest, in service, and when a person agrees.

A host that asks for it is refused at first, and the panels ask `UPDATE?`; a lift key says yes. So nobody replaces the
firmware of a table at which nobody stands. Question and answer hold for a minute, and within one service.

The same firmware is started anew without a question. That is a power loss that somebody wants: it loses no more.
"""

from wallwright_protocol import codes
from wallwright_protocol.link import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App
    from .hal import Hal

CONSENT_MS = 60000
"""From the question on: long enough to walk to the table, too short to be forgotten."""
FAREWELL_MS = 200
"""The reply has left the board's buffers by then, and was repeated once."""


class Loader:
    """A device with a deadline: the moment at which the board leaves for its loader, or starts anew."""

    def __init__(self, app: "App", hal: "Hal") -> None:
        self.due = NEVER
        self._app = app
        self._hal = hal
        self._until_ms = 0
        self._service = 0
        self._agreed = False
        self._comes_back = False

    def ask(self) -> int:
        """The host asks for the loader; return a refusal code, OK when it starts FAREWELL_MS from now."""
        app = self._app
        cycle = app.cycle
        if cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE
        if cycle.state != codes.SERVICE or app.outputs.mask:
            return codes.WRONG_STATE
        if not self._is_asked():
            self._until_ms = cycle.now_ms + CONSENT_MS
            self._service = cycle.service.number
            self._agreed = False
            app.panel.text = "UPDATE?"
        if not self._agreed:
            return codes.NO_CONSENT
        if not app.saving.keep():
            cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            return codes.FAULT_ACTIVE
        self._comes_back = False
        self.due = cycle.now_ms + FAREWELL_MS
        return codes.OK

    def restart(self) -> None:
        """The host asks for a new start of a table that stands still; it comes FAREWELL_MS from now."""
        self._comes_back = True
        self.due = self._app.cycle.now_ms + FAREWELL_MS

    def lift_key(self) -> None:
        """A lift key was pressed in service; it says yes if that was asked."""
        if self._is_asked():
            self._agreed = True
            self._app.panel.text = "UPDATE"

    def poll(self, now_ms: int) -> None:
        """Leave, unless the service has ended meanwhile; in a fault only to come back."""
        self.due = NEVER
        state = self._app.cycle.state
        if self._app.outputs.mask or not (state == codes.SERVICE or (self._comes_back and state == codes.FAULT)):
            return
        self._app.outputs.rest()
        if self._comes_back:
            self._hal.restart()
        else:
            self._hal.reboot_to_loader()

    def _is_asked(self) -> bool:
        cycle = self._app.cycle
        return cycle.now_ms < self._until_ms and cycle.service.number == self._service
