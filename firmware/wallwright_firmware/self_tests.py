"""Tests of a board by itself while the table rests: one test after the other, a small step a poll.

A round begins FIRST_MS after the start, ROUND_MS after the one before it, and when a host asks for one. It waits while
the table works. Of the emergency stop's input only a person can show that it works: the setting `stop_test_h` says how
often one has to.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import INPUTS
from wallwright_protocol.settings import STOP_TEST
from wallwright_protocol.transitions import RESTING

from .hal import SELF_TEST_SLOT
from .safety import HELD_BY, LEVEL, interlocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .commands import Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.panel import Panel
    from .hal import Hal
    from .safety import Outputs

FIRST_MS = const(60000)
"""The start is over by then, the first dice are committed to, and the line has found its readers."""
ROUND_MS = const(600000)
STEP_MS = const(10)
"""Between two steps: time for all else."""
WAIT_MS = const(1000)
"""A table that works is looked at again after so long."""
STORE_EVERY_MS = const(86400000)
HOUR_MS = const(3600000)
OLDEST_MS = const(1 << 29)
"""Older results are shown as six days old, so that times stay small integers."""
NOISE_STEPS = const(8)
_KEPT = const(-1)
"""Result of a test that is not due: the one that it has stays."""
LEFT_BYTES = const(160)
WROTE_BYTES = const(2560)
BLOCK_BYTES = const(416)
"""Garbage that a step leaves. On the emulated RP2040 it was 144 bytes at the most, 2,448 of one that writes to the
flash; a block of memory that is tested has 256."""
PLACES = const(16)
"""Tests in a reply to get_self_tests."""


class SelfTests:
    """The tests and their results. A device with a deadline: its next step."""

    answers = ("get_self_tests", "run_self_tests")

    def __init__(
        self, hal: "Hal", cycle: "Cycle", outputs: "Outputs", panel: "Panel", dice: "Dice", settings: "list[int]"
    ) -> None:
        self.due = 0
        self._has_started = False
        self._hal = hal
        self._cycle = cycle
        self._outputs = outputs
        self._panel = panel
        self._dice = dice
        self._settings = settings
        self._test = codes.NO_TEST
        self._step = self._saves = 0
        self._rows: "Iterator[tuple[int, int, int]] | None" = None
        self._steps: "Iterator[int] | None" = None
        self._allowing = bytearray(INPUTS)
        self._results = bytearray(codes.SELF_TESTS)
        self._done_ms = [0] * codes.SELF_TESTS
        self._has_levels = self._is_pressed = False

    def poll(self, now_ms: int) -> None:
        """Go on with the round by one step, while the table rests."""
        if not self._has_started:
            self._has_started = True
            self.due = now_ms + FIRST_MS
            return
        if not self._rests():
            self.due = now_ms + WAIT_MS
            return
        if self._test == codes.NO_TEST:
            self._begin(0)
        self.due = now_ms + STEP_MS
        test = self._test
        result = self._go_on(now_ms)
        self._hal.note_garbage(_left_by(test, result))
        self._step += 1
        if result == codes.NEVER_TESTED:
            return
        if result != _KEPT:
            self._judge(test, result, now_ms)
        if test + 1 < codes.TEST_STOP_INPUT:
            self._begin(test + 1)
        else:
            self._test = codes.NO_TEST
            has_failed = codes.TEST_FAILED in bytes(self._results)
            self.due = now_ms + (WAIT_MS if has_failed else ROUND_MS)

    def stop_changed(self, level: int) -> None:
        """The emergency stop was pressed, or released: its input has shown both levels."""
        if self._is_pressed and not level:
            self._judge(codes.TEST_STOP_INPUT, codes.TEST_PASSED, self._cycle.now_ms)
        self._is_pressed = level != 0

    def wants_stop(self) -> bool:
        """Say whether a build from rest has to wait until somebody has pressed the emergency stop; ask for it then."""
        cycle = self._cycle
        hours = self._settings[STOP_TEST]
        if cycle.state != codes.IDLE or not hours:
            return False
        is_tested = self._results[codes.TEST_STOP_INPUT] == codes.TEST_PASSED
        if is_tested and cycle.now_ms - self._done_ms[codes.TEST_STOP_INPUT] < hours * HOUR_MS:
            return False
        self._panel.say("STOP?")
        return True

    def turn_back(self, by_ms: int) -> None:
        """The clock shows `by_ms` less."""
        for test in range(codes.SELF_TESTS):
            self._done_ms[test] = max(self._done_ms[test] - by_ms, -OLDEST_MS)

    def on_get_self_tests(self, _: "tuple[int, ...]") -> "Reply":
        """Return the results, and how old they are."""
        ages = [0] * PLACES
        for test in range(codes.SELF_TESTS):
            if self._results[test] in (codes.TEST_PASSED, codes.TEST_FAILED):
                ages[test] = min(self._cycle.now_ms - self._done_ms[test], OLDEST_MS) // 1000
        told = bytes(self._results) + bytes(PLACES - codes.SELF_TESTS)
        return codes.OK, REPLIES[NUMBER_OF["get_self_tests"]].pack(codes.SELF_TESTS, self._test, *told, *ages)

    def on_run_self_tests(self, _: "tuple[int, ...]") -> "Reply":
        """Begin a round now."""
        if self._test != codes.NO_TEST or not self._rests():
            return codes.WRONG_STATE, b""
        self._begin(0)
        self.due = self._cycle.now_ms
        return codes.OK, b""

    def _rests(self) -> bool:
        state = self._cycle.state
        return (state in RESTING or state == codes.FAULT) and not self._outputs.mask

    def _begin(self, test: int) -> None:
        self._test = test
        self._step = 0
        self._rows = self._steps = None

    def _judge(self, test: int, result: int, now_ms: int) -> None:
        """Keep what has become of a test. One that has failed stops the table; without noise it has no dice, and plays
        on."""
        self._results[test] = result
        self._done_ms[test] = now_ms
        if result != codes.TEST_FAILED:
            return
        if test == codes.TEST_NOISE:
            self._dice.refuse(now_ms)
        elif self._cycle.state != codes.FAULT:
            self._cycle.fail(codes.SELF_TEST_FAILED, codes.NO_SIDE, test, 0)

    def _go_on(self, now_ms: int) -> int:
        """Do the next step of the test under way; return its result, NEVER_TESTED while it has none."""
        test = self._test
        if test == codes.TEST_INTERLOCKS:
            return self._interlocks()
        if test == codes.TEST_NOISE:
            if not self._dice.try_source():
                return codes.TEST_FAILED
            return codes.TEST_PASSED if self._step == NOISE_STEPS - 1 else codes.NEVER_TESTED
        if test == codes.TEST_STORE:
            return self._store(now_ms)
        if self._steps is None:
            self._steps = self._hal.self_test(test)
        return next(self._steps)

    def _interlocks(self) -> int:
        """Ask for a drive with one input as it may not be, a row a step. First, once, a pass takes how all have to be:
        all rows at once would be a long poll."""
        if self._rows is None:
            self._rows = interlocks()
        row = next(self._rows, None)
        if row is None:
            self._rows = None
            if self._has_levels:
                return codes.TEST_PASSED
            self._has_levels = True
            return codes.NEVER_TESTED
        bit, number, level = row
        steady = self._allowing
        if not self._has_levels:
            steady[number] = level
            return codes.NEVER_TESTED
        if self._outputs.forbidden_by(bit, steady):
            return codes.TEST_FAILED
        steady[number] = 1 - level
        is_refused = self._outputs.forbidden_by(bit, steady) == (number, level)
        steady[number] = level
        is_held = HELD_BY.get(number if level else number + LEVEL, 0) & bit
        return codes.NEVER_TESTED if is_refused and is_held else codes.TEST_FAILED

    def _store(self, now_ms: int) -> int:
        """Store something and read it; not again for a day when that went well."""
        was = self._results[codes.TEST_STORE]
        if was == codes.TEST_PASSED and now_ms - self._done_ms[codes.TEST_STORE] < STORE_EVERY_MS:
            return _KEPT
        self._saves = (self._saves + 1) & 0xFF
        data = bytes((self._saves, self._saves ^ 0xFF, 0x55, 0xAA))
        if self._hal.save(SELF_TEST_SLOT, data) and self._hal.load(SELF_TEST_SLOT) == data:
            return codes.TEST_PASSED
        return codes.TEST_FAILED


def _left_by(test: int, result: int) -> int:
    if test == codes.TEST_STORE and result != _KEPT:
        return WROTE_BYTES
    return BLOCK_BYTES if test == codes.TEST_MEMORY else LEFT_BYTES
