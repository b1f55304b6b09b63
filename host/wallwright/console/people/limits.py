"""How often somebody may guess a password: a try counts before it is checked, so that many at once are not more."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

WINDOW_MS = 300_000
REMEMBERED = 10_000
"""Tries are counted for so many at once; the oldest are forgotten, so that nobody can fill the memory."""


@dataclass(frozen=True, slots=True)
class Tally:
    """For whom tries count together, `of`, and how many they have within the window."""

    of: tuple[str, ...]
    tries: int


class Limiter:
    """Counts tries, from any thread. Times are ms of a clock that nobody sets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: OrderedDict[tuple[str, ...], tuple[int, int]] = OrderedDict()

    def begin(self, tallies: Sequence[Tally], now_ms: int) -> int:
        """Count a try in all of `tallies` and return 0, or count nothing and return how many ms to wait."""
        with self._lock:
            wait_ms = max(self._wait_ms(one, now_ms) for one in tallies)
            if wait_ms:
                return wait_ms
            for one in tallies:
                count, since_ms = self._counts.pop(one.of, (0, now_ms))
                if now_ms - since_ms >= WINDOW_MS:
                    count, since_ms = 0, now_ms
                self._counts[one.of] = (count + 1, since_ms)
            while len(self._counts) > REMEMBERED:
                self._counts.popitem(last=False)
        return 0

    def succeeded(self, tallies: Sequence[Tally]) -> None:
        """Forget what was typed wrong in the first of `tallies`, and this try in the others."""
        with self._lock:
            self._counts.pop(tallies[0].of, None)
        self.take_back(tallies[1:])

    def take_back(self, tallies: Sequence[Tally]) -> None:
        """Let a try not count: it was none."""
        with self._lock:
            for one in tallies:
                count, since_ms = self._counts.get(one.of, (0, 0))
                if count:
                    self._counts[one.of] = (count - 1, since_ms)

    def _wait_ms(self, tally: Tally, now_ms: int) -> int:
        count, since_ms = self._counts.get(tally.of, (0, 0))
        return max(0, since_ms + WINDOW_MS - now_ms) if count >= tally.tries else 0
