"""A player that plays Hong Kong to win: see `wallwright.rules.core.bots`."""

from collections.abc import Sequence

from wallwright.rules.core import bots
from wallwright.rules.core.bots import open_plans
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import EAST
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.hands import WINDS

_TOO_LITTLE = 0.01
"""What a plan below the minimum is worth: it may grow."""
_FAAN = (0, 3, 3, 3, 6, 6, 6, 3, 1)
"""By the place of a plan: the faan of its pattern (HKO-5.4); four chows and a suited pair are the last."""


class View(bots.View):
    """What one seat may know of a deal that goes on."""

    def __init__(self, deal: Deal, seat: int) -> None:
        own, of_round = (EAST + WINDS.index(wind) for wind in (deal.seat_wind(seat), deal.round_wind))
        super().__init__(deal, seat, own, of_round)
        self.ruleset = deal.ruleset


class SmartBot(bots.SmartBot[View]):
    """Weighs points, below the minimum too, against the tiles that lack."""

    wall_size = 83

    def worth(self, view: View, away: Sequence[int], sure: int, laid: tuple[TileSet, ...], each: float) -> float:
        """The worth of a hand's best plan."""
        ruleset = view.ruleset
        best = 0.0
        for at in open_plans(laid):
            total = _FAAN[at] + sure
            enough = total >= ruleset.min_faan or (ruleset.min_faan == 1 and not laid)
            best = max(best, (ruleset.base(total) if enough else _TOO_LITTLE) * each ** away[at])
        return best
