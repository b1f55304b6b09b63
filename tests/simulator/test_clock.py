"""The agenda, beside one that looks through all of its rows."""

import random
from functools import partial

from wallwright_simulator.clock import NEVER, Agenda

ROWS = 7


def test_the_earliest_row_is_called_and_of_equal_ones_the_first(seed):
    chance = random.Random(seed)
    agenda = Agenda()
    due = [NEVER] * ROWS
    called = []

    def plan(row, at_ms):
        agenda.plan(row, at_ms)
        due[row] = at_ms

    def happens(row):
        called.append((agenda.now_ms, row))
        plan(row, NEVER)
        for _ in range(chance.randrange(3)):
            plan(chance.randrange(ROWS), chance.choice((NEVER, agenda.now_ms + chance.randrange(6))))

    for row in range(ROWS):
        agenda.add(partial(happens, row))
    for _ in range(5000):
        if min(due) == NEVER:
            plan(chance.randrange(ROWS), agenda.now_ms + chance.randrange(6))
        at_ms = min(due)
        assert agenda.next_ms == at_ms
        expected = (at_ms, due.index(at_ms))
        assert agenda.step(at_ms)
        assert called[-1] == expected
    assert len(called) == 5000
