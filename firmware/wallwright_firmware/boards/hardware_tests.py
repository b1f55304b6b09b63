"""Tests of the hardware of a board with a chip of the port `rp2`: image, memory, clocks. `SelfTests` takes the steps.

- The image is what `make firmware` has built, with a record on the page behind it that has its SHA-256.
- The memory is what the heap gives: BLOCKS times a block, each behind the last one until garbage is collected.
- The clocks are the chip's timer and the PIO that samples the inputs. Both hang on one crystal: how fast that is, only
  another clock can tell.
"""

import hashlib

import uctypes

from wallwright_protocol.codes import CANNOT_TEST, NEVER_TESTED, TEST_CLOCKS, TEST_FAILED, TEST_IMAGE, TEST_PASSED
from wallwright_protocol.constants import const

from .march import march

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .chip import Samples

FLASH = const(0x10000000)
"""RP2040 datasheet 2.6.3, RP2350 datasheet 2.2: the flash as programs see it, through its cache."""
FLASH_END = const(0x10100000)
"""No image is longer."""
PAGE = const(256)
"""A step, which takes some 2 ms with a flash that misses (emulated)."""
MAGIC = b"Wallwright image"
DIGEST = const(28)
DIGEST_END = const(60)
"""The record has the hash of all before it there; `wallwright.board.image` writes it."""
BLOCK = const(256)
BLOCKS = const(128)
BACKGROUNDS = (0, 0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF)
"""By these any two bits of a word differ in one of them at least."""
DRIFT_MS = const(10)
"""Sampler and clock may differ by so much, whatever has kept the program from looking."""


def steps_of(test: int, sampler: "Samples", now_ms: "Callable[[], int]") -> "Iterator[int]":
    """Yield the results of a test: NEVER_TESTED for each step but the last one."""
    if test == TEST_IMAGE:
        return _image()
    return _clocks(sampler, now_ms) if test == TEST_CLOCKS else _memory()


def _image() -> "Iterator[int]":
    """Hash page by page until one is a record."""
    hashed = hashlib.sha256()
    at = FLASH
    while at < FLASH_END:
        page = uctypes.bytearray_at(at, PAGE)
        if page[0] == MAGIC[0] and page[: len(MAGIC)] == MAGIC:
            yield TEST_PASSED if hashed.digest() == bytes(page[DIGEST:DIGEST_END]) else TEST_FAILED
            return
        hashed.update(page)
        at += PAGE
        yield NEVER_TESTED
    yield CANNOT_TEST  # nobody has built it by `make firmware`


def _memory() -> "Iterator[int]":
    for _ in range(BLOCKS):
        block = bytearray(BLOCK)
        for background in BACKGROUNDS:
            if march(block, BLOCK >> 2, background):
                yield TEST_FAILED
                return
        yield NEVER_TESTED
    yield TEST_PASSED


def _clocks(sampler: "Samples", now_ms: "Callable[[], int]") -> "Iterator[int]":
    while sampler.has_edge():  # the sampler stands at an edge until that is taken
        yield NEVER_TESTED
    drift_ms = now_ms() - sampler.newest_ms()
    yield TEST_PASSED if -DRIFT_MS <= drift_ms <= DRIFT_MS else TEST_FAILED
