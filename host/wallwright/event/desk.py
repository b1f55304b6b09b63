"""Where everything that changes an event goes through: checked against the state, written to the journal, then applied.

A function that changes something takes the desk first. It raises EventRefused and writes nothing when it does not fit.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from msgspec.structs import replace

from ..clocks import Reading, read_clock
from ..errors import EventRefused, NoEvent
from ..journal.entry import Entry
from ..journal.kinds import stored
from ..journal.kinds.desk import ClockChanged, OfDesk, SessionMoved
from ..journal.kinds.house import ClockRead
from ..link.reports import Event
from ..person_text import same_key
from ..words import Sayable, words
from . import guards
from .format import EventFormat
from .reported_results import TOLD_KINDS
from .state import EventState
from .state_parts import Session
from .table_sheet import TableSheet
from .times import ClockNotice
from .told_walls import WALL_KINDS

_TOLD = frozenset((*TOLD_KINDS, *WALL_KINDS))


class EntryLog(Protocol):
    """Where entries are kept for good: `wallwright.journal.Journal`."""

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return the number of the entry after it is safe on disk."""

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """Return the number of a table's event after it is safe on disk; 0 when it was there already."""

    def batch(self) -> AbstractContextManager[None]:
        """Make the appends inside one: all of them are kept, or none."""

    def checkpoint(self, *, at_ms: int) -> object:
        """Sign what is there; the text of what is returned can be printed and compared later."""


class Desk:
    """The event of `journal`, whose entries so far `state` has seen.

    `now` says the time in ms since 1970; `by` is who is at the desk, for the journal.
    """

    def __init__(self, journal: EntryLog | None, state: EventState, now: Callable[[], int], by: str) -> None:
        self.state = state
        self.by = by
        self._clock = now
        self._log = journal

    @classmethod
    def to_read(cls, state: EventState, now: Callable[[], int]) -> "Desk":
        """Return a desk for questions; nothing can be written at it."""
        return cls(None, state, now, "")

    @property
    def format(self) -> EventFormat:
        """The event's format. NoEvent when there is none yet."""
        if self.state.format is None:
            raise NoEvent(str(getattr(self._log, "path", "this journal")))
        return self.state.format

    @property
    def _journal(self) -> EntryLog:
        assert self._log is not None, "this desk was opened to read"
        return self._log

    def now(self) -> int:
        """Return the present in ms since 1970, as the event's times have it."""
        return self.state.times.now_ms(read_clock(self._clock))

    def untold_clocks(self) -> list[ClockNotice]:
        """Return what the machine's clocks say now that no entry has told yet."""
        return self.state.times.untold(read_clock(self._clock))

    def write(self, said: OfDesk) -> int:
        """Write a record with who wrote it, apply it, return the number of its entry. EventRefused as `guards` say."""
        return self._keep([said])[-1]

    def write_all(self, facts: Iterable[OfDesk]) -> None:
        """Write records that belong together: all of them, or none.

        Each is checked against what those before it have made of the event. When one is refused, the state has seen
        those before it, and the turn is over.
        """
        self._keep(list(facts))

    def tell_clocks(self) -> None:
        """Write what the machine's clocks say, if an entry has to tell it."""
        self._keep([])

    def _keep(self, facts: list[OfDesk]) -> list[int]:
        """Write records, and the clocks before them where they have to be told; return the numbers of their entries.

        They are one act: all but the first name the entry of the first.
        """
        now = read_clock(self._clock)
        numbers: list[int] = []
        with self._journal.batch():
            for kind, body in self._clocks(now, facts):
                self.append(kind, body, at_ms=now.at_ms)
            for said in facts:
                guards.check(self.state, said)
                act = numbers[0] if numbers else None
                numbers.append(self.append(*stored(replace(said, by=self.by, act=act)), at_ms=now.at_ms))
        return numbers

    def _clocks(self, now: Reading, facts: list[OfDesk]) -> list[tuple[str, dict[str, Any]]]:
        times = self.state.times
        is_asked = times.have_begun or any(isinstance(one, SessionMoved | ClockChanged) for one in facts)
        if not is_asked or times.is_told(now):
            return []
        return [stored(ClockRead(boot=now.boot, up_ms=now.up_ms, asleep_ms=now.asleep_ms, zone_min=now.zone_min))]

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Write an entry as it is, of a table for example, and apply it."""
        number = self._journal.append(kind, body, at_ms=at_ms, unit=unit)
        self.state.apply(_entry(number, at_ms, unit, kind, body))
        return number

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """Write an event of a table, and apply it if it says something of results; 0 when it was there already."""
        number = self._journal.append_event(unit, event, at_ms=at_ms)
        if number and event.name in _TOLD:
            body = {"fields": event.fields, "time_ms": event.time_ms}
            self.state.apply(_entry(number, at_ms, unit, event.name, body))
        return number

    def checkpoint(self) -> str:
        """Sign the journal as it is, and return what is to be printed."""
        return str(self._journal.checkpoint(at_ms=self.now()))

    def session(self, number: int) -> Session:
        """Return a session. EventRefused when there are no seats for it yet."""
        found = self.state.sessions.get(number)
        if found is None:
            planned = ", ".join(map(str, self.state.sessions)) or words("none; draw lots first")
            problem = "session {session} has no seats yet; planned are: {planned}"
            raise EventRefused(words(problem, session=number, planned=planned))
        return found

    def sheet(self, session: int, table: int) -> TableSheet:
        """Return a table in a session. EventRefused when there is none."""
        found = self.session(session)
        sheet = self.state.sheet(session, table)
        if sheet is None:
            problem = "session {session} has tables 1 to {last}, there is no {table}"
            raise EventRefused(words(problem, session=session, last=len(found.tables), table=table))
        return sheet

    def sheet_in_play(self, session: int, table: int) -> TableSheet:
        """Likewise; EventRefused too when the session does not play, or the table has signed its results."""
        sheet = self.sheet(session, table)
        guards.check_playing(self.state, sheet)
        return sheet

    def player(self, name_or_number: str) -> int:
        """Return the number of a player. EventRefused when nobody is meant."""
        wanted = same_key(name_or_number)
        keys = {player.number: same_key(player.name) for player in self.state.players.values()}
        called = [number for number, key in keys.items() if wanted in (str(number), key)]
        close_by = called or [number for number, key in keys.items() if wanted in key]
        if len(close_by) == 1:
            return close_by[0]
        close = ", ".join(f"{number} {self.state.name(number)}" for number in close_by[:5])
        hint = close or words("look at the list of players")
        raise EventRefused(words("no player is called {name!r}: {hint}", name=name_or_number, hint=hint))


def need_reason(reason: str, why: Sayable) -> None:
    """Raise EventRefused with `why` unless a reason is given."""
    if not reason.strip():
        raise EventRefused(words("{why}; give a reason if it is to be done all the same", why=why))


def _entry(number: int, at_ms: int, unit: str | None, kind: str, body: Mapping[str, Any]) -> Entry:
    # It is read from its text, so that the state is the same before and after a restart.
    return Entry.of(number, at_ms, unit, None, None, kind, body)
