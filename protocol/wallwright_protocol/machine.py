"""Machines as tables: which event leads from which state to which, and what is done then.

A machine is a subclass of `Machine` with a `table`, which stands at the top of its module:

    GATE = {
        CLOSED: {"key": (OPENING, "open")},
        OPENING: {"time": (OPEN, "rest"), "key": (CLOSED, "")},
    }

In the state CLOSED the event "key" leads to OPENING, and the method `open` is called; where the name is empty, nothing
is. An event without a row in the present state does nothing. All machines have these rules in common:

- The state changes first, then the act is done: what it sets off, a fault above all, finds the machine where it is.
- A state lasts until an event ends it. `due` is when the event "time" comes by itself; whoever enters a state sets it.
- A machine is given its owner when it is made, and tells it by calling its methods.

The look into the table takes no heap, so that it can be done in a stroke. An act is looked up in the class, for a
method of the machine itself would be put on the heap.
"""

NEVER = 1 << 62
"""A deadline that does not come: later than any clock here runs; a board's small integers end at 12 days."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    Table = dict[int, dict[str, tuple[int, str]]]


class Machine:
    """One machine: its `state`, and `due`, the time of its event "time" in ms."""

    table: "Table" = {}

    def __init__(self, state: int) -> None:
        self.state = state
        self.due = NEVER

    def happens(self, event: str, now_ms: int) -> bool:
        """Follow the table; False when `event` does nothing in the present state."""
        row = self.table[self.state].get(event)
        if row is None:
            return False
        self.state = row[0]
        self.due = NEVER
        if row[1]:
            getattr(type(self), row[1])(self, now_ms)
        return True

    def put_off(self, by_ms: int) -> None:
        """Move the deadline: what was to begin now begins so much later."""
        if self.due is not NEVER:
            self.due += by_ms
