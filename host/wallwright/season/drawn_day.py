"""A day for a rehearsal: everything at its desk is that of a real day, but nobody plays.

Players, draw, seats, sessions, signatures and publication go through the event's own code. Results are drawn from a
pool of deals that bots have played before, declared and settled as a scorer would. A day with boards and mechanics is
`rehearsal.day`'s.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ..errors import BadPath
from ..event import results, running, setup
from ..event.desk import Desk
from ..event.draw import SEED_SIZE
from ..event.format import EventFormat
from ..event.players import Player, Roster
from ..event.state_parts import MAIN
from ..event.store import read_state
from ..journal import Journal
from ..rules.sichuan.bots import SmartBot
from ..rules.sichuan.declarations import deal_record
from ..rules.sichuan.doubts import doubts, say_of_hands
from ..rules.sichuan.play import play, shuffled_deal
from ..rules.sichuan.ruleset import Ruleset

MINUTE_MS = 60_000
BREAK_MINUTES = 15
DEAL_MINUTES = 5


@dataclass(frozen=True, slots=True)
class Pool:
    """Deals that bots have played, as a scorer declares them, by dealer."""

    by_dealer: Sequence[Sequence[Mapping[str, Any]]]

    @classmethod
    def played(cls, ruleset: Ruleset, each: int, chance: Random) -> "Pool":
        """Play so many deals for each dealer."""
        bots = (SmartBot(), SmartBot(), SmartBot(), SmartBot())
        found: list[list[Mapping[str, Any]]] = [[], [], [], []]
        for dealer in range(4):
            for _ in range(each):
                told = play(shuffled_deal(ruleset, dealer, chance)[1], bots, chance).declared()
                found[dealer].append(say_of_hands(deal_record(told), doubts(told, told.settle())))
        return cls(found)


@dataclass(slots=True)
class DrawnDay:
    """One day: its journal, its format, who plays, when it begins, and what its results are drawn by."""

    path: Path
    event_format: EventFormat
    players: tuple[Player, ...]
    begins_ms: int
    pool: Pool
    chance: Random
    _now_ms: int = field(default=0, init=False)

    def run(self, sessions: int | None = None, *, finalise: bool = True) -> None:
        """Begin the day, and go through so many sessions, all without it."""
        self.begin()
        self.go_on(sessions, finalise=finalise)

    def begin(self) -> None:
        """Begin the day: players, draw, seats."""
        if self.path.exists():
            raise BadPath(f"{self.path} is there already, and a rehearsal begins a new journal; choose another path")
        with self._desk() as desk:
            setup.create(desk, self.event_format)
            setup.import_players(desk, Roster(self.players), "rehearsal")
            secret = self.chance.randbytes(SEED_SIZE)
            setup.commit_draw(desk, MAIN, secret, stand_ins=bool(len(self.players) % 4))
            setup.contribute(desk, MAIN, "the hall", f"{self.chance.randint(1, 6)} {self.chance.randint(1, 6)}")
            setup.reveal_draw(desk, MAIN, secret)

    def go_on(self, sessions: int | None = None, *, first: int = 1, finalise: bool = True) -> None:
        """Go through the sessions of a day that has begun, up to that one, each published and, unless it is to stay
        open, final.
        """
        with self._desk() as desk:
            for number in range(first, (sessions or desk.format.sessions) + 1):
                self._session(desk, number, finalise=finalise)

    def correct(self, session: int, table: int, deal: int, points: tuple[int, int, int, int], reason: str) -> None:
        """A day later a referee corrects a deal, and the session is made final again."""
        with self._desk() as desk:
            self._now_ms += 24 * 60 * MINUTE_MS
            results.correct_points(desk, session, table, deal, points, reason)
            self._finalise(desk, session)

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        """Open the journal for one turn; all of it is kept."""
        self._now_ms = max(self._now_ms, self.begins_ms)
        with Journal(self.path) as journal, journal.batch():
            yield Desk(journal, read_state(str(self.path)), lambda: self._now_ms, "rehearsal")

    def _session(self, desk: Desk, number: int, *, finalise: bool) -> None:
        running.open_session(desk, number)
        running.start_session(desk, number)
        tables = desk.session(number).tables
        for _ in range(desk.format.deals):
            self._now_ms += DEAL_MINUTES * MINUTE_MS
            for sheet in tables:
                record = self.chance.choice(self.pool.by_dealer[sheet.next_dealer])
                results.record_result(desk, results.preview(desk, number, sheet.table, record))
        running.stop_session(desk, number)
        for sheet in tables:
            running.sign_off(desk, number, sheet.table)
        running.publish(desk, number)
        if finalise:
            self._finalise(desk, number)
        self._now_ms += BREAK_MINUTES * MINUTE_MS

    def _finalise(self, desk: Desk, number: int) -> None:
        published = desk.session(number).published_ms
        self._now_ms = max(self._now_ms, published + desk.format.appeal_minutes * MINUTE_MS)
        running.finalise(desk, number)
