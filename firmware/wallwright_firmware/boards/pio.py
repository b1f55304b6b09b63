"""The parts of the sampler that are written in languages of their own: the PIO's assembler, and viper.

Their names (`pins`, `side`, `ptr32` and so on) are those of the two compilers; no other tool knows them.
"""

import micropython
import rp2
from micropython import const

WORD_BITS = 24
_LAST = const(511)
"""One less than SAMPLES."""
_KEPT = const(508)
"""As many samples are safe from being written over while the program reads them."""
_COUNT = const(1 << 27)
SAMPLES = 512
"""In the ring, a power of two: half a second, longer than a sector takes to be erased (400 ms at the worst)."""
COUNT = _COUNT
"""Words that a DMA channel carries; a multiple of the ring's, and below the 2^28 of an RP2350."""


@rp2.asm_pio(
    set_init=rp2.PIO.OUT_HIGH,
    sideset_init=rp2.PIO.OUT_LOW,
    in_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopush=True,
    push_thresh=WORD_BITS,
)
def sample() -> None:
    """SET is the load pin, the side-set pin the clock, IN the data. 3 + 2 * (1 + 24 * 2 + 1) + 1 + 32 * 28 = 1,000."""
    wrap_target()
    set(pins, 0).side(0)  # the levels go in
    set(pins, 1).side(0)  # and stay; the first one is at the output
    set(y, 1).side(0)
    label("word")
    set(x, 23).side(0)
    label("bit")
    in_(pins, 1).side(0)
    jmp(x_dec, "bit").side(1)  # a rising edge brings the next one
    jmp(y_dec, "word").side(0)
    set(x, 31).side(0)
    label("rest")
    nop().side(0)[13]
    jmp(x_dec, "rest").side(0)[13]
    wrap()


@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def pulses() -> None:
    """A word is one pulse and as many more as its lowest six bits say. 14 + 13 + 1 = 28 steps are one."""
    pull(block)
    out(x, 6)
    label("pulse")
    set(pins, 1)[13]
    set(pins, 0)[12]
    jmp(x_dec, "pulse")


@micropython.viper
def find(ring: ptr32, channel: ptr32, state: ptr32) -> int:
    """Go to the next sample that differs, unless one is there that was not told wholly: 1 when there is one, 0 when
    there is none, -1 when the channel has ended and the other one goes on."""
    if int(state[3]) | int(state[4]):
        return 1
    left = int(channel[2])
    if left == 0:
        return -1
    written = (_COUNT - left) >> 1
    at = int(state[0])
    if written - at > _KEPT:
        state[6] = int(state[6]) + written - _KEPT - at
        at = written - _KEPT
    first = int(state[1])
    second = int(state[2])
    while at < written:
        place = (at & _LAST) << 1
        now = int(ring[place])
        now_second = int(ring[place + 1])
        if (now ^ first) | (now_second ^ second):
            state[0] = at + 1
            state[1] = now
            state[2] = now_second
            state[3] = now ^ first
            state[4] = now_second ^ second
            state[5] = at
            return 1
        at += 1
    state[0] = at
    return 0


@micropython.viper
def take(state: ptr32) -> int:
    """Return a change of the last sample that was not told yet, as its wire and 64 for a level of 1."""
    word = 3
    if int(state[3]) == 0:
        word = 4
    changed = int(state[word])
    state[word] = changed & (changed - 1)
    bit = 0
    while (changed >> bit) & 1 == 0:
        bit += 1
    level = (int(state[word - 2]) >> bit) & 1
    # The first byte on the wire is the highest of a word.
    return (word - 3) * 24 + 16 - (bit & 24) + (bit & 7) + (level << 6)
