"""Dice that can be checked: the board commits to a seed before every roll, and reveals it with the dice.

**What happens there.** A seed is drawn from the board's random source, some samples a poll, and tested. A hash of it
goes to the host, before anybody can know the roll; with the roll the seed itself is shown. `wallwright_protocol.dice`
says how the dice follow. The host may add its part to the roll that is committed, once; without it the board rolls
alone, and the event says so.

**Why it has these states.** To roll is possible only between the commitment and the roll. The seed and its commitment
have a poll each, so that none is long. A source that has failed a test is not asked again until somebody has seen that;
people roll dice of their own meanwhile.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.constants import const
from wallwright_protocol.dice import CONTRIBUTION_SIZE, commitment, dice_of
from wallwright_protocol.hardware import MOST_DICE
from wallwright_protocol.machine import Machine

from .entropy import Entropy
from .events import EventRing
from .hal import Hal
from .steps import Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Reply

_NO_CONTRIBUTION = bytes(CONTRIBUTION_SIZE)

GATHERS = const(0)
"""The next seed is drawn and tested."""
SEEDED = const(1)
"""It is there, and nobody knows of it yet."""
COMMITTED = const(2)
"""Its commitment was told; the dice may be rolled."""
FAILED = const(3)
"""The random source has failed."""

DICE = {
    GATHERS: {
        "seed": (SEEDED, "hurry"),
        "refused": (FAILED, "tell_failure"),
    },
    SEEDED: {
        "time": (COMMITTED, "commit"),
        "refused": (FAILED, "tell_failure"),
    },
    COMMITTED: {
        "roll": (GATHERS, "gather"),
        "refused": (FAILED, "tell_failure"),
    },
    FAILED: {
        "clear": (GATHERS, "restart"),
    },
}


class Dice(Machine):
    """The table's dice.

    `number` is that of the last roll since the start, `last` its dice, with 0 for each that was not thrown. `settled`
    is called when a seed has been committed and when the random source has failed, which ends every wait for the next
    dice.
    """

    answers = ("contribute", "get_noise")

    table = DICE

    def __init__(self, hal: Hal, events: EventRing, steps: Steps, settled: "Callable[[], None]") -> None:
        super().__init__(GATHERS)
        self.due = 0
        self.number = 0
        self.last: "tuple[int, ...]" = (0,) * MOST_DICE
        self._contribution = b""
        self._entropy = Entropy(hal)
        self._events = events
        self._steps = steps
        self._settled = settled

    def failed(self) -> bool:
        """Say whether the random source has failed."""
        return self.state == FAILED

    def try_source(self) -> bool:
        """Try the random source, by some samples; say whether it is as it should be."""
        return self._entropy.try_source()

    def refuse(self, now_ms: int) -> None:
        """Refuse the random source, by which nothing is rolled until somebody has seen that."""
        self._entropy.refuse()
        self.happens("refused", now_ms)

    def on_contribute(self, values: "tuple[int, bytes]") -> "Reply":
        """Take the host's part in a roll."""
        return self.contribute(*values), b""

    def on_get_noise(self, _: "tuple[int, ...]") -> "Reply":
        """Return statistics of the random source."""
        return codes.OK, REPLIES[NUMBER_OF["get_noise"]].pack(*self._entropy.figures())

    def take(self, dice: "tuple[int, ...]") -> None:
        """These were not thrown here, and lie on the table all the same."""
        self.last = dice

    def poll(self, now_ms: int) -> None:
        """Gather the next seed, and commit to it as soon as it is there, in a poll of its own."""
        if self.state == SEEDED:
            self.happens("time", now_ms)
            return
        entropy = self._entropy
        entropy.poll(now_ms)
        self.due = entropy.due
        if entropy.failed:
            self.happens("refused", now_ms)
        elif entropy.seed:
            self.happens("seed", now_ms)

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

    def roll(self, now_ms: int, throw: "tuple[int, int, int]", source: int, deal: int) -> int:
        """Make a `throw` (seat, purpose, number of dice) and reveal the seed; return a code, OK when the dice are in
        `last`."""
        code = self._readiness()
        if code != codes.OK:
            return code
        seed = self._entropy.seed
        given = self._contribution
        self.number += 1
        count = throw[2]
        self.last = dice_of(self.number, seed, given, count) + (0,) * (MOST_DICE - count)
        self._steps.add(self._tell, now_ms, throw[:2] + self.last, (source, deal, self.number, seed), given)
        self._contribution = b""
        self.happens("roll", now_ms)
        return codes.OK

    def clear_failure(self, now_ms: int, source: int) -> None:
        """After a failure, test the random source anew; `source` is who asks."""
        self._events.add(now_ms, "fault_cleared", codes.RANDOM_FAILED, source)
        self.happens("clear", now_ms)

    def hurry(self, now_ms: int) -> None:
        self.due = now_ms

    def commit(self, now_ms: int) -> None:
        roll = self.number + 1
        self._events.add(now_ms, "dice_committed", roll, commitment(roll, self._entropy.seed))
        self._settled()

    def gather(self, now_ms: int) -> None:
        self._entropy.gather(now_ms)
        self.due = self._entropy.due

    def restart(self, now_ms: int) -> None:
        self._entropy.restart(now_ms)
        self.due = self._entropy.due

    def tell_failure(self, now_ms: int) -> None:
        self._events.add(now_ms, "fault", codes.RANDOM_FAILED, codes.NO_SIDE, 0, 0)
        self._settled()

    def _tell(self, now_ms: int, thrown: "tuple[int, ...]", made: "tuple[int | bytes, ...]", given: bytes) -> None:
        told = thrown + made + (given or _NO_CONTRIBUTION, 1 if given else 0)
        self._events.add(now_ms, "dice_rolled", *told)

    def _readiness(self) -> int:
        if self.state == FAILED:
            return codes.NO_RANDOM
        return codes.OK if self.state == COMMITTED else codes.NOT_READY
