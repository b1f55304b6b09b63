"""What a settlement consists of in every game."""

from dataclasses import dataclass

from wallwright.words import Words


@dataclass(frozen=True, slots=True)
class Payment:
    """Points from one seat to another; `at` is the number of the event that they are for, from 0, None at the end."""

    payer: int
    payee: int
    points: int
    clause: str
    why: Words
    at: int | None = None

    def record(self) -> dict[str, object]:
        """It as plain values."""
        return {
            "from": self.payer,
            "to": self.payee,
            "points": self.points,
            "clause": self.clause,
            "why": str(self.why),
        }
