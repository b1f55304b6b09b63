"""Which game a ruleset belongs to: the games of this package's folders, and those of the group `wallwright.games`."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules

import wallwright.rules
from wallwright.rules.core.errors import RulesetError
from wallwright.rules.core.game import Game
from wallwright.rules.core.ruleset import read_file
from wallwright.text_files import shown_value

GROUP = "wallwright.games"
"""Entry points of this group name a GAME: `toy = "toy_game.game:GAME"`."""
DEFAULT = "sichuan"
"""The ruleset of a record that names none."""


@cache
def games() -> tuple[Game, ...]:
    """All games that are installed, by name."""
    folders = (one.name for one in iter_modules(wallwright.rules.__path__) if one.ispkg and one.name != "core")
    found: list[Game] = [import_module(f"{wallwright.rules.__name__}.{name}.game").GAME for name in folders]
    found += [point.load() for point in entry_points(group=GROUP)]
    return tuple(sorted(found, key=lambda game: game.name))


def find_game(ruleset: str) -> Game:
    """The game of a preset, or of the preset that a .toml file names as its base.

    RulesetError when no game has it.
    """
    game = _by_preset(ruleset)
    if game is not None:
        return game
    path = Path(ruleset)
    if path.suffix == ".toml":
        base = read_file(path).get("base", DEFAULT)
        game = _by_preset(base)
        problem, end = f"ruleset {path.stem}: base is {shown_value(base)}, use one of ", ""
    else:
        problem, end = f"{ruleset!r} is no ruleset: use ", " or the path of a .toml file"
    if game is None:
        raise RulesetError(problem + ", ".join(name for game in games() for name in game.rulesets) + end)
    return game


def _by_preset(name: object) -> Game | None:
    return next((game for game in games() if name in game.rulesets), None)
