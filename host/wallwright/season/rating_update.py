"""What a game changes in the ratings of the four who played it: Plackett–Luce after Weng and Lin (2011), algorithm 4.

openskill computes it in floating point, whose last digits depend on the machine's compiler and library. So ratings are
whole millionths, and where a result lies near the middle between two of them, the game is computed once more in decimal
arithmetic of 30 digits, which every machine rounds alike: the same games give the same ratings, to the last digit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MILLION = 1_000_000
_CONTEXT = Context(prec=30, rounding=ROUND_HALF_EVEN)
LUCK = Fraction(25, 2)
"""How far luck spreads what a player does in one game, openskill's beta. DECISION: three times openskill's own value,
for there is much luck in a session of mahjong; and a game narrows a deviation as much as it tells (gamma is 1), where
openskill takes less. Simulated players are so foretold better, and deviations as wide as the errors (docs/season.md).
"""
CHANGE = Fraction(25, 300)
"""How much less certain a skill is before each further game, tau: players change. This and the next are openskill's."""
_KEPT = Decimal("0.0001")
"""What part of its variance a skill keeps after a game at least, kappa."""
_NEAR = 1e-3
"""The part of a millionth from the middle within which decimal arithmetic decides. Floating point errs by less than a
hundredth of that.
"""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a player's skill: its mean and its standard deviation, in millionths."""

    mean: int
    deviation: int

    @property
    def rating(self) -> int:
        """What the skill is at least, almost certainly: three deviations below the mean, in millionths."""
        return self.mean - 3 * self.deviation


NEWCOMER = Skill(25 * MILLION, 8_333_333)
"""Before the first game. It is the scale of openskill; the rating is 0 but for the rounding."""


def updated(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return the skills after a game with these places, 1 the best, equal ones for a tie; in the order given."""
    model = _model()
    seats = [[model.rating(one.mean / MILLION, one.deviation / MILLION)] for one in skills]
    after = model.rate(seats, ranks=[float(place) for place in places])
    numbers = [_millionths(value) for (one,) in after for value in (one.mu, one.sigma)]
    certain = [value for value in numbers if value is not None]
    if len(certain) < len(numbers):
        return updated_in_decimal(skills, places)
    return tuple(Skill(*pair) for pair in zip(certain[::2], certain[1::2], strict=True))


def updated_in_decimal(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return what `updated` does, computed in decimal arithmetic alone."""
    with localcontext(_CONTEXT):
        luck, change = (Decimal(one.numerator) / one.denominator for one in (LUCK**2, CHANGE**2))
        variances = [(Decimal(one.deviation) / MILLION) ** 2 + change for one in skills]
        c = sum((variance + luck for variance in variances), Decimal(0)).sqrt()
        strengths = [(Decimal(one.mean) / MILLION / c).exp() for one in skills]
        seats = range(len(skills))
        # Of who was not placed before `at`, and how many share that place.
        left = [sum((strengths[by] for by in seats if places[by] >= places[at]), Decimal(0)) for at in seats]
        shared = [sum(place == places[at] for place in places) for at in seats]
        after = []
        for seat in seats:
            gain, narrowing = Decimal(0), Decimal(0)
            for at in seats:
                if places[at] <= places[seat]:
                    share = strengths[seat] / left[at]
                    gain += ((at == seat) - share) / shared[at]
                    narrowing += share * (1 - share) / shared[at]
            variance = variances[seat]
            mean = Decimal(skills[seat].mean) / MILLION + gain * variance / c
            kept = max(1 - narrowing * variance / (c * c), _KEPT)
            after.append(Skill(_rounded(mean), _rounded((variance * kept).sqrt())))
    return tuple(after)


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce

    return PlackettLuce(beta=float(LUCK), gamma=lambda *_: 1.0, tau=float(CHANGE))


def _millionths(value: float) -> int | None:
    """Round to millionths; None where that is near the middle between two."""
    scaled = value * MILLION
    return None if abs(scaled - math.floor(scaled) - 0.5) < _NEAR else round(scaled)


def _rounded(value: Decimal) -> int:
    return int((value * MILLION).to_integral_value())
