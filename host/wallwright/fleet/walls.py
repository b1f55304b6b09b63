"""Who deals next at each table of a hall: one thread follows the journal, and tells the keepers, who tell their tables.

The journal may hold an event, and may be written by other programs too, so it is read again every LOOK_S, and at once
when somebody here has written.
"""

import threading
from collections.abc import Callable, Collection, Mapping

from ..clocks import read_clock, wall_ms
from ..errors import JournalError
from ..event.followed import FollowedEvent
from ..event.next_dealers import coming_at
from ..journal import Entry
from ..journal.places import JournalPath
from ..rules.core.game_rules import GameRules
from ..table.next_walls import SCORE_KINDS, Coming, ScoredDeals
from .wall_up import WALL_KINDS, WallFollower

LOOK_S = 1.0
"""What another program has written concerns the walls of the next deal, some minutes later."""


class HallWalls:
    """Follows the journal at `path`; deals outside an event are played by `rules`.

    `event` is the event in it, if there is one. `on_change(units)` is called by the thread with the boards of which
    something new is known; None is all of them.
    """

    def __init__(
        self, path: JournalPath, rules: GameRules, on_change: Callable[[Collection[str] | None], None]
    ) -> None:
        self._rules = rules
        self._on_change = on_change
        self.event = FollowedEvent(path, {*SCORE_KINDS, *WALL_KINDS}, self._take)
        self._scored: dict[str, ScoredDeals] = {}
        self._up: dict[str, WallFollower] = {}
        self._known: Mapping[str, Coming] | None = None
        self._wake = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="walls")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def look(self) -> None:
        """Have it look at the journal soon; this never waits."""
        self._wake.set()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopping = True
        self._wake.set()
        self._thread.join()

    def coming(self, unit: str) -> Coming | None:
        """Return what is known of the walls to come at a board; None until the journal has been read."""
        known = self._known
        return None if known is None else known.get(unit) or Coming(self._rules)

    def dealer_of(self, unit: str, deal: int) -> int | None:
        """Return who dealt the deal that is `deal` by its board, as the event says; None where it does not."""
        with self.event.lock:
            state = self.event.state
            place = state.told.place_of(unit, deal)
            sheet = None if place is None else state.sheet(place[0], place[1])
            return None if sheet is None or place is None else sheet.dealers.get(place[2])

    def up(self, unit: str) -> WallFollower:
        """Return what the journal says of the wall on a table."""
        return self._up.get(unit) or WallFollower()

    def _run(self) -> None:
        while not self._is_stopping:
            self._wake.clear()
            try:
                with self.event.still:
                    self.event.look()
                    known = self._now_known()
            except JournalError:
                # Told by the journal itself; what is known stays until it can be read again.
                pass
            else:
                before, self._known = self._known, known
                news = None if before is None else self._changed(before)
                if news is None or news:
                    self._on_change(news)
            self._wake.wait(LOOK_S)

    def _take(self, entry: Entry) -> None:
        if entry.unit is not None and entry.kind in SCORE_KINDS:
            if entry.unit not in self._scored:
                self._scored[entry.unit] = ScoredDeals(self._rules)
            self._scored[entry.unit].see(entry.said)
        if entry.unit is not None and entry.kind in WALL_KINDS:
            self._up.setdefault(entry.unit, WallFollower()).note(entry.said)

    def _changed(self, before: Mapping[str, Coming]) -> Collection[str]:
        known = self._known or {}
        return {unit for unit in {*before, *known} if before.get(unit) != known.get(unit)}

    def _now_known(self) -> Mapping[str, Coming]:
        now_ms = self.event.state.times.now_ms(read_clock(wall_ms))
        known = {unit: deals.coming for unit, deals in self._scored.items()}
        for unit in self.event.state.units:
            coming = coming_at(self.event.state, unit, now_ms)
            if coming is not None:
                known[unit] = coming
        return known
