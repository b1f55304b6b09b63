"""How often somebody may guess a password."""

from collections import OrderedDict
from dataclasses import dataclass, field

TRIES = 5
WINDOW_MS = 300_000
TRIES_OF_ADDRESS = 30
"""A hall's people may share one address."""
REMEMBERED = 10_000
"""Addresses and names; the oldest are forgotten, so that nobody can fill the memory."""


@dataclass
class Limiter:
    """Counts failures by address, and by address and name; a success forgets the latter. Times are ms since 1970."""

    failures: "OrderedDict[tuple[str, ...], tuple[int, int]]" = field(default_factory=OrderedDict)

    def wait_ms(self, address: str, name: str, now_ms: int) -> int:
        """Return how long this one has to wait before the next try, 0 for not at all."""
        return max(self._wait_ms((address, name), TRIES, now_ms), self._wait_ms((address,), TRIES_OF_ADDRESS, now_ms))

    def failed(self, address: str, name: str, now_ms: int) -> None:
        """Count a wrong password."""
        for key in ((address, name), (address,)):
            count, since_ms = self.failures.pop(key, (0, now_ms))
            if now_ms - since_ms >= WINDOW_MS:
                count, since_ms = 0, now_ms
            self.failures[key] = (count + 1, since_ms)
        while len(self.failures) > REMEMBERED:
            self.failures.popitem(last=False)

    def succeeded(self, address: str, name: str) -> None:
        """Forget what this one has typed wrong."""
        self.failures.pop((address, name), None)

    def _wait_ms(self, key: tuple[str, ...], tries: int, now_ms: int) -> int:
        count, since_ms = self.failures.get(key, (0, 0))
        return max(0, since_ms + WINDOW_MS - now_ms) if count >= tries else 0
