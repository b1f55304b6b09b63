"""The rules that people name: a preset of any game, or a club's file, whose `base` says of which game it is."""

from collections.abc import Mapping
from pathlib import Path

from wallwright.rules.core.game_rules import GameRules, preset_rules
from wallwright.rules.core.registry import find_game, games
from wallwright.rules.sichuan.game import GAME as SICHUAN
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset


def is_preset(name: str) -> bool:
    """Whether a game that is installed here has a preset of that name."""
    return any(name in game.rulesets for game in games())


def find_rules(name: str, folder: Path = Path()) -> Ruleset | GameRules:
    """Return the rules of a preset, or of a file in `folder`. RulesetError when there are none."""
    place = str(folder / name) if name.endswith(".toml") else name
    return load_ruleset(place) if find_game(place).name == SICHUAN.name else preset_rules(place)


def as_game(rules: Ruleset | GameRules) -> GameRules:
    """Return rules as every game is asked by them."""
    return rules if isinstance(rules, GameRules) else rules.as_game()


def has_own_walls(name: str, options: Mapping[str, object] | None = None) -> bool:
    """Whether each player draws from the own wall (SBR-11.9). RulesetError when there is no such ruleset."""
    rules = find_rules(name)
    return isinstance(rules, Ruleset) and bool((options or {}).get("own_walls", rules.own_walls))
