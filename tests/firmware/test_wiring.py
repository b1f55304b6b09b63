"""The map of the wires: its record by its docstring, what it makes of a board's wires, and what it never connects."""

import struct
from binascii import crc32

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.test_app import Bench
from wallwright_firmware.hal import WIRING_SLOT
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import (
    CLAIM_KEY_0,
    DICE_KEY,
    DISC,
    EMERGENCY_STOP,
    FLAP_SORTER,
    HEAD_HOME,
    LID_IS_CLOSED,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_UP,
    MOUTH_SORTER,
    RING_SORTER,
    SENSED,
    SIDES,
    drive_bit,
    input_number,
)

INPUTS, OUTPUTS, NONE = 45, 32, 255
PRESSED = EMERGENCY_STOP | 128
"""The edge by which the emergency stop of the standard wiring says pressed."""
AWAY = [47 - number for number in range(INPUTS)]
"""Every input on a wire of its own, the last first."""
TURNED = [(number + 9) % OUTPUTS for number in range(OUTPUTS)]
"""Lamps and drives in each other's places."""


def record(
    lanes: int = 15,
    inputs: "list[int] | None" = None,
    outputs: "list[int] | None" = None,
    sorter: "tuple[int, ...]" = (),
) -> bytes:
    """A record as its description has it."""
    head = b"WM\x02" if sorter else b"WM\x01"
    wires = bytes(inputs or range(INPUTS)) + bytes(outputs or range(OUTPUTS))
    body = head + bytes([lanes]) + wires + bytes(sorter)
    return body + struct.pack("<I", crc32(body))


def changed(numbers: "list[int]", **wires: int) -> list[int]:
    return [wires.get(f"n{number}", wire) for number, wire in enumerate(numbers)]


class Wired(FakeBoard):
    """A board whose wires are those of `inputs`, with a table at rest on them."""

    def __init__(self, inputs: "list[int]", stored: bytes) -> None:
        super().__init__(at_rest=False)
        self.inputs = inputs
        self.slots[WIRING_SLOT] = stored
        at_rest = {LID_IS_CLOSED}
        for side in range(SIDES):
            at_rest |= {input_number(side, LIFT_DOWN), input_number(side, HEAD_HOME)}
        for number, wire in enumerate(inputs):
            if wire != NONE:
                self.levels[wire & 127] = (number in at_rest) ^ (wire >> 7)


def bench_of(inputs: "list[int]", stored: bytes) -> Bench:
    made = Bench(Wired(inputs, stored))
    made.hello()
    return made


def press(bench: Bench, wire: int, level: int) -> None:
    bench.edge(wire, level)


@pytest.fixture
def open_bench() -> Bench:
    """A table whose wires mean nothing at present; no map is stored."""
    made = Bench()
    made.board.slots[WIRING_SLOT] = b""
    made.hello()
    assert made.request("begin_service")[0] == codes.OK
    assert made.request("begin_wiring")[0] == codes.OK
    return made


def jog(bench: Bench, output: int = 0, limit_ms: int = 100, end: int = NONE, stop: int = PRESSED, keys: int = 0) -> int:
    code, _ = bench.request("jog_wire", output, limit_ms, end, stop, keys.to_bytes(6, "little"))
    bench.poll()
    return code


def wires(bench: Bench) -> dict[str, object]:
    code, payload = bench.request("get_wires")
    assert code == codes.OK
    return dict(REPLIES[NUMBER_OF["get_wires"]].unpack_named(payload))


def hash_of(bench: Bench) -> object:
    code, payload = bench.request("get_wiring")
    assert code == codes.OK
    return REPLIES[NUMBER_OF["get_wiring"]].unpack_named(payload)["wiring"]


def test_every_input_is_read_on_its_wire_in_its_sense() -> None:
    inputs = [wire | 128 * (number % 3 == 0) for number, wire in enumerate(AWAY)]
    bench = bench_of(inputs, record(inputs=inputs))
    assert bench.app.cycle.state == codes.IDLE
    for number in (input_number(2, DICE_KEY), CLAIM_KEY_0 + 1):
        wire, inverted = inputs[number] & 127, inputs[number] >> 7
        press(bench, wire, 1 ^ inverted)
        assert bench.app.inputs.steady[number] == 1
        press(bench, wire, inverted)
        assert bench.app.inputs.steady[number] == 0
    press(bench, 2, 1)  # nothing is on that wire
    assert sum(bench.app.inputs.steady) == 1 + 2 * SIDES


def test_drives_and_lamps_go_out_on_their_wires() -> None:
    bench = bench_of(list(range(INPUTS)), record(outputs=TURNED))
    assert bench.request("begin_service")[0] == codes.OK
    # Eight lamps, 24 to 31, are on outputs 1 to 8 now.
    assert bench.board.driven[-1] == 0b1_1111_1110
    assert bench.board.lit == 0
    assert bench.request("jog", 0, 100)[0] == codes.OK
    assert bench.board.driven[-1] == 0b1_1111_1110 | 1 << 9
    bench.poll(ms=100)
    assert bench.board.driven[-1] == 0b1_1111_1110
    assert bench.request("jog", 2 + 3 * 5 + 1, 100)[0] == codes.OK  # the belt of side 3 backwards: output 18 + 9
    assert bench.board.lit == 1 << 3
    bench.poll(ms=100)
    assert bench.board.lit == 0


def test_an_input_without_a_wire_is_off_and_a_lane_that_is_not_there_is_in_nobodys_way() -> None:
    gone = list(range(9, 18))
    inputs = [NONE if number in gone or number == CLAIM_KEY_0 else number for number in range(INPUTS)]
    outputs = [NONE if 7 <= number < 12 else number for number in range(OUTPUTS)]
    bench = bench_of(inputs, record(lanes=0b1101, inputs=inputs, outputs=outputs))
    steady = bench.app.inputs.steady
    assert [number for number in (*gone, CLAIM_KEY_0) if steady[number]] == [9 + HEAD_HOME, 9 + LIFT_DOWN]
    assert bench.app.cycle.state == codes.IDLE
    assert bench.request("begin_service")[0] == codes.OK
    assert bench.request("jog", 22, 100)[0] == codes.OK, "the lid asks whether all lifts are down"
    bench.poll(ms=100)
    assert bench.request("end_service")[0] == codes.OK
    bench.request("start_build")
    assert bench.log("fault")[-1]["fault"] == codes.PLAN_IMPOSSIBLE
    assert bench.board.driven[-1] == 0


BAD: "dict[str, tuple[int, bytes]]" = {
    "a wire that there is not": (codes.BAD_ARGUMENT, record(inputs=changed(AWAY, n3=48))),
    "an output that there is not": (codes.BAD_ARGUMENT, record(outputs=changed(TURNED, n3=32))),
    "no lane": (codes.BAD_ARGUMENT, record(lanes=0)),
    "senses without what brings them back": (codes.BAD_ARGUMENT, record(lanes=15 | SENSED)),
    "an input of no lane": (codes.BAD_ARGUMENT, record(lanes=14)),
    "an input twice": (codes.WIRED_TWICE, record(inputs=changed(AWAY, n3=AWAY[4] | 128))),
    "an output twice": (codes.WIRED_TWICE, record(outputs=changed(TURNED, n30=TURNED[4]))),
    "no emergency stop": (codes.NO_STOP_WIRED, record(inputs=changed(AWAY, n38=NONE))),
    "a lift without its switch": (codes.NO_END_WIRED, record(inputs=changed(AWAY, n22=NONE))),
    "a head without its vane": (codes.NO_END_WIRED, record(inputs=changed(AWAY, n2=NONE))),
    "a lid without its switch": (codes.NO_END_WIRED, record(inputs=changed(AWAY, n37=NONE))),
    "a sorter that there is not": (codes.BAD_ARGUMENT, record(sorter=(4, 0, 0))),
    "a ring of three magnets": (codes.BAD_ARGUMENT, record(sorter=(RING_SORTER, 3, 160))),
    "a ring without a lead": (codes.BAD_ARGUMENT, record(sorter=(RING_SORTER, 18, 0))),
    "a mouth with a lead": (codes.BAD_ARGUMENT, record(sorter=(MOUTH_SORTER, 0, 160))),
    "nine places a lane": (codes.BAD_ARGUMENT, record(sorter=(FLAP_SORTER, 9, 160))),
    "no sorter that has places": (codes.BAD_ARGUMENT, record(sorter=(0, 2, 0))),
}


@pytest.mark.parametrize("name", BAD)
def test_a_map_that_could_do_harm_is_refused_with_the_reason_and_never_used(open_bench: Bench, name: str) -> None:
    code, stored = BAD[name]
    assert open_bench.request("set_wiring", *stored[3:-4].ljust(81, b"\0"))[0] == code
    assert open_bench.board.slots[WIRING_SLOT] == b""
    bench = bench_of(AWAY, stored)
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    assert hash_of(bench) == 0
    assert sum(bench.app.inputs.steady) == 0


def test_inputs_that_need_no_end_may_be_left_out(open_bench: Bench) -> None:
    inputs = changed(list(range(INPUTS)), n22=NONE, n41=NONE, n0=NONE)
    outputs = changed(list(range(OUTPUTS)), n15=NONE)
    assert (input_number(2, LIFT_UP), 2 + 2 * 5 + 3) == (22, 15)
    assert open_bench.request("set_wiring", 15, *inputs, *outputs, 0, 0, 0)[0] == codes.OK


@pytest.mark.parametrize("at", range(86))
def test_a_record_that_was_cut_or_spoiled_connects_nothing(at: int) -> None:
    whole = record(inputs=AWAY)
    assert len(whole) == 85
    for stored in (whole[:at] or b"?", whole[:at] + bytes([0xFF & ~(whole + b"\0")[at]]) + whole[at + 1 :]):
        if stored == whole:
            continue
        bench = bench_of(AWAY, stored)
        assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
        bench.poll(ms=10_000)
        assert bench.board.driven == []
        assert bench.board.lit == 0


def test_a_board_without_its_map_is_given_one_and_works() -> None:
    bench = bench_of(AWAY, b"rubbish")
    assert bench.request("clear_fault")[0] == codes.FAULT_ACTIVE
    assert bench.request("begin_service")[0] == codes.FAULT_ACTIVE
    assert bench.request("set_wiring", 15, *AWAY, *TURNED, 0, 0, 0)[0] == codes.OK
    assert bench.board.slots[WIRING_SLOT] == record(inputs=AWAY, outputs=TURNED)
    assert bench.log("wiring_changed") == [{"wiring": crc32(record(inputs=AWAY, outputs=TURNED)[:-4])}]
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.app.cycle.state == codes.IDLE
    again = bench_of(AWAY, bench.board.slots[WIRING_SLOT])
    assert again.app.cycle.state == codes.IDLE


def test_a_map_that_cannot_be_stored_is_not_used(open_bench: Bench) -> None:
    open_bench.board.can_save = False
    assert open_bench.request("set_wiring", 15, *AWAY, *TURNED, 0, 0, 0)[0] == codes.FAULT_ACTIVE
    assert (open_bench.app.cycle.fault, open_bench.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert hash_of(open_bench) == 0


def test_only_in_service_or_a_fault_and_at_rest_the_wires_lose_their_meaning() -> None:
    bench = Bench()
    bench.hello()
    assert bench.request("begin_wiring")[0] == codes.WRONG_STATE
    assert bench.request("set_wiring", 15, *AWAY, *TURNED, 0, 0, 0)[0] == codes.WRONG_STATE
    assert jog(bench) == codes.WRONG_STATE
    bench.request("begin_service")
    bench.request("jog", 0, 1000)
    assert bench.request("begin_wiring")[0] == codes.WRONG_STATE
    assert bench.board.driven[-1] == DISC
    bench.request("stop")
    assert bench.request("begin_wiring")[0] == codes.OK
    assert [event["fault"] for event in bench.log("fault")] == [codes.STOPPED, codes.WIRING_UNKNOWN]
    assert [event["fault"] for event in bench.log("fault_cleared")] == [codes.STOPPED]


def test_while_nothing_is_connected_inputs_do_nothing_and_edges_of_wires_are_told(open_bench: Bench) -> None:
    for wire in (LID_IS_CLOSED, EMERGENCY_STOP, 47):
        open_bench.edge(wire, 1 - open_bench.board.levels[wire])
    open_bench.poll(ms=5000)
    assert codes.EMERGENCY_STOP not in [event["fault"] for event in open_bench.log("fault")]
    assert open_bench.board.lit == 0
    seen = wires(open_bench)
    edges = seen["edges"]
    assert isinstance(edges, tuple)
    assert seen["newest_edge"] == 3
    assert edges[1:4] == (LID_IS_CLOSED, EMERGENCY_STOP | 64, 47 | 64)
    levels = seen["wires"]
    assert isinstance(levels, bytes)
    assert [wire for wire in range(48) if levels[wire // 8] >> wire % 8 & 1] == [
        wire for wire in range(48) if open_bench.board.levels[wire]
    ]


@pytest.mark.parametrize("output", range(OUTPUTS))
def test_an_output_is_on_alone_and_for_its_time(open_bench: Bench, output: int) -> None:
    assert jog(open_bench, output, 700) == codes.OK
    assert (open_bench.board.driven[-1], open_bench.board.lit) == ((1 << output) & 0xFFFFFF, (1 << output) >> 24)
    assert wires(open_bench)["outputs"] == 1 << output
    open_bench.poll(ms=690)
    assert open_bench.log("wire_jogged") == []
    for _ in range(20):
        open_bench.poll()
    assert (open_bench.board.driven[-1], open_bench.board.lit) == (0, 0)
    assert open_bench.log("wire_jogged") == [{"output": output, "ran_ms": 700, "jog_end": codes.BY_TIME}]


def test_that_the_walls_are_unknown_is_stored_before_an_output_is_on(open_bench: Bench) -> None:
    saved = len(open_bench.board.saved)
    assert jog(open_bench) == codes.OK
    assert [driven for _, _, driven in open_bench.board.saved[saved:]] == [0]
    open_bench.poll(ms=200)
    assert open_bench.request("set_wiring", 15, *range(INPUTS), *range(OUTPUTS), 0, 0, 0)[0] == codes.OK
    assert open_bench.request("clear_fault")[0] == codes.OK
    assert open_bench.app.cycle.fault == codes.WALLS_UNKNOWN


WAYS = {
    "the emergency stop": (EMERGENCY_STOP, 1, codes.BY_FAULT),
    "a key that goes down": (7, 1, codes.BY_KEY),
    "what was waited for": (20, 1, codes.BY_SWITCH),
}


@pytest.mark.parametrize("way", [*WAYS, "a request", "the loss of the host", "the end"])
def test_it_ends_at_once_by(open_bench: Bench, way: str) -> None:
    assert jog(open_bench, 3, 1500, end=20 | 128, keys=1 << 7 | 1 << 44) == codes.OK
    assert open_bench.board.driven[-1] == 8
    if way in WAYS:
        wire, level, why = WAYS[way]
        open_bench.board.edge(open_bench.now_ms, wire, level)
        open_bench.app.poll(open_bench.now_ms, b"")
    elif way == "a request":
        open_bench.request("stop")
        why = codes.BY_STOP
    elif way == "the end":
        open_bench.request("clear_fault")
        why = codes.BY_STOP
    else:
        open_bench.app.responder._heard_ms -= link.SILENCE_MS
        open_bench.poll(ms=1001)
        why = codes.BY_HOST
        assert not open_bench.app.wiring.connected
    assert open_bench.board.driven[-1] == 0
    assert [event["jog_end"] for event in open_bench.log("wire_jogged")] == [why]


def test_other_wires_do_not_end_it(open_bench: Bench) -> None:
    jog(open_bench, 3, 1500, end=20 | 128, keys=1 << 7)
    for wire, level in ((20, 0), (8, 1), (19, 1)):
        open_bench.edge(wire, level)
    assert open_bench.board.driven[-1] == 8


def test_what_may_not_be_jogged(open_bench: Bench) -> None:
    for values in (
        {"output": 32},
        {"limit_ms": 0},
        {"limit_ms": 1501},
        {"end": 48},
        {"stop": 48},
        {"stop": NONE},
    ):
        assert jog(open_bench, **values) == codes.BAD_ARGUMENT, values
    open_bench.edge(EMERGENCY_STOP, 1)
    assert jog(open_bench) == codes.FORBIDDEN
    open_bench.edge(EMERGENCY_STOP, 0)
    assert jog(open_bench) == codes.OK
    assert jog(open_bench, 5) == codes.WRONG_STATE
    assert open_bench.request("begin_wiring")[0] == codes.WRONG_STATE
    assert open_bench.request("set_wiring", 15, *AWAY, *TURNED, 0, 0, 0)[0] == codes.WRONG_STATE
    open_bench.poll(ms=200)
    open_bench.app.build.partial = True
    assert jog(open_bench) == codes.WALLS_BELOW
    assert open_bench.board.driven[-1] == 0


def test_an_abandoned_search_leaves_nothing_connected_until_the_fault_is_cleared_or_the_next_start() -> None:
    bench = bench_of(AWAY, record(inputs=AWAY))
    bench.request("begin_service")
    bench.request("begin_wiring")
    bench.app.responder._heard_ms -= link.SILENCE_MS
    bench.poll(ms=1001)
    assert bench.app.wiring.hash == 0
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    bench.hello()
    assert bench.request("clear_fault")[0] == codes.OK
    assert bench.app.wiring.hash == crc32(record(inputs=AWAY)[:-4])
    assert bench.app.cycle.state == codes.IDLE


def test_without_a_stored_map_only_a_map_connects_anything_again(open_bench: Bench) -> None:
    assert open_bench.request("clear_fault")[0] == codes.FAULT_ACTIVE
    assert open_bench.app.wiring.hash == 0
    assert Bench(open_bench.board).app.wiring.hash == 0


def test_an_emergency_stop_that_is_in_when_wires_mean_something_again_keeps_the_fault(open_bench: Bench) -> None:
    open_bench.edge(EMERGENCY_STOP, 1)
    assert open_bench.request("set_wiring", 15, *range(INPUTS), *range(OUTPUTS), 0, 0, 0)[0] == codes.OK
    assert open_bench.app.cycle.fault == codes.EMERGENCY_STOP
    assert open_bench.request("clear_fault")[0] == codes.FAULT_ACTIVE
    open_bench.edge(EMERGENCY_STOP, 0)
    assert open_bench.request("clear_fault")[0] == codes.OK
    assert open_bench.app.cycle.state == codes.IDLE
    assert drive_bit(0, LIFT_LOWER) & open_bench.board.driven[-1] == 0
