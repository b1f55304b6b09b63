"""From what was measured at a table to the limits that fit it. The rules are rows; docs/doctor.md says why they are so.

A limit has to stand between what a healthy machine does in years and what a broken one does: beyond all that was
measured, by a share for slow change (wear, a warm motor, a weak supply) and by some ms for the board's own steps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from ..errors import TableError
from .upkeep import Setting

LOW, HIGH = "low", "high"
MANY = 50
"""With so many samples a side, the lowest and the highest 2 % of them do not set a limit; they must keep within it."""
PRESSED_ON = ("lift_up_ms", "lift_down_ms", "lid_ms")
PRESS_MS = 300
"""These are driven on for so long after their switch: with the least time it is to be more than the way."""
PRESS_RESERVE_MS = 10
LEAST_SHARE = 0.98
"""A least time that is nearer than this to the shortest way measured would stop a healthy table."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The setting lies beyond the `end` of the quantity's samples by `percent` or `least_ms`, whichever is more."""

    setting: str
    quantity: str
    end: str
    percent: int
    least_ms: int

    @property
    def is_scaled(self) -> bool:
        """Whether the setting limits something else that goes with the quantity: its own axis, not that one's."""
        return self.least_ms == 0


RULES = (
    Rule("shortest_dark_ms", "eye_dark_ms", LOW, 25, 8),
    Rule("longest_dark_ms", "eye_dark_ms", HIGH, 25, 10),
    Rule("least_stroke_ms", "stroke_ms", LOW, 10, 30),
    Rule("stroke_limit_ms", "stroke_ms", HIGH, 60, 250),
    Rule("belt_return_ms", "belt_ms", LOW, -25, -100),
    Rule("least_lift_up_ms", "lift_up_ms", LOW, 6, 60),
    Rule("least_lift_down_ms", "lift_down_ms", LOW, 6, 60),
    Rule("lift_limit_ms", "lift_up_ms", HIGH, 50, 600),
    Rule("lift_limit_ms", "lift_down_ms", HIGH, 50, 600),
    Rule("least_lid_ms", "lid_ms", LOW, 8, 60),
    Rule("lid_limit_ms", "lid_ms", HIGH, 60, 600),
    Rule("disc_limit_ms", "disc_turn_ms", HIGH, 60, 400),
    Rule("ring_limit_ms", "ring_turn_ms", HIGH, 60, 500),
    Rule("starved_limit_ms", "ring_turn_ms", HIGH, 160, 0),
    Rule("check_ms", "ring_turn_ms", HIGH, 30, 0),
)
"""`belt_ms` is the time from the belt's start to the first tile in the eye: never less than its length, so that the
shortest is the nearest to it, and the limit lies above. Of two rules for a setting the larger value counts."""
QUANTITIES = tuple(dict.fromkeys(rule.quantity for rule in RULES))
ENOUGH = {"eye_dark_ms": 10, "stroke_ms": 2, "disc_turn_ms": 2, "ring_turn_ms": 2}
"""Quantity -> the samples that each part needs; the other quantities need one."""


class Unhealthy(TableError):
    """What was measured fits no limits: the machine has to be mended first."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The samples in ms of one quantity, by part: a side, or the one part that the table has of it."""

    quantity: str
    parts: Mapping[str, Sequence[int]]

    @property
    def lowest(self) -> int:
        """The low end, without the lowest 2 % where there are many: of the part where it is lowest."""
        return min(_ends(samples)[0] for samples in self.parts.values())

    @property
    def highest(self) -> int:
        """The high end likewise."""
        return max(_ends(samples)[1] for samples in self.parts.values())

    @property
    def usual(self) -> int:
        """The median of all."""
        return round(median([sample for samples in self.parts.values() for sample in samples]))


@dataclass(frozen=True, slots=True)
class Limit:
    """A setting as it was and as it shall be; `quantity` says what it was taken from, None when it stays as it was."""

    setting: str
    before: int
    value: int
    usual: int
    quantity: str | None


def new_limits(found: Mapping[str, Measured], settings: Sequence[Setting], start: Mapping[str, int]) -> list[Limit]:
    """Return a limit for every setting; one of which nothing was measured is as in `start`, or as it was.

    Raises Unhealthy when a healthy part would be beyond a limit that the board takes, or beyond one by the rules.
    """
    for quantity, measured in found.items():
        _check_enough(quantity, measured)
    limits = []
    for setting in settings:
        wanted = [(_by(rule, found[rule.quantity]), rule) for rule in RULES if _applies(rule, setting.name, found)]
        if not wanted:
            limits.append(
                Limit(setting.name, setting.value, start.get(setting.name, setting.value), setting.default, None)
            )
            continue
        value, rule = max(wanted, key=lambda pair: pair[0])
        value = min(max(value, setting.lowest), setting.highest)
        if rule.end == LOW and rule.quantity in PRESSED_ON:
            value = _pressed_on(value, found[rule.quantity])
        limits.append(Limit(setting.name, setting.value, value, setting.default, rule.quantity))
    for setting, limit in zip(settings, limits, strict=True):
        if setting.is_limit:
            _check_all_within(limit, found)
    return limits


def _applies(rule: Rule, setting: str, found: Mapping[str, Measured]) -> bool:
    return rule.setting == setting and rule.quantity in found


def _ends(samples: Sequence[int]) -> tuple[int, int]:
    if len(samples) < MANY:
        return min(samples), max(samples)
    cuts = quantiles(samples, n=50, method="inclusive")
    return int(cuts[0]), -int(-cuts[-1])


def _by(rule: Rule, measured: Measured) -> int:
    end = measured.lowest if rule.end == LOW else measured.highest
    share = end * abs(rule.percent) / 100
    margin = round(max(share, abs(rule.least_ms)))
    return end - margin if rule.end == LOW and rule.percent > 0 else end + margin


def _pressed_on(value: int, measured: Measured) -> int:
    """Return a least time with which the slowest part goes its whole way too."""
    longest = max(max(samples) for samples in measured.parts.values())
    value = max(value, longest - PRESS_MS + PRESS_RESERVE_MS)
    if value > measured.lowest * LEAST_SHARE:
        raise Unhealthy(
            f"{measured.quantity} goes from {measured.lowest} to {longest}: one limit cannot serve both; look at the "
            f"slowest, {_worst(measured, longest)}, then measure again"
        )
    return value


def _check_enough(quantity: str, measured: Measured) -> None:
    for part, samples in measured.parts.items():
        if len(samples) < ENOUGH.get(quantity, 1):
            raise Unhealthy(
                f"{quantity} was seen only {len(samples)} times at {part}: look at its sensor with wallwright doctor "
                "watch, or let it build once more"
            )


def _check_all_within(limit: Limit, found: Mapping[str, Measured]) -> None:
    """All that was measured is of a healthy machine, or the machine is not healthy."""
    for rule in RULES:
        if not _applies(rule, limit.setting, found):
            continue
        measured = found[rule.quantity]
        for part, samples in measured.parts.items():
            beyond = [ms for ms in samples if (ms < limit.value if rule.end == LOW else ms > limit.value)]
            if beyond:
                raise Unhealthy(
                    f"{rule.quantity} was {', '.join(map(str, beyond[:5]))} at {part}, {len(beyond)} of {len(samples)} "
                    f"times, which {limit.setting}={limit.value} does not allow: look at that part (an eye: clean it), "
                    "then measure again"
                )


def _worst(measured: Measured, value: int) -> str:
    return next(part for part, samples in measured.parts.items() if value in samples)


def changed(limits: Sequence[Limit]) -> Iterator[Limit]:
    """Yield those that would change something."""
    return (limit for limit in limits if limit.value != limit.before)
