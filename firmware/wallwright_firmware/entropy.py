"""Seeds from the board's noise: raw samples, tested as NIST SP 800-90B asks, then conditioned with SHA-256.

Samples come in windows of 512. A window passes three tests before anything is made of it:

- repetition count (SP 800-90B 4.4.1): no sample comes REPETITIONS times in a row, across windows too;
- adaptive proportion (4.4.2): the first sample of a window comes fewer than PROPORTION times in it;
- recurrence (our own, as 4.5 allows): the first PHRASE samples of a window do not come in it again. A ring oscillator
  can fall into step with the clock that samples it, and then repeats itself without any one value being too frequent.

After the start two windows are tested and thrown away (4.3). Every later window gives one seed. A source that fails a
test, or takes longer than WINDOW_LIMIT_MS over a window, has failed until somebody calls `restart`.

These tests see a source that fails, not one that decays: so the ones among the bits of the windows that have passed,
and the changes from one bit to the next, are counted as well. They raise no alarm, but can be asked for.
"""

import hashlib
import struct

from wallwright_protocol.link import NEVER

from .hal import Hal

MIN_ENTROPY = 1
"""Bits of min-entropy in a sample of eight bits that are claimed: one eighth of what a perfect source has.

The maker states no figure for the ring oscillator. `boards/rp2.py` reads it directly, and this claim leaves a factor of
eight for bias and for bits that depend on each other; it is to be confirmed on every kind of board by an assessment of
raw samples (SP 800-90B 3.1). Everything below follows from it.
"""
FALSE_ALARM_BITS = 30
"""A good source fails one test with a probability of 2^-30 at the most: the alpha of SP 800-90B 4.4."""
REPETITIONS = 31
"""1 + ceil(FALSE_ALARM_BITS / MIN_ENTROPY), SP 800-90B 4.4.1."""
WINDOW = 512
"""Samples, SP 800-90B 4.4.2 for sources that are not binary; with MIN_ENTROPY twice the 256 bits of a seed."""
PROPORTION = 325
"""1 + the smallest c with P(X > c) <= 2^-30, where X counts WINDOW events of probability 2^-MIN_ENTROPY (4.4.2)."""
PHRASE = 40
"""Samples; one of the up to 472 later places of a window matches with 472 x 2^-40 < 2^-31 by MIN_ENTROPY."""
START_WINDOWS = 2
"""1,024 samples, SP 800-90B 4.3."""
CHUNK = 8
"""Samples a poll: 0.8 ms of an RP2040's time (emulated)."""
ROUND = 16
"""Samples in CHUNK_EVERY_MS, in polls that follow each other at once."""
CHUNK_EVERY_MS = 25
"""Long enough for `main.py` to collect garbage in between."""
WINDOW_LIMIT_MS = 3000
"""A window takes 800 ms from a source that delivers."""
BOOT_SAMPLES = 64
BLOCK = 64
"""Windows: 262,144 bits, whose share of ones has a standard error of 0.1 %."""
ONES = b"\0\1\1\2\1\2\2\3\1\2\2\3\2\3\3\4"
"""Ones in four bits."""


def draw_boot_id(hal: Hal, boots: int) -> int:
    """Return a number of 1 to 2^32 - 1 that tells this start from others.

    The noise for it is not yet tested; `boots`, the starts so far, still makes a difference when there is none.
    """
    drawn = hashlib.sha256(hal.noise(BOOT_SAMPLES) + struct.pack("<I", boots)).digest()
    return int.from_bytes(drawn[:4], "little") or 1


class Entropy:
    """Gathers one seed at a time, a few samples a poll.

    - `seed` is the newest one, b"" while the next is gathered; `gather` throws it away and starts that.
    - `failed` says that there will be none: the source was silent, or a test has refused it.

    A round's bits are counted in a poll of its own before the next round is due. A full window is tested in a poll of
    its own too, and made into a seed in the next one, so that none of them is long.
    """

    def __init__(self, hal: Hal) -> None:
        self._hal = hal
        self._window = bytearray(WINDOW)
        self._windows = self._ones = self._changes = self._last_ones = self._last_changes = 0  # of windows that passed
        self.restart(0)

    def restart(self, now_ms: int) -> None:
        """Test the source anew, from the start-up test on."""
        self.failed = False
        self._windows_left = START_WINDOWS
        self._last = -1
        self._run = 0
        self.gather(now_ms)

    def gather(self, now_ms: int) -> None:
        """Begin a new seed."""
        self.seed = b""
        self.due = self._round_due = now_ms + CHUNK_EVERY_MS
        self._filled = 0
        self._is_tested = False
        self._counted = self._window_ones = self._window_changes = 0
        self._limit = NEVER

    def figures(self) -> "tuple[int, ...]":
        """Return windows of the block of BLOCK that is under way, their ones and their changes, and both of the last
        block that was full; a window has 4,096 bits, so 4,095 places for a change."""
        return self._windows, self._ones, self._changes, self._last_ones, self._last_changes

    def try_source(self) -> bool:
        """Draw samples that nobody uses, and carry on the repetition count with them; False when the source does not
        deliver, or has failed."""
        samples = self._hal.noise(CHUNK)
        return len(samples) == CHUNK and not self.failed and not self._repeats(samples)

    def refuse(self) -> None:
        """There will be no seed from this source, unless it is tested anew."""
        self.failed = True
        self.seed = b""
        self.due = NEVER

    def poll(self, now_ms: int) -> None:
        """Draw the next samples, or go on with a window that is full."""
        if self._filled - self._counted >= ROUND:
            self._count_bits()
            self.due = now_ms if self._filled == WINDOW else self._round_due
            return
        if self._filled == WINDOW:
            if self._is_tested:
                self._end_window(now_ms)
            else:
                self._test_window(now_ms)
            return
        if self._filled == 0 and self._limit == NEVER:
            self._limit = now_ms + WINDOW_LIMIT_MS
        samples = self._hal.noise(min(CHUNK, WINDOW - self._filled))
        filled = self._filled
        self._filled = filled + len(samples)
        goes_on = self._filled % ROUND and len(samples) == CHUNK
        self._round_due = now_ms + CHUNK_EVERY_MS
        self.due = now_ms if goes_on or self._filled - self._counted >= ROUND else self._round_due
        self._window[filled : self._filled] = samples
        if self._repeats(samples) or now_ms >= self._limit:
            self.refuse()

    def _repeats(self, samples: bytes) -> bool:
        """Carry on the repetition count; say whether it has reached its bound."""
        last = self._last
        run = self._run
        for sample in samples:
            if sample == last:
                run += 1
                if run >= REPETITIONS:
                    return True
            else:
                last = sample
                run = 1
        self._last = last
        self._run = run
        return False

    def _count_bits(self) -> None:
        """Count the next round's ones and changes; the bits of a sample come highest first."""
        window = self._window
        at = self._counted
        before = window[at - 1] if at else window[0] >> 7
        self._counted = at + ROUND
        while at < self._counted:
            sample = window[at]
            changed = (sample >> 1 | before << 7 & 128) ^ sample
            self._window_ones += ONES[sample >> 4] + ONES[sample & 15]
            self._window_changes += ONES[changed >> 4] + ONES[changed & 15]
            before = sample
            at += 1

    def _test_window(self, now_ms: int) -> None:
        window = bytes(self._window)
        if window.count(window[:1]) >= PROPORTION or window.find(window[:PHRASE], 1) >= 0:
            self.refuse()
            return
        self._windows += 1
        self._ones += self._window_ones
        self._changes += self._window_changes
        if self._windows == BLOCK:
            self._last_ones, self._last_changes = self._ones, self._changes
            self._windows = self._ones = self._changes = 0
        if self._windows_left:
            self._windows_left -= 1
            self.gather(now_ms)
        else:
            self._is_tested = True

    def _end_window(self, now_ms: int) -> None:
        self.gather(now_ms)
        self.seed = hashlib.sha256(self._window).digest()
        self.due = NEVER
