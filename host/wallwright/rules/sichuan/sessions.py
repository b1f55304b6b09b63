"""Sessions and what referees may give, as far as the rules fix them (SBR-9, 11.6, 11.8). Running an event is not done
here.
"""

from collections.abc import Sequence
from fractions import Fraction

from wallwright.rules.core.errors import RulesError
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.words import Named, words

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


def starts_another_deal(ruleset: Ruleset, deals_played: int, elapsed_ms: int) -> bool:
    """Whether a session goes on after so many deals and so much time: whichever limit is met first ends it (SBR-9.1).

    A deal in progress when time is up is another matter (`time_up`, SBR-4.9).
    """
    if ruleset.session_deals and deals_played >= ruleset.session_deals:
        return False
    return elapsed_ms < ruleset.session_minutes * MINUTE_MS


def table_points(ruleset: Ruleset, points: Sequence[int]) -> tuple[Fraction, ...]:
    """Table points of four players by their points in a session; players who tie share theirs evenly (SBR-11.6)."""
    if not ruleset.table_points:
        raise RulesError(f"{ruleset.name} knows no table points")
    if len(points) != len(ruleset.table_points):
        raise RulesError(f"{len(points)} players where {len(ruleset.table_points)} are wanted")
    ranked = sorted(points, reverse=True)
    shares = {}
    for value in set(points):
        first, number = ranked.index(value), ranked.count(value)
        shares[value] = Fraction(sum(ruleset.table_points[first : first + number]), number)
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
