"""The predictors of SP 800-90B that go by what followed the same samples before: multi-MMC and LZ78Y (6.3.9, 6.3.10).

The samples before a place, 1 to 16 of them, are its context. What has followed a context most often is the guess; of
equals it is the greatest symbol.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .counting import Samples
from .predicting import Right, leader_right, prediction

DEPTH = 16
MOST_TRANSITIONS = 100_000
"""Of each depth that multi-MMC keeps."""
MOST_CONTEXTS = 65_536
"""Of all depths together that LZ78Y keeps."""
STEPS = 1 << 20

Ints = npt.NDArray[np.int64]


def multi_mmc(samples: Samples, symbols: int) -> float:
    """6.3.9: a way for each depth of context."""
    first = 2
    right = np.zeros((len(samples) - first, DEPTH), bool)
    for depth, contexts in _contexts(samples, symbols):
        follow = samples[depth:].astype(np.int64)
        pairs = contexts[: len(follow)] * symbols + follow
        weights = _weights(contexts[: len(follow)], pairs, follow, symbols, _is_early(pairs, MOST_TRANSITIONS))
        guessed = (weights > 0) & (weights % symbols == follow)
        right[max(0, depth - first) :, depth - 1] = guessed[max(0, first - depth) :]
    return prediction(leader_right(right[at : at + STEPS] for at in range(0, len(right), STEPS)), symbols)


def lz78y(samples: Samples, symbols: int) -> float:
    """6.3.10: the guess of the context that has been followed most often by one symbol, of equals the longest."""
    first = DEPTH + 1
    count = len(samples)
    kept = _kept_contexts(samples, symbols)
    best = np.zeros(count - first, np.int64)
    guess = np.full(count - first, -1, np.int64)
    for depth, contexts in reversed(list(_contexts(samples, symbols))):
        # The context of the first symbol that is counted ends before it.
        contexts = contexts[DEPTH - depth : count - depth]
        follow = samples[DEPTH:].astype(np.int64)
        weights = _weights(contexts, contexts * symbols + follow, follow, symbols, kept[depth - 1])[1:]
        times, symbol = weights // symbols, weights % symbols
        better = times > best
        best = np.where(better, times, best)
        guess = np.where(better, symbol, guess)
    return prediction(guess == samples[first:], symbols)


def _contexts(samples: Samples, symbols: int) -> Iterator[tuple[int, Ints]]:
    """Yield each depth with the numbers of the contexts that begin at each place, the last one included."""
    number = np.zeros(len(samples) + 1, np.int64)
    size = 1
    for depth in range(1, DEPTH + 1):
        places = len(samples) - depth + 1
        number = number[:places] * symbols + samples[depth - 1 :]
        size *= symbols
        if size > len(samples):
            number = np.unique(number, return_inverse=True)[1]
            size = int(number.max()) + 1
        yield depth, number


def _sorted_by(numbers: Ints) -> Ints:
    """Return the order of numbers, equal ones in the order of time."""
    small = numbers.max(initial=0) < 1 << 16
    return np.argsort(numbers.astype(np.uint16) if small else numbers, kind="stable")


def _begins(ordered: Ints) -> Right:
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])


def _weights(contexts: Ints, pairs: Ints, follow: Ints, symbols: int, is_kept: Right) -> Ints:
    """Return, for each place, what has followed its context most often before: times x symbols + the symbol; or 0.

    `pairs` are contexts with what follows, `is_kept` says which of them are counted.
    """
    order = _sorted_by(pairs)
    begins = np.flatnonzero(_begins(pairs[order]))
    times = np.empty(len(pairs), np.int64)
    times[order] = np.arange(len(pairs)) - np.repeat(begins, np.diff(np.append(begins, len(pairs)))) + 1
    order = _sorted_by(contexts)
    weights = np.where(is_kept, times * symbols + follow, 0)[order]
    begins_here = _begins(contexts[order])
    group = np.cumsum(begins_here)
    above = (len(pairs) + 1) * symbols
    highest = np.maximum.accumulate(weights + group * above) - group * above
    before = np.empty(len(pairs), np.int64)
    before[order[1:]] = highest[:-1]
    before[order[begins_here]] = 0
    return before


def _firsts(numbers: Ints) -> Right:
    """Say which of the numbers have not come before."""
    first = np.zeros(len(numbers), bool)
    order = _sorted_by(numbers)
    first[order[_begins(numbers[order])]] = True
    return first


def _is_early(numbers: Ints, most: int) -> Right:
    """Say which of the numbers are among the `most` different ones that came first."""
    first = _firsts(numbers)
    if first.sum() <= most:
        return np.ones(len(numbers), bool)
    late = np.flatnonzero(first)[most]
    return np.isin(numbers, numbers[:late])


def _kept_contexts(samples: Samples, symbols: int) -> list[Right]:
    """Say, for each depth and each place of LZ78Y, whether its context is in the dictionary by then or ever."""
    listed = [contexts[DEPTH - depth : len(samples) - depth] for depth, contexts in _contexts(samples, symbols)]
    new = np.stack([_firsts(contexts) for contexts in reversed(listed)], axis=1)
    if new.sum() <= MOST_CONTEXTS:
        return [np.ones(len(contexts), bool) for contexts in listed]
    # In the order of time, and at each step the longest first.
    last = int(np.flatnonzero(new.ravel())[MOST_CONTEXTS - 1])
    kept = []
    for depth, contexts in enumerate(listed, start=1):
        steps = last // DEPTH + (last % DEPTH >= DEPTH - depth)
        kept.append(np.isin(contexts, contexts[:steps]))
    return kept
