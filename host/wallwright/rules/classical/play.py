"""How Cumberland and Balsall are played: shuffled deals, what may be declared, and what a played deal comes to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from wallwright.rules.classical import settle_balsall, settle_cumberland
from wallwright.rules.classical.declared import Declared, DeclaredKong
from wallwright.rules.classical.hand import GOULASH, Hand
from wallwright.rules.classical.records import WINDS, score_hand
from wallwright.rules.classical.ruleset import Balsall, Cumberland, Rules
from wallwright.rules.classical.settled import SEATS, Settled
from wallwright.rules.classical.waits import waiting_tiles
from wallwright.rules.classical.wall import PLAN, broken_wall
from wallwright.rules.core.play.deal import PlayDeal
from wallwright.rules.core.play.rules import AFTER_KONG, FIRST_TURN, Exchange, Winning
from wallwright.rules.core.readings import ONE, readings, unpack_tiles
from wallwright.rules.core.sets import ADDED, TileSet
from wallwright.rules.core.tiles import EAST, KINDS, tile_set
from wallwright.rules.core.walls import DEALT, Place, counted_side, deal_seats

ACROSS, RIGHT, LEFT = 2, 1, 3
EXCHANGES = tuple(Exchange(tiles, partner) for tiles in (3, 1) for partner in (ACROSS, RIGHT, LEFT))
"""Across, East's right, East's left, with three tiles and then with one (BAL-8.3)."""
FULL_SET = tile_set(range(KINDS))
"""144 tiles (CLA-1.1)."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a deal is played under: who is East, the wind of the round, and whether it is a goulash with its pot."""

    rules: Rules
    east: int = 0
    round_wind: str = "E"
    first_dealer: int = 0
    goulash: bool = False
    pot: int = 0

    @property
    def flowers(self) -> str:
        """When dealt flowers are replaced (CUM-2.3, BAL-2.3)."""
        return self.rules.flowers if isinstance(self.rules, Balsall) else FIRST_TURN

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Six before a goulash (BAL-8.3)."""
        return EXCHANGES if self.goulash else ()

    @property
    def reserve(self) -> int:
        """Tiles kept back (CLA-2.4)."""
        return self.rules.reserve

    @property
    def last_discard(self) -> bool:
        """The last tile is discarded, and may be won on (CLA-3.9)."""
        return True

    def completing(self, hand: int, sets: tuple[TileSet, ...]) -> tuple[int, ...]:
        """The kinds that complete a packed hand."""
        return _completing(hand, sets, self.rules)

    def hand_of(self, winning: Winning) -> Hand:
        """The winner's hand as it is scored."""
        conditions = winning.conditions | ({GOULASH} if self.goulash else set())
        wind = EAST + (winning.seat - self.east) % 4
        tiles = unpack_tiles(winning.hand)
        return Hand(
            tiles, winning.sets, wind, self._round, winning.tile, winning.by, winning.flowers, frozenset(conditions)
        )

    def worth(self, winning: Winning) -> int | None:
        """Points, None below the minimum (BAL-7.1, 8.4)."""
        return _worth(self, winning)

    def winners(self, declared: Sequence[Winning]) -> tuple[Winning, ...]:
        """One: in Cumberland a pung goes before a chow and that before the pair; else by turns (CUM-3.2, BAL-3.1)."""
        if isinstance(self.rules, Cumberland):
            return (min(declared, key=_completed),)
        return (declared[0],)

    def may_rob(self, winning: Winning, kong: TileSet) -> bool:  # noqa: ARG002 - part of the shape
        """A tile added to a pung, if the club allows it (CLA-3.8)."""
        return self.rules.rob_kong and kong.type in ADDED

    def settle(self, deal: PlayDeal) -> Settled:
        """What a deal that is over comes to."""
        winning = deal.winners[0] if deal.winners else None
        hands = tuple(self._final_hand(deal, seat, winning) for seat in SEATS)
        scores = tuple(score_hand(hand, self.rules) for hand in hands)
        declared = Declared(
            self.east,
            None if winning is None else winning.seat,
            None if winning is None else winning.by,
            None if winning is None else winning.from_,
            tuple(score.points for score in scores),
            scores,
            hands,
            tuple(DeclaredKong(seat, one.type, from_, robbed) for seat, one, from_, robbed in deal.kongs),
            (),
            self.round_wind,
            self.first_dealer,
            self.goulash,
            self.pot,
            winning is not None and AFTER_KONG in winning.conditions,
        )
        declared.check()
        if isinstance(self.rules, Cumberland):
            return settle_cumberland.settle(declared, self.rules)
        return settle_balsall.settle(declared, self.rules)

    @property
    def _round(self) -> int:
        return EAST + WINDS.index(self.round_wind)

    def _final_hand(self, deal: PlayDeal, seat: int, winning: Winning | None) -> Hand:
        if winning is not None and seat == winning.seat:
            return self.hand_of(winning)
        tiles = tuple(kind for kind in deal.hand(seat) if kind < EAST + 7)
        wind = EAST + (seat - self.east) % 4
        waiting = deal.waiting(seat)
        return Hand(tiles, deal.sets(seat), wind, self._round, None, None, deal.flowers(seat), flowers_waiting=waiting)


Throws = tuple[tuple[int, ...], ...]


def throw(rules: Rules, rng: Random) -> Throws:
    """The throws of dice before a deal: in Cumberland East's and the dealer's, in Balsall one (CUM-2.1, BAL-2.1)."""
    numbers = (2, 2) if isinstance(rules, Cumberland) else (rules.dice,)
    return tuple(tuple(rng.randint(1, 6) for _ in range(number)) for number in numbers)


def thrown_wind(throws: Throws) -> str:
    """The Wind of the round that East's throw names in Cumberland (CUM-2.1)."""
    return WINDS[counted_side(0, sum(throws[0]))]


def shuffled_deal(sitting: Sitting, throws: Throws, rng: Random) -> PlayDeal:
    """The deal from a shuffled set, built into walls, broken by the dice and dealt (CLA-2)."""
    tiles = list(FULL_SET)
    rng.shuffle(tiles)
    places = [Place(side, stack, layer) for side in SEATS for stack in range(1, PLAN[side] + 1) for layer in (0, 1)]
    faces = dict(zip(places, tiles, strict=True))
    dice = throws if isinstance(sitting.rules, Cumberland) else throws[0]
    order = broken_wall(sitting.rules, sitting.east, dice)
    hands: list[list[int]] = [[], [], [], []]
    for seat, place in zip(deal_seats(sitting.east), order.head, strict=False):
        hands[seat].append(faces[place])
    left = order.head[DEALT:]
    at = {place: number for number, place in enumerate(left)}
    return PlayDeal(sitting, sitting.east, hands, [faces[place] for place in left], [at[place] for place in order.tail])


def next_sitting(sitting: Sitting, settled: Settled) -> Sitting:
    """The next deal; in Cumberland its wind is thrown where the settlement has none (CUM-2.2)."""
    kept = settled.next_
    wind = kept.get("round_wind")
    pot = kept.get("pot", 0)
    return Sitting(
        sitting.rules,
        settled.next_dealer,
        wind if isinstance(wind, str) else sitting.round_wind,
        sitting.first_dealer,
        bool(kept.get("goulash", False)),
        pot if isinstance(pot, int) else 0,
    )


@lru_cache(maxsize=1 << 14)
def _completing(hand: int, sets: tuple[TileSet, ...], rules: Rules) -> tuple[int, ...]:
    return waiting_tiles(unpack_tiles(hand), sets, rules)


@lru_cache(maxsize=1 << 12)
def _worth(sitting: Sitting, winning: Winning) -> int | None:
    score = score_hand(sitting.hand_of(winning), sitting.rules)
    return score.points if score.allowed else None


def _completed(winning: Winning) -> int:
    """What the tile completes, in the reading that ranks best: 0 a pung, 1 a chow, 2 the pair (CUM-3.2)."""
    ranks = [2]
    for reading in readings(winning.hand + ONE[winning.tile]):
        ranks += (int(one.is_chow) for one in reading.sets if winning.tile in one.tiles)
    return min(ranks)
