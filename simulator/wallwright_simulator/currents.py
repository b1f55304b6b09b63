"""The current of the motors over time, from the log of their drives.

A motor that starts draws START_A; that falls with FALLS_MS to RUN_A, which it then draws for as long as it is on. These
are estimates and nothing measured: RUN_A from motors of 15 W at 24 V, START_A from a comparable motor that stands
still. A motor that is driven against its own motion, and one that something holds, draw more than is said here.
"""

from collections.abc import Iterator, Sequence
from math import exp

from wallwright_protocol.hardware import DRIVES

START_A = 3.0
RUN_A = 0.625
FALLS_MS = 60
SUPPLY_A = 10.0
"""The supply of the motors gives so much at 24 V."""

NEVER_ON = -1


def current_a(for_ms: int) -> float:
    """Return what a motor draws that has been on for so long."""
    return RUN_A + (START_A - RUN_A) * exp(-for_ms / FALLS_MS)


def spans(log: Sequence[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield each time of a drive log (`World.drive_log`) with when each drive that is on then was switched on,
    NEVER_ON for those that are off."""
    since = [NEVER_ON] * DRIVES
    for at_ms, mask in log:
        for drive in range(DRIVES):
            if not mask >> drive & 1:
                since[drive] = NEVER_ON
            elif since[drive] == NEVER_ON:
                since[drive] = at_ms
        yield at_ms, since


def sum_a(since: Sequence[int], at_ms: int) -> float:
    """Return what all motors draw together at `at_ms`, when each is on since then."""
    return sum(current_a(at_ms - from_ms) for from_ms in since if from_ms != NEVER_ON)


def highest_a(log: Sequence[tuple[int, int]]) -> float:
    """Return the most that all motors draw together: it is drawn when one has just been switched on."""
    return max([sum_a(since, at_ms) for at_ms, since in spans(log)], default=0.0)
