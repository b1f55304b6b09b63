"""Closes connections of clients that keep the server waiting.

A connection costs memory and a place. The server closes one after `PATIENCE_S` if it asks nothing, does not finish its
request, or takes next to nothing of its answer (a phone in a pocket, a program that means harm). A slow client that
makes progress keeps its connection.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 20.0
LEAST = 8192
"""Bytes that have to be taken in that time by one for whom too much waits; a hall's network carries a thousand times
as much."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """Since when a connection is waited for: in which question and answer, with how many bytes to be taken."""

    cycle: object
    untaken: int
    since_s: float

    def is_over(self, now: "_Wait") -> bool:
        return now.cycle is not self.cycle or now.untaken <= self.untaken - LEAST


class Patience:
    """Looks at uvicorn's connections now and then; `now_s` is a clock that never goes back."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._waits: dict[Any, _Wait] = {}

    def look(self, connections: Iterable[Any]) -> Collection[Any]:
        """Cut off those that have not moved for too long; return them."""
        now_s = self._now_s()
        before, self._waits = self._waits, {}
        cut = []
        for one in connections:
            if not _is_waited_for(one):
                continue
            wait = _Wait(one.cycle, one.transport.get_write_buffer_size(), now_s)
            if one in before and not before[one].is_over(wait):
                wait = before[one]
            self._waits[one] = wait
            if now_s - wait.since_s >= PATIENCE_S:
                cut.append(one)
        for one in cut:
            one.transport.abort()
        return cut


def _is_waited_for(connection: Any) -> bool:
    """Say whether the other side has to do something now; a question is short, who sends it slowly does not get on."""
    cycle = connection.cycle
    return bool(connection.flow.write_paused or cycle is None or cycle.response_complete or cycle.more_body)
