"""Debounce: a level counts once it has been steady for some ms.

- Told of raw edges with their times, in order; late delivery loses nothing, because the times decide.
- Reports a change once, with the time of its edge.
- Tells of each raw edge at once those who must not wait for it to settle.
- Wakes only while an input is settling.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.hardware import EMERGENCY_STOP, INPUTS
from wallwright_protocol.link import NEVER
from wallwright_protocol.settings import DEBOUNCE

from ..hal import Hal

AT_ONCE = const(4)
"""As many edges are taken in a poll: one takes a board 0.4 ms (emulated), and a switch that chatters brings more
meanwhile."""
EDGES = 16
"""Changes that the board remembers for a host that asks later; a table at work has some 30 a second."""
NONE = const(255)
"""No input."""
EDGE_LEVEL = 6
"""The bit of a remembered change that holds the level; those below hold the number of the input."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _nobody(*_: int) -> None:
    """Nobody is told."""


class Inputs:
    """All inputs of the table; `steady[number]` is the debounced level.

    `hurry(number, level)` is told of raw edges as they are taken, `settled(number)` when one has become steady; all
    edges before `taken_ms` have been taken. `newest_edge` counts changes, modulo 65,536; change n is
    `edges[n % EDGES]`, and `edge_times` when it began, in ms.
    """

    def __init__(self, hal: Hal, changed: "Callable[[int, int, int], None]", settings: list[int]) -> None:
        self.due = NEVER
        self.taken_ms = 0
        self.steady = bytearray(INPUTS)
        self.newest_edge = 0
        self.edges = bytearray(EDGES)
        self.edge_times = [0] * EDGES
        self.hurry: "Callable[[int, int], None]" = _nobody
        self.settled: "Callable[[int], None]" = _nobody
        self._hal = hal
        self._changed = changed
        self._settings = settings
        self._packed = bytearray((INPUTS + 7) // 8)
        self._raw = bytearray(INPUTS)
        self._since = [0] * INPUTS
        self._settling: list[int] = []
        self._found = NONE
        self.start()

    def start(self) -> None:
        """Take every level as it is, without a word to anybody."""
        self.due = NEVER
        self._settling.clear()
        self._found = NONE
        for number in range(INPUTS):
            self._raw[number] = self._hal.level(number)
            self._set(number)

    def take_levels(self, first: int, count: int) -> None:
        """Take the levels of so many inputs as they are, without a word of what changes by that."""
        for number in range(first, first + count):
            if number in self._settling:
                self._settling.remove(number)
            if number == self._found:
                self._found = NONE
            self.settled(number)
            self._raw[number] = self._hal.level(number)
            self._set(number)

    def tell_changes(self, changed: "Callable[[int, int, int], None]") -> None:
        """Tell `changed` of every input that has become steady at another level."""
        self._changed = changed

    def tell(self, hurry: "Callable[[int, int], None]", settled: "Callable[[int], None]") -> None:
        """Tell these of raw edges, and of inputs that have become steady."""
        self.hurry = hurry
        self.settled = settled

    def take_edges(self, now_ms: int) -> bool:
        """Take the oldest AT_ONCE raw edges; say whether there were any. More of them wait for the next call."""
        hal = self._hal
        settling = self._settling
        since = self._since
        debounce_ms = self._settings[DEBOUNCE]
        found = False
        for _ in range(AT_ONCE):
            if not hal.next_edge():
                break
            found = True
            number = hal.edge_input
            level = hal.edge_level
            at_ms = hal.edge_ms
            if number not in settling:
                settling.append(number)
            elif at_ms - since[number] >= debounce_ms:
                self._settle(number)
            self.hurry(number, level)
            self._raw[number] = level
            since[number] = at_ms
            due = at_ms + debounce_ms
            if self.due is NEVER or due < self.due:
                self.due = due
        else:
            now_ms = at_ms
        self.taken_ms = now_ms
        return found

    def poll(self, now_ms: int) -> None:
        """Find the first that has become steady; the next call reports it, and the one after that looks for another."""
        found = self._found
        if found != NONE:
            self._settling.remove(found)
            self.due = now_ms if self._settling else NEVER
            self._settle(found)
            return
        due = NEVER
        debounce_ms = self._settings[DEBOUNCE]
        for number in self._settling:
            at_ms = self._since[number] + debounce_ms
            if at_ms <= now_ms:
                self._found = number
                due = now_ms
                break
            if at_ms < due:
                due = at_ms
        self.due = due

    def settle_stop(self, now_ms: int) -> bool:
        """Report the emergency stop if it has become steady, which waits for nothing; say whether it has."""
        if EMERGENCY_STOP not in self._settling or now_ms < self._since[EMERGENCY_STOP] + self._settings[DEBOUNCE]:
            return False
        self._settling.remove(EMERGENCY_STOP)
        self._settle(EMERGENCY_STOP)
        return True

    def since(self, number: int) -> int:
        """Return when the newest raw edge of an input came, in ms: for a key that is held, when it was pressed."""
        return self._since[number]

    def packed(self) -> bytes:
        """Return the steady levels, input n as bit n % 8 of byte n // 8, six bytes."""
        return bytes(self._packed)

    def _set(self, number: int) -> None:
        """Take the raw level of an input as its steady one."""
        self.steady[number] = self._raw[number]
        bit = 1 << (number & 7)
        if self._raw[number]:
            self._packed[number >> 3] |= bit
        else:
            self._packed[number >> 3] &= ~bit

    def _settle(self, number: int) -> None:
        level = self._raw[number]
        if number == self._found:
            self._found = NONE
        self.settled(number)
        if level != self.steady[number]:
            self._set(number)
            newest = self.newest_edge = (self.newest_edge + 1) & 0xFFFF
            newest %= EDGES
            self.edges[newest] = number | level << EDGE_LEVEL
            self.edge_times[newest] = self._since[number]
            self._changed(number, level, self._since[number])
