"""Who keeps the server waiting, and for how long it waits.

A connection costs memory and one of the places that there are. One that asks nothing, does not finish its question, or
takes nothing of its answer (a phone in a pocket, a program that means harm) is cut off after `PATIENCE_S`. Slow alone
is not enough: who gets on a little keeps the connection.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

PATIENCE_S = 20.0


class Patience:
    """Looks at uvicorn's connections now and then; `now_s` is a clock that never goes back."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._since_s: dict[Any, tuple[object, float]] = {}

    def look(self, connections: Iterable[Any]) -> Collection[Any]:
        """Cut off those that have not moved for too long; return them."""
        now_s = self._now_s()
        before, self._since_s = self._since_s, {}
        cut = []
        for one in connections:
            waited_for = _waited_for(one)
            if waited_for is None:
                continue
            same, since_s = before.get(one, (None, now_s))
            if same != waited_for:
                since_s = now_s
            self._since_s[one] = waited_for, since_s
            if now_s - since_s >= PATIENCE_S:
                cut.append(one)
        for one in cut:
            one.transport.abort()
        return cut


def _waited_for(connection: Any) -> object:
    """Return something that changes when the other side gets on; None while the server is the one that works."""
    cycle = connection.cycle
    if connection.flow.write_paused:
        return cycle, connection.transport.get_write_buffer_size()
    if cycle is None or cycle.response_complete or cycle.more_body:
        # A question is short: who sends it byte by byte does not get on.
        return cycle, None
    return None
