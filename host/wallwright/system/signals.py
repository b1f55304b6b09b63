"""How a program that runs until it is told to end is told: Ctrl-C, SIGTERM, and Ctrl-Break or a closed window."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))
"""SIGBREAK is Windows' word for Ctrl-Break and a closed window; SIGTERM is never sent there."""


def leave_to_parent() -> None:
    """Let Ctrl-C, which a terminal sends to all of its programs, end the one that started this one, which ends this."""
    for number in ENDINGS:
        if number != signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def handling(handler: Callable[[int, Any], object]) -> Iterator[None]:
    """Let the signals that end a program call `handler` and nothing else. Only for the main thread."""
    before = [signal.signal(number, handler) for number in ENDINGS]
    try:
        yield
    finally:
        for number, former in zip(ENDINGS, before, strict=True):
            signal.signal(number, former)
