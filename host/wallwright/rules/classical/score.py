"""What a hand is worth, in either game."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Score:
    """`points` is `base` doubled `doubles` times, unless a limit caps it. An incomplete hand of a winner has nothing.

    `items` are points and doubles by name, in the order of the clauses; those of Balsall are all points. `special`
    names a row of BAL-5.4 or BAL-6. `allowed`: the hand may win (BAL-7.1).
    """

    complete: bool
    allowed: bool = False
    items: dict[str, int] = field(default_factory=dict)
    special: str | None = None
    base: int = 0
    doubles: int = 0
    points: int = 0

    def record(self) -> dict[str, object]:
        """It as plain values. A loser's hand is not complete, but has points."""
        return {
            "complete": self.complete,
            "allowed": self.allowed,
            "items": dict(self.items),
            "special": self.special,
            "base": self.base,
            "doubles": self.doubles,
            "points": self.points,
        }
