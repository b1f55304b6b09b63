"""What a fleet shows: a frozen snapshot of every table, and a stream of what has changed."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from ..journal.kinds.deals import DealDisputed, DealQuestion, DealToDeclare
from ..link.reports import Event, Info, Status
from ..rules.core.game_rules import GameRules, preset_rules
from ..rules.core.registry import DEFAULT
from ..table.next_walls import Misbuilt
from .wall_up import WallUp

SEARCHING = "searching"
CONNECTED = "connected"
ENDED = "ended"

NEWS_LIMIT = 10_000
"""Changes that wait for a reader; one that falls behind further loses the newest, and is told how many."""


@dataclass(frozen=True, slots=True)
class TableState:
    """One table as its host knows it. A program that shows it needs nothing else.

    `link` is SEARCHING, CONNECTED or ENDED, since `since_ms` (ms since 1970). `outage` and `problem` name what keeps
    the table away and say it in a sentence; `meeting` is the sentence of the last time that it answered. `info`
    and `status` are the last ones known, also while the table is away. `waiting` events are not in the
    journal yet, `lost` were overwritten in the board's memory, or went with a reset, since this program started.
    `report` is the file with what led to the last fault or lost connection. `misbuilt` are walls that were built for
    another dealer than the one who deals with them; `wall` is the wall on the table, None where it was not seen.
    `rules` are those of its deals.
    """

    name: str
    link: str = SEARCHING
    since_ms: int = 0
    port: str | None = None
    outage: str | None = None
    problem: str | None = None
    meeting: str | None = None
    boot_id: int = 0
    info: Info | None = None
    status: Status | None = None
    waiting: int = 0
    lost: int = 0
    report: str | None = None
    misbuilt: Misbuilt | None = None
    wall: WallUp | None = None
    rules: GameRules = field(default_factory=lambda: preset_rules(DEFAULT))


@dataclass(frozen=True, slots=True)
class HallState:
    """All tables in the order of the file; `journal_problem` is a sentence while the journal takes nothing."""

    tables: tuple[TableState, ...]
    journal_problem: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """Something has changed, at `at_ms` since 1970. `table` is None where it concerns the hall.

    `kind` is "connected", "searching" (the connection has ended, or another reason keeps the table away), "event",
    "gap", "strange", "report", "journal", "ended", "overrun", "walls" (they are another dealer's, or are right now), or
    of a tracked deal "tracked", "question", "disputed", "to_declare" or "untracked"; `body` are plain values, with a
    sentence under "text" where there is one to say. `event` has an "event"; `deal` says what has become of a deal that
    was tracked.
    """

    at_ms: int
    table: str | None
    kind: str
    body: Mapping[str, Any] = field(default_factory=dict)
    event: Event | None = None
    deal: "DealNoted | DealOpened | None" = None

    @property
    def text(self) -> str:
        """The sentence that says it, empty where there is none."""
        text: str = self.body.get("text", "")
        return text


@dataclass(frozen=True, slots=True)
class DealNoted:
    """The deal that is `deal` by the board `unit` is in the journal with all that happened in it."""

    unit: str
    deal: int


@dataclass(frozen=True, slots=True)
class DealOpened:
    """A person has to decide a deal of the board `unit`: what the record says that is `entry` of the journal."""

    unit: str
    entry: int
    said: DealQuestion | DealDisputed | DealToDeclare


class News:
    """The stream of changes: written by any thread, read by one. It never makes a writer wait."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Change | None] = SimpleQueue()
        self._missed = 0

    def tell(self, change: Change) -> None:
        """Append a change, or count it when nobody has read for long. Of a secret event nobody is told."""
        if change.event is not None and change.event.is_secret:
            return
        if self._queue.qsize() >= NEWS_LIMIT:
            self._missed += 1
            return
        missed, self._missed = self._missed, 0
        if missed:
            text = f"{missed} changes were not shown: they came faster than they were read"
            self._queue.put(Change(change.at_ms, None, "overrun", {"missed": missed, "text": text}))
        self._queue.put(change)

    def end(self) -> None:
        """Let the reader know that it is over; safe in a signal handler."""
        self._queue.put(None)

    def take(self, timeout_s: float | None = None) -> "list[Change] | None":
        """Wait for changes and return all that are there; empty when the time is over, None after `end`."""
        changes: list[Change] = []
        with suppress(Empty):
            change = self._queue.get(timeout=timeout_s)
            while change is not None:
                changes.append(change)
                change = self._queue.get_nowait()
            if not changes:
                return None
            self._queue.put(None)
        return changes
