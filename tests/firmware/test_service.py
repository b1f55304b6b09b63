"""The service: what may be jogged, when, and everything that ends a jog; on a board with nothing behind it."""

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.drivers.inputs import EDGES
from wallwright_firmware.safety import LIMITS_MS
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    DICE_KEY,
    DISC,
    DRIVES,
    EMERGENCY_STOP,
    HEAD,
    HEAD_HOME,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_KEY,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    REFEREE_KEY,
    RING,
    SIDES,
    drive_bit,
    input_number,
)

ENDS = {
    LID_OPEN: LID_IS_OPEN,
    LID_CLOSE: LID_IS_CLOSED,
    **{drive_bit(side, HEAD): input_number(side, HEAD_HOME) for side in range(SIDES)},
    **{drive_bit(side, LIFT_RAISE): input_number(side, LIFT_UP) for side in range(SIDES)},
    **{drive_bit(side, LIFT_LOWER): input_number(side, LIFT_DOWN) for side in range(SIDES)},
}
"""Drive -> the input at which it has to stop, from the hardware contract."""
OTHERS = [1 << number for number in range(DRIVES) if 1 << number not in ENDS]


def number(bit: int) -> int:
    return bit.bit_length() - 1


@pytest.fixture
def bench() -> Bench:
    """A table at rest, with a host, in service."""
    made = Bench()
    made.hello()
    assert made.request("begin_service") == (codes.OK, b"")
    return made


def jog(bench: Bench, bit: int, limit_ms: int = 1000) -> int:
    return bench.request("jog", number(bit), limit_ms)[0]


def ended(bench: Bench) -> list[tuple[object, object]]:
    return [(event["drive"], event["jog_end"]) for event in bench.log("jog_done")]


def away_from_end(bench: Bench, bit: int) -> None:
    """Let the end switch of a lift or the lid be open, so that its drive has a way to go."""
    if bit in ENDS and bench.board.levels[ENDS[bit]] and bit not in [drive_bit(side, HEAD) for side in range(SIDES)]:
        bench.app.inputs.steady[ENDS[bit]] = 0


@pytest.mark.parametrize("bit", [1 << drive for drive in range(DRIVES)])
def test_every_drive_runs_alone_for_the_time_that_was_asked_for(bench: Bench, bit: int) -> None:
    away_from_end(bench, bit)
    assert jog(bench, bit, 700) == codes.OK
    assert bench.board.driven[-1] == bit
    bench.poll(ms=699)
    assert bench.board.driven[-1] == bit
    bench.poll(ms=1)
    assert bench.board.driven[-1] == 0
    assert bench.log("jog_done") == [{"drive": number(bit), "ran_ms": 700, "jog_end": codes.BY_TIME}]
    assert bench.log("command_accepted")[-1] == {"message": NUMBER_OF["jog"], "source": codes.FROM_HOST}
    bench.poll(ms=200_000)
    assert bench.app.cycle.state != codes.FAULT


@pytest.mark.parametrize("bit", ENDS)
def test_a_drive_stops_at_its_switch_or_vane(bench: Bench, bit: int) -> None:
    end = ENDS[bit]
    away_from_end(bench, bit)
    for other in (LID_IS_OPEN, LID_IS_CLOSED, *(input_number(side, LIFT_UP) for side in range(SIDES))):
        bench.app.inputs.steady[other] = other == LID_IS_CLOSED and bit not in (LID_OPEN, LID_CLOSE)
    assert jog(bench, bit) == codes.OK
    if bench.app.inputs.steady[end]:
        bench.edge(end, 0)  # a head leaves its home and comes back
        assert bench.board.driven[-1] == bit
    else:
        bench.board.levels[end] = bench.app.inputs._raw[end] = 0
    bench.poll(ms=300)
    bench.edge(end, 1)
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(bit), codes.BY_SWITCH)]
    ran_ms = bench.log("jog_done")[0]["ran_ms"]
    assert isinstance(ran_ms, int)
    assert 300 < ran_ms < 300 + 4 * DEBOUNCE_MS


@pytest.mark.parametrize("bit", [LID_CLOSE, *(drive_bit(side, LIFT_LOWER) for side in range(SIDES))])
def test_a_drive_that_is_at_its_end_does_not_push_on(bench: Bench, bit: int) -> None:
    assert jog(bench, bit) == codes.OK
    assert bench.board.driven == [0]
    assert bench.log("jog_done") == [{"drive": number(bit), "ran_ms": 0, "jog_end": codes.BY_SWITCH}]


REFUSED: "tuple[tuple[str, tuple[int | bytes, ...]], ...]" = (
    ("begin_service", ()),
    ("jog", (number(RING), 500)),
    ("jog", (DRIVES, 500)),
    ("start_build", ()),
    ("open_lid", ()),
    ("raise_walls", ()),
    ("lower_lifts", ()),
    ("set_setting", (0, 6)),
    ("try_setting", (0, 6)),
    ("clear_fault", ()),
    ("clear_counters", ()),
    ("set_enrolment", (b"",)),
    ("put_record", (0, 252, 0, bytes(200))),
    ("get_record", (0, 0)),
    ("reboot_to_loader", ()),
    ("get_samples", ()),
    ("restart", ()),
)
"""What is refused while a jog runs."""


@pytest.mark.parametrize(("name", "values"), REFUSED)
def test_a_refused_request_changes_nothing_about_a_jog(
    bench: Bench, name: str, values: "tuple[int | bytes, ...]"
) -> None:
    head = drive_bit(2, HEAD)
    for way in ("switch", "key", "time", "end"):
        assert jog(bench, head, 1000) == codes.OK
        assert bench.request(name, *values)[0] != codes.OK
        assert bench.board.driven[-1] == head
        if way == "switch":
            bench.edge(ENDS[head], 0)
            bench.edge(ENDS[head], 1)
        elif way == "key":
            bench.edge(input_number(3, LIFT_KEY), 1)
        elif way == "time":
            bench.poll(ms=1000)
        else:
            bench.request("end_service")
        assert bench.board.driven[-1] == 0, way
    assert [why for _, why in ended(bench)] == [codes.BY_SWITCH, codes.BY_KEY, codes.BY_TIME, codes.BY_STOP]
    assert bench.log("fault") == []


@pytest.mark.parametrize("kind", [LIFT_KEY, DICE_KEY, REFEREE_KEY])
@pytest.mark.parametrize("side", range(SIDES))
def test_any_key_ends_a_jog_and_does_nothing_else(bench: Bench, side: int, kind: int) -> None:
    jog(bench, DISC)
    bench.edge(input_number(side, kind), 1)
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(DISC), codes.BY_KEY)]
    assert bench.app.cycle.state == codes.SERVICE
    bench.edge(input_number(side, kind), 0)
    bench.edge(input_number(side, kind), 1)
    assert bench.board.driven[-1] == 0
    assert not bench.log("dice_rolled")
    assert not bench.log("referee_called")
    assert len(ended(bench)) == 1


def test_the_emergency_stop_ends_a_jog_and_the_service(bench: Bench) -> None:
    jog(bench, RING)
    bench.edge(EMERGENCY_STOP, 1)
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(RING), codes.BY_FAULT)]
    assert [event["fault"] for event in bench.log("fault")] == [codes.EMERGENCY_STOP]
    assert jog(bench, RING) == codes.FAULT_ACTIVE
    bench.edge(EMERGENCY_STOP, 0)
    bench.request("clear_fault")
    assert bench.app.cycle.state == codes.IDLE
    assert jog(bench, RING) == codes.WRONG_STATE


def test_an_interlock_that_breaks_ends_a_jog(bench: Bench) -> None:
    jog(bench, drive_bit(2, LIFT_RAISE))
    bench.edge(input_number(2, HEAD_HOME), 0)
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(drive_bit(2, LIFT_RAISE)), codes.BY_FAULT)]
    assert [event["fault"] for event in bench.log("fault")] == [codes.INTERLOCK]


def test_a_silent_host_ends_jog_and_service(bench: Bench) -> None:
    bench.poll(ms=link.SILENCE_MS - 1000)
    assert jog(bench, DISC, 10_000) == codes.OK
    bench.app.responder._heard_ms -= 5000  # the host has not been heard since before
    bench.poll(ms=5001)
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(DISC), codes.BY_HOST)]
    assert bench.app.cycle.state == codes.IDLE


def test_the_end_of_the_service_ends_a_jog(bench: Bench) -> None:
    jog(bench, DISC)
    assert bench.request("end_service") == (codes.OK, b"")
    assert bench.board.driven[-1] == 0
    assert ended(bench) == [(number(DISC), codes.BY_STOP)]
    assert bench.app.cycle.state == codes.IDLE
    assert bench.request("end_service") == (codes.WRONG_STATE, b"")


def test_the_service_ends_in_the_state_that_the_switches_show(bench: Bench) -> None:
    jog(bench, drive_bit(1, LIFT_RAISE), 500)
    bench.edge(input_number(1, LIFT_DOWN), 0)
    bench.poll(ms=500)
    assert bench.log("fault") == [], "a lift that was driven does not sink"
    bench.request("end_service")
    assert bench.app.cycle.state == codes.WALLS_UP


def test_a_lid_that_is_driven_may_leave_its_switch_and_one_that_is_not_may_not(bench: Bench) -> None:
    jog(bench, LID_OPEN, 300)
    bench.edge(LID_IS_CLOSED, 0)
    assert bench.log("fault") == []
    bench.poll(ms=300)
    bench.edge(LID_IS_CLOSED, 1)
    jog(bench, DISC)
    bench.edge(LID_IS_CLOSED, 0)
    assert [event["fault"] for event in bench.log("fault")] == [codes.LID_LIMITS]
    assert ended(bench)[-1] == (number(DISC), codes.BY_FAULT)


def test_a_lift_that_nobody_has_driven_does_not_leave_its_place(bench: Bench) -> None:
    jog(bench, drive_bit(1, LIFT_RAISE), 500)
    bench.edge(input_number(2, LIFT_DOWN), 0)
    assert [(event["fault"], event["side"]) for event in bench.log("fault")] == [(codes.LIFT_LIMITS, 2)]
    assert bench.board.driven[-1] == 0


def test_one_jog_at_a_time(bench: Bench) -> None:
    jog(bench, DISC)
    assert jog(bench, RING) == codes.WRONG_STATE
    assert bench.board.driven[-1] == DISC


@pytest.mark.parametrize("bit", [DISC, RING, drive_bit(0, CONVEYOR), drive_bit(2, LIFT_RAISE)])
def test_a_drive_that_an_interlock_forbids_is_refused_and_the_input_is_named(bench: Bench, bit: int) -> None:
    jog(bench, LID_OPEN, 100)
    bench.edge(LID_IS_CLOSED, 0)
    bench.poll(ms=100)
    assert jog(bench, bit) == codes.FORBIDDEN
    assert bench.board.driven == [0, LID_OPEN, 0]
    assert bench.log("fault") == []
    code, reply = bench.request("get_drive", number(bit))
    assert (code, REPLIES[NUMBER_OF["get_drive"]].unpack_named(reply)["input"]) == (codes.OK, LID_IS_CLOSED)
    assert reply[-1] == 1


def test_limits_lie_below_the_run_time_limits_and_ten_seconds(bench: Bench) -> None:
    run_limits = dict(LIMITS_MS)
    kinds = ["conveyor", "conveyor_reverse", "head", "lift_raise", "lift_lower"]
    names = ["disc", "ring", *kinds * SIDES, "lid_open", "lid_close"]
    for drive, name in enumerate(names):
        code, reply = bench.request("get_drive", drive)
        limit_ms = int.from_bytes(reply[:2], "little")
        assert (code, limit_ms) == (codes.OK, min(10_000, run_limits[name] - 500)), name
        assert bench.request("jog", drive, limit_ms + 1)[0] == codes.BAD_ARGUMENT
    assert bench.request("jog", DRIVES, 100)[0] == codes.BAD_ARGUMENT
    assert bench.request("get_drive", DRIVES)[0] == codes.BAD_ARGUMENT
    assert jog(bench, DISC, 0) == codes.BAD_ARGUMENT


def test_outside_a_service_nothing_is_jogged() -> None:
    bench = Bench()
    bench.hello()
    assert jog(bench, DISC) == codes.WRONG_STATE
    assert bench.board.driven == [0]


def test_no_service_begins_while_the_table_moves_or_stands_in_a_fault() -> None:
    bench = Bench()
    bench.hello()
    bench.request("start_build")
    assert bench.request("begin_service")[0] == codes.WRONG_STATE
    bench.request("stop")
    assert bench.request("begin_service")[0] == codes.FAULT_ACTIVE
    bench.request("clear_fault")
    assert bench.request("begin_service")[0] == codes.OK
    assert bench.request("begin_service")[0] == codes.WRONG_STATE
    for name in ("start_build", "open_lid", "raise_walls", "lower_lifts"):
        assert bench.request(name)[0] == codes.WRONG_STATE
    assert bench.board.driven[-1] == 0


def test_a_drum_that_still_turns_keeps_the_service_away() -> None:
    bench = Bench()
    bench.hello()
    bench.app.cycle.state = codes.READY
    bench.app.outputs.on(DISC, bench.now_ms)
    assert bench.request("begin_service")[0] == codes.WRONG_STATE


@pytest.mark.parametrize("built", ["whole", "partial"])
def test_counted_stacks_stay_as_they_are(bench: Bench, built: str) -> None:
    setattr(bench.app.cycle if built == "whole" else bench.app.build, built, True)
    for side in range(SIDES):
        for kind in (CONVEYOR, HEAD, LIFT_RAISE, LIFT_LOWER):
            assert jog(bench, drive_bit(side, kind)) == codes.WALLS_BELOW
        assert jog(bench, drive_bit(side, CONVEYOR_REVERSE), 10) == codes.OK
        bench.poll(ms=10)
    assert ended(bench) == [(number(drive_bit(side, CONVEYOR_REVERSE)), codes.BY_TIME) for side in range(SIDES)]


@pytest.mark.parametrize("side", range(SIDES))
def test_a_tile_that_a_belt_brings_into_a_head_makes_the_walls_unknown(bench: Bench, side: int) -> None:
    jog(bench, drive_bit(side, CONVEYOR))
    bench.edge(input_number(side, COUNT_EYE), 1)
    bench.edge(input_number(side, COUNT_EYE), 0)
    bench.poll(ms=1000)
    bench.request("end_service")
    assert [event["fault"] for event in bench.log("fault")] == [codes.WALLS_UNKNOWN]
    bench.request("clear_fault")
    assert bench.app.cycle.state == codes.IDLE


def test_a_finger_in_the_eye_is_no_tile(bench: Bench) -> None:
    bench.edge(input_number(0, COUNT_EYE), 1)
    jog(bench, drive_bit(1, CONVEYOR))
    bench.edge(input_number(0, COUNT_EYE), 0)
    bench.edge(input_number(0, COUNT_EYE), 1)
    bench.request("end_service")
    assert bench.log("fault") == []


def test_the_inputs_are_told_with_the_times_of_their_changes(bench: Bench) -> None:
    start = bench.app.inputs.newest_edge
    told: list[tuple[int, int, int]] = []
    done: list[tuple[int, int, int]] = []
    for count in range(3 * EDGES):
        level = 1 - count % 2
        done.append((bench.now_ms, LID_IS_OPEN, level))
        bench.edge(LID_IS_OPEN, level)
        code, reply = bench.request("get_inputs")
        fields = REPLIES[NUMBER_OF["get_inputs"]].unpack_named(reply)
        assert fields["newest_edge"] == start + count + 1
        edges, times, inputs = fields["edges"], fields["edge_times"], fields["inputs"]
        assert isinstance(edges, tuple)
        assert isinstance(times, tuple)
        assert isinstance(inputs, bytes)
        assert (code, fields["uptime_ms"]) == (codes.OK, bench.now_ms)
        edge = edges[(start + count + 1) % EDGES]
        told.append((times[(start + count + 1) % EDGES], edge & 63, edge >> 6))
        assert inputs[LID_IS_OPEN // 8] >> LID_IS_OPEN % 8 & 1 == level
    assert told == done


def test_all_lamps_are_lit_in_service() -> None:
    board = FakeBoard()
    bench = Bench(board)
    bench.hello()
    bench.request("begin_service")
    assert board.lit == 0xFF
    assert board.shown == ["SERVICE"] * SIDES


@pytest.mark.parametrize("what", ["bytes", "edges"])
def test_a_jog_ends_in_time_whatever_comes_with_every_poll(bench: Bench, what: str) -> None:
    """A board is polled every 2 ms or so, and is not polled again just because something else is due."""
    assert jog(bench, DISC, 100) == codes.OK
    start_ms = bench.now_ms
    assert bench.board.driven[-1] == DISC
    while bench.board.driven[-1] and bench.now_ms < start_ms + 1000:
        bench.now_ms += 2
        if what == "edges":
            bench.board.edge(bench.now_ms, input_number(0, COUNT_EYE), bench.now_ms // 2 % 2)
        bench.app.poll(bench.now_ms, b"\x55" * 20 if what == "bytes" else b"")
    assert bench.now_ms <= start_ms + 110


def test_a_drive_is_stopped_at_its_limit_though_something_else_is_always_due(bench: Bench) -> None:
    """A device that keeps asking for its turn holds up those behind it, but never the run limits."""
    bit = drive_bit(0, CONVEYOR_REVERSE)
    limit_ms = dict(LIMITS_MS)["conveyor_reverse"]
    assert jog(bench, bit) == codes.OK
    start_ms = bench.now_ms
    while bench.board.driven[-1] and bench.now_ms < start_ms + 2 * limit_ms:
        bench.now_ms += 2
        for device in bench.app.build.lanes:
            device.due = bench.now_ms
        bench.app.poll(bench.now_ms, b"")
    assert bench.now_ms <= start_ms + limit_ms + 10
    assert bench.app.cycle.fault == codes.RUN_LIMIT
