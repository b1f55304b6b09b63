"""All inputs once a millisecond, whatever the program does meanwhile: a state machine of the PIO, two DMA channels.

- The state machine loads the 74HC165, shifts their 48 bits in as two words of 24, and waits: 1,000 cycles of 1 us.
- DMA puts the words into a ring of 512 samples. Neither needs the CPU, so that a collection loses nothing, nor does a
  flash write that stops it for as long as a sector takes.
- `has_edge` finds the next sample that differs from the one before it; its number in the ring is its time.

A DMA channel ends after COUNT words, some 19 hours; it then starts the other one, which goes on at the same place.
"""

import gc
import time
from array import array

import machine
import rp2
import uctypes

from .pins import PIN_IN_CLOCK, PIN_IN_DATA, PIN_IN_LOAD
from .pio import COUNT, SAMPLES, WORD_BITS, find, sample, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HZ = 1000000
RING_BYTES = 8 * SAMPLES
RING_BITS = 12
"""RING_BYTES is 2^12: DMA wraps an address in its lowest bits, so the ring begins at a multiple of its size."""
PERIOD = COUNT // 2
DREQ_PIO0_RX0 = 4
"""RP2040 datasheet 2.5.3.1, RP2350 datasheet 12.6.4.1."""
DMA_BASE = 0x50000000
CHANNEL_BYTES = 0x40

_AT, _FIRST, _SECOND, _CHANGED, _CHANGED_SECOND, _SEEN, _LOST = range(7)
"""What `_state` holds: the next sample to look at, the two words of the last one, what of them has changed and was not
told yet, the number of that sample, and how many were written over before they were looked at."""

SIZES = 12 * (RING_BYTES,) + (2 * RING_BYTES,)
"""How much memory is taken in turn until a ring fits into it: twice its size always has one."""


def _aligned_ring() -> memoryview:
    """Return RING_BYTES that begin at a multiple of them.

    The heap gives memory from its beginning on, so behind a buffer and a filler up to the next multiple there comes
    one that begins there, if nothing else was put between. Neither of the two is kept.
    """
    gc.collect()  # what small things are put into the holes
    kept = []
    for size in SIZES:
        buffer = bytearray(size)
        start = -uctypes.addressof(buffer) % RING_BYTES
        if start + RING_BYTES <= size:
            break
        kept.append((buffer, bytearray(start)))
    kept.clear()
    gc.collect()
    return memoryview(buffer)[start : start + RING_BYTES]


class Sampler:
    """The wires of the input chain, 0 to 47. `lost` counts samples that nobody looked at in time."""

    def __init__(self, now_ms: "Callable[[], int]") -> None:
        self._ring = _aligned_ring()
        self._machine = rp2.StateMachine(
            0,
            sample,
            freq=HZ,
            set_base=machine.Pin(PIN_IN_LOAD),
            sideset_base=machine.Pin(PIN_IN_CLOCK),
            in_base=machine.Pin(PIN_IN_DATA, machine.Pin.IN),
        )
        self._channels = [rp2.DMA(), rp2.DMA()]
        for at in (1, 0):
            self._start(at)
        self._active = self._registers(0)
        self._waiting = self._registers(1)
        self._state = array("i", [0] * 7)
        self._machine.active(1)
        self._epoch_ms = now_ms()
        time.sleep_ms(2)
        find(self._ring, self._active, self._state)
        self._state[_CHANGED] = self._state[_CHANGED_SECOND] = 0

    @property
    def lost(self) -> int:
        """How many samples were written over before somebody looked at them."""
        return self._state[_LOST]

    @property
    def seen(self) -> int:
        """The number of the sample that was looked at last; it changes with each one, for as long as samples come."""
        return self._state[_AT]

    def has_edge(self) -> bool:
        """Say whether a wire has changed."""
        found = find(self._ring, self._active, self._state)
        if found < 0:
            self._active, self._waiting = self._waiting, self._active
            self._state[_AT] -= PERIOD
            self._epoch_ms += PERIOD
            found = find(self._ring, self._active, self._state)
        return found > 0

    def newest_ms(self) -> int:
        """Return when the newest sample that was looked at was taken, by counting samples."""
        return self._epoch_ms + self._state[_AT]

    def take(self) -> int:
        """Return the next change as its wire, plus 64 when it has gone to 1; only after `has_edge` has said so."""
        return take(self._state)

    def seen_ms(self) -> int:
        """Return when the sample of the last change was taken."""
        return self._epoch_ms + self._state[_SEEN]

    def turn_back(self, by_ms: int) -> None:
        """Go by a clock that shows `by_ms` less."""
        self._epoch_ms -= by_ms

    def level(self, wire: int) -> int:
        """Return the level of a wire in the last sample that was looked at."""
        place = wire % WORD_BITS
        return self._state[_FIRST + wire // WORD_BITS] >> (16 - (place & 24) + (place & 7)) & 1

    def told(self) -> "tuple[int, int]":
        """Return the levels as the edges that were taken have told them, to come back to."""
        state = self._state
        return state[_FIRST] ^ state[_CHANGED], state[_SECOND] ^ state[_CHANGED_SECOND]

    def skip(self) -> None:
        """Pass over all edges so far."""
        while self.has_edge():
            self.take()

    def come_back(self, told: "tuple[int, int]") -> None:
        """Pass over all edges so far; what differs from the levels `told` is an edge again."""
        self.skip()
        self._state[_FIRST], self._state[_SECOND] = told

    def stop(self) -> None:
        """Sample no more, and give the memory of the ring back: the board is about to start anew."""
        self._machine.active(0)
        for channel in self._channels:
            channel.active(0)
        self._ring = memoryview(b"")

    def _start(self, at: int) -> None:
        """Set channel `at` up; the first one starts at once, the other when that has ended, and so on in turns."""
        control = self._channels[at].pack_ctrl(
            size=2,
            inc_read=False,
            inc_write=True,
            ring_sel=True,
            ring_size=RING_BITS,
            treq_sel=DREQ_PIO0_RX0,
            chain_to=self._channels[1 - at].channel,  # type: ignore[attr-defined]
        )
        self._channels[at].config(read=self._machine, write=self._ring, count=COUNT, ctrl=control, trigger=at == 0)

    def _registers(self, at: int) -> int:
        return DMA_BASE + CHANNEL_BYTES * self._channels[at].channel  # type: ignore[attr-defined]
