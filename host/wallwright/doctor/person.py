"""A person at the terminal, who is asked while the table is kept company: a host that waits in silence is given up."""

import os
import select
from collections.abc import Callable

PUMP_MS = 100
READ_SIZE = 4096
_ANSWERS = {"y": True, "n": False, "s": None}


class Terminal:
    """Asks by `say` and reads answers from the descriptor `answers`; `wait(ms)` listens to the table meanwhile.

    The end of the input stands for "skip" from then on.
    """

    def __init__(self, answers: int, say: Callable[[str], None], wait: Callable[[int], None]) -> None:
        self._answers = answers
        self._say = say
        self._wait = wait
        self._read = b""
        self._is_over = False

    def agrees(self, question: str) -> bool | None:
        """Ask until the answer is y, n or s; None for s."""
        while True:
            self._say(f"{question} [y]es, [n]o, [s]kip: ")
            line = self._line()
            if line is None:
                return None
            word = line.strip().lower()[:1]
            if word in _ANSWERS:
                return _ANSWERS[word]

    def does(self, task: str) -> bool | None:
        """Ask for something to be done after Enter; None when it is skipped."""
        self._say(f"{task} [Enter] when you are there, [s]kip: ")
        line = self._line()
        return None if line is None or line.strip().lower().startswith("s") else True

    def _line(self) -> str | None:
        """Return the next line without its end; None when there will be no more."""
        while b"\n" not in self._read and not self._is_over:
            if select.select([self._answers], [], [], 0)[0]:
                data = os.read(self._answers, READ_SIZE)
                self._is_over = not data
                self._read += data
            else:
                self._wait(PUMP_MS)
        if not self._read:
            return None
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace")
