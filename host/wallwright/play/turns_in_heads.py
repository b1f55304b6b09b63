"""A deal of a game of `rules.core.turns` without a table: what four bots come to, from the throws to the declaration.

Nothing here is simulated but the shuffle and the dice.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from ..rules.core import acts
from ..rules.core.acts import Act
from ..rules.core.game import Throws
from ..rules.core.game_rules import GameRules
from ..rules.core.tiles import KINDS, tile_set
from ..rules.core.turns import Turns
from ..rules.core.turns_game import TurnsGame
from ..rules.core.walls import DEALT, Place, WallOrder, deal_seats
from .bots_of_turns import SMART


def declared_deal(
    rules: GameRules, game: TurnsGame, begin: Mapping[str, Any], dealer: int, rng: Random
) -> dict[str, object]:
    """Return a deal that four smart bots have played, as people declare it; `begin` is what its record begins with."""
    asked = rules.asked(begin)
    tiles = list(_full_set(game.table(asked).tiles))
    rng.shuffle(tiles)
    plan = game.plan(asked, len(tiles), dealer)
    assert plan is not None, "a game has a plan for its own set"
    thrown: Throws = ()
    while (throw := game.throw(asked, thrown)) is not None:
        thrown = (*thrown, tuple(rng.randint(1, 6) for _ in range(throw.dice)))
    begin, order = game.begin(asked, thrown, plan)
    wall = dict(zip(sorted(order.head), tiles, strict=True))
    hands: list[list[int]] = [[], [], [], []]
    for seat, place in zip(deal_seats(dealer), order.head[:DEALT], strict=True):
        hands[seat].append(wall.pop(place))
    deal = game.start(rules.asked(begin), hands, len(wall))
    _play(game, deal, order, wall, rng)
    return game.declare(begin, deal, [deal.hand(seat) for seat in range(4)])


def _play(game: TurnsGame, deal: Turns, order: WallOrder, wall: dict[Place, int], rng: Random) -> None:
    choose = [game.player(deal, seat, SMART) for seat in range(4)]
    ends: dict[str, Iterator[Place]] = {acts.DRAW: iter(order.head[DEALT:]), acts.REPLACE: iter(order.tail)}
    while not deal.is_over:
        for call in deal.calls():
            deal.apply(call)
        legal = deal.legal()
        seat, verb = legal[0].seat, legal[0].verb
        if verb in ends:
            act = Act(seat, verb, wall.pop(next(place for place in ends[verb] if place in wall)))
        else:
            act = legal[0] if len(legal) == 1 else choose[seat](legal, rng)
        deal.apply(act)


def _full_set(size: int) -> tuple[int, ...]:
    """The tiles of a set of that size, which has the kinds from the first one on."""
    return next(found for kinds in range(1, KINDS + 1) if len(found := tile_set(range(kinds))) == size)
