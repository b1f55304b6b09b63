"""Keys that stay pressed: each is told of once, for nobody sees that it does nothing any more."""

from wallwright_protocol.codes import KEY_STUCK
from wallwright_protocol.hardware import CLAIM_KEY_0, LIFT_KEY, REFEREE_KEY, SIDES, input_number
from wallwright_protocol.link import NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .inputs import Inputs

STUCK_MS = 30000
"""Nobody holds a key for so long. After a start so much time passes too until the keys are looked at."""


class Keys:
    """A device with a deadline; `notice(fault, side, tries)` is told of a key that is stuck."""

    def __init__(self, inputs: "Inputs", notice: "Callable[[int, int, int], None]") -> None:
        self.due = STUCK_MS
        self._inputs = inputs
        self._notice = notice
        self._told: "set[int]" = set()

    def pressed(self, number: int, now_ms: int) -> None:
        """The key that is this input was pressed, so it had been released before."""
        self._told.discard(number)
        if self.due == NEVER:
            self.due = now_ms + STUCK_MS

    def poll(self, now_ms: int) -> None:
        """Look at the keys that are pressed."""
        self.due = NEVER
        for side in range(SIDES):
            for kind in range(LIFT_KEY, REFEREE_KEY + 1):
                self._look(input_number(side, kind), side, now_ms)
            self._look(CLAIM_KEY_0 + side, side, now_ms)

    def _look(self, number: int, side: int, now_ms: int) -> None:
        if not self._inputs.steady[number] or number in self._told:
            return
        at_ms = self._inputs.since(number) + STUCK_MS
        if at_ms > now_ms:
            self.due = min(self.due, at_ms)
        else:
            self._told.add(number)
            self._notice(KEY_STUCK, side, 0)
