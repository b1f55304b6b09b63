"""The wall clock that entries, checkpoints and accounts are dated by; simulated tables have times of their own."""

import time


def wall_ms() -> int:
    """Return ms since 1970, UTC."""
    return time.time_ns() // 1_000_000
