"""The rules of an event of another game than Sichuan: what a journal keeps of them, and how the game is asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from wallwright.rules.core.game import Game
from wallwright.rules.core.registry import find_game
from wallwright.words import Named


@dataclass(frozen=True, slots=True)
class GameRules:
    """A preset of `wallwright.rules` and all of its options; `name` is what people call these rules."""

    name: str
    preset: str
    options: Mapping[str, object]

    @property
    def said_name(self) -> Named:
        """Its name in a sentence."""
        return Named("ruleset", self.name)

    @property
    def game(self) -> Game:
        """The game of the preset. RulesetError when it is not installed here."""
        return find_game(self.preset)

    def asked(self, declared: Mapping[str, object]) -> dict[str, object]:
        """Return a declared record as the game is asked about it, with preset and options."""
        return {**declared, "ruleset": self.preset, "options": dict(self.options)}
