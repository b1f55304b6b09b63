"""What ends a session, what a place at a table is worth, and what a referee may give (SBR-9, 11.6, 11.8)."""

from collections.abc import Sequence
from fractions import Fraction

from ..rules.core.errors import RulesError
from ..words import Named, words

MINUTE_MS = 60_000

REFEREE_PENALTIES: dict[str, tuple[Fraction, Fraction]] = {
    "warning": (Fraction(0), Fraction(0)),
    "serious_warning": (Fraction(0), Fraction(0)),
    "points": (Fraction(1), Fraction(8)),
    "heavy_points": (Fraction(24), Fraction(24)),
    "table_points": (Fraction(1, 2), Fraction(2)),
    "no_win": (Fraction(0), Fraction(0)),
    "loss_of_session": (Fraction(0), Fraction(0)),
    "disqualification": (Fraction(0), Fraction(0)),
}
"""Penalty -> the least and the greatest amount, from the lightest to the heaviest (SBR-11.8)."""


def starts_another_deal(deals: int, limit_ms: int, played: int, elapsed_ms: int) -> bool:
    """Return whether a session of `deals` (0: no limit) and `limit_ms` goes on: the first limit met ends it (SBR-9.1).

    A deal in progress when time is up is another matter (`time_up`, SBR-4.9).
    """
    return not (deals and played >= deals) and elapsed_ms < limit_ms


def table_points(by_rank: Sequence[int], points: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the table points of four players by their points in a session; equal players share theirs (SBR-11.6)."""
    if len(points) != len(by_rank):
        raise RulesError(f"{len(points)} players where {len(by_rank)} are wanted")
    ranked = sorted(points, reverse=True)
    shares = {}
    for value in set(points):
        first, number = ranked.index(value), ranked.count(value)
        shares[value] = Fraction(sum(by_rank[first : first + number]), number)
    return tuple(shares[value] for value in points)


def check_penalty(name: str, amount: Fraction) -> None:
    """RulesError unless a referee may give that penalty in that amount, a multiple of a half (SBR-11.8)."""
    if name not in REFEREE_PENALTIES:
        raise RulesError(f"{name!r} is no penalty: use {', '.join(REFEREE_PENALTIES)}")
    low, high = REFEREE_PENALTIES[name]
    step = Fraction(1, 2) if name == "table_points" else Fraction(1)
    if not low <= amount <= high or (amount / step).denominator != 1:
        problem = "{name} of {amount}: it is from {low} to {high} in steps of {step}"
        what = Named("penalty", name)
        raise RulesError(words(problem, name=what, amount=str(amount), low=str(low), high=str(high), step=str(step)))
