"""What the host may ask for: message -> handler. The parts of the firmware offer theirs by name (`requests`).

A handler takes the values of a request and checks them, then the state; it returns a refusal code and the payload of
the reply. What is accepted is logged.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REQUESTS, CodecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .cycle import Cycle
    from .events import EventRing

    Reply = tuple[int, bytes]
    Handler = Callable[[Any], Reply]
    Handlers = dict[str, Handler]

_UNLOGGED = bytes([number for name, number in NUMBER_OF.items() if name.startswith("get_") or name == "prescribe"])


class Commands:
    """All requests that are answered."""

    def __init__(self, cycle: "Cycle", events: "EventRing") -> None:
        self._cycle = cycle
        self._events = events
        self._handlers: "dict[int, Handler]" = {}
        self._asked: "tuple[Any, ...] | None" = None

    def offer(self, handlers: "Handlers") -> None:
        """Answer these requests as well."""
        for name, handler in handlers.items():
            self._handlers[NUMBER_OF[name]] = handler

    def execute(self, message: int, payload: bytes) -> "Reply | None":
        """Unpack one request and return None, or with the next call execute it; return its code and the reply's
        payload."""
        if self._asked is None:
            if message not in self._handlers:
                return codes.UNKNOWN_MESSAGE, b""
            try:
                self._asked = REQUESTS[message].unpack(payload)
            except CodecError:
                return codes.WRONG_LENGTH, b""
            return None
        values, self._asked = self._asked, None
        code, reply = self._handlers[message](values)
        if code == codes.OK and message not in _UNLOGGED:
            self._cycle.steps.add(self._log, message)
        return code, reply

    def _log(self, message: int) -> None:
        self._events.add(self._cycle.now_ms, "command_accepted", message, codes.FROM_HOST)
