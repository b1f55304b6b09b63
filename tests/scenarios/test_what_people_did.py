"""The panels first name something that people did or left undone; once people do as they say, the table goes on."""

import pytest

from tests.scenarios.scenarios import CHECKED_MS, FAULT_TEXTS, check_walls, plan_of
from tests.scenarios.table import Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import LIFT_KEY, SIDES, input_number
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection

SETTLED_MS = 1_000
READ_MS = 5_000


def text(fault: int, side: int | None = None) -> str:
    """Return what the panels show of a fault."""
    return FAULT_TEXTS[fault] if side is None else f"{FAULT_TEXTS[fault]} S{side}"


def clear(table: Table) -> None:
    """A lift key, which people press when they have read what the displays show."""
    table.run(READ_MS)
    table.press_lift()
    table.run(SETTLED_MS)


def open_lid(table: Table) -> None:
    """Two lift keys at once, from rest."""
    table.press(input_number(0, LIFT_KEY))
    table.press(input_number(1, LIFT_KEY))
    table.until("TILE?", 5_000)


def build_and_check(table: Table) -> None:
    """Walls get whole, and no tile is left over."""
    table.press_lift()
    assert table.run(60_000, lambda: table.shown == "READY" or table.shown.startswith("E"))
    table.run(CHECKED_MS)
    assert table.shown == "READY"


def undrawn(table: Table, sides: set[int]) -> str:
    """Build, raise, and draw in the walls of all other sides; return what the table then names."""
    table.build()
    table.press_lift()
    table.until("DROP", 9_000)
    table.sim.players.push_in()
    table.run(500)
    table.press_lift()
    table.until("DICE?", 5_000)
    world = table.world
    for side in set(range(SIDES)) - sides:
        world.walls[side] = world.heads[side].carrier[:]
        world.heads[side].carrier.clear()
    table.press_dice()
    return table.until_fault(180_000)


@pytest.mark.parametrize("tiles", [108, 136, 152])
def test_walls_that_went_down_undrawn_are_one_fault_and_taken_out_the_build_goes_on(tiles: int, seed: int) -> None:
    table = Table(seed, tiles=tiles)
    host = table.connect()
    assert undrawn(table, set(range(SIDES))) == text(codes.WALLS_UNDRAWN)
    before = [list(head.carrier) for head in table.world.heads]
    assert {len(carrier) for carrier in before} == {19}
    fault = host.named("fault")[-1].values
    assert fault["side"] == codes.NO_SIDE
    table.sim.players.stand_walls()
    for side in range(SIDES):
        table.sim.players.empty_head(side)
    clear(table)
    assert table.shown == "START?", "one fault for all sides"
    build_and_check(table)
    assert sum(table.built()) * 2 == tiles
    assert all(table.world.set_of(tile) == 1 for head in table.world.heads for stack in head.carrier for tile in stack)
    assert [each.values["fault"] for each in host.named("fault")] == [codes.WALLS_UNDRAWN]
    table.world.check_conserved()


@pytest.mark.parametrize("side", range(SIDES))
def test_one_side_that_did_not_draw_its_wall_in_is_named(side: int, seed: int) -> None:
    table = Table(seed)
    assert undrawn(table, {side}) == text(codes.WALLS_UNDRAWN, side)


def test_two_sides_that_did_not_are_named_by_one_fault_after_a_power_failure_too(seed: int) -> None:
    table = Table(seed)
    assert undrawn(table, {1, 2}) == text(codes.WALLS_UNDRAWN)
    table.sim.cut_power(2_000)
    table.run(5_000)
    assert table.until_fault() == text(codes.WALLS_UNDRAWN)


def test_a_head_that_jams_with_another_number_of_stacks_has_jammed(seed: int) -> None:
    table = Table(seed)
    table.build()
    table.raise_walls()
    table.press_dice()
    assert table.run(60_000, lambda: len(table.world.heads[0].carrier) == 7)
    table.world.heads[0].block()
    assert table.until_fault() == text(codes.HEAD_JAM, 0)


def push_both_in(table: Table) -> None:
    """Everything lies on the table, and everything is pushed in."""
    open_lid(table)
    table.sim.players.push_in()
    table.run(500)


def test_both_sets_pushed_into_the_drum_are_named_and_parted_the_walls_get_whole(seed: int) -> None:
    table = Table(seed)
    push_both_in(table)
    table.press_lift()
    assert table.until_fault() == text(codes.TWO_SETS)
    table.sim.players.part_sets()
    clear(table)
    assert table.shown == "START?"
    build_and_check(table)
    check_walls(table, plan_of(0), 0)
    table.world.check_conserved()


def test_the_new_walls_pushed_in_with_the_played_set_after_an_empty_drum_are_two_sets(seed: int) -> None:
    """The words of `drum_empty` ask for the played tiles; who pushes in all that is there pushes in both."""
    table = Table(seed)
    table.build()
    table.press_lift()
    table.until("DROP", 9_000)
    table.press_lift()
    table.until("DICE?", 9_000)
    table.sim.players.draw_in()
    table.press_dice()
    assert table.until_fault() == text(codes.DRUM_EMPTY)
    clear(table)
    push_both_in(table)
    table.press_lift()
    assert table.until_fault() == text(codes.TWO_SETS)


def test_a_larger_set_that_came_in_over_whole_walls_is_no_second_set(seed: int) -> None:
    table = Table(seed)
    table.build()
    table.press_lift()
    table.until("DROP", 9_000)
    table.sim.players.push_in()
    for tile in range(8):
        table.world.loose.append(1_000 + tile)
        table.world.drum.put_back(1_000 + tile, False)
        table.world.loose.remove(1_000 + tile)
    table.press_lift()
    table.until("DICE?", 5_000)
    table.sim.players.draw_in()
    table.press_dice()
    assert table.until_fault()[:3] in (text(codes.WRONG_SET), text(codes.TILE_TOO_MANY))


UNPLUGGED = (
    "stall conveyor {side} at {now} s; jam head {side} at {now} s frees 0 %; eye {side} count dead; "
    "eye {side} belt dead; vane {side} home dead; vane {side} pushed dead"
)


def let_go_wrong(table: Table, lines: str, side: int) -> Injection:
    return Injection(table.world, parse_faults(lines.format(side=side, now=table.now_ms / 1000)), table.sim)


@pytest.mark.parametrize("lines", ["stall conveyor {side} at {now} s", UNPLUGGED], ids=["belt", "all of the lane"])
@pytest.mark.parametrize("side", range(SIDES))
def test_a_lane_without_its_plug_is_named_and_with_it_the_build_goes_on(lines: str, side: int, seed: int) -> None:
    table = Table(seed)
    wrong = let_go_wrong(table, lines, side)
    table.press_lift()
    assert table.until_fault() == text(codes.LANE_UNPLUGGED, side)
    assert [stacks for at, stacks in enumerate(table.built()) if at != side] == [
        stacks for at, stacks in enumerate(plan_of(0)) if at != side
    ]
    wrong.mend()
    clear(table)
    build_and_check(table)
    check_walls(table, plan_of(0), 0)


def test_two_lanes_without_their_plugs_are_named_one_after_the_other(seed: int) -> None:
    table = Table(seed)
    wrong = [let_go_wrong(table, "stall conveyor {side} at {now} s", side) for side in (1, 3)]
    table.press_lift()
    for side, each in zip((1, 3), wrong, strict=True):
        assert table.until_fault() == text(codes.LANE_UNPLUGGED, side)
        each.mend()
        clear(table)
        table.press_lift()
    table.until("READY")
    check_walls(table, plan_of(0), 0)


def test_a_lane_whose_belt_stops_after_some_tiles_is_short(seed: int) -> None:
    table = Table(seed)
    table.press_lift()
    assert table.run(60_000, lambda: len(table.world.heads[2].carrier) == 3)
    let_go_wrong(table, "stall conveyor {side} at {now} s", 2)
    shown = table.until_fault()
    assert shown[:3] in {text(fault) for fault in (codes.SIDE_SHORT, codes.LANE_JAM, codes.EYE_BLOCKED)}
    assert shown[3:] == " S2"


def test_healthy_deals_name_nothing_that_people_did(seed: int) -> None:
    table = Table(seed)
    host = table.connect()
    table.build()
    for _ in range(10):
        table.raise_walls()
        table.press_dice()
        table.run(3_000)
        table.until_building()
        table.until("READY", 120_000)
        table.run(CHECKED_MS)
    assert host.named("fault") == []
