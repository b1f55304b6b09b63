"""What other threads want done with a table: it waits here for the thread that keeps the table."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..errors import JournalError, LinkError, NotConnected
from ..table.table import Table
from .port import Stopped

Action = Callable[[Table], Any]


class Calls:
    """Calls to the table called `name`, in their order. Any thread puts some in; only one answers and refuses them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: deque[tuple[Action, Future[Any]]] = deque()
        self._lock = threading.Lock()
        self._is_closed = False

    def put(self, action: Action) -> "Future[Any]":
        """Return the future of `action(table)`: NotConnected when the table is away, or was given up."""
        future: Future[Any] = Future()
        with self._lock:
            if self._is_closed:
                future.set_exception(NotConnected(self._name, "this program has given it up"))
            else:
                self._waiting.append((action, future))
        return future

    def answer(self, table: Table) -> None:
        """Do all that waits. What ends the connection, or the thread, is raised here too."""
        while self._waiting:
            action, future = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(action(table))
            except (LinkError, JournalError, Stopped) as error:
                future.set_exception(error)
                raise
            except Exception as error:  # noqa: BLE001 (whoever called gets it; the table is followed all the same)
                future.set_exception(error)

    def refuse(self, why: str) -> None:
        """Do nothing of what waits."""
        while self._waiting:
            _, future = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                future.set_exception(NotConnected(self._name, why))

    def close(self, why: str) -> None:
        """Refuse what waits, and all that comes."""
        with self._lock:
            self._is_closed = True
        self.refuse(why)
