"""The estimators of SP 800-90B that look for what comes again: t-tuple and longest repeated substring (6.3.5, 6.3.6).

Both rest on the lengths that neighbours in the sorted list of all suffixes have in common.
"""

import numpy as np
import numpy.typing as npt

from .counting import Samples, bits, upper_bound

OFTEN = 35
"""A tuple that comes at least so often is one for the t-tuple estimator, rarer ones are for the other."""
KEY_BITS = 62

Ints = npt.NDArray[np.int64]


def tuple_estimates(samples: Samples, symbols: int) -> tuple[float, float | None]:
    """Return the t-tuple estimate and the one by the longest repeated substring, of samples of 0 to `symbols` - 1.

    The second is None when nothing comes again that is longer than what comes often. ValueError below 36 samples.
    """
    most, pairs = repeats(samples, symbols)
    count = len(samples)
    lengths = np.arange(1, len(most) + 1)
    places = count - lengths + 1
    often = int((most >= OFTEN).sum())
    if not often:
        raise ValueError(f"{count} samples: no value comes {OFTEN} times")
    shares = (most / places) ** (1 / lengths)
    first = bits(upper_bound(float(shares[:often].max()), count))
    if often == len(most):
        return first, None
    shares = (pairs / (places * (places - 1) / 2)) ** (1 / lengths)
    return first, bits(upper_bound(float(shares[often:].max()), count))


def repeats(samples: Samples, symbols: int) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Return, for each length from 1 up to that of the longest tuple that comes twice, how often the most frequent
    tuple comes, and how many pairs of equal tuples there are."""
    common = common_lengths(samples, symbols)
    longest = int(common.max(initial=0))
    most = [0] * (longest + 2)
    pairs = [0] * (longest + 2)
    # Intervals of suffixes that have a length in common, from the stack of those that are still open.
    lengths, begins = [0], [0]
    for at, length in enumerate([*common.tolist(), 0]):
        begin = at
        while lengths[-1] > length:
            closed = lengths.pop()
            begin = begins.pop()
            size = at - begin + 1
            if size > most[closed]:
                most[closed] = size
            both = size * (size - 1) // 2
            pairs[closed] += both
            pairs[max(lengths[-1], length)] -= both
        if lengths[-1] < length:
            lengths.append(length)
            begins.append(begin)
    # A tuple comes at least as often as any that begins with it.
    down = np.maximum.accumulate(np.array(most, np.int64)[::-1])[::-1]
    return down[1 : longest + 1], np.cumsum(np.array(pairs, np.float64)[::-1])[::-1][1 : longest + 1]


def common_lengths(samples: Samples, symbols: int) -> Ints:
    """Return how many samples each suffix and the next one in sorted order have in common, by prefix doubling."""
    count = len(samples)
    width = symbols.bit_length()  # 0 stands for the end, which is smaller than any sample
    step = KEY_BITS // width
    keys = np.zeros(count + step, np.int64)
    padded = np.concatenate([samples.astype(np.int64) + 1, np.zeros(2 * step, np.int64)])
    for at in range(step):
        keys = keys << width | padded[at : at + len(keys)]
    keys = keys[:count]
    levels = []
    order = np.argsort(keys)
    rank = _ranks(keys, order)
    length = step
    while int(rank.max()) + 1 < count:
        levels.append((length, rank))
        behind = np.zeros(count, np.int64)
        behind[: max(0, count - length)] = rank[length:] + 1
        both = rank * (count + 1) + behind
        order = np.argsort(both)
        rank = _ranks(both, order)
        length *= 2
    left, right = order[:-1].copy(), order[1:].copy()
    common = np.zeros(count - 1, np.int64)
    for length, rank in reversed(levels):
        inside = np.maximum(left, right) < count
        equal = inside & (rank[np.minimum(left, count - 1)] == rank[np.minimum(right, count - 1)])
        shared = np.where(equal, length, 0)
        common += shared
        left += shared
        right += shared
    inside = np.maximum(left, right) < count
    differ = keys[np.minimum(left, count - 1)] ^ keys[np.minimum(right, count - 1)]
    differ[~inside] = -1
    more = np.zeros(count - 1, np.int64)
    part = 1 << (step - 1).bit_length()
    while part:
        wider = more + part
        fits = wider <= step
        shift = np.where(fits, (step - wider) * width, 0)
        more = np.where(fits & (differ >> shift == 0), wider, more)
        part >>= 1
    return common + more


def _ranks(keys: Ints, order: Ints) -> Ints:
    rank = np.empty(len(keys), np.int64)
    ordered = keys[order]
    rank[order] = np.concatenate([[0], np.cumsum(ordered[1:] != ordered[:-1])])
    return rank
