"""Deals as values: whose turn it is to deal, the dice, and which tile lies at which place of the wall.

A place is a side, a stack from 1 at the side's right end, and a layer, 0 below and 1 above. Faces stand in the order
of the places: side 0 first, then stack by stack, the lower tile first. A sealed wall has its tags in the same order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..rules.core.errors import RulesError
from ..rules.core.game import Plan, Throws
from ..rules.core.game_rules import GameRules
from ..rules.core.tiles import KINDS, STANDING, SUITED, copies_of, tile_name, tile_set
from ..rules.core.walls import Place, deal_seats, own_walls
from ..rules.found import as_game, find_rules, is_preset
from ..words import Sayable, Value, plural, told_by, words
from .stream import MOST_DEALS

BREAK, OWN = DRAWS = ("break", "own")
"""From where players draw: all from the break, or each from the own wall (SBR-11.9)."""
NONCE_BYTES = 32
HAND = 13
LONGEST_NAME = 200
_SETS = {len(tile_set(range(kinds))): kinds for kinds in (SUITED, STANDING, KINDS)}
"""Tiles of a set, and how many kinds it has."""


class BadDeals(BadInput):
    """Deals that cannot be: a wall with five equal tiles, a place without a tile, dice that no game throws."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. `dice` are the throws in their order, none where each draws from the own wall."""

    number: int
    dealer: int
    dice: Throws
    plan: Plan
    faces: tuple[int, ...]

    def at(self, place: Place) -> int:
        """Where in `faces` a place stands."""
        return 2 * (sum(self.plan[: place.side]) + place.stack - 1) + place.layer

    def face(self, place: Place) -> int:
        """The kind of the tile at a place."""
        return self.faces[self.at(place)]

    @property
    def places(self) -> tuple[Place, ...]:
        """The places in the order of `faces`."""
        sides = enumerate(self.plan)
        return tuple(
            Place(side, stack, layer) for side, most in sides for stack in range(1, most + 1) for layer in (0, 1)
        )

    def side(self, side: int) -> tuple[tuple[int, int], ...]:
        """The stacks of a side from its right end on, each with its lower and its upper tile."""
        start = 2 * sum(self.plan[:side])
        return tuple((self.faces[at], self.faces[at + 1]) for at in range(start, start + 2 * self.plan[side], 2))


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of a session. The last `spares` are substitutes for deals that were spoilt.

    `seed` is None when others drew the deals. `ruleset` is a preset's name.
    """

    event: str
    ruleset: str
    draws: str
    deals: tuple[Deal, ...]
    spares: int
    nonce: bytes
    seed: bytes | None = None

    @property
    def rules(self) -> GameRules:
        """The rules as every game is asked by them."""
        return preset(self.ruleset)

    def deal(self, number: int) -> Deal:
        """Return the deal of that number. BadDeals when there is none."""
        if not 1 <= number <= len(self.deals):
            raise BadDeals(
                words("there is no deal {deal}; there are deals 1 to {most}", deal=number, most=len(self.deals))
            )
        return self.deals[number - 1]


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a deal comes to: four hands of 13, and the rest of the wall in the order in which it is drawn.

    `walls` has one list, which begins with the dealer's fourteenth tile, or one for each seat, in mode OWN.
    """

    hands: tuple[tuple[int, ...], ...]
    walls: tuple[tuple[int, ...], ...]


def preset(name: str) -> GameRules:
    """Return the rules of a preset. BadDeals for anything else: only the set, the walls and the dice count."""
    if not is_preset(name):
        problem = "ruleset is {name}; name a preset, such as mil-2025 or hong-kong"
        raise BadDeals(words(problem, name=repr(name[:40])))
    return as_game(find_rules(name))


def set_of(rules: GameRules) -> tuple[int, ...]:
    """Return all tiles of the set that these rules are played with, sorted."""
    return tile_set(range(_SETS[rules.game.table(rules.asked({})).tiles]))


def wall_order(rules: GameRules, draws: str, deal: Deal) -> tuple[tuple[tuple[Place, ...], ...], tuple[Place, ...]]:
    """Return the places of each hand as they are dealt, and those of the rest as they are drawn.

    In mode OWN a side's first 13 tiles from its right end, upper before lower, are the hand, and the rest goes on
    behind them: the rest has side 0 first. BadDeals when these dice break no such wall.
    """
    if draws == OWN:
        sides = own_walls(deal.plan)
        return tuple(side[:HAND] for side in sides), tuple(place for side in sides for place in side[HAND:])
    order = rules.broken_wall(deal.dealer, deal.dice, deal.plan)
    if order is None:
        problem = "dice {dice} break no wall of {ruleset}"
        raise bad_deal(deal.number, words(problem, dice=_dice(deal.dice), ruleset=rules.said_name))
    hands: list[list[Place]] = [[], [], [], []]
    seats = deal_seats(deal.dealer)
    first: Place | None = None
    for place, seat in zip(order.head, seats, strict=False):
        if len(hands[seat]) == HAND:
            # The dealer takes two at last; the second is the first one drawn.
            first = place
        else:
            hands[seat].append(place)
    assert first is not None
    return tuple(map(tuple, hands)), (first, *order.head[len(seats) :])


def hand_places(rules: GameRules, draws: str, deal: Deal) -> tuple[tuple[int, ...], ...]:
    """By seat, where in `faces` the tiles are that the player holds before the first discard: a wall that is built by
    hands has them in any order. The dealer's are fourteen where all draw from the break.
    """
    hands, rest = wall_order(rules, draws, deal)
    if draws == BREAK:
        hands = tuple((*hand, rest[0]) if seat == deal.dealer else hand for seat, hand in enumerate(hands))
    return tuple(tuple(map(deal.at, hand)) for hand in hands)


def dealt(rules: GameRules, draws: str, deal: Deal) -> Dealt:
    """Return hands and walls of a deal, the hands sorted."""
    hands, rest = wall_order(rules, draws, deal)
    faces = tuple(tuple(sorted(map(deal.face, hand))) for hand in hands)
    if draws == OWN:
        walls = tuple(tuple(deal.face(place) for place in rest if place.side == side) for side in range(4))
    else:
        walls = (tuple(map(deal.face, rest)),)
    return Dealt(faces, walls)


def check_deals(deals: Deals) -> None:
    """Raise BadDeals, by name, for what no table can build or play."""
    rules = deals.rules
    if deals.draws not in DRAWS:
        raise BadDeals(words("draw is {draw}; it is break or own", draw=repr(deals.draws[:40])))
    if not is_name(deals.event):
        problem = 'the event needs a name of 1 to {most} printable characters, without "'
        raise BadDeals(words(problem, most=LONGEST_NAME))
    if not 1 <= len(deals.deals) <= MOST_DEALS:
        raise wrong_count(len(deals.deals))
    if not 0 <= deals.spares < len(deals.deals):
        problem = "{spares} of {most} deals are spare; at least one is to be played"
        raise BadDeals(words(problem, spares=deals.spares, most=len(deals.deals)))
    if len(deals.nonce) != NONCE_BYTES:
        problem = "the nonce has {count} bytes where it has {wanted}"
        raise BadDeals(words(problem, count=len(deals.nonce), wanted=NONCE_BYTES))
    whole = set_of(rules)
    for number, deal in enumerate(deals.deals, 1):
        if deal.number != number:
            problem = "deal {deal} stands where deal {next} is due; number them from 1 on"
            raise BadDeals(words(problem, deal=deal.number, next=number))
        check_deal(rules, deals.draws, deal, whole)


def is_name(text: str) -> bool:
    """Say whether an event can be called so."""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable() and '"' not in text


def check_deal(rules: GameRules, draws: str, deal: Deal, whole: Sequence[int]) -> None:
    """Likewise for one deal; `whole` is the set in full."""
    if deal.dealer not in range(4):
        raise bad_deal(deal.number, words("dealer is {dealer}; seats are 0 to 3", dealer=deal.dealer))
    if rules.plan(len(whole), deal.dealer) != deal.plan:
        problem = "sides of {plan} stacks are no wall of {ruleset} with that dealer"
        raise bad_deal(deal.number, words(problem, plan=_plan(deal.plan), ruleset=rules.said_name))
    if len(deal.faces) != len(whole):
        problem = plural("{count} tile where the walls have {wanted}", "{count} tiles where the walls have {wanted}")
        raise bad_deal(deal.number, words(problem, count=len(deal.faces), wanted=len(whole)))
    for kind in sorted(set(deal.faces)):
        count, most = deal.faces.count(kind), copies_of(kind) if kind in whole else 0
        if count > most:
            problem = plural(
                "there is {count} tile {tile} in it, and a set has {most}",
                "there are {count} tiles {tile} in it, and a set has {most}",
            )
            raise bad_deal(deal.number, words(problem, count=count, tile=tile_name(kind), most=most))
    if draws == OWN and deal.dice:
        problem = "it has dice, and nobody throws where each draws from the own wall"
        raise bad_deal(deal.number, words(problem))
    if draws == BREAK:
        check_dice(rules, deal)


def check_dice(rules: GameRules, deal: Deal) -> None:
    """Raise BadDeals for dice that do not break this wall."""
    try:
        wall_order(rules, BREAK, deal)
    except RulesError as error:
        raise bad_deal(deal.number, told_by(error)) from error


def bad_deal(number: int, why: Sayable) -> BadDeals:
    """Return the error of one deal, by its number."""
    return BadDeals(words("deal {deal}: {why}", deal=number, why=why))


def wrong_count(count: int) -> BadDeals:
    """Return the error of so many deals as no session has."""
    problem = plural("{count} deal; a session has 1 to {most}", "{count} deals; a session has 1 to {most}")
    return BadDeals(words(problem, count=count, most=MOST_DEALS))


def _dice(throws: Throws) -> Value:
    return ", ".join(" ".join(map(str, throw)) for throw in throws) or words("none")


def _plan(plan: Plan) -> str:
    return ", ".join(map(str, plan))
