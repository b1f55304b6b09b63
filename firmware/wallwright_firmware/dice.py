"""Dice that can be checked: the board commits to a seed before every roll, and reveals it with the dice.

`wallwright_protocol.dice` says how the dice follow. The host may add its part to the roll that is committed, once;
without it the board rolls alone, and the event says so.
"""

from wallwright_protocol import codes
from wallwright_protocol.dice import CONTRIBUTION_SIZE, commitment, dice_of

from .entropy import Entropy
from .events import EventRing
from .hal import Hal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NO_CONTRIBUTION = bytes(CONTRIBUTION_SIZE)


class Dice:
    """The table's dice; a device with a deadline.

    `number` is that of the last roll since the start, `last` its dice, (0, 0) before the first. `settled` is called
    when a seed has been committed and when the random source has failed, which ends every wait for the next dice.
    """

    def __init__(self, hal: Hal, events: EventRing, settled: "Callable[[], None]") -> None:
        self.due = 0
        self.number = 0
        self.last = (0, 0)
        self._contribution = b""
        self._is_committed = False
        self._entropy = Entropy(hal)
        self._events = events
        self._settled = settled

    def failed(self) -> bool:
        """Say whether the random source has failed."""
        return self._entropy.failed

    def poll(self, now_ms: int) -> None:
        """Gather the next seed, and commit to it as soon as it is there, in a poll of its own."""
        entropy = self._entropy
        if entropy.seed:
            self.due = entropy.due
            roll = self.number + 1
            self._is_committed = True
            self._events.add(now_ms, "dice_committed", roll, commitment(roll, entropy.seed))
            self._settled()
            return
        entropy.poll(now_ms)
        self.due = entropy.due
        if entropy.failed:
            self._events.add(now_ms, "fault", codes.RANDOM_FAILED, codes.NO_SIDE, 0, 0)
            self._settled()
        elif entropy.seed:
            self.due = now_ms

    def contribute(self, roll: int, contribution: bytes) -> int:
        """Take the host's part in roll number `roll`; return a refusal of `codes.py`."""
        if roll != self.number + 1:
            return codes.BAD_ARGUMENT
        code = self._readiness()
        if code == codes.OK and self._contribution:
            return codes.WRONG_STATE
        if code == codes.OK:
            self._contribution = contribution
        return code

    def roll(self, now_ms: int, seat: int, source: int, deal: int) -> int:
        """Roll for `seat` and reveal the seed; return a code, OK when the dice are in `last`."""
        code = self._readiness()
        if code != codes.OK:
            return code
        seed = self._entropy.seed
        given = self._contribution
        self.number += 1
        self.last = dice_of(self.number, seed, given)
        reveal = (self.number, seed, given or _NO_CONTRIBUTION, 1 if given else 0)
        self._events.add(now_ms, "dice_rolled", seat, *(self.last + (source, deal) + reveal))
        self._contribution = b""
        self._is_committed = False
        self._entropy.gather(now_ms)
        self.due = self._entropy.due
        return codes.OK

    def clear_failure(self, now_ms: int, source: int) -> None:
        """After a failure, test the random source anew; `source` is who asks."""
        self._events.add(now_ms, "fault_cleared", codes.RANDOM_FAILED, source)
        self._entropy.restart(now_ms)
        self.due = self._entropy.due

    def _readiness(self) -> int:
        if self._entropy.failed:
            return codes.NO_RANDOM
        return codes.OK if self._is_committed else codes.NOT_READY
