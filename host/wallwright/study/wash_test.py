"""How long a table has to wash, found out by its owner: half of a set is marked and pushed in first, and after each
build somebody counts how many marked tiles stand in the right halves of the walls.

In the model of a drum in docs/fairness.md the surplus of marked tiles there decays as exp(-wash / tau). From builds
after three wash times or more follow tau with its interval, and the wash that hides the order of falling. Needs no
NumPy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import fmean

from ..errors import BadInput

FEWEST_TIMES = 3
FEWEST_BUILDS = 20
"""Of each wash time: below that no claim is made."""
LONGEST_WASH_S = 240
HIDDEN_RHO = 0.0105
"""A correlation that 1,000 walls of 108 tiles do not show in 80 % of studies (`findings.walls_to_show`)."""
ROUNDED_S = 5
"""A recommended wash is rounded up to a multiple of it."""
WITHIN_90 = 2.706
"""By how much the sum of squares may rise within the interval of 90 %: chi squared with one degree of freedom."""
SEEN = 9.21
"""By how much a surplus has to lower it to be more than chance at 1 %: chi squared with two."""
SHORTEST_TAU_S, LONGEST_TAU_S = 0.5, 600.0
_TAUS = tuple(SHORTEST_TAU_S * (LONGEST_TAU_S / SHORTEST_TAU_S) ** (at / 600) for at in range(601))


@dataclass(frozen=True, slots=True)
class Count:
    """What is counted at a table: `stacks` from the right end of each wall, in which half of the `tiles` are marked."""

    tiles: int
    stacks: int

    @property
    def marked(self) -> int:
        """How many tiles are marked."""
        return self.tiles // 2

    @property
    def places(self) -> int:
        """In how many places marked tiles are counted."""
        return 8 * self.stacks

    @property
    def fair(self) -> float:
        """How many marked tiles stand there on the average of fair walls."""
        return self.marked * self.places / self.tiles

    @property
    def rho_each(self) -> float:
        """The correlation of the order of falling with the place along the wall that a surplus of one tile stands for.

        Of a weak trend: a density 1 + 3 rho (2u - 1)(2v - 1) of rank u and place v, both from 0 to 1.
        """
        return 16 / (3 * self.tiles)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found. `builds` and `surplus` are by wash time in s. `tau_s` is the decay time, with its interval of
    90 %; an end of the interval at SHORTEST_TAU_S or LONGEST_TAU_S is open. `wash_s` is recommended, None where more
    than LONGEST_WASH_S were needed. All three are None where nothing is to be seen without a wash either; `rho` is the
    correlation without a wash, with its standard error.
    """

    builds: Mapping[int, int]
    surplus: Mapping[int, float]
    rho: float
    rho_error: float
    tau_s: float | None
    interval_s: tuple[float, float] | None
    wash_s: int | None

    @property
    def is_seen(self) -> bool:
        """Whether the order of falling shows at all."""
        return self.tau_s is not None


def count_of(plan: Sequence[int]) -> Count:
    """Return what is counted at a table whose walls have so many stacks."""
    return Count(2 * sum(plan), (sum(plan) + 3) // 8)


def estimate(counts: Mapping[int, Sequence[int]], count: Count) -> Found:
    """Estimate the decay by least squares, its interval by the profile of the likelihood.

    BadInput when there are too few builds for a claim.
    """
    _check_enough(counts)
    builds = {wash: len(counts[wash]) for wash in sorted(counts)}
    surplus = {wash: fmean(counts[wash]) - count.fair for wash in builds}
    spare = sum(sum((one - count.fair - surplus[wash]) ** 2 for one in counts[wash]) for wash in builds)
    variance = spare / (sum(builds.values()) - len(builds))
    if variance == 0:
        raise BadInput("all builds of a wash time have the same count; that is no table, count again")
    fits = [_fit(surplus, builds, variance, tau) for tau in _TAUS]
    nothing = sum(builds[wash] * surplus[wash] ** 2 for wash in builds) / variance
    least = min(misfit for _, _, misfit in fits)
    first, error = min(fits, key=lambda fit: fit[2])[:2]
    rho, rho_error = first * count.rho_each, error * count.rho_each
    if nothing - least < SEEN:
        at_once = surplus[min(surplus)] * count.rho_each
        return Found(builds, surplus, at_once, sqrt(variance / builds[min(builds)]) * count.rho_each, None, None, None)
    within = [(tau, one) for tau, (one, _, misfit) in zip(_TAUS, fits, strict=True) if misfit <= least + WITHIN_90]
    best = min(zip(_TAUS, fits, strict=True), key=lambda one: one[1][2])[0]
    longest = max(_needed(tau, one * count.rho_each) for tau, one in within)
    wash = None if longest > LONGEST_WASH_S else -int(-longest // ROUNDED_S) * ROUNDED_S
    return Found(builds, surplus, rho, rho_error, best, (within[0][0], within[-1][0]), wash)


def _check_enough(counts: Mapping[int, Sequence[int]]) -> None:
    few = {wash: len(found) for wash, found in counts.items() if len(found) < FEWEST_BUILDS}
    if len(counts) < FEWEST_TIMES:
        raise BadInput(
            f"wash times in the counts: {len(counts)}; {FEWEST_TIMES} are needed, "
            f"each with {FEWEST_BUILDS} builds (40 are better)"
        )
    if few:
        listed = ", ".join(f"{count} after {wash} s" for wash, count in sorted(few.items()))
        raise BadInput(f"too few builds for a claim: {listed}; {FEWEST_BUILDS} of each are needed (40 are better)")


def _fit(
    surplus: Mapping[int, float], builds: Mapping[int, int], variance: float, tau: float
) -> tuple[float, float, float]:
    """The surplus without a wash that fits best if it decays with tau, its standard error, and the misfit left."""
    decay = {wash: exp(-wash / tau) for wash in builds}
    weight = sum(builds[wash] * decay[wash] ** 2 for wash in builds)
    if weight == 0:
        return 0.0, inf, inf
    first = sum(builds[wash] * decay[wash] * surplus[wash] for wash in builds) / weight
    misfit = sum(builds[wash] * (surplus[wash] - first * decay[wash]) ** 2 for wash in builds) / variance
    return first, sqrt(variance / weight), misfit


def _needed(tau: float, rho: float) -> float:
    """The wash in s after which that correlation has decayed to HIDDEN_RHO."""
    return max(0.0, tau * log(abs(rho) / HIDDEN_RHO)) if rho else 0.0
