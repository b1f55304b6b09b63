"""The wash: before a set is built the disc mixes it, alone.

**What happens there.** The set fell in as people swept it together, and what fell first lies outermost. It would be
caught first too, and stand at the right ends of the walls; the longer the disc turns before the ring brings the first
tile, the less is left of that. A prescribed wall stands as it was drawn however the set was mixed, so its set is not
washed, and a wash that has begun ends when the prescription is there. Lanes, heads and ring rest, so nothing is counted
meanwhile. Somebody who does not want to wait has it cut short.

**Why it has these states.** A wash that is cut short counts for as long as it was; one that a fault ends, or the power,
counts for nothing, and the next one begins anew. What the disc did not turn does not count either: a disc that sticks
is started again by the drum, and the wash lasts longer by that.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.machine import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .drivers.drum import Drum
    from .owners import WashOwner

RESTS = const(0)
"""Nothing is washed."""
WASHES = const(1)
"""The disc turns, or rests for a moment because it was stuck."""

WASH = {
    RESTS: {
        "start": (WASHES, "turn"),
    },
    WASHES: {
        "done": (RESTS, "tell"),
        "cut": (RESTS, "rest"),
        "stop": (RESTS, "stand"),
    },
}


class Wash(Machine):
    """A device with a deadline: the wash in progress, or the last one; it tells `owner`."""

    table = WASH

    def __init__(self, drum: "Drum", owner: "WashOwner") -> None:
        super().__init__(RESTS)
        self._drum = drum
        self._owner = owner
        self._latched_s = 0
        self._washed_s = 0

    def start(self, now_ms: int, wash_s: int) -> bool:
        """Wash the set in the drum for so long, or go on as it was latched; `washed` is then told. False when it is
        not to be washed, or no longer."""
        if not wash_s:
            self.cut(now_ms)
            return False
        if self.state == RESTS:
            self._latched_s = wash_s
            self._washed_s = 0
        self.happens("start", now_ms)
        return True

    def cut(self, now_ms: int) -> bool:
        """Cut a wash short; say whether there was one."""
        return self.happens("cut", now_ms)

    def stop(self, now_ms: int) -> bool:
        """Stand still, and forget what was washed; say whether there was a wash."""
        self._washed_s = 0
        return self.happens("stop", now_ms)

    def taken_s(self) -> int:
        """Return for how many whole seconds the set in the drum was washed, and count it for one build only."""
        washed_s, self._washed_s = self._washed_s, 0
        return washed_s

    def poll(self, now_ms: int) -> None:
        """The disc has turned for long enough; or it is stuck, or starts again."""
        self._drum.poll(now_ms)
        if self.state != WASHES:
            return
        if now_ms >= self._drum.alone_until(self._latched_s * 1000):
            self.happens("done", now_ms)
        else:
            self._set_due()

    def turn(self, now_ms: int) -> None:
        self._drum.begin(now_ms, True)
        self._set_due()

    def rest(self, now_ms: int) -> None:
        self._drum.rest(now_ms)
        self._washed_s = min(self._drum.turned_ms // 1000, self._latched_s)

    def tell(self, now_ms: int) -> None:
        self.rest(now_ms)
        self._owner.washed()

    def stand(self, now_ms: int) -> None:
        self._drum.rest(now_ms)

    def _set_due(self) -> None:
        # A vane that comes moves the drum's deadline; then this one comes too early, and is found anew.
        self.due = min(self._drum.due, self._drum.alone_until(self._latched_s * 1000))
