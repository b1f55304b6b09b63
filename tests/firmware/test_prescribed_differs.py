"""Prescribed walls that differ from what was drawn, as their heads read it: they never rise."""

import pytest

from tests.firmware.prescribing import LONGEST_MS, Director, fault_of
from tests.scenarios.power import clear_by_hand
from wallwright_firmware.drivers.belt import FEEDS
from wallwright_protocol.prescribing import Prescription


def half_built(seed: int) -> tuple[Director, Prescription]:
    """A table that has built a drawn wall for 20 s, and that wall."""
    table = Director(seed % 1000)
    table.equip()
    one = table.drawn()
    assert table.prescribe(one) == "ok"
    table.request("start_build")
    table.run(20_000)
    return table, one


@pytest.mark.slow
def test_a_wall_that_differs_never_rises_and_is_built_once_more(seed: int) -> None:
    table, one = half_built(seed)
    world = table.sim.world
    head = next(head for head in world.heads if head.tiles)
    other = next(other for other in world.heads if other.carrier and other is not head)
    head.tiles[0], other.carrier[0][0] = other.carrier[0][0], head.tiles[0]
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert (table.named("wall_prescribed")[0]["match"], fault_of(table)) == (0, "wall_differs")
    assert table.request("raise_walls")[0] == "fault_active"
    clear_by_hand(world)
    assert table.request("clear_fault")[0] == "ok"
    assert table.request("start_build")[0] == "ok"
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert table.named("wall_prescribed")[1]["match"] == 1
    assert table.is_built(one)


@pytest.mark.parametrize(("ahead", "fits"), [(-2, False), (-1, True), (0, True), (1, False)])
def test_a_head_reads_tiles_of_the_stack_that_it_makes_or_of_the_one_that_it_has_just_pushed(
    seed: int, ahead: int, fits: bool
) -> None:
    table, one = half_built(seed)
    assert table.app.sorting is not None
    sorter = table.app.sorting.sorter
    wanted, lanes = sorter.wanted, table.app.build.lanes
    assert wanted is not None
    side = max(range(4), key=lambda side: lanes[side].stacks)
    tag_at = {wanted.place_of(wanted.tile_of(tag)) - wanted.first[side]: tag for tag in one.tags}
    read = lanes[side].stacks - 1
    assert read > 1
    assert not sorter._differs
    sorter._last[side] = -1
    lanes[side].stacks = read - ahead
    sorter.head_read(side, tag_at[2 * read])
    assert sorter._differs is not fits


@pytest.mark.parametrize(("stands", "inferred"), [(True, 1), (False, 0)])
def test_a_guess_holds_when_a_lane_is_emptied_unless_it_stood_there(seed: int, stands: bool, inferred: int) -> None:
    table, one = half_built(seed)
    assert table.app.sorting is not None
    sorter = table.app.sorting.sorter
    wanted = sorter.wanted
    assert wanted is not None
    tiles = [wanted.tile_of(tag) for tag in one.tags]
    side = next(side for side in range(4) if table.app.build.lanes[side].belt.state == FEEDS)
    others = [tile for tile in tiles if not 0 <= wanted.place_of(tile) - wanted.first[side] < wanted.places(side)]
    guessed = next(tile for tile in others if (wanted.place_of(tile) >= 0) is stands)
    sorter._seen[:] = bytes(tile != guessed for tile in range(len(sorter._seen)))
    sorter._inferred, sorter._dirty[side] = 1, 2
    sorter.look_at_lane(side, table.app.cycle.now_ms)
    assert (sorter._inferred, sorter._dirty[side]) == (inferred, 0)


@pytest.mark.slow
def test_a_wall_that_differs_is_told_once_another_fault_is_cleared(seed: int) -> None:
    table = Director(seed % 1000, script="\n".join(f"reader {reader} dead" for reader in range(4)))
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    table.request("start_build")
    assert table.run(LONGEST_MS, "build_done")
    table.sim.world.emergency_stop(True)
    table.run(3_000)
    assert fault_of(table) == "emergency_stop"
    table.sim.world.emergency_stop(False)
    table.run(100)
    assert table.request("clear_fault")[0] == "ok"
    assert table.run(1_000, "wall_prescribed")
    assert (table.named("wall_prescribed")[0]["match"], fault_of(table)) == (0, "wall_differs")
    assert table.request("raise_walls")[0] == "fault_active"
