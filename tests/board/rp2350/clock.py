"""Virtual time of an emulated chip in ns, with alarms. Alarms of one time ring in the order in which they were set."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Alarm:
    """Calls somebody at a time that is set, once."""

    def __init__(self, clock: "Clock", call: Callable[[], None]) -> None:
        self._clock = clock
        self.call = call
        self.entry = -1

    @property
    def is_set(self) -> bool:
        """Whether it will ring."""
        return self.entry >= 0

    def schedule(self, at_ns: int) -> None:
        """Ring at `at_ns`, and not when it was set to before."""
        self.entry = self._clock.insert(self, at_ns)

    def cancel(self) -> None:
        """Do not ring."""
        self.entry = -1


class Clock:
    """`now` has the time, `nearer` is called when an alarm is set that rings before all others."""

    def __init__(self, now: Callable[[], int], nearer: Callable[[], None]) -> None:
        self.now = now
        self._nearer = nearer
        self._alarms: list[tuple[int, int, Alarm]] = []
        self._entries = count()

    def alarm(self, call: Callable[[], None]) -> Alarm:
        """Return an alarm that is not set."""
        return Alarm(self, call)

    def insert(self, alarm: Alarm, at_ns: int) -> int:
        """Take an alarm; return the number of the entry that it is valid with."""
        entry = next(self._entries)
        heappush(self._alarms, (at_ns, entry, alarm))
        if self._alarms[0][1] == entry:
            self._nearer()
        return entry

    def first(self) -> int | None:
        """Return when the next alarm rings."""
        alarms = self._alarms
        while alarms and alarms[0][2].entry != alarms[0][1]:
            heappop(alarms)
        return alarms[0][0] if alarms else None

    def ring(self) -> None:
        """Ring every alarm that is due."""
        while True:
            first = self.first()
            if first is None or first > self.now():
                return
            alarm = heappop(self._alarms)[2]
            alarm.entry = -1
            alarm.call()
