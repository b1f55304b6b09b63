"""The tables of a hall, operated together: started, watched, commanded by name, stopped."""

import sys
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from ..clocks import wall_ms
from ..errors import BadName, NotConnected
from ..event.followed import FollowedEvent
from ..journal import Journal
from ..link.discovery import Discovery
from ..link.reports import Event
from ..rules.core.followed import Followed, Settled, followed_game
from ..rules.core.game_rules import GameRules
from ..rules.found import as_game
from ..rules.sichuan.followed import Followed as FollowedSichuan
from ..rules.sichuan.ruleset import Ruleset
from ..table.next_walls import SCORE_KINDS
from ..table.table import Table
from .config import HallConfig, TableConfig
from .follower import TableFollower
from .keeper import Keeper
from .reports import Reports
from .shared_journal import SharedJournal
from .state import Change, HallState, News
from .tracked import TrackedDeals
from .walls import HallWalls

START_EVERY_MS = 10
"""To meet a table costs some 5 ms of work, which need not fall together for all."""
SWITCH_INTERVAL_S = 0.05
"""A thread that waits for the interpreter wakes up this often to ask for it. With hundreds of tables that are met at
once, and Python's own 5 ms, the asking becomes all that the machine does."""

T = TypeVar("T")


class Fleet:
    """Operates all tables of `config` from its construction until `stop`; use it in a `with`.

    Raises what `Journal` does; a table that is not there yet is no error, it is looked for. Only one thread may read
    `news`; all else is for any thread. Meanwhile the interpreter's switch interval is SWITCH_INTERVAL_S.
    """

    def __init__(self, config: HallConfig, news: News | None = None) -> None:
        self.news = news or News()
        self._keepers: dict[str, Keeper] = {}
        self._journal = SharedJournal(config.journal, self._journal_changed)
        with ExitStack() as failing:
            failing.callback(self._journal.close)  # its thread would keep the process from ending
            self._walls = HallWalls(config.journal, as_game(config.ruleset), self._walls_changed)
            follow = partial(_followed, config.ruleset)
            self._tracked = TrackedDeals(config.journal, self._journal, self.news.tell, follow, self._walls.dealer_of)
            failing.pop_all()
        self._interval_before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        discovery = Discovery(config.ports)
        for number, table in enumerate(config.tables):
            follower = TableFollower(
                table.name,
                self._journal,
                Reports(config.reports, table.name),
                self.news.tell,
                partial(self._kept, table),
                self._walls.coming,
                self._walls.up,
            )
            start_after_ms = number * START_EVERY_MS
            self._keepers[table.name] = Keeper(table.sought, discovery, self._journal, follower, start_after_ms)
        self._tracked.start()
        self._walls.start()
        for keeper in self._keepers.values():
            keeper.start()

    def __enter__(self) -> Self:
        """Return the fleet itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop it."""
        self.stop()

    def state(self) -> HallState:
        """Return how everything is now."""
        problem = self._journal.problem
        states = tuple(keeper.follower.state for keeper in self._keepers.values())
        return HallState(states, None if problem is None else str(problem))

    @property
    def event(self) -> FollowedEvent:
        """The event in the hall's journal."""
        return self._walls.event

    def keeps_journal(self) -> bool:
        """Say whether what writes the journal is there; a disk that takes nothing does not end it."""
        return self._journal.is_running

    def call(self, table: str, action: Callable[[Table], T]) -> "Future[T]":
        """Have `action` done with the table of that name, by its own thread and soon; it must not wait for long.

        The future has what it returns or raises, and NotConnected when the table is away. Raises BadName.
        """
        return self._keeper(table).call(action)

    def answer(self, table: str, deal: int, number: int) -> "Future[Settled]":
        """Note a tracked deal as answer `number`, from 1, of the question about it has it.

        The future has the settlement; BadDeal when there is no such question or answer, JournalError. Raises BadName,
        and NotConnected when the table has not been here since the start.
        """
        info = self._keeper(table).follower.state.info
        if info is None:
            raise NotConnected(table, "it has not been here since this program was started")
        return self._tracked.answer(table, info.unit, deal, number)

    def record(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return the number of a record of the host after it is in the hall's journal. Raises JournalError."""
        number = self._journal.append(kind, body, at_ms=at_ms, unit=unit)
        self._walls.look()
        return number

    def turn(self, action: Callable[[Journal], T]) -> T:
        """See `SharedJournal.turn`: `action` is done with the hall's journal, in one transaction."""
        done = self._journal.turn(action)
        self._walls.look()
        return done

    def stop(self) -> None:
        """Close all ports and the journal, and end all threads; the tables go on alone. A second time does nothing."""
        keepers = self._keepers.values()
        for keeper in keepers:
            keeper.stop()
        for keeper in keepers:
            keeper.join()
        self._tracked.stop()
        self._walls.stop()
        self._journal.close()
        for keeper in keepers:
            keeper.bell.close()
        sys.setswitchinterval(self._interval_before)
        self.news.end()

    def _keeper(self, table: str) -> Keeper:
        keeper = self._keepers.get(table)
        if keeper is None:
            raise BadName(f"no table is called {table!r}; there are {', '.join(self._keepers)}")
        return keeper

    def _kept(self, table: TableConfig, unit: str, event: Event) -> None:
        if table.track:
            self._tracked.see(table.name, unit, event)
        if event.name in SCORE_KINDS:
            self._walls.look()

    def _walls_changed(self, units: Collection[str] | None) -> None:
        for keeper in self._keepers.values():
            info = keeper.follower.state.info
            if units is None or (info is not None and info.unit in units):
                keeper.bell.ring()

    def _journal_changed(self) -> None:
        problem = self._journal.problem
        text = "the journal works again" if problem is None else str(problem)
        self.news.tell(Change(wall_ms(), None, "journal", {"works": problem is None, "text": text}))
        for keeper in self._keepers.values():
            keeper.bell.ring()


def _followed(rules: Ruleset | GameRules, kept: Mapping[str, Any]) -> Followed:
    """How a deal is followed whose game has `kept` that for it. RulesetError for a game whose deals cannot be."""
    if isinstance(rules, Ruleset):
        return FollowedSichuan(rules)
    return followed_game(rules.preset).followed(rules.asked(kept))
