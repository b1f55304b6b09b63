"""What the measures of a cell show: each test with its p and what it could have shown, and a verdict in words.

The level is 1 % for the whole study, by Holm's procedure (Scandinavian Journal of Statistics, 1979): with many tests
some small p is to be expected. A test's power is 80 %.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from .measures import MEASURES

LEVEL = 0.01
POWER = 0.8
FEWEST = 30
"""Below so many walls the normal law, which the tests assume of a mean, is too rough: no verdict is given."""
SMALLEST_P = 1e-9
"""A smaller p is not written: the normal law does not hold so far out."""
SAID = {
    "rho": "tiles that fell first stand towards one end of the walls",
    "first_third": "the third that fell first is not spread evenly",
    "lower": "tiles that fell first lie in one layer",
    "same_side": "tiles come back to the side that pushed them",
    "neighbours": "tiles that fell one after the other stand together",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of one cell: its mean of `n` walls, the mean of fair walls, and the smallest difference that `n`
    walls would have shown in 80 % of studies at the level of a single test.
    """

    measure: str
    n: int
    mean: float
    error: float
    fair: float
    p: float
    smallest: float


def compare(
    values: Mapping[str, NDArray[np.float64]], means: Mapping[str, float | NDArray[np.float64]]
) -> tuple[Comparison, ...]:
    """Compare every measure with `means`, its mean on fair walls: one for all walls, or one a wall."""
    found = []
    for name in MEASURES:
        sample, of_fair = values[name], means[name]
        error = float((sample - of_fair).std(ddof=1)) / sqrt(len(sample)) if len(sample) > 1 else float("nan")
        mean, fair = float(sample.mean()), float(np.mean(of_fair))
        p = float(2 * ndtr(-abs(mean - fair) / error)) if error > 0 else float("nan")
        smallest = float(-(ndtri(LEVEL / 2) + ndtri(1 - POWER)) * error)
        found.append(Comparison(name, len(sample), mean, error, fair, p, smallest))
    return tuple(found)


def comparison_records(tests: Sequence[Comparison], shown: Sequence[bool]) -> list[dict[str, Any]]:
    """Return tests, and whether each shows something, as plain values for report.json."""
    return [
        {
            "measure": test.measure,
            "n": test.n,
            "mean": round(test.mean, 6),
            "se": round(test.error, 6),
            "fair": round(test.fair, 6),
            "p": float(f"{test.p:.3g}"),
            "smallest_effect": round(test.smallest, 6),
            "shown": is_shown,
        }
        for test, is_shown in zip(tests, shown, strict=True)
    ]


def significant(ps: Sequence[float]) -> tuple[bool, ...]:
    """Say of each p whether it is small enough among all of them, by Holm's procedure at LEVEL."""
    found = [False] * len(ps)
    for done, at in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        if not ps[at] <= LEVEL / (len(ps) - done):
            break
        found[at] = True
    return tuple(found)


def verdict(tests: Sequence[Comparison], shown: Sequence[bool], said: Mapping[str, str] = SAID) -> str:
    """Return what the tests of a cell say, as sentences; `said` has by measure what it means when it is shown."""
    n = tests[0].n
    if n < FEWEST:
        return f"No verdict: {n} walls are too few, {FEWEST} are needed."
    found = [
        f"{said[test.measure]} ({test.measure} {test.mean:.3g} instead of {test.fair:.3g}, {_p(test.p)})"
        for test, is_shown in zip(tests, shown, strict=True)
        if is_shown
    ]
    if found:
        return f"In {n} walls, " + "; ".join(found) + "."
    rho = next(test for test in tests if test.measure == "rho")
    return f"No evidence in {n} walls; a correlation above {rho.smallest:.2g} would have shown."


def _p(p: float) -> str:
    return f"p {p:.2g}" if p >= SMALLEST_P else f"p below {SMALLEST_P:g}"


def walls_to_show(rho: float, tiles: int) -> int:
    """Return how many walls of so many tiles show a correlation in 80 % of studies.

    One wall's correlation has the standard deviation 1/sqrt(tiles - 1) when the wall is fair.
    """
    return int(np.ceil(((ndtri(LEVEL / 2) + ndtri(1 - POWER)) / rho) ** 2 / (tiles - 1)))


def power(rho: float, walls: NDArray[np.float64], tiles: int) -> NDArray[np.float64]:
    """Return the share of studies of so many walls each that show a correlation, 0 to 1; see `walls_to_show`."""
    found: NDArray[np.float64] = ndtr(ndtri(LEVEL / 2) + rho * np.sqrt(walls * (tiles - 1)))
    return found
