"""What a hand came to for all four: points, payments and what the next deal must know."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from wallwright.rules.classical.score import Score
from wallwright.rules.core.payments import Payment
from wallwright.words import Words

POT = -1
"""Payer or payee of the chips of a goulash; `pot` in a record (BAL-8.2)."""
SEATS = range(4)


@dataclass(frozen=True, slots=True)
class Settled:
    """`points` are the four scores where they are only written down (CUM-6.1), else what the payments come to.

    `scores` are the hands that were scored by their tiles, `next_` what the game keeps, `notes` what no payment says.
    """

    ruleset: str
    east: int
    winner: int | None
    points: tuple[int, ...]
    payments: tuple[Payment, ...]
    next_dealer: int
    next_clause: str
    next_: dict[str, object] = field(default_factory=dict)
    scores: tuple[Score | None, ...] = (None,) * 4
    notes: tuple[Words, ...] = ()

    @property
    def all_are_scored(self) -> bool:
        """Whether the losers' hands count as well, as in Cumberland."""
        return self.next_clause.startswith("CUM")

    def record(self) -> dict[str, object]:
        """It as plain values."""
        payments = [
            payment.record() | {"from": _end(payment.payer), "to": _end(payment.payee)} for payment in self.payments
        ]
        start: dict[str, object] = {"points": list(self.points), "payments": payments}
        return {**start, "next_dealer": self.next_dealer, **self.next_}


def balance(payments: Sequence[Payment]) -> tuple[int, ...]:
    """What each seat has gained by the payments."""
    points = [0, 0, 0, 0, 0]
    for payment in payments:
        points[payment.payer] -= payment.points
        points[payment.payee] += payment.points
    return tuple(points[:4])


def next_wind(wind: str) -> str:
    """E, S, W, N and East again."""
    return "ESWN"[("ESWN".index(wind) + 1) % 4]


def _end(seat: int) -> int | str:
    return "pot" if seat == POT else seat
