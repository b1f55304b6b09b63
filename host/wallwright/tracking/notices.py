"""What a referee may want to look at in a tracked deal. Nothing is a verdict: a reader may be late, a key stick."""

from collections.abc import Iterable

from ..rules.core.followed import Followed, Rebuilt
from .outcome import Notice


def breach_notices(rebuilt: Rebuilt) -> tuple[Notice, ...]:
    """One notice for each action against the rules: a forbidden suit kept back, a kong without a replacement."""
    return tuple(
        Notice(rebuilt.times[breach.number], f"seat {breach.action.seat}, {str(breach.action)[2:]}: {breach.reason}")
        for breach in rebuilt.breaches
    )


def late_claims(rules: Followed, rebuilt: Rebuilt, presses: Iterable[tuple[int, int]]) -> tuple[Notice, ...]:
    """One notice for each claim whose key was pressed later than the game allows.

    Without claim keys there are none: when a tile was taken does not tell when it was claimed.
    """
    return tuple(Notice(at_ms, text) for at_ms, text in rules.late_claims(rebuilt, sorted(presses)))
