"""The state in which a table wakes up after a power cut, by what was stored and what its switches show."""

import pytest

from tests.firmware.test_store import PLAN, Bench
from wallwright_protocol.hardware import (
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LIFT_DOWN,
    LIFT_UP,
    SIDES,
    input_number,
)


def stored(*, whole: bool = False, dice: tuple[int, int] = (0, 0)) -> Bench:
    """A board that has stored this."""
    bench = Bench()
    cycle = bench.app.cycle
    cycle.whole, cycle.dice, cycle.deal, cycle.dealer = whole, (*dice, 0), 7, 2
    if whole:
        bench.app.build.restore(PLAN, PLAN, (0, 0, 0, 0), (0, 0, 0, 0), False, False, False)
    bench.app.cycle.unsaved = True
    bench.poll()
    return bench


def put_lifts(bench: Bench, up: str) -> None:
    """Lifts of the four sides: `u` up, `d` down, `-` between."""
    for side in range(SIDES):
        bench.board.levels[input_number(side, LIFT_UP)] = up[side] == "u"
        bench.board.levels[input_number(side, LIFT_DOWN)] = up[side] == "d"


@pytest.mark.parametrize(
    ("whole", "dice", "lifts", "lid", "shown", "deal"),
    [
        (False, (0, 0), "dddd", "closed", "START?", 7),
        (False, (3, 4), "dddd", "closed", "START?", 7),
        (True, (0, 0), "dddd", "closed", "READY", 7),
        (True, (0, 0), "dddd", "open", "DROP", 7),
        (False, (0, 0), "dddd", "open", "DROP", 7),
        (True, (0, 0), "dddd", "between", "READY", 7),
        (False, (0, 0), "dddd", "between", "DROP", 7),
        (True, (0, 0), "ddd-", "closed", "RAISE?", 7),
        (True, (0, 0), "uuud", "closed", "RAISE?", 7),
        (True, (0, 0), "uuuu", "closed", "DICE?", 8),
        (True, (3, 4), "uuuu", "closed", "DICE?", 8),
        (False, (0, 0), "uuuu", "closed", "DICE?", 7),
        (False, (0, 0), "u--d", "closed", "DICE?", 7),
        (False, (3, 4), "uuuu", "closed", "3 4 LOW?", 7),
        (False, (3, 4), "u--d", "closed", "3 4 LOW?", 7),
    ],
)
def test_where_it_wakes_up(whole, dice, lifts, lid, shown, deal) -> None:
    bench = stored(whole=whole, dice=dice)
    put_lifts(bench, lifts)
    bench.board.levels[LID_IS_CLOSED] = lid == "closed"
    bench.board.levels[LID_IS_OPEN] = lid == "open"
    bench.start()
    assert bench.shown == shown
    assert (bench.app.cycle.deal, bench.app.cycle.dealer) == (deal, 2)
    assert [event["deal"] for event in bench.events("walls_up")] == ([8] if deal == 8 else [])
    assert bench.events("restored")[0]["deal"] == 7
    assert bench.app.outputs.mask == 0
    bench.wait(10_000)
    assert bench.app.outputs.mask == 0, "nothing moves before an act"
