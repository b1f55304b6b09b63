"""When to collect garbage: after a poll that leaves time for it, and after many polls that did not."""

import gc

IDLE_MS = 20
"""With at least this long to the next deadline there is time: a collection takes some milliseconds on the chip."""
POLLS = 32
"""After so many polls it is time in any case; they leave some 16 KiB on a 32-bit MicroPython. Inputs lose nothing by
it, for their edges are stored with their times."""


class Garbage:
    """What the polls have left."""

    def __init__(self) -> None:
        self._polls = 0

    def after_poll(self, idle_ms: int) -> None:
        """Collect if it is time; `idle_ms` is how long nothing is due."""
        self._polls += 1
        if idle_ms > IDLE_MS or self._polls >= POLLS:
            self._polls = 0
            gc.collect()
