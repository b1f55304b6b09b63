"""A machine whose wall clock is set while programs run."""

import time
from pathlib import Path

import pytest

from wallwright import clocks


class Machine:
    """A machine whose wall clock may be set, and that may sleep or be started anew; times are in s."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.wall_s = 1_700_000_000
        self.up_s = 5000
        self.asleep_s = 0
        self._boot_id = folder / "boot_id"
        self.start_anew(0)
        real = time.clock_gettime_ns
        of = {time.CLOCK_BOOTTIME: lambda: self.up_s, time.CLOCK_MONOTONIC: lambda: self.up_s - self.asleep_s}
        patch.setattr(clocks, "_BOOT_ID", self._boot_id)
        patch.setattr(time, "time_ns", lambda: self.wall_s * 10**9)
        patch.setattr(time, "clock_gettime_ns", lambda one: of[one]() * 10**9 if one in of else real(one))

    def passes(self, seconds: int) -> None:
        self.wall_s += seconds
        self.up_s += seconds

    def sleeps(self, seconds: int) -> None:
        self.passes(seconds)
        self.asleep_s += seconds

    def start_anew(self, off_s: int) -> None:
        self.wall_s += off_s
        self.up_s, self.asleep_s = 60, 0
        self._boot_id.write_text(f"boot at {self.wall_s}\n")
