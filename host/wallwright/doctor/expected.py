"""How long the parts of a healthy table take: by its own limits where it has been calibrated, else as is usual.

A calibration leaves limits on the board, each beyond what was measured by a rule of `limits`. Turned round, that rule
says what was measured; so a table is judged by itself, and nothing besides its settings has to be kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .limits import LOW, RULES, Rule
from .upkeep import Setting

TOLERANCE_PERCENT = 25
"""Machines of one make differ by some 3 % when new; a quarter more or less is wear, a weak supply or a wrong part."""

_USUAL_MS = {
    "lid_ms": (1500, "least_lid_ms"),
    "lift_up_ms": (2500, "least_lift_up_ms"),
    "lift_down_ms": (2000, "least_lift_down_ms"),
    "stroke_ms": (500, "least_stroke_ms"),
    "disc_turn_ms": (1500, "disc_limit_ms"),
    "ring_turn_ms": (3100, "ring_limit_ms"),
}
"""Quantity -> what it is on a typical machine of this kind, and the limit that stands nearest to it."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A healthy part takes about `nominal_ms`; `is_own` says that this table's own limits say so."""

    nominal_ms: int
    is_own: bool

    def allows(self, took_ms: int) -> bool:
        """Say whether a part that takes so long is healthy."""
        return abs(took_ms - self.nominal_ms) * 100 <= TOLERANCE_PERCENT * self.nominal_ms

    def __str__(self) -> str:
        low, high = (self.nominal_ms * (100 + sign * TOLERANCE_PERCENT) / 100_000 for sign in (-1, 1))
        return f"{low:.2f} to {high:.2f} s"

    @property
    def source(self) -> str:
        """Whose time it is, in words."""
        return "this table's own time, by its limits," if self.is_own else "the usual time"


def expected(settings: Sequence[Setting]) -> dict[str, Expected]:
    """Return what is expected of every part at a table with these settings: its own, but for limits as they usually
    are, of which nothing was measured."""
    of_name = {setting.name: setting for setting in settings}
    found = {}
    for quantity, (usual_ms, name) in _USUAL_MS.items():
        limit = of_name[name]
        rule = next(rule for rule in RULES if (rule.setting, rule.quantity) == (name, quantity))
        is_own = limit.value != limit.default
        found[quantity] = Expected(_measured_ms(rule, limit.value) if is_own else usual_ms, is_own)
    return found


def _measured_ms(rule: Rule, limit_ms: int) -> int:
    """Return the measured time from which `limits` has made this limit."""
    if rule.end == LOW:
        return round(max(limit_ms * 100 / (100 - rule.percent), limit_ms + rule.least_ms))
    return round(min(limit_ms * 100 / (100 + rule.percent), limit_ms - rule.least_ms))
