"""What the predictors of SP 800-90B share, and two of them: most common in window, and lag (6.3.7, 6.3.8).

A predictor has several ways to guess the next sample, and takes at each step the guess of the way that was right most
often so far. Here all guesses of a way are computed at once, and who leads at each step follows from when each was
right.
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from .counting import NARROW, Samples, bits, upper_bound

WINDOWS = (63, 255, 1023, 4095)
LAGS = 128
CELLS = 1 << 20
"""So many cells of a table are computed at a time."""
LEVEL = 0.99
NEVER_RIGHT = 0.01
TERMS = 10
"""Steps in which the root of 6.3.7, step 7 settles, as the standard has it."""

Right = npt.NDArray[np.bool_]


def most_common_in_window(samples: Samples, symbols: int) -> float:
    """6.3.7: the most frequent of the last 63, 255, 1,023 or 4,095 samples; of equals the one that came last."""
    return prediction(leader_right(_window_guesses(samples, symbols)), symbols)


def lag(samples: Samples, symbols: int) -> float:
    """6.3.8: the sample of 1 to 128 samples ago."""
    return prediction(leader_right(_lag_guesses(samples)), symbols)


def prediction(right: Right, symbols: int) -> float:
    """Return the min-entropy by which guesses were right: in all, in the longest run, or by luck (6.3.7, 5 to 8)."""
    count = len(right)
    hits = int(right.sum())
    overall = upper_bound(hits / count, count) if hits else 1 - NEVER_RIGHT ** (1 / count)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], right, [False]]).astype(np.int8)))
    run = int((edges[1::2] - edges[::2]).max(initial=0)) + 1
    return bits(max(overall, _run_share(run, count), 1 / symbols))


def leader_right(tables: Iterable[Right]) -> Right:
    """Return at which steps the leading way was right, from tables of steps and ways, in the order of time.

    The lead goes to each way that is right and then has been right at least as often as the one that leads.
    """
    found = []
    scores: npt.NDArray[np.int32] | None = None
    leader = best = 0
    for table in tables:
        steps, ways = table.shape
        if scores is None:
            scores = np.zeros(ways, np.int32)
        now = np.cumsum(table, axis=0, dtype=np.int32)
        now += scores
        scores = now[-1].copy()
        values = np.where(table, now, 0).ravel()
        highest = np.maximum(np.maximum.accumulate(values), best)
        takes = table.ravel() & (values >= highest)
        best = int(highest[-1])
        last = np.maximum.accumulate(np.where(takes, np.arange(steps * ways, dtype=np.int64), -1))[ways - 1 :: ways]
        after = np.where(last < 0, leader, last % ways)
        leading = np.concatenate([[leader], after[:-1]])
        found.append(table[np.arange(steps), leading])
        leader = int(after[-1])
    return np.concatenate(found)


def _lag_guesses(samples: Samples) -> Iterator[Right]:
    # What was before the first sample is none.
    before = np.concatenate([np.full(LAGS, -1, np.int16), samples.astype(np.int16)])
    chunk = CELLS // LAGS
    for begin in range(1, len(samples), chunk):
        end = min(len(samples), begin + chunk)
        rows = np.lib.stride_tricks.sliding_window_view(before[begin : end + LAGS - 1], LAGS)[:, ::-1]
        yield rows == samples[begin:end, None]


def _window_guesses(samples: Samples, symbols: int) -> Iterator[Right]:
    count = len(samples)
    most = max(WINDOWS)
    chunk = max(2 * most, CELLS // symbols)
    none = np.zeros((symbols, 1), np.int32)
    for begin in range(WINDOWS[0], count, chunk):
        end = min(count, begin + chunk)
        start = max(0, begin - most)
        piece = samples[start:end]
        here = piece == np.arange(symbols, dtype=np.uint8)[:, None]
        # Of the samples before each place of the piece: how many there are of each value, and where the last one is.
        sums = np.concatenate([none, np.cumsum(here, axis=1, dtype=np.int32)], axis=1)
        last = np.maximum.accumulate(
            np.concatenate([none, here * np.arange(1, len(piece) + 1, dtype=np.int32)], axis=1), axis=1
        )
        table = np.zeros((end - begin, len(WINDOWS)), bool)
        for way, window in enumerate(WINDOWS):
            places = np.arange(max(begin - start, window), end - start)
            if len(places):
                weight = (sums[:, places] - sums[:, places - window]) * (len(piece) + 1) + last[:, places]
                table[places[0] - (begin - start) :, way] = weight.argmax(axis=0) == piece[places]
        yield table


def _run_share(run: int, count: int) -> float:
    """Return how likely a guess is right when `count` of them have no run of `run` with a probability of 99 %."""

    def excess(share: float) -> float:
        root = 1.0
        for _ in range(TERMS):
            root = 1 + (1 - share) * share**run * root ** (run + 1)
        above, below = 1 - share * root, (run + 1 - run * root) * (1 - share)
        if above <= 0 or below <= 0:
            return -math.inf
        return math.log(above / below) - (count + 1) * math.log(root) - math.log(LEVEL)

    low, high = 0.0, 1.0
    while high - low > NARROW:
        middle = (low + high) / 2
        try:
            likely = excess(middle) > 0
        except OverflowError:
            likely = False
        if likely:
            low = middle
        else:
            high = middle
    return high
