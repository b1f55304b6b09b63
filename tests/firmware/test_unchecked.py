"""Whole walls below which nobody has looked for a tile left over, at a start of the board."""

import pytest

from tests.firmware.test_store import PLAN, Bench
from wallwright_protocol import codes
from wallwright_protocol.hardware import LID_IS_CLOSED, LID_IS_OPEN


@pytest.mark.parametrize("is_open", [False, True])
def test_walls_that_were_not_checked_stay_so_and_an_open_lid_is_told_of(is_open: bool) -> None:
    bench = Bench()
    bench.app.build.restore(PLAN, PLAN, (0, 0, 0, 0), (0, 0, 0, 0), False, False, False)
    bench.app.cycle.whole = bench.app.build.unchecked = bench.app.cycle.unsaved = True
    bench.poll()
    assert bench.record()["carriers"] == bytes([codes.CARRIERS_UNCHECKED])
    if is_open:
        bench.board.levels[LID_IS_CLOSED], bench.board.levels[LID_IS_OPEN] = 0, 1
    bench.start()
    assert [event["carriers"] for event in bench.events("restored")] == [codes.CARRIERS_UNCHECKED]
    told = [event["fault"] for event in bench.events("notice")]
    assert told == [codes.DRUM_UNCHECKED] * is_open
    assert (bench.app.build.unchecked, bench.app.cycle.whole) == (not is_open, True)
    bench.start()
    assert not bench.events("notice"), "once"
