"""Bots as the people of any game that they can play: four at a simulated table, or four with no table at all."""

from collections.abc import Callable
from random import Random
from typing import Any

from ..errors import BadInput
from ..rules.core.game_rules import GameRules
from ..rules.core.turns_game import TurnsGame
from ..rules.sichuan.bots import SmartBot
from ..rules.sichuan.game import GAME as SICHUAN
from ..rules.sichuan.ruleset import Ruleset, load_ruleset
from .bots_at_table import DealReport, PlayedTable
from .bots_of_turns import TurnsReport, TurnsTable
from .panel import Panel
from .score_sheet import Clock, RecordLog

People = PlayedTable | TurnsTable
Report = DealReport | TurnsReport


def check_bots(rules: GameRules) -> None:
    """Raise BadInput for a game that no bot plays at a table."""
    if not isinstance(rules.game, TurnsGame) and rules.game.name != SICHUAN.name:
        raise BadInput(f"no bots play {rules.name} at a table; take a ruleset of another game")


def people_at(
    rules: GameRules | Ruleset,
    simulation: Any,
    panel: Panel,
    journal: RecordLog,
    clock: Clock,
    rng: Random,
    watch: Callable[[str], None] = lambda _: None,
    first: int = 1,
) -> People:
    """Smart bots who play by `rules`; see PeopleAtTable. BadInput for a game that no bot plays at a table."""
    if isinstance(rules, GameRules):
        check_bots(rules)
        game = rules.game
        if isinstance(game, TurnsGame):
            return TurnsTable(simulation, panel, journal, clock, rules, game, rng, watch, first)
        rules = _sichuan(rules)
    bot = SmartBot()
    return PlayedTable(simulation, panel, journal, clock, rules, (bot, bot, bot, bot), rng, watch, first)


def _sichuan(rules: GameRules) -> Ruleset:
    return load_ruleset(rules.preset).with_changes(**rules.options)
