"""What all estimators of SP 800-90B say of a file of samples, and what its restart test says of a file of restarts.

The samples are one a byte. A sample of several bits is assessed as it is, and its bits one after the other, highest
first (3.1.3); the smallest estimate counts.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import bdtrc

from ..errors import BadInput
from ..system.disk import read_whole
from .contexts import lz78y, multi_mmc
from .counting import Samples, collision, compression, markov, most_common_value
from .predicting import lag, most_common_in_window
from .tuples import tuple_estimates

NEEDED = 1_000_000
"""Samples in a row (3.1.1), and of all restarts together (3.1.4)."""
MOST = 2_000_000
"""Samples of a file at the most: memory and time grow with them."""
RESTARTS = 1000
"""Rows of the restart matrix, and samples of each."""
FALSE_ALARM = 0.01
"""Of the sanity check of 3.1.4.3, over all rows and columns."""

AS_BITS = "bits"
AS_SAMPLES = "samples"

Progress = Callable[[str, int, int], None]
"""Hears what begins, and how many of how many estimators are done."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bits of min-entropy by one estimator, of a sample or of a bit; None where it does not apply to these samples."""

    name: str
    of: str
    bits: float | None


@dataclass(frozen=True, slots=True)
class Assessment:
    """`samples` of `width` bits that have `symbols` different values. `h_bitstring` is None for samples of one bit."""

    samples: int
    width: int
    symbols: int
    estimates: tuple[Estimate, ...]
    h_original: float
    h_bitstring: float | None

    @property
    def assessed(self) -> float:
        """Bits of min-entropy a sample: the H_I of 3.1.3, but for what a maker claims."""
        return min(self.h_original, math.inf if self.h_bitstring is None else self.width * self.h_bitstring)


@dataclass(frozen=True, slots=True)
class RestartTest:
    """What 3.1.4 says: the most frequent value comes `most` times in a row or a column, with `chance` for so many.

    `rows` and `columns` are bits of min-entropy a sample, None when the sanity check has failed.
    """

    initial: float
    most: int
    chance: float
    rows: float | None
    columns: float | None

    @property
    def problem(self) -> str:
        """Why no entropy is awarded, "" when it is."""
        if self.rows is None or self.columns is None:
            return f"one value comes {self.most} times in a row or a column: restarts resemble each other"
        if min(self.rows, self.columns) < self.initial / 2:
            return "rows or columns have less than half of the initial estimate"
        return ""

    @property
    def assessed(self) -> float:
        """Bits of min-entropy a sample that are awarded."""
        if self.rows is None or self.columns is None or self.problem:
            return 0.0
        return min(self.rows, self.columns, self.initial)


def read_samples(path: Path, width: int) -> Samples:
    """Return the samples of a file. BadInput when it cannot be read, is too short, or has any of more than `width`
    bits."""
    try:
        data = np.frombuffer(read_whole(path, MOST), np.uint8)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}; name a file of wallwright entropy capture") from error
    if len(data) < NEEDED:
        raise BadInput(f"{path} has {len(data):,} samples, and the standard needs {NEEDED:,}: capture the rest")
    if int(data.max()) >> width:
        raise BadInput(f"{path} has the sample {int(data.max())}, which is not of {width} bits: give another --bits")
    return data


def assess(samples: Samples, width: int, progress: Progress = lambda *_: None) -> Assessment:
    """Run all estimators of 6.3; an estimator of pure bits only on bits."""
    values, dense = np.unique(samples, return_inverse=True)
    if len(values) == 1:
        return Assessment(len(samples), width, 1, (), 0.0, None)
    work = list(_estimators(dense.astype(np.uint8), len(values), AS_SAMPLES))
    if width > 1:
        work += _estimators(np.unpackbits(samples[:, None], axis=1)[:, -width:].ravel(), 2, AS_BITS)
    found: list[Estimate] = []
    for done, (names, of, run) in enumerate(work):
        progress(f"{names[0]} of {of}", done, len(work))
        found += [Estimate(name, of, value) for name, value in zip(names, run(), strict=True)]
    progress("done", len(work), len(work))
    least = {
        of: min((each.bits for each in found if each.of == of and each.bits is not None), default=None)
        for of in (AS_SAMPLES, AS_BITS)
    }
    original = least[AS_SAMPLES]
    assert original is not None
    return Assessment(len(samples), width, len(values), tuple(found), original, least[AS_BITS])


def restart_test(samples: Samples, width: int, initial: float, progress: Progress = lambda *_: None) -> RestartTest:
    """Test restarts, one after the other in `samples`, against the initial estimate of the same source (3.1.4).

    The sanity check takes for granted as many values of the greatest probability as there can be, which is what the
    corrected standard asks for; it adds up their chances.
    """
    table = samples[: RESTARTS * RESTARTS].reshape(RESTARTS, RESTARTS)
    most = max(int(np.bincount(line).max()) for matrix in (table, table.T) for line in matrix)
    share = 2.0**-initial
    chance = min(1.0, math.floor(1 / share) * float(bdtrc(most - 1, RESTARTS, share)))
    if chance < 1 - (1 - FALSE_ALARM) ** (1 / (2 * RESTARTS)):
        return RestartTest(initial, most, chance, None, None)
    awarded = []
    for name, matrix in (("rows", table), ("columns", table.T)):

        def tell(what: str, done: int, of: int, name: str = name) -> None:
            progress(f"{name}: {what}", done, of)

        awarded.append(assess(np.ascontiguousarray(matrix).ravel(), width, tell).assessed)
    return RestartTest(initial, most, chance, *awarded)


def _estimators(
    samples: Samples, symbols: int, of: str
) -> Iterator[tuple[tuple[str, ...], str, Callable[[], tuple[float | None, ...]]]]:
    yield ("most common value",), of, lambda: (most_common_value(samples),)
    if symbols == 2:
        yield ("collision",), of, lambda: (collision(samples),)
        yield ("Markov",), of, lambda: (markov(samples),)
        yield ("compression",), of, lambda: (compression(samples),)
    yield ("t-tuple", "longest repeated substring"), of, lambda: tuple_estimates(samples, symbols)
    yield ("most common in window",), of, lambda: (most_common_in_window(samples, symbols),)
    yield ("lag",), of, lambda: (lag(samples, symbols),)
    yield ("multi-MMC",), of, lambda: (multi_mmc(samples, symbols),)
    yield ("LZ78Y",), of, lambda: (lz78y(samples, symbols),)
