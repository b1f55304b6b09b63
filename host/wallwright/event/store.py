"""An event in its journal: opened to be changed, read to be looked at."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from ..clocks import wall_ms
from ..errors import NoEvent
from ..journal import Journal, is_url, read_journal
from ..journal.kinds.deals import DealResult
from ..journal.kinds.desk import Scored
from ..journal.kinds.house import ClockRead
from ..link.reconnect import WORDS as MEETINGS
from .desk import Desk
from .reported_results import DECLARATIONS, TOLD_KINDS
from .state import KINDS, EventState
from .told_walls import WALL_KINDS

_RESULTS = (*KINDS, *TOLD_KINDS, *WALL_KINDS, *MEETINGS, ClockRead.KIND)
EVENT_KINDS = (*_RESULTS, DECLARATIONS)
"""The kinds of entries that an event is made of."""


class EventTurns:
    """Turns at the desk of the event at `place`, one after the other, with whatever journal has it open.

    What is known of the event is kept from turn to turn, and each turn sees what everybody has written before it.
    """

    def __init__(self, place: str, now: Callable[[], int] = wall_ms) -> None:
        self._place = place
        self._now = now
        self._state = EventState()

    def catch_up(self) -> None:
        """Read what has been written since. Before a turn that is done while others may write, during it they wait."""
        self._state.apply_all(read_journal(self._place, self._state.last, EVENT_KINDS))

    @contextmanager
    def at(self, journal: Journal, by: str, *, new: bool = False) -> Iterator[Desk]:
        """Give a desk whose changes are all kept, or none after an error. Nobody else changes the event meanwhile, so
        don't wait for people inside. NoEvent when there is none, unless a `new` one is to be begun.
        """
        before = self._state.last
        try:
            with journal.batch():
                self.catch_up()
                if self._state.format is None and not new:
                    raise NoEvent(self._place)
                before = self._state.last
                yield Desk(journal, self._state, self._now, by)
        except BaseException:
            if self._state.last != before:
                # It may have seen entries that were never kept.
                self._state = EventState()
            raise


class EventJournal:
    """The journal at `place`, a path or a URL, open for turns at the desk; use it in a `with`.

    Hosts of one server share an event. Raises what `Journal` does.
    """

    def __init__(self, place: str, by: str, now: Callable[[], int] = wall_ms) -> None:
        self._by = by
        self._journal = Journal(place)
        self._turns = EventTurns(place, now)

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the journal."""
        self._journal.close()

    @contextmanager
    def turn(self, *, new: bool = False) -> Iterator[Desk]:
        """Take a turn; see `EventTurns.at`."""
        self._turns.catch_up()
        with self._turns.at(self._journal, self._by, new=new) as desk:
            yield desk


@contextmanager
def open_event(place: str, by: str, now: Callable[[], int] = wall_ms, *, new: bool = False) -> Iterator[Desk]:
    """Take one turn at the desk of the event at `place`."""
    if not new and not is_url(place) and not Path(place).exists():
        raise NoEvent(place)
    with EventJournal(place, by, now) as journal, journal.turn(new=new) as desk:
        yield desk


def read_event(place: str) -> EventState:
    """Return the event in the journal at `place`, also while another program writes it.

    What was declared in deals that go on is left out, so that an event of a season is read in a second or two.
    """
    if not is_url(place) and not Path(place).exists():
        raise NoEvent(place)
    state = read_state(place)
    if state.format is None:
        raise NoEvent(place)
    return state


def read_state(place: str, last: int | None = None) -> EventState:
    """Return what the entries at `place`, or those up to number `last`, come to, be there an event or not."""
    entries = read_journal(place, kinds=_RESULTS)
    return EventState().apply_all(entry for entry in entries if last is None or entry.id <= last)


def holds_event(place: str) -> bool:
    """Say whether there is a journal at `place` in which an event has begun. Raises JournalError, NotAJournal."""
    if not is_url(place) and not Path(place).exists():
        return False
    return next(iter(read_journal(place, kinds=("event_created",))), None) is not None


def read_result(place: str, number: int) -> Scored | DealResult:
    """Return what a result says, whose entry has that number."""
    said = next(read_journal(place, number - 1)).said
    assert isinstance(said, Scored | DealResult)
    return said
