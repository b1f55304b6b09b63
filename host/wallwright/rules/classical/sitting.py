"""What a deal is played under, and what may be declared in it."""

from dataclasses import dataclass
from functools import lru_cache

from wallwright.rules.classical.hand import GOULASH, Hand
from wallwright.rules.classical.records import WINDS, score_hand
from wallwright.rules.classical.ruleset import Rules
from wallwright.rules.classical.waits import waiting_tiles
from wallwright.rules.core.readings import ONE, readings, unpack_tiles
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import EAST

ACROSS, RIGHT, LEFT = 2, 1, 3
"""Exclusive-or-ed to a seat counted from East: 2 joins East and West, 1 East and South, 3 East and North."""
EXCHANGES = tuple((tiles, partner) for tiles in (3, 1) for partner in (ACROSS, RIGHT, LEFT))
"""Six before a goulash: how many tiles, with whom (BAL-8.3)."""
Last = tuple[int, str, frozenset[str]]
"""The winning tile, how it came, and what else was so."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who is East, the wind of the round, hands of the game so far; whether it is a goulash, and the pot before it."""

    rules: Rules
    east: int = 0
    round_wind: str = "E"
    first_dealer: int = 0
    goulash: bool = False
    pot: int = 0
    hands_played: int = 0

    @property
    def exchanges(self) -> tuple[tuple[int, int], ...]:
        """Before the first turn, in order."""
        return EXCHANGES if self.goulash else ()

    def hand(
        self,
        seat: int,
        standing: tuple[int, ...],
        sets: tuple[TileSet, ...],
        flowers: tuple[int, ...],
        last: Last | None = None,
        waiting: int = 0,
    ) -> Hand:
        """The hand of a seat as it is scored; `last` is the winner's."""
        tile, by, conditions = last if last is not None else (None, None, frozenset())
        if self.goulash:
            conditions |= {GOULASH}
        winds = EAST + (seat - self.east) % 4, EAST + WINDS.index(self.round_wind)
        return Hand(standing, sets, *winds, tile, by, flowers, conditions, waiting)


@lru_cache(maxsize=1 << 14)
def completing(hand: int, sets: tuple[TileSet, ...], rules: Rules) -> tuple[int, ...]:
    """The kinds that complete a packed hand."""
    return waiting_tiles(unpack_tiles(hand), sets, rules)


@lru_cache(maxsize=1 << 12)
def points_of(hand: Hand, rules: Rules) -> int | None:
    """What a complete hand is worth, None below the minimum (BAL-7.1, 8.4)."""
    score = score_hand(hand, rules)
    return score.points if score.allowed else None


def rank_of(hand: int, tile: int) -> int:
    """What a tile completes, in the reading that ranks best: 0 a pung, 1 a chow, 2 the pair (CUM-3.2)."""
    ranks = [2]
    for reading in readings(hand + ONE[tile]):
        ranks += (int(one.is_chow) for one in reading.sets if tile in one.tiles)
    return min(ranks)
