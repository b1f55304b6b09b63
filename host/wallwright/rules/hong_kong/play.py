"""Hong Kong without a table: a shuffled set, three dice, four bots, round after round (HKO-2, 8)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from wallwright.rules.core.bots import Bot
from wallwright.rules.core.walls import DEALT, counted_side, deal_seats, wall_order
from wallwright.rules.hong_kong.bots import View
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.ruleset import Ruleset
from wallwright.rules.hong_kong.settlement import Settlement


class Played(NamedTuple):
    """A deal of a session with the dice that broke its wall."""

    dice: tuple[int, ...]
    deal: Deal
    settlement: Settlement


def shuffled_deal(
    ruleset: Ruleset, dealer: int, round_wind: str, rng: Random, first_dealer: int = 0
) -> tuple[tuple[int, ...], Deal]:
    """Dice, and the deal from a shuffled set built into walls, broken and dealt by them."""
    dice = tuple(rng.randint(1, 6) for _ in range(3))
    tiles = list(ruleset.tiles)
    rng.shuffle(tiles)
    order = wall_order(ruleset.plan, counted_side(dealer, sum(dice)), sum(dice))
    faces = dict(zip(sorted(order.head), tiles, strict=True))
    hands: list[list[int]] = [[], [], [], []]
    for seat, place in zip(deal_seats(dealer), order.head[:DEALT], strict=True):
        hands[seat].append(faces[place])
    left = order.head[DEALT:]
    at = {place: number for number, place in enumerate(left)}
    wall = [faces[place] for place in left]
    tail = [at[place] for place in order.tail]
    return dice, Deal(ruleset, dealer, round_wind, hands, len(wall), wall, tail, first_dealer)


def play(deal: Deal, bots: Sequence[Bot[View]], rng: Random) -> Deal:
    """Play a deal with a known wall to its end, every act checked; returns the same deal. `bots` by seat."""
    views = [View(deal, seat) for seat in range(4)]
    while not deal.is_over:
        for call in deal.calls():
            deal.apply(call)
        legal = deal.legal()
        act = legal[0] if len(legal) == 1 else bots[legal[0].seat].choose(views[legal[0].seat], legal, rng)
        deal.apply(act)
    return deal


def session(ruleset: Ruleset, bots: Sequence[Bot[View]], rng: Random, dealer: int = 0) -> Iterator[Played]:
    """Deals until all four rounds are played, the dealer and the round wind as HKO-8 has them."""
    first, wind = dealer, "E"
    while True:
        dice, deal = shuffled_deal(ruleset, dealer, wind, rng, first)
        settlement = play(deal, bots, rng).settle()
        yield Played(dice, deal, settlement)
        dealer = settlement.next_dealer
        if settlement.round_wind is None:
            return
        wind = settlement.round_wind
