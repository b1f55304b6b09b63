"""Evidence against a table's walls that may be looked at after every deal: a bet that fair walls do not let win.

A player begins with a stake of 1 and bets on every wall that it is not fair. While walls are fair, what that stake has
become is a martingale: it never reaches 1,000 in 999 of 1,000 tables, however often somebody looks (Ville's inequality,
1939). So a table raises a false alarm once in 1,000 table-years. After a table-year the stake is 1 again.

- The stake is divided evenly among all deals of the table-year: with each a part of it is put on that the table has
  gone wrong just now. Thus what begins late is found as fast as what was there from the start.
- Each part is divided among BETS. One of them says that tiles stand along the walls in the order in which they fell, or
  in the opposite one, more or less strictly; it wins as much as that order is likelier by Plackett and Luce's model
  than by chance. The others say that of two tiles of a stack the one that fell first lies below, or above.

Both are exact for any number of known tiles: nothing is assumed of walls but that every order is as likely as another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

from .revealed import UNKNOWN, Rebuilt

TABLE_YEAR_DEALS = 4_000
"""A hundred days of 40 deals."""
FALSE_ALARM = 0.001
"""Of a fair table in a table-year."""
THRESHOLD = 1 / FALSE_ALARM
MOST = 1e9
"""What a bet wins beyond this is given away: it says no more than an alarm does."""
STRICTNESS = (0.05, 0.1, 0.2, 0.4, 0.8)
"""How strictly a bet takes the order along the walls; a correlation of rho is about a strictness of rho."""
LAYER_SHARES = (0.02, 0.08)
"""How far from one half a bet takes the share of stacks whose lower tile fell first."""
BETS = tuple(sign * one for one in STRICTNESS for sign in (1, -1)) + tuple(
    sign * one for one in LAYER_SHARES for sign in (1, -1)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What the stake of a table has come to after `deals` of a table-year; `alarm_at` is the deal at which it first
    reached THRESHOLD in that year, None while it has not.
    """

    deals: int = 0
    evidence: float = 1.0
    alarm_at: int | None = None
    parts: tuple[float, ...] = (0.0,) * len(BETS)
    """By bet what the parts that are in the game have come to."""

    def after(self, wall: Rebuilt, *, year: int = TABLE_YEAR_DEALS, threshold: float = THRESHOLD) -> "Standing":
        """Return the standing after another wall; a new year begins after `year` deals."""
        begun = Standing() if self.deals >= year else self
        wins = winnings(wall)
        parts = tuple(min((part + 1 / year) * win, MOST) for part, win in zip(begun.parts, wins, strict=True))
        deals = begun.deals + 1
        evidence = sum(parts) / len(parts) + 1 - deals / year
        alarm_at = begun.alarm_at
        if alarm_at is None and evidence >= threshold:
            alarm_at = deals
        return Standing(deals, evidence, alarm_at, parts)


def winnings(wall: Rebuilt) -> tuple[float, ...]:
    """Return by how much each of BETS multiplies its stake with that wall: 1 on the average of fair walls, never less
    than 0.
    """
    scores = _scores(wall)
    layers = _first_below(wall)
    along = len(STRICTNESS) * 2
    return (
        *(_order_wins(scores, bet) for bet in BETS[:along]),
        *(_layers_win(*layers, bet) for bet in BETS[along:]),
    )


def _scores(wall: Rebuilt) -> list[float]:
    """How early the known tiles fell, from the right ends of the walls to the left ones: mean 0, variance 1."""
    keyed = []
    at = 0
    for side, stacks in enumerate(wall.plan):
        for place in range(2 * stacks):
            if wall.ranks[at] != UNKNOWN:
                keyed.append(((place // 2 + 0.5) / stacks, side, place, wall.ranks[at]))
            at += 1
    ranks = [rank for *_, rank in sorted(keyed)]
    middle = (len(ranks) - 1) / 2
    spread = sqrt(sum((rank - middle) ** 2 for rank in ranks) / len(ranks)) if len(ranks) > 1 else 1.0
    return [(middle - rank) / spread for rank in ranks]


def _order_wins(scores: Sequence[float], strictness: float) -> float:
    """How much likelier this order is, when the next tile is drawn with a weight of exp(strictness times score).

    The mean of what that says from the right ends on and from the left ends on, so that both count alike.
    """
    backwards = [-score for score in reversed(scores)]
    return (_likelihood(scores, strictness) + _likelihood(backwards, strictness)) / 2


def _likelihood(scores: Sequence[float], strictness: float) -> float:
    total = likelier = 0.0
    for left, score in enumerate(reversed(scores), 1):
        total += exp(strictness * score)
        likelier += strictness * score - log(total / left)
    return exp(likelier)


def _first_below(wall: Rebuilt) -> tuple[int, int]:
    """In how many stacks the lower tile fell first, and in how many the upper one."""
    lower = upper = 0
    for below, above in zip(wall.ranks[::2], wall.ranks[1::2], strict=True):
        if UNKNOWN not in (below, above):
            lower += below < above
            upper += below > above
    return lower, upper


def _layers_win(lower: int, upper: int, excess: float) -> float:
    return float((1 + 2 * excess) ** lower * (1 - 2 * excess) ** upper)
