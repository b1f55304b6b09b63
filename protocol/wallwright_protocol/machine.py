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

The look into the table takes no heap, so that it can be done in a stroke.
"""

from .link import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Table = dict[int, dict[str, tuple[int, str]]]


class Machine:
    """One machine: its `state`, and `due`, the time of its event "time" in ms."""

    table: "Table" = {}
    acts: "dict[str, Any]" = {}

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
            self.acts[row[1]](self, now_ms)
        return True


def acts_of(machine: "type[Machine]") -> "dict[str, Any]":
    """Return the acts of a machine's table by name; AttributeError when it lacks one."""
    acts = {}
    for rows in machine.table.values():
        for _, act in rows.values():
            if act:
                acts[act] = getattr(machine, act)
    return acts
