"""Deals without a table: a shuffled set, two dice, four bots."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from wallwright.rules.core.walls import DEALT, deal_seats, own_walls
from wallwright.rules.sichuan.bots import Bot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.tiles import full_set
from wallwright.rules.sichuan.wall import take_order, wall_plan

HAND = 13


def shuffled_deal(ruleset: Ruleset, dealer: int, rng: Random) -> tuple[tuple[int, ...], Deal]:
    """Dice, and the deal from a shuffled set built into walls, broken and dealt by them (SBR-2).

    No dice where each takes the tiles of the own wall (SBR-11.9).
    """
    if ruleset.own_walls:
        return (), _own_deal(ruleset, dealer, rng)
    dice = (rng.randint(1, 6), rng.randint(1, 6))
    plan = wall_plan(108, dealer, ruleset.long_walls)
    tiles = list(full_set())
    rng.shuffle(tiles)
    order = [tiles[number] for number in _order(plan, dealer, dice)]
    hands: list[list[int]] = [[], [], [], []]
    for seat, kind in zip(deal_seats(dealer), order[:DEALT], strict=True):
        hands[seat].append(kind)
    wall = order[DEALT:]
    return dice, Deal(ruleset, dealer, hands, len(wall), wall)


@lru_cache(maxsize=1024)
def _order(plan: tuple[int, int, int, int], dealer: int, dice: tuple[int, int]) -> tuple[int, ...]:
    """The tiles in the order in which they leave the wall, as the numbers of their places by side, stack and layer."""
    order = take_order(plan, dealer, dice)
    numbers = {place: number for number, place in enumerate(sorted(order))}
    return tuple(numbers[place] for place in order)


def _own_deal(ruleset: Ruleset, dealer: int, rng: Random) -> Deal:
    tiles = list(full_set())
    rng.shuffle(tiles)
    walls = [[tiles.pop() for _ in side] for side in own_walls(wall_plan(108, dealer, ruleset.long_walls))]
    hands = [wall[: HAND + (seat == dealer)] for seat, wall in enumerate(walls)]
    left = [wall[len(hand) :] for wall, hand in zip(walls, hands, strict=True)]
    return Deal(ruleset, dealer, hands, sum(map(len, left)), own_walls=left)


def play(deal: Deal, bots: Sequence[Bot], rng: Random) -> Deal:
    """Play a deal with a known wall to its end, every action checked; returns the same deal. `bots` by seat."""
    views = [deal.view(seat) for seat in range(4)]
    while not deal.is_over:
        legal = deal.legal_actions()
        action = legal[0]
        if len(legal) > 1:
            action = bots[action.seat].choose(views[action.seat], legal, rng)
        deal.apply(action)
    return deal
