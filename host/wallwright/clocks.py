"""The wall clock that entries, checkpoints and accounts are dated by; simulated tables have times of their own.

A wall clock is set, by people and by the net. What lasts is measured by the machine's own clock beside it, which runs
on from its start, also while it sleeps, and is the same for all programs until the machine is started anew.
"""

import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_MS = 1_000_000
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Reading:
    """All clocks of a machine at one moment: `at_ms` is the wall clock's, ms since 1970, UTC.

    `up_ms` is the time since the machine was started, `asleep_ms` how much of that it slept, `boot` tells this start
    from others. `boot` is empty where a system does not say: then the wall clock is all there is. `zone_min` is by how
    much local time is ahead of UTC.
    """

    at_ms: int
    boot: str = ""
    up_ms: int = 0
    asleep_ms: int = 0
    zone_min: int = 0


class WallClock:
    """The machine's wall clock, called for ms since 1970, UTC; `read` has the other clocks too."""

    def __call__(self) -> int:
        """Return ms since 1970, UTC."""
        return time.time_ns() // _MS

    def read(self) -> Reading:
        """Return what all clocks say now. On Linux; elsewhere the wall clock alone."""
        at_ms, boot = self(), _boot()
        if boot and sys.platform == "linux":
            up_ms, awake_ms = (time.clock_gettime_ns(one) // _MS for one in (time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC))
            zone_min = time.localtime(at_ms // 1000).tm_gmtoff // 60
            return Reading(at_ms, boot, up_ms, max(0, up_ms - awake_ms), zone_min)
        return Reading(at_ms)


wall_ms = WallClock()


def read_clock(now: Callable[[], int]) -> Reading:
    """Return what a clock says, with the machine's own where it is the wall clock; others are believed."""
    return now.read() if isinstance(now, WallClock) else Reading(now())


def lasting_ms(now: Callable[[], int]) -> int:
    """Return ms of a clock that nobody sets, for what lasts while a program runs: the machine's own beside the wall
    clock, any other clock itself.
    """
    if not isinstance(now, WallClock):
        return now()
    # The other systems' runs on while the machine sleeps.
    if sys.platform == "linux" and hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // _MS
    return time.monotonic_ns() // _MS


def _boot() -> str:
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return ""
    try:
        return hashlib.sha256(_BOOT_ID.read_bytes().strip()).hexdigest()[:16]
    except OSError:
        return ""
