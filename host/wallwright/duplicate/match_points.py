"""Match points: what the difference between two rooms comes to, in the table of the MIL's rules (SBR-11.9)."""

from bisect import bisect_right
from fractions import Fraction

STEPS = (1, 3, 6, 9, 12, 16, 20, 26, 32, 40)
"""The least difference in points for 1, 2, ... 10 match points."""
MOST = len(STEPS)


def match_points(difference: int) -> int:
    """Return the match points of whoever is ahead by so many points, below 0 for whoever is behind (SBR-11.9)."""
    given = bisect_right(STEPS, abs(difference))
    return given if difference > 0 else -given


def percent(given: Fraction, compared: int) -> Fraction:
    """Return match points of so many deals in percent: 100 for 10 in each, 0 for -10, 50 without a deal.

    DECISION: it is rounded to hundredths.
    """
    if not compared:
        return Fraction(50)
    return hundredths(50 + 50 * given / (MOST * compared))


def hundredths(value: Fraction) -> Fraction:
    """Round to hundredths, halves to the even one."""
    return Fraction(round(value * 100), 100)
