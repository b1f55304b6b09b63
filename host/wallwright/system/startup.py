"""The wait for a database server that is still starting: after a power cut it comes up later than the programs that
use it, and may have to recover first.

A program says once that it waits, and whom it tells; a library does not wait unasked. From the first answer on nobody
waits any more: a server that goes while tables are operated has to be told at once.
"""

import time
from collections.abc import Callable

from ..errors import JournalUnreachable

LIMIT_S = 60
"""A server that has not answered by then needs somebody."""
EVERY_S = 0.5
TOLD_EVERY_S = 10


class Startup:
    """Which servers have answered this program, and how it waits for the others: not at all until `begin`."""

    def __init__(self) -> None:
        self._tell: Callable[[str], None] | None = None
        self._answered: set[str] = set()

    def begin(self, tell: Callable[[str], None]) -> None:
        """Wait from now on, as a program that has just been started; `tell` gets a line now and then."""
        self._tell = tell
        self._answered.clear()

    def end(self) -> None:
        """Do not wait any more."""
        self._tell = None

    def wait_for(self, server: str, knock: Callable[[], None]) -> None:
        """Call `knock` until it does not raise JournalUnreachable, for LIMIT_S at the most; that is raised then.

        What else it raises is an answer, too.
        """
        if self._tell is None or server in self._answered:
            return
        end = time.monotonic() + LIMIT_S
        told = 0.0
        while (problem := _problem(knock)) is not None:
            now = time.monotonic()
            if now >= end:
                raise problem
            if not told or now >= told + TOLD_EVERY_S:
                said = f"{problem}; " if not told else f"{server}: "
                self._tell(f"{said}waiting for it, {end - now:.0f} s at the most; Ctrl-C ends this")
                told = now
            time.sleep(EVERY_S)
        self._answered.add(server)
        if told:
            self._tell(f"{server}: the server answers")


def _problem(knock: Callable[[], None]) -> JournalUnreachable | None:
    try:
        knock()
    except JournalUnreachable as problem:
        return problem
    return None


STARTUP = Startup()
"""This program's."""
