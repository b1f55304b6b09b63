"""The rules of a table or an event, of whatever game: what a journal keeps of them, and how the game is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wallwright.rules.core.errors import RulesError, RulesetError
from wallwright.rules.core.followed import FollowedGame
from wallwright.rules.core.game import CUT, DEALER_KEYS, FIRST_DEALER, Game, Plan, Throw, Throws
from wallwright.rules.core.registry import find_game
from wallwright.rules.core.ruleset import read_file
from wallwright.rules.core.walls import WallOrder
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
    def own_options(self) -> dict[str, object]:
        """The options that are not those of the preset."""
        usual = self.game.options(self.preset)
        return {name: value for name, value in self.options.items() if usual.get(name) != value}

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

    def written(self, declared: Mapping[str, object]) -> dict[str, object]:
        """Return a declared record that says by which rules, in as few words as it can be."""
        options = {"options": self.own_options} if self.own_options else {}
        return {"ruleset": self.preset, **options, **declared}

    def changed(self, options: Mapping[str, object]) -> "GameRules":
        """Return the same rules with other options."""
        return replace(self, options={**self.options, **options})

    def plan(self, tiles: int, dealer: int) -> Plan | None:
        """Return the stacks of each side when `dealer` deals; None where nobody plays with sets of so many tiles."""
        return self.game.plan(self.asked({}), tiles, dealer)

    def first_deal(self) -> dict[str, object]:
        """Return what the record of a session's first deal begins with."""
        return self.game.next_deal(self.asked({}), None)

    def begin_with(self, dealer: int) -> dict[str, object]:
        """Return what the record of a session's first deal begins with when that seat deals it."""
        first = self.first_deal()
        return first | {key: dealer for key in (*DEALER_KEYS, FIRST_DEALER) if key in first}

    def begin_of(self, dealer: int, kept: Mapping[str, object] | None) -> dict[str, object]:
        """Return what the record of a deal begins with that `dealer` deals; `kept` is what the deal before has left,
        None before the first.
        """
        begin = dict(kept) if kept is not None else self.first_deal()
        return begin | {key: dealer for key in DEALER_KEYS if key in begin}

    @property
    def keeps_more(self) -> bool:
        """Whether this game keeps more from deal to deal than who deals."""
        return not set(self.first_deal()) <= set(DEALER_KEYS)

    @property
    def cut_by_dealer(self) -> bool:
        """Whether the first throw before a deal is the dealer's, for the cut; or the game is not here."""
        first = self.throw(0, ()) if self.is_here else None
        return first is None or first.purpose == CUT

    def throw(self, dealer: int, thrown: Throws) -> Throw | None:
        """Return the throw before a deal after those that were `thrown`, None once its wall can be broken."""
        return self.game.throw(self.asked(self._dealt_by(dealer)), thrown)

    @property
    def dead_wall(self) -> int:
        """Tiles at the tail of the wall that nobody draws; 0 where the game does not say."""
        game = self.game
        return game.followed(self.asked(self.first_deal())).ways.reserve if isinstance(game, FollowedGame) else 0

    def broken_wall(self, dealer: int, thrown: Throws, plan: Plan) -> WallOrder | None:
        """Return the order in which tiles leave walls of `plan` that `dealer` deals from after these throws.

        None while another throw is to come, and where such throws or such walls are none of these rules.
        """
        if self.plan(2 * sum(plan), dealer) is None:
            return None
        asked = self.asked({**self.first_deal(), **self._dealt_by(dealer)})
        try:
            wanted = [self.game.throw(asked, thrown[:number]) for number in range(len(thrown) + 1)]
            if [None if one is None else one.dice for one in wanted] != [*map(len, thrown), None]:
                return None
            _, order = self.game.begin(asked, thrown, plan)
        except RulesError:
            return None
        there = {(side, stack) for side in range(4) for stack in range(1, plan[side] + 1)}
        return order if {(place.side, place.stack) for place in order.head} == there else None

    def dealer_to_come(self, dealer: int, events: Sequence[Mapping[str, object]]) -> int | None:
        """Return who deals after a deal in which so much was declared, None while that is not certain."""
        return self.game.dealer_to_come(self.asked({**self._dealt_by(dealer), "events": list(events)}))

    def _dealt_by(self, dealer: int) -> dict[str, object]:
        return {key: dealer for key in DEALER_KEYS if key in self.first_deal()}


def preset_rules(place: str) -> GameRules:
    """Return the rules of a preset by name, or of a club's file by path. RulesetError when no game here has it."""
    game = find_game(place)
    preset, name = place, place
    if place not in game.rulesets:
        name = Path(place).stem
        preset = str(read_file(Path(place)).get("base", game.rulesets[0]))
    return GameRules(name, preset, game.options(place))
