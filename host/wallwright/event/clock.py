"""The time of a session: what the hall's clock and a table's own have run, pauses and added time left out.

A clock is a value made of what is in the journal, so it goes on after a restart of the host as if nothing had been.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Clock:
    """Times in ms since 1970. A pause without an end lasts until now; `added_ms` is time given beyond the limit."""

    started_ms: int | None = None
    stopped_ms: int | None = None
    pauses: tuple[tuple[int, int | None], ...] = ()
    added_ms: int = 0

    @property
    def is_paused(self) -> bool:
        """Whether a pause lasts."""
        return any(end is None for _, end in self.pauses)

    def start(self, at_ms: int) -> "Clock":
        """Begin, or go on after a stop; the time between does not count."""
        if self.started_ms is None:
            return replace(self, started_ms=at_ms)
        stopped = at_ms if self.stopped_ms is None else self.stopped_ms
        return replace(self, stopped_ms=None, pauses=(*self.pauses, (stopped, at_ms)))

    def stop(self, at_ms: int) -> "Clock":
        """End; a pause that lasts ends too."""
        return replace(self.resume(at_ms), stopped_ms=at_ms)

    def pause(self, at_ms: int) -> "Clock":
        """Stand still from now on."""
        return replace(self, pauses=(*self.pauses, (at_ms, None)))

    def resume(self, at_ms: int) -> "Clock":
        """Go on after a pause."""
        return replace(self, pauses=tuple((begin, at_ms if end is None else end) for begin, end in self.pauses))

    def add(self, ms: int) -> "Clock":
        """Give `ms` more, or take some back when it is negative."""
        return replace(self, added_ms=self.added_ms + ms)

    def with_table(self, table: "Clock") -> "Clock":
        """Return this clock, the hall's, as it is for a table with pauses and added time of its own."""
        return replace(self, pauses=(*self.pauses, *table.pauses), added_ms=self.added_ms + table.added_ms)

    def moved(self, ms: int) -> "Clock":
        """Return it by a clock that is `ms` ahead of the one that it was read from."""
        pauses = tuple((begin + ms, None if end is None else end + ms) for begin, end in self.pauses)
        started_ms, stopped_ms = (None if at is None else at + ms for at in (self.started_ms, self.stopped_ms))
        return replace(self, started_ms=started_ms, stopped_ms=stopped_ms, pauses=pauses)

    def elapsed_ms(self, now_ms: int) -> int:
        """Return the time played until `now_ms`; pauses that overlap are taken out once."""
        if self.started_ms is None:
            return 0
        at, end = self.started_ms, now_ms if self.stopped_ms is None else min(now_ms, self.stopped_ms)
        played = 0
        for begin, until in sorted((begin, end if until is None else until) for begin, until in self.pauses):
            played += max(0, min(begin, end) - at)
            at = max(at, until)
        return played + max(0, end - at)

    def left_ms(self, limit_ms: int, now_ms: int) -> int:
        """Return how much of `limit_ms` and the added time is left, 0 when it is over."""
        return max(0, limit_ms + self.added_ms - self.elapsed_ms(now_ms))
