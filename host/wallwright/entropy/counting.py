"""The estimators of SP 800-90B that count: most common value, collision, Markov, compression (6.3.1 to 6.3.4).

All but the first are for bits. Each returns bits of min-entropy a sample.
"""

import math

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.uint8]

Z = 2.5758293035489008
"""Half-width of an interval of 99 %, in standard deviations; the standard rounds it, NIST's own program does not."""
PATH = 128
"""Bits of the likeliest sequence (6.3.3)."""
BLOCK_BITS = 6
DICTIONARY_BLOCKS = 1000
DEVIATION = 0.5907
"""The standard deviation of the compression statistic, as a share of that of independent terms (6.3.4)."""
NARROW = 1e-14


def upper_bound(share: float, count: int) -> float:
    """Return the upper end of the interval of 99 % about a `share` seen among `count`."""
    return min(1.0, share + Z * math.sqrt(share * (1 - share) / (count - 1)))


def bits(probability: float) -> float:
    """Return the min-entropy of a guess that is right with this probability."""
    return -math.log2(probability) + 0.0  # no -0.0


def most_common_value(samples: Samples) -> float:
    """6.3.1."""
    return bits(upper_bound(int(np.bincount(samples).max()) / len(samples), len(samples)))


def collision(samples: Samples) -> float:
    """6.3.2: how soon a value comes again. Of three bits two are equal, so it takes two samples, or three."""
    equal = (samples[:-1] == samples[1:]).tolist()
    at = count = twos = 0
    last = len(equal)
    while at < last:
        if equal[at]:
            at += 2
            twos += 1
        elif at + 1 < last:
            at += 3
        else:
            break
        count += 1
    mean = 3 - twos / count
    deviation = math.sqrt(twos * (count - twos) / count / (count - 1))
    least = mean - Z * deviation / math.sqrt(count)
    # The mean is 2 + 2 p (1 - p), to which the standard's equation comes down for bits.
    root = 1 - 2 * (least - 2)
    return bits(min(1.0, (1 + math.sqrt(root)) / 2)) if root > 0 else 1.0


def markov(samples: Samples) -> float:
    """6.3.3: the likeliest sequence of 128 bits by the transitions that were seen."""
    ones = int(samples.sum())
    counts = np.bincount(samples[:-1].astype(np.int64) * 2 + samples[1:], minlength=4).reshape(2, 2)
    first = [1 - ones / len(samples), ones / len(samples)]
    begun = counts.sum(axis=1)
    step = [[counts[a, b] / begun[a] if begun[a] else 0.0 for b in (0, 1)] for a in (0, 1)]
    half = PATH // 2
    paths = []
    for a in (0, 1):
        b = 1 - a
        paths.append([(first[a], 1), (step[a][a], PATH - 1)])
        paths.append([(first[a], 1), (step[a][b], half), (step[b][a], half - 1)])
        paths.append([(first[a], 1), (step[a][b], 1), (step[b][b], PATH - 2)])
    return min(1.0, min(sum(_cost(share) * times for share, times in path) for path in paths) / PATH)


def compression(samples: Samples) -> float:
    """6.3.4: how far back the same six bits came last, Maurer's statistic."""
    blocks = len(samples) // BLOCK_BITS
    powers = 1 << np.arange(BLOCK_BITS - 1, -1, -1)
    values = samples[: blocks * BLOCK_BITS].reshape(blocks, BLOCK_BITS) @ powers
    order = np.argsort(values, kind="stable")
    back = np.empty(blocks, np.int64)
    same = values[order[1:]] == values[order[:-1]]
    back[order[0]] = order[0] + 1
    back[order[1:]] = np.where(same, order[1:] - order[:-1], order[1:] + 1)
    logs = np.log2(back[DICTIONARY_BLOCKS:])
    count = len(logs)
    mean = float(logs.mean())
    deviation = DEVIATION * math.sqrt(float(np.square(logs).sum()) / (count - 1) - mean**2)
    least = mean - Z * deviation / math.sqrt(count)
    others = (1 << BLOCK_BITS) - 1
    place = np.arange(1, blocks + 1)
    log_place = np.log2(place)
    times = blocks - np.maximum(place, DICTIONARY_BLOCKS)

    def expected(share: float) -> float:
        """6.3.4, step 7: the part of the mean that comes from a block of this probability."""
        never = np.exp((place - 1) * math.log1p(-share)) if share < 1 else (place == 1).astype(float)
        within = share**2 * float((log_place * never * times).sum())
        first = share * float((log_place * never)[DICTIONARY_BLOCKS:].sum())
        return (within + first) / count

    def excess(share: float) -> float:
        return expected(share) + others * expected((1 - share) / others) - least

    even = 2.0**-BLOCK_BITS
    if excess(even) <= 0:
        return 1.0
    if excess(1.0) >= 0:
        return 0.0
    from scipy.optimize import brentq  # 23 MB, which nothing else here needs

    return bits(float(brentq(excess, even, 1.0, xtol=NARROW))) / BLOCK_BITS


def _cost(share: float) -> float:
    return bits(share) if share > 0 else math.inf
