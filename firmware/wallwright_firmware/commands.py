"""Requests of the host, and the part of the firmware that answers each. Accepted ones are logged.

A part names the requests that it answers in `answers`, and has a method `on_NAME` for each. That takes the values of a
request and checks them, then the state; it returns a refusal code and the payload of the reply. A method is looked up
when it is asked for, so that a board's heap holds none of them.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REQUESTS, CodecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from .cycle import Cycle
    from .events import EventRing

    Reply = tuple[int, bytes]

    class Part(Protocol):
        """One that answers requests."""

        @property
        def answers(self) -> tuple[str, ...]: ...


_UNLOGGED = bytes([number for name, number in NUMBER_OF.items() if name.startswith("get_") or name == "prescribe"])


def page(column: "Any", first: int, size: int) -> bytes:
    """Return a part of a list, of bytes or an array, as a reply carries it: `size` bytes from `first` on, with zeros
    behind the list's end."""
    part = bytes(column)[first : first + size]
    return part + bytes(size - len(part))


class Commands:
    """The requests that are answered."""

    def __init__(self, cycle: "Cycle", events: "EventRing") -> None:
        self._cycle = cycle
        self._events = events
        self._parts: "tuple[Part, ...]" = ()
        self._asked: "tuple[Any, ...] | None" = None
        self._method: "Any" = None

    def offer(self, *parts: "Part") -> None:
        """Let these answer what they can."""
        self._parts += parts

    def execute(self, message: int, payload: bytes) -> "Reply | None":
        """Unpack one request and return None, or with the next call execute it; return its code and the reply's
        payload."""
        if self._asked is None:
            self._method = self._find(message)
            if self._method is None:
                return codes.UNKNOWN_MESSAGE, b""
            try:
                self._asked = REQUESTS[message].unpack(payload)
            except CodecError:
                return codes.WRONG_LENGTH, b""
            return None
        values, self._asked = self._asked, None
        code, reply = self._method(values)
        if code == codes.OK and message not in _UNLOGGED:
            self._cycle.steps.add(self._log, message)
        return code, reply

    def _find(self, message: int) -> "Any":
        """Return the method that answers a request, None when there is none."""
        for part in self._parts:
            for name in part.answers:
                if NUMBER_OF[name] == message:
                    return getattr(part, "on_" + name)
        return None

    def _log(self, message: int) -> None:
        self._events.add(self._cycle.now_ms, "command_accepted", message, codes.FROM_HOST)
