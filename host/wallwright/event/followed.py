"""The event of a server as its journal has it: one state, which the hall's walls and the console's pages read.

A turn at the desk has a state of its own (`store.EventTurns`): what it changes is known to nobody until it is on disk.
"""

import threading
from collections.abc import Callable, Collection
from itertools import islice

from ..journal import Entry, read_journal
from ..journal.places import JournalPath
from ..journal.rows import CHECKPOINT
from .state import EventState
from .store import EVENT_KINDS

BATCH = 500
"""Entries that are taken under one lock; who reads waits for some milliseconds."""


class FollowedEvent:
    """Follows the journal at `path`, in which there may be an event. Any thread may use it.

    `take(entry)` is called with each entry of the kinds in `also`, after the state has taken it.
    """

    def __init__(
        self, path: JournalPath, also: Collection[str] = (), take: Callable[[Entry], None] = lambda _: None
    ) -> None:
        self._path = path
        self._also = frozenset(also)
        self._take = take
        self.last = 0
        """The last entry that was taken."""
        self.state = EventState()
        self.checkpoints: tuple[Entry, ...] = ()
        self.still = threading.RLock()
        """Who holds it keeps the state as it is, so that much can be made of it while others read; `look` waits."""
        self.lock = threading.Lock()
        """Who holds it may read the state; the state changes under both."""

    def look(self) -> None:
        """Take what has been written since. Raises what `read_journal` does; what was read before that is kept."""
        with self.still:
            written = read_journal(self._path, self.last, (*EVENT_KINDS, CHECKPOINT, *self._also))
            while entries := tuple(islice(written, BATCH)):
                with self.lock:
                    self.state.apply_all(entries)
                self.checkpoints += tuple(entry for entry in entries if entry.kind == CHECKPOINT)
                for entry in entries:
                    if entry.kind in self._also:
                        self._take(entry)
                self.last = entries[-1].id
