"""The way to the loader: at rest, in service, and after a lift key that was pressed for it."""

import pytest

from tests.firmware.stored import fields_of
from tests.firmware.test_app import Bench
from wallwright_firmware.loader import CONSENT_MS, FAREWELL_MS
from wallwright_protocol import codes
from wallwright_protocol.hardware import DICE_KEY, DISC, EMERGENCY_STOP, LIFT_KEY, REFEREE_KEY, input_number


@pytest.fixture
def bench() -> Bench:
    """A table at rest, with a host."""
    made = Bench()
    made.hello()
    return made


def ask(bench: Bench) -> int:
    return bench.request("reboot_to_loader")[0]


def press(bench: Bench, kind: int = LIFT_KEY, side: int = 2) -> None:
    for level in (1, 0):
        bench.edge(input_number(side, kind), level)


def left(bench: Bench) -> int:
    bench.poll(ms=2 * FAREWELL_MS)
    return bench.board.left


def test_a_lift_key_after_the_question_lets_the_board_leave_once_its_reply_is_out(bench: Bench) -> None:
    bench.request("begin_service")
    assert ask(bench) == codes.NO_CONSENT
    assert bench.board.shown == ["UPDATE?"] * 4
    assert ask(bench) == codes.NO_CONSENT
    press(bench)
    assert ask(bench) == codes.OK
    bench.poll(ms=FAREWELL_MS // 2)
    assert bench.board.left == 0, "the reply has to leave first"
    assert left(bench) == 1
    assert not any(bench.board.driven)


@pytest.mark.parametrize("kind", [DICE_KEY, REFEREE_KEY])
def test_no_other_key_says_yes(bench: Bench, kind: int) -> None:
    bench.request("begin_service")
    ask(bench)
    press(bench, kind)
    assert ask(bench) == codes.NO_CONSENT
    assert left(bench) == 0


def test_a_key_before_the_question_says_nothing(bench: Bench) -> None:
    bench.request("begin_service")
    press(bench)
    assert ask(bench) == codes.NO_CONSENT
    assert left(bench) == 0


@pytest.mark.parametrize("pressed", [False, True])
def test_question_and_answer_are_forgotten_after_a_minute(bench: Bench, pressed: bool) -> None:
    bench.request("begin_service")
    ask(bench)
    if pressed:
        press(bench)
    for _ in range(CONSENT_MS // 1000):
        bench.poll(ms=1000)
        bench.request("get_info")  # the host is there
    if not pressed:
        press(bench)
    assert ask(bench) == codes.NO_CONSENT
    press(bench)
    assert ask(bench) == codes.OK


def test_consent_ends_with_its_service(bench: Bench) -> None:
    bench.request("begin_service")
    ask(bench)
    press(bench)
    bench.request("end_service")
    assert ask(bench) == codes.WRONG_STATE
    bench.request("begin_service")
    assert ask(bench) == codes.NO_CONSENT


def test_neither_a_running_drive_nor_a_fault_lets_it_leave(bench: Bench) -> None:
    bench.request("begin_service")
    ask(bench)
    press(bench)
    assert bench.request("jog", DISC.bit_length() - 1, 300)[0] == codes.OK
    assert ask(bench) == codes.WRONG_STATE
    bench.poll(ms=400)
    assert ask(bench) == codes.OK
    bench.edge(EMERGENCY_STOP, 1)
    assert left(bench) == 0, "the emergency stop came between the reply and the loader"
    assert ask(bench) == codes.FAULT_ACTIVE


def test_counters_are_stored_before_it_leaves(bench: Bench) -> None:
    bench.request("begin_service")
    bench.request("jog", DISC.bit_length() - 1, 700)
    bench.poll(ms=700)
    ask(bench)
    press(bench)
    before = len(bench.board.saved)
    assert ask(bench) == codes.OK
    assert len(bench.board.saved) == before + 1
    ran = fields_of(bench.board.saved[-1][1])["ran"]
    assert int.from_bytes(ran[:4], "little") == 7


def test_a_memory_that_takes_nothing_keeps_the_board_where_it_is(bench: Bench) -> None:
    bench.request("begin_service")
    ask(bench)
    press(bench)
    bench.board.can_save = False
    assert ask(bench) == codes.FAULT_ACTIVE
    assert (bench.app.cycle.fault, bench.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert left(bench) == 0


def restarted(bench: Bench) -> int:
    bench.poll(ms=2 * FAREWELL_MS)
    return bench.board.restarted


@pytest.mark.parametrize("way", ["begin_service", "stop"])
def test_a_host_restarts_a_board_in_service_or_in_a_fault_without_asking_anybody(bench: Bench, way: str) -> None:
    bench.request(way)
    before = len(bench.board.saved)
    assert bench.request("restart")[0] == codes.OK
    bench.poll(ms=FAREWELL_MS // 2)
    assert bench.board.restarted == 0, "the reply has to leave first"
    assert restarted(bench) == 1
    assert bench.board.left == 0
    assert len(bench.board.saved) == before, "the flash does not wear by it"


def test_no_board_restarts_that_works_or_moves_or_was_let_go_again(bench: Bench) -> None:
    assert bench.request("restart")[0] == codes.WRONG_STATE
    bench.request("begin_service")
    assert bench.request("jog", DISC.bit_length() - 1, 300)[0] == codes.OK
    assert bench.request("restart")[0] == codes.WRONG_STATE
    bench.poll(ms=400)
    assert bench.request("restart")[0] == codes.OK
    bench.request("end_service")
    assert restarted(bench) == 0


def test_who_asks_for_the_loader_last_gets_the_loader(bench: Bench) -> None:
    bench.request("begin_service")
    ask(bench)
    press(bench)
    bench.request("restart")
    assert ask(bench) == codes.OK
    assert (left(bench), bench.board.restarted) == (1, 0)
