"""How well the tables of a hall shuffle that know their tiles: the evidence against each, after every revealed wall.

A thread of its own reads the journal when the program starts and whenever a wall is revealed. What evidence is, and
when it is an alarm, says `wallwright.study.martingale`.
"""

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from ...errors import BadKey, JournalError
from ...journal import read_journal
from ...journal.places import JournalPath
from ...study.martingale import TABLE_YEAR_DEALS, Standing
from ...study.revealed import KINDS, RevealedWalls
from .desk import Happening
from .model import HallView, Shuffling

REVEALED = "wall_part"
"""What happens at a table that brings another wall."""

SMALLEST_EVIDENCE, LARGEST_EVIDENCE = 0.01, 1_000_000
"""Beyond them nobody cares how small or large it is."""

log = structlog.get_logger("wallwright.console")


@dataclass(frozen=True, slots=True)
class Course:
    """How the evidence against a table went in its last year, from the oldest wall to the newest."""

    now: Shuffling
    evidence: tuple[float, ...]


class ShufflingWatch:
    """Follows the journal at `path` from `start` to `close`. A journal that fails is read on with the next wall."""

    def __init__(self, path: JournalPath) -> None:
        self._path = path
        self._walls = RevealedWalls()
        self._standings: dict[str, Standing] = {}
        self._courses: dict[str, deque[float]] = {}
        self._last = 0
        self._lock = threading.Lock()
        self._due = threading.Event()
        self._due.set()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="shuffling")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._is_over = True
        self._due.set()
        self._thread.join()

    def hear(self, _: HallView, happenings: Sequence[Happening]) -> None:
        """Take note of what has happened; this never waits."""
        if any(one.kind == REVEALED for one in happenings):
            self._due.set()

    def of(self, unit: str | None) -> Shuffling | None:
        """Return how a table stands; None where no wall of its could be compared yet."""
        standing = self._standings.get(unit or "")
        return None if standing is None else Shuffling(standing.deals, standing.evidence, standing.alarm_at)

    def course(self, unit: str | None) -> Course | None:
        """Return how it went at a table; None where no wall of its could be compared yet."""
        with self._lock:
            now = self.of(unit)
            return None if now is None else Course(now, tuple(self._courses[unit or ""]))

    def _run(self) -> None:
        while not self._is_over:
            self._due.wait()
            self._due.clear()
            try:
                self._read()
            except (JournalError, BadKey) as error:
                log.warning("shuffling", problem=str(error))

    def _read(self) -> None:
        for entry in read_journal(self._path, after=self._last, kinds=KINDS):
            if self._is_over:
                return
            self._last = entry.id
            wall = self._walls.feed(entry)
            if wall is None:
                continue
            with self._lock:
                before = self._standings.get(wall.unit, Standing())
                now = self._standings[wall.unit] = before.after(wall)
                course = self._courses.setdefault(wall.unit, deque(maxlen=TABLE_YEAR_DEALS))
                if now.deals == 1:
                    course.clear()
                course.append(now.evidence)


def evidence_text(evidence: float) -> str:
    """Return evidence against a table's walls as a number that is short to read, such as 0.93 or 1,000."""
    if evidence < SMALLEST_EVIDENCE:
        return f"< {SMALLEST_EVIDENCE:g}"
    if evidence > LARGEST_EVIDENCE:
        return f"> {LARGEST_EVIDENCE:,}"
    return f"{evidence:,.0f}" if evidence >= 9.95 else f"{evidence:.2g}"
