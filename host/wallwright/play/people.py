"""Four bots at a simulated table for any game that they can play there."""

from collections.abc import Callable
from random import Random
from typing import Any

from ..errors import BadInput
from ..rules.core.game_rules import GameRules
from ..rules.core.turns_game import TurnsGame
from ..rules.sichuan.bots import SmartBot
from ..rules.sichuan.game import GAME as SICHUAN
from ..rules.sichuan.ruleset import load_ruleset
from .bots_at_table import DealReport, PlayedTable
from .bots_of_turns import TurnsReport, TurnsTable
from .panel import Panel
from .score_sheet import Clock, RecordLog

People = PlayedTable | TurnsTable
Report = DealReport | TurnsReport


def people_at(
    rules: GameRules,
    simulation: Any,
    panel: Panel,
    journal: RecordLog,
    clock: Clock,
    rng: Random,
    watch: Callable[[str], None] = lambda _: None,
    first: int = 1,
) -> People:
    """Smart bots who play by `rules`; see PeopleAtTable. BadInput for a game that no bot plays at a table."""
    game = rules.game
    if isinstance(game, TurnsGame):
        return TurnsTable(simulation, panel, journal, clock, rules, game, rng, watch, first)
    if game.name != SICHUAN.name:
        raise BadInput(f"no bots play {rules.name} at a table; take a ruleset of another game")
    bot = SmartBot()
    ruleset = load_ruleset(rules.preset).with_changes(**rules.options)
    return PlayedTable(simulation, panel, journal, clock, ruleset, (bot, bot, bot, bot), rng, watch, first)
