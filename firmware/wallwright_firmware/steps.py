"""What an act still has to do: a step a poll, so that no poll is long.

A key that begins a build is told of, then its meaning is found and the state changes, then the plan is latched; all at
once that takes a board 8 ms (emulated). A fault switches all off and is told of at once; that lanes, lifts and panels
follow takes a dozen polls. Until the last step is done nothing else is: no input settles that can wait, no device has
its turn, nothing is stored, switched on or sent; what is switched off is off with the next step. So a power loss
between two steps is one before the act.

Meanwhile edges are taken and hold drives back, and the emergency stop settles. A host that floods the line with frames
gets a request carried out as well, which finds the state in which the act has begun. Either may have ended in a fault:
a step looks whether it still applies.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Steps:
    """The steps that wait, in the order in which they are done; none does when `waiting` is empty, one and the same
    list for good."""

    def __init__(self) -> None:
        self.waiting: "list[tuple[Callable[..., Any], tuple[Any, ...]]]" = []

    def add(self, do: "Callable[..., Any]", *values: "Any") -> None:
        """Let `do(*values)` follow."""
        self.waiting.append((do, values))

    def do_one(self) -> None:
        """Do the next step. What it adds comes before those that waited for it, as if it had been done in it."""
        waiting = self.waiting
        do, values = waiting.pop(0)
        waited = len(waiting)
        do(*values)
        for _ in range(waited):
            waiting.append(waiting.pop(0))
