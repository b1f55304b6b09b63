"""Cumberland and Balsall without a table: a shuffled set, dice, four bots, and what a played deal comes to."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from wallwright.rules.classical import settle_balsall, settle_cumberland
from wallwright.rules.classical.bots import View
from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.declared import Declared
from wallwright.rules.classical.hand import AFTER_KONG
from wallwright.rules.classical.records import WINDS, score_hand
from wallwright.rules.classical.ruleset import Cumberland, Rules
from wallwright.rules.classical.settled import SEATS, Settled
from wallwright.rules.classical.sitting import Sitting
from wallwright.rules.classical.wall import PLAN, broken_wall
from wallwright.rules.core.bots import Bot
from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.core.tiles import KINDS, tile_set
from wallwright.rules.core.walls import DEALT, Place, counted_side, deal_seats

FULL_SET = tile_set(range(KINDS))
"""144 tiles (CLA-1.1)."""
Throws = tuple[tuple[int, ...], ...]


class Played(NamedTuple):
    """A deal of a session with the dice that broke its wall."""

    throws: Throws
    deal: Deal
    settled: Settled


def throw(rules: Rules, rng: Random) -> Throws:
    """The throws of dice before a deal: in Cumberland East's and the dealer's, in Balsall one (CUM-2.1, BAL-2.1)."""
    numbers = (2, 2) if isinstance(rules, Cumberland) else (rules.dice,)
    return tuple(tuple(rng.randint(1, 6) for _ in range(number)) for number in numbers)


def shuffled_deal(sitting: Sitting, throws: Throws, rng: Random) -> Deal:
    """The deal from a shuffled set, built into walls, broken by the dice and dealt (CLA-2)."""
    tiles = list(FULL_SET)
    rng.shuffle(tiles)
    places = [Place(side, stack, layer) for side in SEATS for stack in range(1, PLAN[side] + 1) for layer in (0, 1)]
    faces = dict(zip(places, tiles, strict=True))
    dice = throws if isinstance(sitting.rules, Cumberland) else throws[0]
    order = broken_wall(sitting.rules, sitting.east, dice)
    hands: list[list[int]] = [[], [], [], []]
    for seat, place in zip(deal_seats(sitting.east), order.head[:DEALT], strict=True):
        hands[seat].append(faces[place])
    left = order.head[DEALT:]
    at = {place: number for number, place in enumerate(left)}
    return Deal(sitting, hands, len(left), [faces[place] for place in left], [at[place] for place in order.tail])


def play(deal: Deal, bots: Sequence[Bot[View]], rng: Random) -> Deal:
    """Play a deal with a known wall to its end, every act checked; returns the same deal. `bots` by seat."""
    views = [View(deal, seat) for seat in SEATS]
    while not deal.is_over:
        legal = deal.legal()
        seat = legal[0].seat
        deal.apply(legal[0] if len(legal) == 1 else bots[seat].choose(views[seat], legal, rng))
    return deal


def settle(deal: Deal) -> Settled:
    """Who gets and pays what. IllegalAction while the deal goes on."""
    if not deal.is_over:
        raise IllegalAction("the deal is not over: it can be settled after a win or the last tile (CLA-3.6, CLA-3.9)")
    sitting, won = deal.sitting, deal.state.won
    hands = tuple(deal.final_hand(seat) for seat in SEATS)
    scores = tuple(score_hand(hand, sitting.rules) for hand in hands)
    winner = None if won is None else won.winners[0]
    declared = Declared(
        sitting.east,
        winner,
        None if won is None else won.by,
        None if won is None else won.from_,
        tuple(score.points for score in scores),
        scores,
        hands,
        deal.state.kongs_declared,
        (),
        sitting.round_wind,
        sitting.first_dealer,
        sitting.goulash,
        sitting.pot,
        winner is not None and AFTER_KONG in hands[winner].conditions,
        hands_played=sitting.hands_played,
    )
    declared.check()
    if isinstance(sitting.rules, Cumberland):
        return settle_cumberland.settle(declared, sitting.rules)
    return settle_balsall.settle(declared, sitting.rules)


def next_sitting(sitting: Sitting, settled: Settled) -> Sitting:
    """The next deal. In Cumberland a wind that is thrown stays the old one here until it is (CUM-2.2)."""
    kept = settled.next_
    wind, pot, played = kept.get("round_wind"), kept.get("pot", 0), kept.get("hands_played", 0)
    return replace(
        sitting,
        east=settled.next_dealer,
        round_wind=wind if isinstance(wind, str) else sitting.round_wind,
        goulash=bool(kept.get("goulash", False)),
        pot=pot if isinstance(pot, int) else 0,
        hands_played=played if isinstance(played, int) else 0,
    )


def thrown_east(rng: Random) -> int:
    """The seat that throws most with two dice; equal highest throw again (CUM-2.1)."""
    seats = list(SEATS)
    while len(seats) > 1:
        sums = {seat: rng.randint(1, 6) + rng.randint(1, 6) for seat in seats}
        seats = [seat for seat in seats if sums[seat] == max(sums.values())]
    return seats[0]


def session(rules: Rules, bots: Sequence[Bot[View]], rng: Random, east: int = 0) -> Iterator[Played]:
    """Deals without end, East and the wind of the round as CUM-8, BAL-8 and BAL-9 have them.

    After a game of Cumberland another one begins, whose East is thrown for (CUM-2.1).
    """
    sitting = Sitting(rules, east, first_dealer=east)
    thrown = isinstance(rules, Cumberland) and rules.wind_of_round != "fixed"
    while True:
        throws = throw(rules, rng)
        if thrown:
            sitting = replace(sitting, round_wind=WINDS[counted_side(0, sum(throws[0]))])
        deal = shuffled_deal(sitting, throws, rng)
        settled = settle(play(deal, bots, rng))
        yield Played(throws, deal, settled)
        sitting = next_sitting(sitting, settled)
        thrown = isinstance(rules, Cumberland) and settled.next_.get("round_wind") is None
        if settled.next_.get("game_over"):
            east = thrown_east(rng)
            sitting = Sitting(rules, east, first_dealer=east)
            thrown = isinstance(rules, Cumberland) and rules.wind_of_round != "fixed"
