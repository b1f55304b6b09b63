"""A player that plays Cumberland and Balsall to win: see `wallwright.rules.core.bots`."""

import math
from collections.abc import Sequence

from wallwright.rules.classical.balsall import GOULASH_MINIMUM
from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.hand import PLANTS, SEASONS
from wallwright.rules.classical.ruleset import Balsall
from wallwright.rules.core import bots
from wallwright.rules.core.bots import PAIRS, open_plans
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import EAST

_TOO_LITTLE = 0.02
"""What a plan below the minimum is worth, beside one that reaches it."""
_ROWS = (0, 3, 3, 3, 6, 6, 6, 3, 1, 5)
"""By the place of a plan: the points of its row (BAL-5.2, BAL-6.1). Pairs gain nothing for being concealed."""
_DOUBLES = (0.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 0.5, 0.0)
"""The same for Cumberland, in doubles; pungs are worth about half a double (CUM-5)."""


class View(bots.View):
    """What one seat may know of a deal that goes on. `minimum` are the points that a hand needs to win."""

    def __init__(self, deal: Deal, seat: int) -> None:
        own, of_round = EAST + (seat - deal.dealer) % 4, EAST + "ESWN".index(deal.sitting.round_wind)
        super().__init__(deal, seat, own, of_round)
        rules = deal.sitting.rules
        self.minimum = 0
        if isinstance(rules, Balsall):
            self.minimum = GOULASH_MINIMUM if deal.sitting.goulash else rules.min_points
        self._own_flowers = (PLANTS[own - EAST], SEASONS[of_round - EAST])

    def flower_points(self) -> int:
        """What the flowers laid out earn in Balsall (BAL-5.5)."""
        flowers = self._deal.state.flowers[self.seat]
        return sum(flower in flowers for flower in self._own_flowers) if flowers else 1


class SmartBot(bots.SmartBot[View]):
    """Weighs points, or doubles, against the tiles that lack."""

    wall_size = 91

    def worth(self, view: View, away: Sequence[int], sure: int, laid: tuple[TileSet, ...], each: float) -> float:
        """The worth of a hand's best plan."""
        if not view.minimum:
            # Cumberland: every hand may win, and each double is worth as much again.
            return max(math.pow(2, _DOUBLES[at] + sure) * each ** away[at] for at in open_plans(laid))
        sure += view.flower_points() + all(one.is_concealed for one in laid)
        best = 0.0
        for at in (*open_plans(laid), *(() if laid else (PAIRS,))):
            total = _ROWS[at] + sure
            # A self-draw may bring the one point that is missing.
            chance = 1.0 if total >= view.minimum else 0.3 if total + 1 == view.minimum else _TOO_LITTLE
            best = max(best, chance * (3 + total) * each ** away[at])
        return best
