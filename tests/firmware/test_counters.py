"""Counters and settings of the board: what is counted, what may be set, and that both outlast the power."""

import ast
import inspect
import random
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from wallwright_firmware import settings
from wallwright_firmware.counters import BYTES, Counters
from wallwright_firmware.safety import LIMITS_MS
from wallwright_protocol import codes
from wallwright_protocol import settings as rows
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import DRIVES, EMERGENCY_STOP, LID_IS_OPEN, RING
from wallwright_protocol.names import FAULTS, SETTINGS
from wallwright_protocol.settings import (
    DEBOUNCE,
    DEFAULTS,
    HIGHEST,
    KINDS,
    LID_LIMIT,
    LIFT_LIMIT,
    LOWEST,
    STANDING_LIMIT,
    UNITS,
)


def page(bench: Bench, name: str, *values: int) -> dict[str, Any]:
    code, reply = bench.request(name, *values)
    assert code == codes.OK
    return REPLIES[NUMBER_OF[name]].unpack_named(reply)


def read(bench: Bench) -> dict[str, Any]:
    """All counters, the lists whole."""
    found = page(bench, "get_counters")
    lists = (("get_fault_counts", "counts", "told", len(FAULTS)), ("get_drive_times", "tenths", "ran", DRIVES))
    for list_of, field, name, size in lists:
        values: tuple[int, ...] = ()
        while len(values) < size:
            part = page(bench, list_of, len(values))
            assert part["size"] == size
            values += part[field]
        assert not any(values[size:]), "zeros stand behind the last"
        found[name] = values[:size]
    return found


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.hello()
    return made


def again(bench: Bench) -> Bench:
    """The same board after a power loss."""
    made = Bench(bench.board)
    made.hello()
    return made


def test_running_times_are_those_of_a_slow_count(seed: int) -> None:
    chance = random.Random(seed)
    counters = Counters()
    on_ms = [0] * DRIVES
    mask = now_ms = 0
    for _ in range(2000):
        now_ms += (step := chance.randrange(700))
        for drive in range(DRIVES):
            on_ms[drive] += step * (mask >> drive & 1)
        mask = chance.randrange(1 << DRIVES)
        while counters.mask != mask:
            counters.drives(mask, now_ms)
    while counters.mask:
        counters.drives(0, now_ms)
    ran = counters.values()[-DRIVES:]
    assert list(ran) == [ms // 100 for ms in on_ms]
    assert len(counters.data) == BYTES


def test_a_drive_that_runs_is_counted_up_to_now(bench: Bench) -> None:
    bench.request("begin_service")
    bench.request("jog", 0, 5000)
    bench.poll(ms=1250)
    ran = read(bench)["ran"]
    assert ran[0] == 12
    for _ in range(500):
        bench.poll(ms=10)
    ran = read(bench)["ran"]
    assert ran[0] == 50
    assert sum(ran) == 50


def test_troubles_are_counted_by_kind_and_jams_by_side_whether_mended_or_not(bench: Bench) -> None:
    cycle = bench.app.cycle
    cycle.notice(codes.LANE_JAM, 1, 2)
    cycle.notice(codes.HEAD_JAM, 1, 1)
    cycle.notice(codes.FACE_UP_STUCK, codes.NO_SIDE, 1)
    cycle.fail(codes.EYE_BLOCKED, 3, 5, 28)
    cycle.fail(codes.LANE_JAM, 3, 5, 28)
    counted = read(bench)
    assert counted["jams"] == (0, 2, 0, 1), "a second fault within the first is not told, and not counted"
    kinds = {FAULTS[number]: count for number, count in enumerate(counted["told"]) if count}
    assert kinds == {"lane_jam": 1, "head_jam": 1, "face_up_stuck": 1, "eye_blocked": 1}


def test_counts_stop_at_their_end() -> None:
    counters = Counters()
    for fault in range(len(FAULTS)):
        counters.trouble(fault, codes.NO_SIDE)
    for _ in range(0x10005):
        counters.trouble(codes.LANE_JAM, 0)
    values = counters.values()
    assert values[1:5] == (0xFFFF, 0, 0, 0)
    assert values[5:-DRIVES] == tuple(0xFFFF if kind == codes.LANE_JAM else 1 for kind in range(len(FAULTS)))


def test_clearing_counts_anew_and_leaves_the_motors_their_time(bench: Bench) -> None:
    bench.app.cycle.builds = 7
    bench.app.cycle.notice(codes.LANE_JAM, 1, 2)
    bench.app.counters.drives(RING, bench.now_ms)
    bench.app.counters.drives(0, bench.now_ms + 3000)
    assert bench.request("clear_counters") == (codes.OK, b"")
    counted = read(bench)
    assert (counted["builds"], counted["cleared_at"], counted["jams"]) == (7, 7, (0, 0, 0, 0))
    assert counted["told"] == (0,) * len(FAULTS)
    assert counted["ran"] == (0, 30) + (0,) * (DRIVES - 2)
    assert bench.log("command_accepted")[-1]["message"] == NUMBER_OF["clear_counters"]
    assert again(bench).app.counters.values()[0] == 7


def test_counters_outlast_the_power_and_cause_no_writing(bench: Bench) -> None:
    written = len(bench.board.saved)
    for _ in range(50):
        bench.app.cycle.notice(codes.LANE_JAM, 2, 1)
        bench.poll(ms=100)
    assert len(bench.board.saved) == written
    bench.request("set_plan", 13, 14, 13, 14, 1, 0, codes.AS_SET)
    assert len(bench.board.saved) == written + 1
    assert read(again(bench))["jams"] == (0, 0, 50, 0)


def test_a_fault_that_is_told_again_after_a_start_is_not_counted_again() -> None:
    board = FakeBoard()
    board.levels[EMERGENCY_STOP] = 1
    bench = Bench(board)
    bench.hello()
    assert [event["fault"] for event in bench.log("fault")] == [codes.EMERGENCY_STOP]
    assert read(bench)["told"] == (0,) * len(FAULTS)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_setting_takes_what_is_within_its_limits_and_keeps_it(bench: Bench, number: int) -> None:
    default, lowest, highest = DEFAULTS[number], LOWEST[number], HIGHEST[number]
    shown = page(bench, "get_settings", number)
    assert shown.pop("size") == len(SETTINGS)
    row = (default, default, lowest, highest, KINDS[number], UNITS[number])
    assert tuple(column[0] for column in shown.values()) == row
    for value in {lowest - 1, highest + 1, 0, 0xFFFF} - {-1, lowest}:
        assert bench.request("set_setting", number, value) == (codes.BAD_ARGUMENT, b"")
        assert bench.app.settings.values == settings.defaults()
    for value in (lowest, highest):
        assert bench.request("set_setting", number, value) == (codes.OK, b"")
        assert page(again(bench), "get_settings", number)["value"][0] == value
    others = [value for at, value in enumerate(again(bench).app.settings.values) if at != number]
    assert others == [usual for at, usual in enumerate(DEFAULTS) if at != number]
    assert bench.log("command_accepted")[-1]["message"] == NUMBER_OF["set_setting"]


def test_a_setting_that_there_is_not_is_refused(bench: Bench) -> None:
    for number in (len(SETTINGS), 255):
        assert bench.request("get_settings", number) == (codes.BAD_ARGUMENT, b"")
        assert bench.request("set_setting", number, 100) == (codes.BAD_ARGUMENT, b"")


@pytest.mark.parametrize(("name", "size"), [("get_fault_counts", len(FAULTS)), ("get_drive_times", DRIVES)])
def test_a_page_that_there_is_not_is_refused(bench: Bench, name: str, size: int) -> None:
    assert bench.request(name, size - 1)[0] == codes.OK
    for first in (size, 255):
        assert bench.request(name, first) == (codes.BAD_ARGUMENT, b"")


def test_nothing_is_set_or_cleared_while_a_drive_runs(bench: Bench) -> None:
    bench.request("start_build")
    assert bench.request("set_setting", DEBOUNCE, 6) == (codes.WRONG_STATE, b"")
    assert bench.request("clear_counters") == (codes.WRONG_STATE, b"")
    assert bench.app.settings.values == settings.defaults()


def test_a_setting_that_could_not_be_stored_is_refused_and_not_used(bench: Bench) -> None:
    assert bench.request("set_setting", DEBOUNCE, 6) == (codes.OK, b"")
    bench.board.can_save = False
    assert bench.request("set_setting", DEBOUNCE, 8) == (codes.FAULT_ACTIVE, b"")
    assert bench.app.settings.values[DEBOUNCE] == 6
    assert (bench.app.cycle.fault, bench.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert bench.request("set_setting", DEBOUNCE, 6) == (codes.OK, b""), "it is stored"
    assert again(bench).app.settings.values[DEBOUNCE] == 6


def test_a_plan_that_could_not_be_stored_is_refused_and_not_used(bench: Bench) -> None:
    assert bench.request("set_plan", 13, 14, 13, 14, 1, codes.FIXED, codes.AS_SET) == (codes.OK, b"")
    bench.board.can_save = False
    assert bench.request("set_plan", 14, 13, 14, 13, 2, codes.TURNED, codes.AS_SET) == (codes.FAULT_ACTIVE, b"")
    cycle = bench.app.cycle
    assert (cycle.plan, cycle.dealer, cycle.plan_dealer, cycle.plan_mode) == ((13, 14, 13, 14), 1, 1, codes.FIXED)
    assert (cycle.fault, cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert bench.request("set_plan", 13, 14, 13, 14, 1, codes.FIXED, codes.AS_SET) == (codes.OK, b""), "it is stored"
    assert again(bench).app.cycle.plan == (13, 14, 13, 14)


def test_limits_of_motions_stay_below_the_run_time_limits() -> None:
    run_limits = dict(LIMITS_MS)
    highest = dict(zip(SETTINGS, HIGHEST, strict=True))
    assert highest["stroke_limit_ms"] < run_limits["head"]
    assert highest["belt_return_ms"] < run_limits["conveyor_reverse"]
    assert highest["lift_limit_ms"] < min(run_limits["lift_raise"], run_limits["lift_lower"])
    assert highest["lid_limit_ms"] < min(run_limits["lid_open"], run_limits["lid_close"])
    assert all(low <= usual <= high for usual, low, high in zip(DEFAULTS, LOWEST, HIGHEST, strict=True))


def test_a_longer_debounce_is_in_force_at_once(bench: Bench) -> None:
    bench.request("set_setting", DEBOUNCE, 20)
    bench.board.edge(bench.now_ms, LID_IS_OPEN, 1)
    bench.poll()
    bench.poll(ms=18)
    assert not bench.app.inputs.steady[LID_IS_OPEN]
    bench.poll(ms=2)
    assert bench.app.inputs.steady[LID_IS_OPEN]


def test_a_stored_value_that_is_out_of_its_limits_is_not_taken(bench: Bench) -> None:
    bench.app.settings.values[LIFT_LIMIT] = 60_000
    bench.app.settings.values[LID_LIMIT] = 2000
    bench.app.settings.stored = settings.pack(bench.app.settings.values)
    bench.app.cycle.unsaved = True
    bench.poll()
    restored = again(bench).app.settings.values
    assert restored[LIFT_LIMIT] == DEFAULTS[LIFT_LIMIT]
    assert restored[LID_LIMIT] == 2000


def test_a_setting_is_stored_before_its_reply_leaves() -> None:
    bench = Bench()
    bench.hello()
    saved: list[int] = []
    app = bench.app
    take = app.responder.take

    def taken() -> bytes:
        sent = take()
        if sent:
            saved.append(len(bench.board.saved))
        return sent

    app.responder.take = taken  # type: ignore[method-assign]
    before = len(bench.board.saved)
    bench.request("set_setting", STANDING_LIMIT, 3000)
    assert saved[0] == before + 1


def used(row: str) -> bool:
    """Say whether a module of the firmware reads the constant of that setting, beside its import."""
    tree = ast.parse(inspect.getsource(rows))
    (constant,) = (
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name)
        if node.value.args and ast.literal_eval(node.value.args[0]) == row
    )
    modules = Path(settings.__file__).parent.rglob("*.py")
    names = (node for path in modules for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name))
    return any(node.id == constant and isinstance(node.ctx, ast.Load) for node in names)


@pytest.mark.parametrize("row", SETTINGS)
def test_a_setting_is_used(row: str) -> None:
    assert used(row)
