"""Four bots at a simulated table that has real time to keep: they look at its panel, press its keys, and play deals.

They play as they do in `wallwright demo`, in a thread of its own that takes turns with the hall's, so that only one of
the two ever runs.
"""

import threading
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from wallwright_protocol.link import NEVER

from ...clocks import wall_ms
from ...play.bots_at_table import DealReport
from ...play.panel import Panel
from ...play.people import People, people_at
from ...play.people_at_table import DealStopped
from ...rules.core.game_rules import GameRules
from ...rules.sichuan.notation import format_deal
from ...rules.sichuan.ruleset import Ruleset
from ...tracking.moves import MOVES

LOOK_MS = 500
"""Who waits for the other tables looks at them this often."""
DEALS = 10_000
"""More than anybody watches."""

Tell = Callable[[str, Mapping[str, Any]], None]


class Bots:
    """People of a `wallwright_simulator.hall.Hall` who play one deal after another by `rules`.

    `tell(kind, body)` hears the records of the score sheet. `may_go_on(deals)` is asked after so many deals until it
    says so. Bots who have called the referee in a deal have `left` the table: nobody comes to put its tiles right.
    """

    def __init__(
        self, simulation: Any, seed: int, rules: Ruleset | GameRules, tell: Tell, may_go_on: Callable[[int], bool]
    ) -> None:
        self.due_ms = 0
        self.deals = 0
        self.left = False
        self._may_go_on = may_go_on
        self._turn = threading.Semaphore(0)
        self._done = threading.Semaphore(0)
        self._failure: BaseException | None = None
        panel = Panel(simulation, self._rest)
        people = people_at(rules, simulation, panel, _Records(tell), wall_ms, Random(f"bots {seed}"))
        self._simulation = simulation
        self._thread = threading.Thread(target=self._play, args=(people, tell), daemon=True)

    def act(self) -> None:
        """Let the bots do what is due; they say in `due_ms` when they want to be asked again."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._turn.release()
        self._done.acquire()
        if self._failure is not None:
            raise self._failure

    def _play(self, people: People, tell: Tell) -> None:
        try:
            for report in people.play(DEALS):
                if isinstance(report, DealReport):
                    tell(MOVES, {**_moves(report), "at_ms": wall_ms(), "unit": self._simulation.unit})
                self.deals += 1
                while not self._may_go_on(self.deals):
                    self._rest(LOOK_MS)
        except DealStopped:
            self.left = True
        except BaseException as error:  # noqa: BLE001 (it is raised in the hall's thread)
            self._failure = error
        self.due_ms = NEVER
        self._done.release()

    def _rest(self, for_ms: int) -> None:
        """Called by the bots' thread: the hall goes on, and comes back `for_ms` later."""
        self.due_ms = self._simulation.now_ms + for_ms
        self._done.release()
        self._turn.acquire()


def _moves(report: DealReport) -> dict[str, Any]:
    """The record of a deal's moves, as a table makes one whose readers miss nothing; when they were is not known."""
    deal = report.deal
    times = [None] * len(deal.log)
    return {"deal": report.number, "text": format_deal(deal), "times": times, "doubtful": [], "notices": []}


class _Records:
    """The journal of a score sheet: its records go to the host, which keeps the journal."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Tell the record; it has no number here."""
        self._tell(kind, {**body, "at_ms": at_ms, "unit": unit})
        return 0
