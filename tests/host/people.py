"""Bots as the people at a simulated table, for tests that have a host of their own."""

from collections.abc import Callable
from random import Random

from wallwright.link.event_log import EventLog
from wallwright.play.bots_at_table import PlayedTable
from wallwright.play.panel import Check, Panel
from wallwright.play.score_sheet import RecordLog
from wallwright.rules.sichuan.bots import Bot, SmartBot
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset
from wallwright.table.next_walls import ScoredDeals
from wallwright.table.operated import Operated, ScoredLog
from wallwright.table.table import Table
from wallwright_simulator.simulation import Simulation

SICHUAN = load_ruleset("sichuan")


def people_at(
    simulation: Simulation,
    rest: Callable[[int], None],
    scores: RecordLog,
    seed: int,
    *,
    check: Check = lambda *_: None,
    ruleset: Ruleset = SICHUAN,
    bot: Bot | None = None,
    watch: Callable[[str], None] = lambda _: None,
) -> PlayedTable:
    """Four bots at a table, whose time passes by `rest`; they declare to `scores`."""
    one = bot or SmartBot()
    panel = Panel(simulation, rest, check)
    return PlayedTable(
        simulation, panel, scores, lambda: simulation.now_ms, ruleset, (one, one, one, one), Random(seed), watch
    )


class Scored:
    """A host for one table, which goes by the score that is kept there; `log` is what table and people write to."""

    def __init__(self, log: EventLog, ruleset: Ruleset = SICHUAN) -> None:
        self.deals = ScoredDeals(ruleset.as_game())
        self.log = ScoredLog(log, self.deals)

    def operate(self, table: Table) -> Operated:
        """Operate a table that was opened with `log`."""
        return Operated(table, lambda: self.deals.coming)
