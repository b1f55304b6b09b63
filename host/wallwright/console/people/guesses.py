"""Wrong passwords and PINs of the last day, for the director: whose they were, where they came from, how many."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace

from .whose import Whose

DAY_MS = 24 * 3_600_000
TELLING = 5
"""So many wrong ones are no slips of a person's finger."""
REMEMBERED = 1000
"""People and addresses; the oldest are forgotten, so that nobody can fill the memory."""


@dataclass(frozen=True, slots=True)
class Guessed:
    """Tries for one person from one address: how many were wrong, how many were held up, and when the last was."""

    whose: Whose
    address: str
    wrong: int
    held_up: int
    last_ms: int


class Guesses:
    """Remembers them, from any thread, while the server runs; the journal keeps them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[Whose, str], Guessed] = OrderedDict()

    def note(self, whose: Whose, address: str, now_ms: int, *, held_up: bool) -> bool:
        """Note a try that was wrong, or was held up; say whether it is the first of this person that was."""
        with self._lock:
            found = self._found.pop((whose, address), None)
            if found is None or now_ms - found.last_ms >= DAY_MS:
                found = Guessed(whose, address, 0, 0, now_ms)
            before = (found, *self._found.values())
            is_first = held_up and not any(one.held_up and one.whose == whose for one in before)
            wrong, held = found.wrong + (not held_up), found.held_up + held_up
            self._found[whose, address] = replace(found, wrong=wrong, held_up=held, last_ms=now_ms)
            if len(self._found) > REMEMBERED:
                self._found.popitem(last=False)
            return is_first

    def of_last_day(self, now_ms: int) -> tuple[Guessed, ...]:
        """Return those about people for whom somebody seems to guess, the newest first."""
        with self._lock:
            fresh = [one for one in reversed(self._found.values()) if now_ms - one.last_ms < DAY_MS]
        wrong: dict[Whose, int] = {}
        for one in fresh:
            wrong[one.whose] = wrong.get(one.whose, 0) + one.wrong + one.held_up
        return tuple(one for one in fresh if wrong[one.whose] >= TELLING)

    def are_many(self, now_ms: int) -> bool:
        """Say whether there are any of those."""
        return bool(self._found) and bool(self.of_last_day(now_ms))
