"""A person at the terminal, who is asked while the table is kept company: a host that waits in silence is given up."""

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

PUMP_MS = 100
GLANCE_S = 0.02
"""Between two looks at the table; a simulated one's time would else run away before the thread has read."""
READ_SIZE = 4096
_ANSWERS = {"y": True, "n": False, "s": None}


class Terminal:
    """Asks by `say` and reads answers from the descriptor `answers`; `wait(ms)` listens to the table meanwhile.

    The end of the input stands for "skip" from then on. A thread reads, from the first question on: not every system
    can say whether something has been typed.
    """

    def __init__(self, answers: int, say: Callable[[str], None], wait: Callable[[int], None]) -> None:
        self._answers = answers
        self._say = say
        self._wait = wait
        self._typed: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read_on, name="answers", daemon=True)
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

    def tell(self, text: str) -> None:
        """Say something that needs no answer."""
        self._say(f"{text}\n")

    def ask(self, question: str) -> str:
        """Ask, and return the line that is typed; q at the end of the input."""
        self._say(question)
        line = self._line()
        return "q" if line is None else line

    def typed(self) -> str | None:
        """Return what has been typed since, without waiting; q at the end of the input."""
        if self._reader.ident is None:
            self._reader.start()
        try:
            data = self._typed.get_nowait()
        except Empty:
            data = None
        if data is not None:
            self._is_over = not data
            self._read += data
        if self._is_over:
            return "q"
        if b"\n" not in self._read:
            return None
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace").strip().lower()[:1] or None

    def _line(self) -> str | None:
        """Return the next line without its end; None when there will be no more."""
        if self._reader.ident is None:
            self._reader.start()
        while b"\n" not in self._read and not self._is_over:
            try:
                data = self._typed.get(timeout=GLANCE_S)
            except Empty:
                self._wait(PUMP_MS)
            else:
                self._is_over = not data
                self._read += data
        if not self._read:
            return None
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _read_on(self) -> None:
        while data := os.read(self._answers, READ_SIZE):
            self._typed.put(data)
        self._typed.put(b"")
