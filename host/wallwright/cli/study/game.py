"""Walls of the game that a study is about."""

import typer

from wallwright_protocol.hardware import DEFAULT_PLANS

from ...rules.core.errors import RulesError
from ...rules.core.registry import find_game


def stacks_of(game: str) -> tuple[int, int, int, int]:
    """Return the stacks of each side for the set of a ruleset; typer.BadParameter when there is none."""
    try:
        return DEFAULT_PLANS[find_game(game).table({"ruleset": game, "options": {}}).tiles]
    except RulesError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error
