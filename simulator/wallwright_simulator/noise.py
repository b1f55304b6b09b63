"""Random sources for a simulated board: a good one, and the ways in which one fails.

A source is called with the virtual time in ms and the number of samples wanted; it returns that many raw bytes, or
fewer when it does not deliver.
"""

import random
from collections.abc import Callable

Noise = Callable[[int, int], bytes]

DIES_AT_MS = 60_000
"""When the source called `dying` falls silent."""
FAVOUR = 0.75
"""How often the source called `biased` gives its favourite byte; it then has 0.4 bits of min-entropy a sample."""
PERIOD = 64
"""Samples after which the source called `repeating` starts again."""


def good(seed: int) -> Noise:
    """Eight independent, even bits a sample."""
    source = random.Random(f"noise {seed}")
    return lambda _, count: source.randbytes(count)


def stuck(value: int = 0xFF) -> Noise:
    """The same byte for ever: an oscillator that stands still."""
    return lambda _, count: bytes([value]) * count


def biased(seed: int, favour: float = FAVOUR, byte: int = 0x55) -> Noise:
    """`byte` with probability `favour`, else any byte."""
    source = random.Random(f"biased noise {seed}")
    return lambda _, count: bytes([byte if source.random() < favour else source.randrange(256) for _ in range(count)])


def skewed(seed: int, one: float) -> Noise:
    """Every bit a 1 with probability `one`."""
    source = random.Random(f"skewed noise {seed}")
    return lambda _, count: bytes([sum((source.random() < one) << bit for bit in range(8)) for _ in range(count)])


def sticky(seed: int, same: float) -> Noise:
    """Every bit as the one before with probability `same`, and as many ones as zeros: an oscillator that is read too
    often. A bit has -log2(same) bits of min-entropy then."""
    source = random.Random(f"sticky noise {seed}")
    bit = source.getrandbits(1)

    def draw(_: int, count: int) -> bytes:
        nonlocal bit
        samples = bytearray()
        for _ in range(count):
            sample = 0
            for _ in range(8):
                bit ^= source.random() >= same
                sample = sample << 1 | bit
            samples.append(sample)
        return bytes(samples)

    return draw


def dead() -> Noise:
    """Nothing at all."""
    return lambda _now_ms, _count: b""


def dying(source: Noise, at_ms: int = DIES_AT_MS) -> Noise:
    """As `source` until `at_ms`, nothing from then on."""
    return lambda now_ms, count: source(now_ms, count) if now_ms < at_ms else b""


def repeating(seed: int, period: int = PERIOD) -> Noise:
    """The same `period` bytes over and over: an oscillator in step with the clock that samples it."""
    pattern = random.Random(f"pattern {seed}").randbytes(period)
    at = 0

    def draw(_: int, count: int) -> bytes:
        nonlocal at
        start, at = at, (at + count) % period
        return (pattern * (count // period + 2))[start : start + count]

    return draw


NAMED: dict[str, Callable[[int], Noise]] = {
    "good": good,
    "stuck": lambda _: stuck(),
    "biased": biased,
    "sticky84": lambda seed: sticky(seed, 0.84),
    "sticky95": lambda seed: sticky(seed, 0.95),
    "dead": lambda _: dead(),
    "dying": lambda seed: dying(good(seed)),
    "repeating": repeating,
}
"""Name, as in `sim://?noise=stuck`, -> how to make that source from a seed."""
