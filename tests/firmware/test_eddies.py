"""What the belt of a whole side keeps, refuses and gives back; its lane and owner only note what is asked."""

from types import SimpleNamespace
from typing import Any

import pytest

from wallwright_firmware.sorting.eddies import EBBS, EMPTY_MS, MARGIN_MS, RESTS, STANDS, WATCHES, Eddy
from wallwright_protocol.machine import NEVER

RETURN_MS = 8000


class Bench:
    """An eddy that stands, with a magnet to come by 100 ms after it begins to stand."""

    def __init__(self, *, may_hold: bool = True, next_tiles: tuple[int, ...] = ()) -> None:
        self.belt: list[str] = []
        self.next_tiles = next_tiles
        belt: Any = SimpleNamespace(happens=lambda what, now_ms: self.belt.append(what))
        wanted = SimpleNamespace(face_of=lambda tile: tile, is_next=lambda face: face in self.next_tiles)
        slots = SimpleNamespace(is_known=lambda side: True, start_ms=lambda side, now_ms: now_ms + 100)
        settings = [RETURN_MS] * 64
        owner: Any = SimpleNamespace(wanted=wanted, slots=slots, settings=settings, may_hold=lambda now_ms: may_hold)
        lane: Any = SimpleNamespace(side=2, belt=belt)
        self.eddy = Eddy(lane, owner)
        self.eddy.happens("whole", 0)

    def hold(self, tile: int, since_ms: int, for_ms: int) -> None:
        """Let a magnet come by, and its tile be read so much later."""
        self.eddy.happens("time", since_ms)
        assert self.eddy.state == WATCHES
        self.eddy.read(tile, since_ms + for_ms)


@pytest.mark.parametrize(("may_hold", "next_tiles"), [(False, ()), (True, (7,)), (False, (7,))])
def test_a_tile_that_is_wanted_next_or_while_none_may_be_held_is_let_go(
    may_hold: bool, next_tiles: tuple[int, ...]
) -> None:
    bench = Bench(may_hold=may_hold, next_tiles=next_tiles)
    bench.hold(7, 100, 300)
    assert (bench.eddy.state, bench.eddy.held) == (EBBS, [])
    assert bench.eddy.due == 400 + 300 + MARGIN_MS
    assert bench.belt == ["stand", "forwards", "backwards"]


def test_a_tile_that_nobody_wants_yet_stands_on_the_belt() -> None:
    bench = Bench()
    bench.hold(7, 100, 300)
    assert (bench.eddy.state, bench.eddy.held, bench.eddy.due) == (STANDS, [7], 500)
    assert bench.belt == ["stand", "forwards", "stand"]


def test_the_belt_runs_back_as_far_as_its_tiles_have_come_and_no_farther_the_next_time() -> None:
    bench = Bench()
    for start_ms, tile, other in ((0, 7, 8), (10_000, 9, 10)):
        bench.next_tiles = ()
        bench.hold(tile, start_ms + 100, 300)
        bench.hold(other, start_ms + 500, 400)
        assert bench.eddy.held == [tile, other]
        bench.next_tiles = (other,)
        bench.eddy.look(start_ms + 1000)
        assert (bench.eddy.state, bench.eddy.held) == (EBBS, [])
        assert bench.eddy.due == start_ms + 1000 + 300 + 400 + EMPTY_MS
        bench.eddy.happens("time", bench.eddy.due)
        assert bench.eddy.state == STANDS


def test_a_belt_with_as_much_as_fits_waits_for_no_other_magnet_until_it_was_emptied() -> None:
    bench = Bench()
    most_ms = 3 * RETURN_MS // 8
    bench.hold(7, 100, most_ms)
    assert bench.eddy.due == 100 + most_ms + 100
    bench.hold(8, bench.eddy.due, 1)
    assert (bench.eddy.held, bench.eddy.due) == ([7, 8], NEVER)
    bench.eddy.happens("release", 20_000)
    bench.eddy.happens("time", 30_000)
    assert bench.eddy.due == 30_100


def test_a_belt_whose_lane_sorts_no_more_begins_the_next_wall_with_nothing() -> None:
    bench = Bench()
    bench.hold(7, 100, 300)
    bench.eddy.happens("rest", 1000)
    assert (bench.eddy.state, bench.eddy.held, bench.belt[-1]) == (RESTS, [], "stand")
    bench.eddy.happens("whole", 2000)
    bench.eddy.happens("release", 3000)
    assert bench.eddy.due == 3000 + EMPTY_MS
