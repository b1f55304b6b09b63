"""Each lane stops alone when its side is whole, told from the world's log of drives."""

import random

import pytest

from tests.scenarios.scenarios import plan_of
from tests.scenarios.table import Table
from tests.scenarios.watch import FORWARDS, HEADS, REVERSES
from wallwright_protocol.hardware import DEFAULT_PLANS, DISC, RING, SIDES
from wallwright_protocol.settings import DEFAULTS, STAND


def runs(log, bit):
    """From when to when a drive was on; a rest of no time, in which the board writes its memory, is none."""
    found: list[tuple[int, int]] = []
    since = None
    for time_ms, mask in log:
        if mask & bit and since is None:
            since = found.pop()[0] if found and found[-1][1] == time_ms else time_ms
        elif not mask & bit and since is not None:
            found.append((since, time_ms))
            since = None
    return found


def build_without_a_shake(seed):
    """Build walls in some world in which tiles never stop coming; return its table and drives."""
    chance = random.Random(seed)
    while True:
        table = Table(chance.randrange(2**32))
        table.build()
        log = [*table.world.drive_log, (table.now_ms, 0)]
        if len(runs(log, DISC)) == 1:
            return table, log


def test_lanes_stop_one_by_one_while_the_others_go_on(seed):
    table, log = build_without_a_shake(seed)
    # The search for a tile too many starts the belts again at the very moment when the build is done.
    last_forward = {
        side: [end for start, end in runs(log, FORWARDS[side]) if start < table.now_ms][-1] for side in range(SIDES)
    }
    assert len(set(last_forward.values())) == SIDES
    order = sorted(last_forward, key=last_forward.__getitem__)
    for place, side in enumerate(order):
        end_ms = last_forward[side]
        (back,) = [run for run in runs(log, REVERSES[side]) if run[0] >= end_ms]
        assert back[0] == end_ms + DEFAULTS[STAND], "what is on the belt goes back once it stands"
        assert back[1] - back[0] == 800
        strokes = runs(log, HEADS[side])
        assert len(strokes) == plan_of(0)[side]
        assert strokes[-1][0] == end_ms, "the last tile's count starts the last stroke"
        for later in order[place + 1 :]:
            assert sum(end - max(start, end_ms) for start, end in runs(log, HEADS[later]) if end > end_ms) > 0
    for drum in (DISC, RING):
        ((start, end),) = runs(log, drum)
        assert start < min(last_forward.values())
        assert end == table.now_ms


@pytest.mark.parametrize("tiles", DEFAULT_PLANS)
def test_every_set_that_there_is_becomes_whole_walls(tiles, seed):
    table = Table(random.Random(seed).randrange(2**32), tiles=tiles)
    table.press_lift()
    table.until("READY", 80_000)
    assert table.built() == DEFAULT_PLANS[tiles]
    assert sum(DEFAULT_PLANS[tiles]) * 2 == tiles
    table.raise_walls()
    table.press_dice()
    table.until_building(3_000)
