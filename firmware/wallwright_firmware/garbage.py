"""When to collect garbage: with everything at rest, or while no head may come home, so that none waits for it.

A collection takes some 6 to 7 ms on an RP2040 (emulated), in which no input is looked at; none is lost, for they are
sampled without the program. A head that comes home meanwhile runs on for so long. In a build there is hardly a second
without a head in its stroke, but most of a stroke is far from home. How much garbage there is nobody can ask without
going through the whole heap, so it is estimated: by the polls, and by the bytes that came from the host and went there.
"""

import gc

from wallwright_protocol.hardware import HEAD, SIDES, drive_bit
from wallwright_protocol.settings import LEAST_STROKE

IDLE_MS = 20
"""With at least this long to the next deadline there is time."""
POLL_BYTES = 24
CARRIED_BYTES = 20
"""What a poll leaves, and what each byte from or to the host does; 19 and 18 were measured in builds on an emulated
RP2040."""
REST_POLL_BYTES = 160
"""The garbage of a poll with no drive on: 130 of those that gather random numbers (emulated)."""
READ_BYTES = 32
"""What a ms with tile readers leaves while drives are on: 17 to 32 were measured in a build on an emulated RP2040."""
REST_BYTES = 8192
"""Bytes after which garbage is collected when everything stands still; four times as many while there is no time."""
HOMING_MS = 20
"""A collection is over within this, with a poll before it and two behind it that see the vane and switch the motor."""
HEAD_BITS = tuple([drive_bit(side, HEAD) for side in range(SIDES)])
HEADS = sum(HEAD_BITS)


class Garbage:
    """What the polls have left. At most `room` bytes may pile up, and with a motor on nearly as many do: a build with a
    host leaves some 3 KB a second, one with all readers 35. While a head may come home nothing is collected before
    that; `settings` say how long a stroke takes at the least."""

    def __init__(self, room: int, settings: "list[int]") -> None:
        self._room = room
        self._settings = settings
        self._bytes = 0
        self._counted_ms = 0
        self._heads = 0
        self._begun_ms = [0] * SIDES

    def after_poll(self, now_ms: int, due: int, drives: int, carried: int, readers: int = 0, left: int = 0) -> None:
        """Collect if it is time. Nothing wants to be polled before `due`; `drives` are on; the poll has taken and given
        `carried` bytes of the host, and has left `left` bytes besides; there are these tile `readers`."""
        self._bytes += (POLL_BYTES if drives else REST_POLL_BYTES) + CARRIED_BYTES * carried + left
        if drives and readers:
            self._bytes += READ_BYTES * (now_ms - self._counted_ms)
        self._counted_ms = now_ms
        if drives & HEADS != self._heads:
            self._see_heads(drives & HEADS, now_ms)
        if not drives:
            enough = REST_BYTES if due > now_ms + IDLE_MS else 4 * REST_BYTES
            is_time = self._bytes >= enough
        else:
            is_time = self._bytes >= self._room - self._room // 4 and not self._may_come_home(now_ms)
        if is_time or self._bytes >= self._room:
            self._bytes = 0
            gc.collect()

    def _see_heads(self, heads: int, now_ms: int) -> None:
        for side in range(SIDES):
            if heads & ~self._heads & HEAD_BITS[side]:
                self._begun_ms[side] = now_ms
        self._heads = heads

    def _may_come_home(self, now_ms: int) -> bool:
        """Say whether a head that is in its stroke may be home before a collection is over."""
        begun_ms = now_ms + HOMING_MS - self._settings[LEAST_STROKE]
        return any([self._heads & HEAD_BITS[side] and self._begun_ms[side] < begun_ms for side in range(SIDES)])
