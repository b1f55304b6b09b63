"""The way to the loader in the chip's ROM, which takes another firmware: at rest, in service, and when a person agrees.

A host that asks for it is refused at first, and the panels ask `UPDATE?`; a lift key says yes. So nobody replaces the
firmware of a table at which nobody stands. Question and answer hold for a minute, and within one service.

The same firmware is started anew without a question. That is a power loss that somebody wants: it loses no more.
"""

from wallwright_protocol import codes
from wallwright_protocol.link import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Reply
    from .cycle import Cycle
    from .drivers.panel import Panel
    from .hal import Hal
    from .safety import Outputs
    from .saving import Saving

CONSENT_MS = 60000
"""From the question on: long enough to walk to the table, too short to be forgotten."""
FAREWELL_MS = 200
"""The reply has left the board's buffers by then, and was repeated once."""


class Loader:
    """A device with a deadline: the moment at which the board leaves for its loader, or starts anew."""

    answers = ("reboot_to_loader", "restart")

    def __init__(self, hal: "Hal", cycle: "Cycle", outputs: "Outputs", panel: "Panel", saving: "Saving") -> None:
        self.due = NEVER
        self._hal = hal
        self._cycle = cycle
        self._outputs = outputs
        self._panel = panel
        self._saving = saving
        self._until_ms = 0
        self._service = 0
        self._agreed = False
        self._comes_back = False

    def on_reboot_to_loader(self, _: "tuple[int, ...]") -> "Reply":
        """Leave for the loader."""
        return self.ask(), b""

    def on_restart(self, _: "tuple[int, ...]") -> "Reply":
        """Start anew."""
        return self.restart(), b""

    def ask(self) -> int:
        """The host asks for the loader; return a refusal code, OK when it starts FAREWELL_MS from now."""
        cycle = self._cycle
        if cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE
        if cycle.state != codes.SERVICE or self._outputs.mask:
            return codes.WRONG_STATE
        if not self._is_asked():
            self._until_ms = cycle.now_ms + CONSENT_MS
            self._service = cycle.service.number
            self._agreed = False
            self._panel.say("UPDATE?")
        if not self._agreed:
            return codes.NO_CONSENT
        if not self._saving.keep():
            return self._saving.fail()
        self._comes_back = False
        self.due = cycle.now_ms + FAREWELL_MS
        return codes.OK

    def restart(self) -> int:
        """The host asks for a new start of a table that stands still; return a refusal code, OK when it comes
        FAREWELL_MS from now."""
        code = self._cycle.service.stand_still()
        if code == codes.OK:
            self._comes_back = True
            self.due = self._cycle.now_ms + FAREWELL_MS
        return code

    def lift_key(self) -> None:
        """A lift key was pressed in service; it says yes if that was asked."""
        if self._is_asked():
            self._agreed = True
            self._panel.say("UPDATE")

    def poll(self, now_ms: int) -> None:
        """Leave, unless the service has ended meanwhile; in a fault only to come back."""
        self.due = NEVER
        state = self._cycle.state
        if self._outputs.mask or not (state == codes.SERVICE or (self._comes_back and state == codes.FAULT)):
            return
        self._outputs.rest()
        if self._comes_back:
            self._hal.restart()
        else:
            self._hal.reboot_to_loader()

    def _is_asked(self) -> bool:
        cycle = self._cycle
        return cycle.now_ms < self._until_ms and cycle.service.number == self._service
