"""The game of a table, set at its panel: which keys begin it, what the displays show, what is stored."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_dice import Bench
from wallwright_firmware.setup import ASKS_DICE, ASKS_SIZE, HOLD_MS, PATIENCE_MS, RESTS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, DICE_KEY, LIFT_KEY, REFEREE_KEY, SET_SIZES, SIDES, input_number
from wallwright_protocol.settings import DICE_COUNT

SIDE = 2


def hold(bench: Bench, ms: int = HOLD_MS, side: int = SIDE) -> None:
    """Hold the dice key of a side, then its referee key too, for so long; let both go."""
    bench.edge(input_number(side, DICE_KEY), 1)
    bench.edge(input_number(side, REFEREE_KEY), 1)
    bench.run(ms)
    for kind in (DICE_KEY, REFEREE_KEY):
        bench.edge(input_number(side, kind), 0)


def press(bench: Bench, kind: int, times: int = 1, side: int = SIDE) -> None:
    for level in (1, 0) * times:
        bench.edge(input_number(side, kind), level)


def state_of(bench: Bench) -> int:
    """The state of what sets the game; it is loaded when somebody presses the keys for it."""
    return RESTS if bench.app.setup is None else bench.app.setup.state


def shown(bench: Bench) -> str:
    (text,) = set(bench.board.shown)
    return text


def test_a_technician_sets_size_and_dice_at_a_panel_and_they_are_kept() -> None:
    bench = Bench()
    hold(bench)
    assert shown(bench) == "SET 108"
    press(bench, DICE_KEY, SET_SIZES.index(136))
    assert shown(bench) == "SET 136"
    press(bench, LIFT_KEY)
    assert shown(bench) == "DICE 2"
    press(bench, DICE_KEY)
    assert shown(bench) == "DICE 3"
    assert bench.app.build.tiles == 108, "nothing is changed before the last key"
    press(bench, LIFT_KEY)
    assert shown(bench) == "START?"
    app = bench.app
    assert (app.build.tiles, app.settings.values[DICE_COUNT], app.cycle.plan) == (136, 3, DEFAULT_PLANS[136])
    told = {"tiles": 136, "dice_count": 3, "source": SIDE, "sides_out": 0}
    assert bench.log("setup_changed", "referee_called") == [("setup_changed", told)]
    again = Bench(bench.board)
    assert (again.app.build.tiles, again.app.settings.values[DICE_COUNT]) == (136, 3)
    assert bench.app.cycle.state == codes.IDLE
    assert not any(bench.board.driven)


def test_the_keys_go_round_all_sizes_and_numbers() -> None:
    bench = Bench()
    hold(bench)
    sizes = []
    for _ in SET_SIZES:
        sizes.append(shown(bench))
        press(bench, DICE_KEY, side=0)
    assert sizes == [f"SET {size}" for size in SET_SIZES]
    assert shown(bench) == "SET 108"
    press(bench, LIFT_KEY)
    numbers = []
    for _ in range(3):
        numbers.append(shown(bench))
        press(bench, DICE_KEY)
    assert sorted(numbers) == ["DICE 1", "DICE 2", "DICE 3"]


def test_keys_that_are_let_go_too_soon_call_a_referee_after_all() -> None:
    bench = Bench()
    hold(bench, HOLD_MS // 2)
    assert not bench.log("referee_called")
    bench.run(HOLD_MS)
    assert bench.log("referee_called") == [("referee_called", {"side": SIDE})]
    assert (state_of(bench), shown(bench)[:3]) == (
        RESTS,
        f"{bench.rolls()[0]['dice'][0]} {bench.rolls()[0]['dice'][1]}",
    )


@pytest.mark.parametrize("keys", [0, 1])
def test_what_nobody_goes_on_with_changes_nothing(keys: int) -> None:
    bench = Bench()
    hold(bench)
    press(bench, DICE_KEY)
    press(bench, LIFT_KEY, keys)
    assert state_of(bench) == (ASKS_SIZE, ASKS_DICE)[keys]
    press(bench, REFEREE_KEY)
    bench.run(PATIENCE_MS)
    assert (state_of(bench), shown(bench), bench.app.build.tiles) == (RESTS, "START?", 108)
    assert not bench.log("setup_changed", "referee_called")


def test_a_host_that_builds_meanwhile_ends_it() -> None:
    bench = Bench(FakeBoard(wash_s=0))
    hold(bench)
    press(bench, DICE_KEY)
    assert bench.request("start_build") == codes.OK
    press(bench, DICE_KEY)
    assert state_of(bench) == RESTS
    assert bench.app.build.tiles == 108
    assert bench.app.cycle.state == codes.BUILDING


def test_stacks_in_the_carriers_keep_the_game() -> None:
    bench = Bench()
    bench.app.build.partial = True
    hold(bench)
    assert state_of(bench) == RESTS
    assert bench.log("referee_called") == [("referee_called", {"side": SIDE})]


def test_the_same_game_is_no_change() -> None:
    bench = Bench()
    hold(bench)
    press(bench, LIFT_KEY, 3)
    assert state_of(bench) == RESTS
    assert not bench.log("setup_changed")


@pytest.mark.parametrize("side", range(SIDES))
def test_a_dead_side_is_left_out_at_a_panel_and_comes_back_there(side: int) -> None:
    bench = Bench()
    hold(bench)
    press(bench, LIFT_KEY, 2)
    assert shown(bench) == "OUT NONE"
    press(bench, DICE_KEY, side + 1)
    assert shown(bench) == f"OUT {side}"
    press(bench, LIFT_KEY)
    wanted = tuple(0 if one == side else 18 for one in range(SIDES))
    told = {"tiles": 108, "dice_count": 2, "source": SIDE, "sides_out": 1 << side}
    assert (bench.log("setup_changed"), bench.app.cycle.next_plan()) == ([("setup_changed", told)], wanted)
    assert Bench(bench.board).app.cycle.next_plan() == wanted
    hold(bench)
    press(bench, DICE_KEY, 2)
    assert shown(bench) == "SET 108", "after 112 the sizes that three sides hold begin again"
    press(bench, LIFT_KEY, 2)
    press(bench, DICE_KEY, SIDES - side)
    assert shown(bench) == "OUT NONE"
    press(bench, LIFT_KEY)
    assert bench.app.cycle.next_plan() == DEFAULT_PLANS[108]


@pytest.mark.parametrize("size", [size for size in SET_SIZES if size > 114])
def test_a_size_that_three_sides_do_not_hold_has_no_such_question(size: int) -> None:
    bench = Bench()
    hold(bench)
    press(bench, DICE_KEY, SET_SIZES.index(size))
    press(bench, LIFT_KEY, 2)
    assert (state_of(bench), shown(bench), bench.app.build.tiles) == (RESTS, "START?", size)


def test_what_cannot_be_stored_is_not_set() -> None:
    bench = Bench()
    hold(bench)
    press(bench, DICE_KEY)
    bench.board.can_save = False
    press(bench, LIFT_KEY, 3)
    assert shown(bench) == f"E{codes.STORE_FAILED:02d}"
    assert bench.app.build.tiles == 108
    assert not bench.log("setup_changed")


def test_a_board_that_was_set_at_its_panel_builds_and_throws_by_that() -> None:
    bench = Bench(FakeBoard(wash_s=0))
    hold(bench, side=0)
    press(bench, DICE_KEY, SET_SIZES.index(144))
    press(bench, LIFT_KEY)
    press(bench, DICE_KEY)
    press(bench, LIFT_KEY)
    press(bench, LIFT_KEY)
    ((_, started),) = bench.log("build_started")
    assert (started["plan"], started["tiles"], started["dice_count"]) == ((18,) * SIDES, 144, 3)
