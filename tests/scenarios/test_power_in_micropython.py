"""A sample of power losses on a real MicroPython: every poll is the same as on CPython, before and after."""

import random
from functools import partial

from tests.scenarios.power import OFF_MS, check_end, cycle, new_table
from tests.scenarios.table import Poll
from wallwright_firmware.app import App
from wallwright_firmware.store import LEAST_BYTES
from wallwright_simulator.power import PowerFailure
from wallwright_simulator.vm import VmApp

LOSSES = 3
POLLS = 1_500


class Failing:
    """Firmwares of one table, one after the other: the power fails after the polls `at`; `polls` is what they did."""

    def __init__(self, make, at):
        self.polls = []
        self.shown = []
        self._make = make
        self._at = at

    def __call__(self, board, unit, tiles):
        return Firmware(self, self._make(board, unit, tiles), board)

    def polled(self, board, poll):
        self.polls.append(poll)
        if len(self.polls) in self._at:
            self.shown.append(board.displays[0])
            raise PowerFailure(OFF_MS)


class Firmware:
    """One of them."""

    def __init__(self, owner, firmware, board):
        self.due = firmware.due
        self._owner = owner
        self._board = board
        self._firmware = firmware

    def poll(self, now_ms, rx):
        tx = self._firmware.poll(now_ms, rx)
        self.due = self._firmware.due
        self._owner.polled(self._board, Poll(now_ms, rx, tx, self.due, self._board.world.mask))
        return tx

    def close(self):
        close = getattr(self._firmware, "close", None)
        if close is not None:
            close()


def play(seed, make, at, after_bytes):
    """A cycle whose first build is not wholly stored, with further losses; return all that the firmwares did."""
    failing = Failing(make, at)
    with new_table(seed, failing) as table:
        slots = table.sim.board.slots
        slots.cut_next(after_bytes, OFF_MS)
        cycle(table)
        check_end(table)
        return failing.polls, failing.shown, slots.data, slots.writes


def test_power_losses_are_the_same_poll_by_poll(micropython_runtime, seed):
    chance = random.Random(seed)
    inside = partial(VmApp, runtime=micropython_runtime)
    for _ in range(3):
        world = chance.randrange(2**32)
        at = set(chance.sample(range(2, POLLS), LOSSES))
        after_bytes = chance.randrange(LEAST_BYTES)
        python = play(world, App, at, after_bytes)
        polls, shown, _, writes = python
        assert len(shown) == LOSSES
        assert len(polls) > max(at)
        # The first start, the cut write, one more start after each loss, and six in a cycle.
        assert writes >= 1 + 1 + (1 + LOSSES) + 6
        assert play(world, inside, at, after_bytes) == python
