"""The size of a set is a setting: one firmware for tables of every size, and no walls of another one."""

import pytest

from tests.firmware.stored import fields_of
from tests.firmware.test_app import Bench
from tests.firmware.test_records import changed, get, put
from wallwright_firmware.app import App
from wallwright_firmware.settings import pack
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, STATUSES
from wallwright_protocol.hardware import DEFAULT_PLANS, SET_SIZES
from wallwright_protocol.names import CARRIERS, STATES
from wallwright_protocol.settings import SET_TILES, WASH

PLAN_108, PLAN_136 = (14, 13, 14, 13), (17, 17, 17, 17)


@pytest.fixture
def bench() -> Bench:
    """A table at rest with a host."""
    made = Bench()
    made.hello()
    return made


def tiles(bench: Bench) -> int:
    """How many tiles a set has, as the board says."""
    (found,) = REPLIES[NUMBER_OF["get_info"]].unpack(bench.request("get_info")[1])[4:5]
    return int(found)


def plan(bench: Bench) -> object:
    return STATUSES[NUMBER_OF["status"]].unpack_named(bench.request("get_status")[1])["plan"]


def set_tiles(bench: Bench, size: int) -> int:
    return bench.request("set_setting", SET_TILES, size)[0]


def test_every_size_has_a_plan_of_its_own() -> None:
    assert tuple(DEFAULT_PLANS) == SET_SIZES
    assert all(2 * sum(plan) == size for size, plan in DEFAULT_PLANS.items())


@pytest.mark.parametrize("size", SET_SIZES)
def test_a_board_takes_over_a_size_at_once_and_keeps_it(bench: Bench, size: int) -> None:
    assert set_tiles(bench, size) == codes.OK
    for asked in (bench, Bench(bench.board)):
        asked.hello()
        assert tiles(asked) == size
        assert plan(asked) == DEFAULT_PLANS[size]


def test_a_size_that_no_set_has_is_refused(bench: Bench) -> None:
    for size in (0, 107, 109, 140, 153, 0xFFFF):
        assert set_tiles(bench, size) == codes.BAD_ARGUMENT
    assert tiles(bench) == 108


def test_a_size_is_no_matter_of_trial(bench: Bench) -> None:
    assert bench.request("try_setting", SET_TILES, 136)[0] == codes.BAD_ARGUMENT
    assert tiles(bench) == 108


def test_a_plan_of_the_other_size_is_refused_and_forgotten(bench: Bench) -> None:
    assert bench.request("set_plan", *PLAN_136, 0, codes.FIXED, codes.AS_SET)[0] == codes.BAD_ARGUMENT
    assert bench.request("set_plan", 13, 14, 13, 14, 2, codes.HELD, codes.AS_SET)[0] == codes.OK
    assert set_tiles(bench, 136) == codes.OK
    cycle = bench.app.cycle
    assert (cycle.plan, cycle.plan_dealer, cycle.plan_mode) == (PLAN_136, 0, codes.TURNED)
    assert bench.request("set_plan", *PLAN_108, 0, codes.FIXED, codes.AS_SET)[0] == codes.BAD_ARGUMENT
    assert bench.request("set_plan", *PLAN_136, 0, codes.FIXED, codes.AS_SET)[0] == codes.OK


def test_the_size_that_it_has_changes_nothing(bench: Bench) -> None:
    assert bench.request("set_plan", 13, 14, 13, 14, 2, codes.HELD, codes.AS_SET)[0] == codes.OK
    assert set_tiles(bench, 108) == codes.OK
    assert bench.app.cycle.plan == (13, 14, 13, 14)


def test_a_table_that_moves_or_has_tiles_under_way_keeps_its_size(bench: Bench) -> None:
    bench.app.settings.values[WASH] = 0
    bench.request("start_build")
    assert set_tiles(bench, 136) == codes.WRONG_STATE
    bench.request("stop")
    bench.poll(ms=10)
    assert set_tiles(bench, 136) == codes.FAULT_ACTIVE
    bench.request("clear_fault")
    bench.poll(ms=10)
    assert bench.app.cycle.state == codes.IDLE
    assert set_tiles(bench, 136) == codes.WALLS_BELOW, "the build that was stopped may go on"
    bench.request("begin_service")
    assert set_tiles(bench, 136) == codes.WALLS_BELOW
    assert tiles(bench) == 108
    assert bench.app.settings.values[SET_TILES] == 108


@pytest.mark.parametrize("state", sorted(set(range(len(STATES))) - {codes.IDLE, codes.SERVICE, codes.FAULT}))
def test_no_other_state_takes_another_size(bench: Bench, state: int) -> None:
    bench.app.cycle.state = state
    assert set_tiles(bench, 136) == codes.WRONG_STATE
    assert tiles(bench) == 108


def test_whole_walls_are_not_given_up(bench: Bench) -> None:
    bench.app.cycle.whole = True
    bench.app.build.restore(PLAN_108, PLAN_108, (0, 0, 0, 0), (0, 0, 0, 0), False, False, False)
    bench.request("begin_service")
    assert set_tiles(bench, 136) == codes.WALLS_BELOW


def of_136(bench: Bench) -> bytes:
    """What the board keeps, with sets of 136 tiles."""
    values = list(bench.app.settings.values)
    values[SET_TILES] = 136
    return changed(get(bench, codes.STATE_RECORD), settings=pack(values))


def test_a_backup_brings_its_size_along(bench: Bench) -> None:
    saved = of_136(bench)
    bench.request("begin_service")
    assert put(bench, codes.STATE_RECORD, saved) == codes.OK
    assert (tiles(bench), plan(bench)) == (136, PLAN_136)
    again = Bench(bench.board)
    again.hello()
    assert tiles(again) == 136


def test_a_backup_of_another_size_is_refused_while_stacks_stand(bench: Bench) -> None:
    saved = of_136(bench)
    before = list(bench.app.settings.values)
    bench.request("begin_service")
    bench.app.build.partial = True
    assert put(bench, codes.STATE_RECORD, saved) == codes.WALLS_BELOW
    assert (bench.app.settings.values, tiles(bench)) == (before, 108)


def test_a_firmware_goes_by_what_is_stored(bench: Bench) -> None:
    set_tiles(bench, 144)
    assert App(bench.board, b"other", 108).build.tiles == 144


def test_walls_that_do_not_fit_the_stored_size_are_not_believed(bench: Bench) -> None:
    """An older firmware, which knew of one size only, has stored its plan after the size was set."""
    set_tiles(bench, 136)
    bench.app.cycle.plan, bench.app.cycle.unsaved = PLAN_108, True
    bench.poll()
    again = Bench(bench.board)
    assert again.board.shown[0] == f"E{codes.STORE_CORRUPT:02d}"
    assert (again.app.build.tiles, again.app.cycle.plan) == (136, PLAN_136)


@pytest.mark.parametrize(
    ("carriers", "is_believed"),
    [("empty", True), ("unknown", True), ("part", False), ("held", False), ("whole", False)],
)
@pytest.mark.parametrize("walls", [(14, 13, 14, 14), (20, 13, 14, 7), (27, 27, 0, 0)])
def test_carriers_whose_plan_is_impossible_are_not_believed(
    bench: Bench, carriers: str, is_believed: bool, walls: tuple[int, ...]
) -> None:
    """The record is good, and its plan for the next build is possible: only what stands in the carriers cannot be.

    Of carriers that nobody knows no plan is taken.
    """
    values = {
        "carriers": bytes([CARRIERS.index(carriers)]),
        "plan": bytes(walls),
    }
    bench.board.slots[:2] = [changed(bench.board.saved[-1][1], **values), b""]
    again = Bench(bench.board)
    assert (again.board.shown[0] == f"E{codes.STORE_CORRUPT:02d}") == (not is_believed)
    assert again.app.build.plan == (walls if carriers == "empty" else (0, 0, 0, 0))
    assert not again.app.build.partial


def test_size_and_plan_are_stored_in_one_write_before_the_reply(bench: Bench) -> None:
    """A power loss at any moment finds a size with a plan of its own."""
    before = len(bench.board.saved)
    assert set_tiles(bench, 136) == codes.OK
    bench.poll()
    assert len(bench.board.saved) == before + 1
    kept = fields_of(bench.board.saved[-1][1])
    assert kept["next_plan"] == bytes(PLAN_136)
    assert kept["settings"][2 * SET_TILES :][:2] == (136).to_bytes(2, "little")


def test_a_size_that_could_not_be_stored_is_not_taken(bench: Bench) -> None:
    assert bench.request("set_plan", 13, 14, 13, 14, 2, codes.HELD, codes.AS_SET)[0] == codes.OK
    bench.board.can_save = False
    assert set_tiles(bench, 136) == codes.FAULT_ACTIVE
    cycle = bench.app.cycle
    assert (tiles(bench), bench.app.settings.values[SET_TILES]) == (108, 108)
    assert (cycle.plan, cycle.plan_dealer, cycle.plan_mode) == ((13, 14, 13, 14), 2, codes.HELD)
