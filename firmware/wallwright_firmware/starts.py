"""Gentle starts: not more motors start at once than their supply bears, and none turns round before it has stood.

**What happens there.** A motor that starts draws START_MA; as it gains speed, that falls to RUN_MA. When six start
together they draw more than the supply gives, and it shuts down. A motor that is driven the other way while it still
turns draws more than one that starts, through a relay that has just begun to open.

**What is done.** Of the drives that are to go on, those of the lowest numbers do at once, as many as the sum allows.
The others wait, and so does a drive until the other direction of its motor has been off for `stand_ms`. What waits is
not on; whoever has switched it on is told how much later it begins. Switching off waits for nothing.

Belts that sort by themselves (`sorting.tides`) turn for single tiles, in less time than a motor needs to stand:
`turn_at_once` are drives that do not wait for that.

The currents are estimates. A motor that something holds draws START_MA for as long as it is on: its fuse ends that.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import (
    CONVEYOR,
    DRIVES,
    LID_OPEN,
    LIFT_RAISE,
    SIDES,
    drive_bit,
)
from wallwright_protocol.settings import HIGHEST, STAND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SUPPLY_MA = const(9800)
"""10 A, without what it makes that a motor is switched some ms sooner or later than is noted here."""
START_MA = const(3000)
RUN_MA = const(625)
SURGE_MA = const(2375)
"""A motor that starts draws so much more than one that runs; half of it is left after HALF_MS: it falls with 60 ms."""
HALF_MS = const(42)
AGAIN_MS = const(100)
"""While so many motors run that no other may start, they are looked at again so often."""

NUMBER_OF_DRIVE = {1 << number: number for number in range(DRIVES)}

_FIRST = sum([drive_bit(side, 0) for side in range(SIDES)])
OPPOSED = LID_OPEN | _FIRST << LIFT_RAISE | _FIRST << CONVEYOR
"""Drives that are never on together with the next bit's, which moves the same thing the other way."""


TURN_BOTH_WAYS = OPPOSED | OPPOSED << 1


def opposite(bit: int) -> int:
    """Return the drive that moves the same thing the other way, 0 for one that turns one way only."""
    return (bit & OPPOSED) << 1 | bit >> 1 & OPPOSED


class Starts:
    """When each drive may start. `next_ms` is when those that wait are to be looked at again; `put_off(drive, by_ms)`
    is told that one begins so much later than was said before."""

    def __init__(self, settings: "list[int]", put_off: "Callable[[int, int], None]") -> None:
        self.next_ms = 0
        self._at_once = 0
        self._settings = settings
        self._put_off = put_off
        self._surge_ma = self._surge_ms = 0
        self._ended_ms = [-HIGHEST[STAND]] * DRIVES
        self._until_ms = [0] * DRIVES

    def turn_at_once(self, bits: int) -> None:
        """These drives turn their motors round without a stand."""
        self._at_once = bits

    def end(self, bits: int, now_ms: int) -> None:
        """These drives are off from now."""
        while bits:
            bit = bits & -bits
            bits ^= bit
            self._ended_ms[NUMBER_OF_DRIVE[bit]] = now_ms

    def begin(self, bits: int, on: int, waiting: int, now_ms: int) -> int:
        """Return which of the drives `bits` start now, when those of `on` run; `waiting` were refused before."""
        started = 0
        room_ma = SUPPLY_MA - SURGE_MA - RUN_MA
        while on:
            on &= on - 1
            room_ma -= RUN_MA
        next_ms = now_ms + AGAIN_MS
        while bits:
            bit = bits & -bits
            bits ^= bit
            drive = NUMBER_OF_DRIVE[bit]
            at_ms = now_ms + self._draws_for(room_ma, now_ms)
            other = opposite(bit & ~self._at_once)
            if other:
                at_ms = max(at_ms, self._ended_ms[NUMBER_OF_DRIVE[other]] + self._settings[STAND])
            if at_ms > now_ms:
                if at_ms < next_ms:
                    next_ms = at_ms
                self._put_off(drive, at_ms - (self._until_ms[drive] if waiting & bit else now_ms))
                self._until_ms[drive] = at_ms
                continue
            started |= bit
            room_ma -= RUN_MA
            self._surge_ma = self._left_ma(now_ms) + SURGE_MA
            self._surge_ms = now_ms
        self.next_ms = next_ms
        return started

    def _left_ma(self, now_ms: int) -> int:
        """Return what earlier starts still draw more than motors that run: a little more than it is."""
        since_ms = now_ms - self._surge_ms
        halves = since_ms // HALF_MS
        if halves > 12:
            return 0
        left_ma = self._surge_ma >> halves
        return left_ma - left_ma * (since_ms - halves * HALF_MS) // (2 * HALF_MS)

    def _draws_for(self, room_ma: int, now_ms: int) -> int:
        """Return for how long earlier starts draw more than `room_ma`."""
        left_ma = self._left_ma(now_ms)
        if room_ma <= 0:
            return AGAIN_MS
        for_ms = 0
        while left_ma > 2 * room_ma:
            left_ma >>= 1
            for_ms += HALF_MS
        if left_ma > room_ma:
            for_ms += (2 * HALF_MS * (left_ma - room_ma) + left_ma - 1) // left_ma
        return for_ms
