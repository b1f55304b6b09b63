"""The rules of a table or an event, of whatever game: what a journal keeps of them, and how the game is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wallwright.rules.core.errors import RulesetError
from wallwright.rules.core.game import DEALER_KEYS, Game, Plan
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

    @property
    def is_here(self) -> bool:
        """Whether the game is installed here."""
        try:
            return bool(self.game)
        except RulesetError:
            return False

    def asked(self, declared: Mapping[str, object]) -> dict[str, object]:
        """Return a declared record as the game is asked about it, with preset and options."""
        return {**declared, "ruleset": self.preset, "options": dict(self.options)}

    def plan(self, tiles: int, dealer: int) -> Plan | None:
        """Return the stacks of each side when `dealer` deals; None where nobody plays with sets of so many tiles."""
        return self.game.plan(self.asked({}), tiles, dealer)

    def first_deal(self) -> dict[str, object]:
        """Return what the record of a session's first deal begins with."""
        return self.game.next_deal(self.asked({}), None)

    def dealer_to_come(self, dealer: int, events: Sequence[Mapping[str, object]]) -> int | None:
        """Return who deals after a deal in which so much was declared, None while that is not certain."""
        begin = {key: dealer for key in DEALER_KEYS if key in self.first_deal()}
        return self.game.dealer_to_come(self.asked({**begin, "events": list(events)}))


def preset_rules(name: str) -> GameRules:
    """Return the rules of a preset with its own options. RulesetError when no game here has it."""
    find_game(name)
    return GameRules(name, name, {})
