"""The host's view of a table's life cycle: which state may follow which, by the table that the board goes by.

The table decides; this view follows its events and is checked against its statuses. What does not fit is taken as the
truth and written down in `notes`, because it means that the host has missed something.
"""

from collections import deque
from typing import Final

from wallwright_protocol.codes import FAULT, NOTICE, SERVICE, SEVERITIES, STARTING, WASH_CUT
from wallwright_protocol.names import FAULTS, STATES
from wallwright_protocol.transitions import RESTING, TRANSITIONS

_FOLLOWS: Final = frozenset(
    (STATES[state], STATES[following])
    for state, following in [
        *((state, following) for (state, _), (following, _) in TRANSITIONS.items()),
        *((state, FAULT) for state in range(len(STATES)) if state != FAULT),
        *((state, rest) for state in (STARTING, FAULT, SERVICE) for rest in RESTING),
    ]
)
"""(state, state that may come next)."""
NOTES: Final = 50
_STAYING: Final = frozenset(
    name for fault, name in enumerate(FAULTS) if SEVERITIES[fault] == NOTICE and fault != WASH_CUT
)
"""The notices of what is wrong with a table that goes on; of any other fault a notice says that it is over."""


class Lifecycle:
    """Where one table is in its life cycle; `notes` holds the last NOTES contradictions as sentences, `notice` the name
    and the side of what the table has told of last and goes on with.
    """

    def __init__(self) -> None:
        self.notes: deque[str] = deque(maxlen=NOTES)
        self.notice: tuple[str, int | None] | None = None
        self._seq = 0
        self._awaited = 0
        self._is_known = False
        self._state = STATES[STARTING]

    @property
    def state(self) -> str:
        """The table's state by name; one that this program has no name for is where it is, all the same."""
        return self._state

    def event_seen(self, seq: int, state: str | None = None) -> None:
        """Event number `seq` has come; `state` is the table's new one if it says so."""
        if seq <= self._seq:
            return  # older than the status that this view was set by
        self._seq = seq
        if state is None or state == self.state:
            return
        fits = (self.state, state) in _FOLLOWS
        self._accept(state, "" if fits else f"event {seq} says {state}, which cannot follow {self.state}")

    def notice_seen(self, fault: str, side: int | None) -> None:
        """The table has told of a fault without stopping."""
        if fault in _STAYING:
            self.notice = (fault, side)

    def status_seen(self, newest_event: int, state: str) -> None:
        """A status says that after event number `newest_event` the table is in `state`."""
        if not self._is_known:
            self._is_known = True
            self._seq = newest_event
            self._accept(state)
        elif newest_event == self._seq and state != self.state:
            self._accept(state, f"a status after event {newest_event} says {state}, this view was {self.state}")
        elif newest_event > self._seq and self._seq < self._awaited:
            self._accept(state, f"events up to {self._awaited} did not come; a status says {state}")
            self._seq = newest_event
        elif newest_event > self._seq:
            # The events are still on their way; a status later they should be here.
            self._awaited = newest_event

    def _accept(self, state: str, note: str = "") -> None:
        if note:
            self.notes.append(note)
        self._state = state
