"""How often somebody may guess a secret: a try counts before it is checked, so that many at once are not more."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

WINDOW_MS = 300_000
REMEMBERED = 10_000
"""Of each kind, tries are counted for so many at once; the oldest are forgotten, so that nobody can fill the memory."""


@dataclass(frozen=True, slots=True)
class Tally:
    """For whom tries count together, `of`, which begins with a kind, and how many they have in any `window_ms`."""

    of: tuple[str, ...]
    tries: int
    window_ms: int = WINDOW_MS


class Limiter:
    """Counts tries, from any thread. Times are ms of a clock that nobody sets."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # One kind cannot push another out: names can be made up, and addresses be many.
        self._times: defaultdict[str, OrderedDict[Tally, tuple[int, ...]]] = defaultdict(OrderedDict)

    def begin(self, tallies: Sequence[Tally], now_ms: int) -> int:
        """Count a try in all of `tallies` and return 0, or count nothing and return how many ms to wait."""
        with self._lock:
            wait_ms = self._longest_ms(tallies, now_ms)
            if wait_ms:
                return wait_ms
            for one in tallies:
                counted = self._times[one.of[0]]
                counted[one] = (*self._within(one, now_ms), now_ms)
                counted.move_to_end(one)
                if len(counted) > REMEMBERED:
                    counted.popitem(last=False)
        return 0

    def wait_ms(self, tallies: Sequence[Tally], now_ms: int) -> int:
        """Return how many ms a try has to wait, and count none."""
        with self._lock:
            return self._longest_ms(tallies, now_ms)

    def forget(self, tallies: Sequence[Tally]) -> None:
        """Forget all tries in `tallies`."""
        with self._lock:
            for one in tallies:
                self._times[one.of[0]].pop(one, None)

    def take_back(self, tallies: Sequence[Tally]) -> None:
        """Let a try not count: it was none."""
        with self._lock:
            for one in tallies:
                times = self._times[one.of[0]].get(one, ())
                if times:
                    self._times[one.of[0]][one] = times[:-1]

    def _within(self, tally: Tally, now_ms: int) -> tuple[int, ...]:
        times = self._times[tally.of[0]].get(tally, ())
        return tuple(at_ms for at_ms in times if now_ms - at_ms < tally.window_ms)

    def _longest_ms(self, tallies: Sequence[Tally], now_ms: int) -> int:
        found = [(one, self._within(one, now_ms)) for one in tallies]
        waits = [times[-one.tries] + one.window_ms - now_ms for one, times in found if len(times) >= one.tries]
        return max(waits, default=0)
