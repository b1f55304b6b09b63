"""Holds an event's times together when a wall clock is set, a machine sleeps, is started anew, or another one goes on.

Entries are dated by the wall clock of whoever writes them. The desk writes what the machine's own clock says beside
it: before a session starts, and whenever the two have come apart since. From such an entry on, the times that still
matter (when a session began, was paused or published, when a deal was told) are those of the clock that holds now:
what had lasted before has lasted as long after. While a machine is off nobody but the wall clock can say how long.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..clocks import Reading
from ..journal.entry import Entry
from ..journal.kinds.desk import OfDesk
from ..journal.kinds.house import ClockRead
from ..words import Words, words
from .lifecycle import RUNNING
from .limits import MINUTE_MS

if TYPE_CHECKING:
    from .state import EventState

APART_MS = 2000
"""Clocks that differ by no more are not told of: they are read one after the other, and are adjusted gently."""
SET, SLEPT, ZONE, STARTED = "set", "slept", "zone", "started"


@dataclass(frozen=True, slots=True)
class ClockNotice:
    """What happened to the clock of a machine, known with `entry`: `ms` is by how much it was set, or how long it slept
    or was off; of a zone, by how much it is ahead of UTC. `session` is the one that ran meanwhile, if one did.
    """

    entry: int
    kind: str
    ms: int
    session: int | None = None

    @property
    def is_finding(self) -> bool:
        """Say whether somebody has to look at it: what a session's clock says may not be what has been played."""
        return self.kind == SET or (self.kind in (SLEPT, STARTED) and self.session is not None)

    def __str__(self) -> str:
        """Say it in English."""
        return f"entry {self.entry}: {self.text}" if self.entry else f"not written down yet: {self.text}"

    @property
    def text(self) -> Words:
        """What to say of it."""
        time = _duration(self.ms)
        if self.kind == SET and self.ms > 0:
            return words(
                "the machine's clock was put forward by {time}; sessions run on as if it had not been", time=time
            )
        if self.kind == SET:
            return words("the machine's clock was put back by {time}; sessions run on as if it had not been", time=time)
        if self.kind == ZONE:
            return words(
                "the machine's time zone is another: UTC{zone} now; times are shown in it", zone=_zone(self.ms)
            )
        if self.session is None:
            if self.kind == SLEPT:
                return words("the machine slept for {time}", time=time)
            return words("the machine was started again, or another goes on, {time} after the entry before", time=time)
        if self.kind == SLEPT:
            problem = (
                "the machine slept for {time} while session {session} ran, and its clock ran on; "
                "give time back if nobody played"
            )
            return words(problem, time=time, session=self.session)
        problem = (
            "the machine was started again, or another goes on, in session {session}: {time} have passed since the "
            "entry before, by the wall clock alone; compare it with a watch, and add or take time"
        )
        return words(problem, time=time, session=self.session)


@dataclass(frozen=True, slots=True)
class _Known:
    """A machine's clocks at an entry, and what is added to its wall clock for the time that never jumps."""

    reading: Reading
    ahead_ms: int


class EventTimes:
    """What is known of the clocks that an event's entries were dated by."""

    def __init__(self, state: "EventState") -> None:
        self.notices: list[ClockNotice] = []
        self._state = state
        self._known: dict[str, _Known] = {}
        self._newest: _Known | None = None
        self._last_ms = 0

    @property
    def have_begun(self) -> bool:
        """Say whether there is an entry of clocks."""
        return self._newest is not None

    def dated(self, entry: Entry) -> None:
        """Take the time of an entry, if it is one of the desk's."""
        if isinstance(entry.said, OfDesk | ClockRead):
            self._last_ms = entry.at_ms

    def now_ms(self, reading: Reading) -> int:
        """Return the present by the clock that the event's times are of."""
        if self._newest is None or not reading.boot:
            return reading.at_ms
        ahead_ms = self._ahead_ms(reading)
        return reading.at_ms + ahead_ms - self._newest.ahead_ms

    def is_told(self, reading: Reading) -> bool:
        """Say whether the entries of clocks have all that this reading tells; a clock alone tells nothing."""
        return not reading.boot or (reading.boot in self._known and not self.untold(reading))

    def take(self, entry: Entry, said: ClockRead) -> None:
        """Take an entry of clocks."""
        reading = Reading(entry.at_ms, said.boot, said.up_ms, said.asleep_ms, said.zone_min)
        newest, ahead_ms = self._newest, self._ahead_ms(reading)
        self.notices += [replace(one, entry=entry.id) for one in self.untold(reading)]
        self._newest = self._known[reading.boot] = _Known(reading, ahead_ms)
        moved_ms = 0 if newest is None else newest.ahead_ms - ahead_ms
        for session in self._state.sessions.values() if moved_ms else ():
            session.move_times(moved_ms)

    def untold(self, reading: Reading) -> list[ClockNotice]:
        """Return what this reading tells that no entry has told yet."""
        known, newest = self._known.get(reading.boot), self._newest
        if newest is None or not reading.boot:
            return []
        found = []
        if known is None:
            found.append((STARTED, max(0, reading.at_ms - self._last_ms)))
        set_ms = newest.ahead_ms - self._ahead_ms(reading)
        if abs(set_ms) > APART_MS:
            found.append((SET, set_ms))
        if known is not None and reading.asleep_ms - known.reading.asleep_ms > APART_MS:
            found.append((SLEPT, reading.asleep_ms - known.reading.asleep_ms))
        if reading.zone_min != (known or newest).reading.zone_min:
            found.append((ZONE, reading.zone_min * MINUTE_MS))
        playing = self._state.playing
        session = playing.number if playing is not None and playing.state == RUNNING else None
        return [ClockNotice(0, kind, ms, session) for kind, ms in found]

    def _ahead_ms(self, reading: Reading) -> int:
        """Return what is added to this wall clock for the time that never jumps."""
        known = self._known.get(reading.boot)
        if known is not None:
            gone_ms = reading.up_ms - known.reading.up_ms
            set_ms = reading.at_ms - known.reading.at_ms - gone_ms
            return known.ahead_ms - (set_ms if abs(set_ms) > APART_MS else 0)
        if self._newest is None:
            return 0
        # Of another start, or another machine. Time cannot have gone back.
        back_ms = self._last_ms - reading.at_ms
        return self._newest.ahead_ms + (back_ms if back_ms > APART_MS else 0)


def _duration(ms: int) -> str:
    seconds = round(abs(ms) / 1000)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"


def _zone(ms: int) -> str:
    minutes = abs(ms) // MINUTE_MS
    return f"{'-' if ms < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
