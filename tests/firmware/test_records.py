"""What a host saves of a board and brings back: in parts, whole or not at all, and with no word of where tiles are."""

import struct
from functools import partial
from zlib import crc32

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.stored import fields_of
from tests.firmware.test_app import Bench
from tests.firmware.test_wiring import record
from wallwright_firmware.hal import ENROLMENT_SLOT, WIRING_SLOT
from wallwright_firmware.settings import pack
from wallwright_protocol import codes
from wallwright_protocol.hardware import STANDARD_PARTS
from wallwright_protocol.settings import DEFAULTS, HIGHEST, LID_LIMIT, LOWEST, SIDES_OUT

PART = 200
wiring_record = partial(record, lanes=15 | STANDARD_PARTS)


class Reading(FakeBoard):
    """A board with readers at its heads."""

    readers = 0xF


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.hello()
    return made


def get(bench: Bench, record: int) -> bytes:
    size, data = 1, b""
    while len(data) < size:
        code, payload = bench.request("get_record", record, len(data))
        assert code == codes.OK
        size, part = struct.unpack("<H200s", payload)
        if not size:
            return b""
        data += part
    assert set(data[size:]) <= {0}
    return data[:size]


def put(bench: Bench, record: int, data: bytes) -> int:
    code = codes.OK
    for at in range(0, len(data), PART):
        code = bench.request("put_record", record, len(data), at, data[at : at + PART])[0]
        if code != codes.OK:
            break
    return code


OTHERS = [high if high != usual else low for usual, low, high in zip(DEFAULTS, LOWEST, HIGHEST, strict=True)]
OTHERS[SIDES_OUT] = 0  # three sides do not hold the largest set
"""Settings that are not the usual ones."""


def changed(record: bytes, **fields: bytes) -> bytes:
    """The record with other fields."""
    parts = fields_of(record)
    for name, value in fields.items():
        assert len(value) == len(parts[name])
        parts[name] = value
    body = b"".join(list(parts.values())[:-1])
    return body + struct.pack("<I", crc32(body))


def test_what_is_saved_is_what_the_board_would_store_now_with_its_counters(bench: Bench) -> None:
    bench.request("set_setting", LID_LIMIT, 3100)
    bench.app.counters.trouble(codes.LANE_JAM, 1)
    parts = fields_of(get(bench, codes.STATE_RECORD))
    at = 2 * LID_LIMIT
    assert parts["settings"][at : at + 2] == struct.pack("<H", 3100)
    assert parts["jams"] == struct.pack("<4H", 0, 1, 0, 0)
    assert parts["version"] == b"\x09"


def test_settings_and_counters_come_back_and_where_the_tiles_are_does_not(bench: Bench) -> None:
    saved = changed(
        get(bench, codes.STATE_RECORD),
        settings=pack(OTHERS),
        builds=struct.pack("<I", 777),
        jams=struct.pack("<4H", 1, 2, 3, 4),
        boots=struct.pack("<I", 5000),
        deal=struct.pack("<H", 60),
        carriers=bytes([codes.CARRIERS_WHOLE]),
        set_above=b"\0",
        plan=bytes((14, 13, 14, 13)),
        stacks=bytes((14, 13, 14, 13)),
    )
    cycle = bench.app.cycle
    before = cycle.set_above
    bench.request("begin_service")
    assert put(bench, codes.STATE_RECORD, saved) == codes.OK
    assert bench.app.settings.values == OTHERS
    assert bench.app.counters.values()[1:5] == (1, 2, 3, 4)
    assert (cycle.builds, cycle.boots, cycle.deal) == (777, 5000, 60)
    assert (cycle.whole, cycle.walls_unknown, cycle.set_above, bench.app.build.partial) == (False, False, before, False)
    stored = fields_of(bench.board.saved[-1][1])
    assert stored["settings"] == fields_of(saved)["settings"], "it is stored before the reply"
    assert stored["carriers"] == bytes([codes.CARRIERS_EMPTY])


def test_numbers_of_starts_and_deals_never_go_back(bench: Bench) -> None:
    saved = get(bench, codes.STATE_RECORD)
    bench.app.cycle.deal, bench.app.cycle.boots = 9, 33
    bench.request("begin_service")
    assert put(bench, codes.STATE_RECORD, saved) == codes.OK
    assert (bench.app.cycle.deal, bench.app.cycle.boots) == (9, 33)


def test_a_setting_that_this_firmware_does_not_allow_stays_as_it_is(bench: Bench) -> None:
    saved = changed(get(bench, codes.STATE_RECORD), settings=pack([9, *[high + 1 for high in HIGHEST[1:]]]))
    before = list(bench.app.settings.values)
    bench.request("begin_service")
    assert put(bench, codes.STATE_RECORD, saved) == codes.OK
    assert bench.app.settings.values == [9, *before[1:]]


@pytest.mark.parametrize("at", [0, 2, 60, 199, 200, 270])
def test_a_record_that_was_damaged_is_refused_and_nothing_of_it_is_set(bench: Bench, at: int) -> None:
    saved = bytearray(changed(get(bench, codes.STATE_RECORD), settings=pack([9] * len(DEFAULTS))))
    saved[at] ^= 4
    bench.request("begin_service")
    before = (list(bench.app.settings.values), len(bench.board.saved))
    assert put(bench, codes.STATE_RECORD, bytes(saved)) == codes.BAD_ARGUMENT
    assert (list(bench.app.settings.values), len(bench.board.saved)) == before


def test_parts_out_of_their_order_are_refused(bench: Bench) -> None:
    saved = get(bench, codes.STATE_RECORD)
    bench.request("begin_service")

    def part(at: int, record: int = codes.STATE_RECORD, size: int = len(saved)) -> int:
        return bench.request("put_record", record, size, at, saved[at : at + PART])[0]

    assert part(200) == codes.BAD_ARGUMENT
    assert part(0) == codes.OK
    assert part(100) == codes.BAD_ARGUMENT
    assert part(200, codes.ENROLMENT_RECORD) == codes.BAD_ARGUMENT
    assert part(200) == codes.OK
    assert part(200) == codes.BAD_ARGUMENT, "it is whole already"
    assert part(0, size=1001) == codes.BAD_ARGUMENT
    assert part(0, size=0) == codes.BAD_ARGUMENT
    assert bench.request("get_record", codes.STATE_RECORD, len(saved))[0] == codes.BAD_ARGUMENT
    assert bench.request("get_record", codes.ENROLMENT_RECORD, 1)[0] == codes.BAD_ARGUMENT


def test_the_enrolment_comes_and_goes_where_there_are_readers(bench: Bench) -> None:
    assert get(bench, codes.ENROLMENT_RECORD) == b""
    table = Bench(Reading())
    table.hello()
    table.request("begin_service")
    table.request("set_enrolment", bytes(range(32)))
    saved = get(table, codes.ENROLMENT_RECORD)
    assert saved == table.board.slots[ENROLMENT_SLOT]
    other = Bench(Reading())
    other.hello()
    other.request("begin_service")
    assert put(other, codes.ENROLMENT_RECORD, saved[:-1] + b"x") == codes.BAD_ARGUMENT
    assert put(other, codes.ENROLMENT_RECORD, saved) == codes.OK
    assert other.board.slots[ENROLMENT_SLOT] == saved
    bench.request("begin_service")
    assert put(bench, codes.ENROLMENT_RECORD, saved) == codes.WRONG_STATE


def test_another_map_of_the_wires_is_put_there_as_by_a_technician_and_the_same_one_changes_nothing(
    bench: Bench,
) -> None:
    assert get(bench, codes.WIRING_RECORD) == wiring_record()
    inputs = [*range(7), 8, 7, *range(9, 45)]
    other = wiring_record(inputs=inputs)
    bench.request("begin_service")
    assert put(bench, codes.WIRING_RECORD, other) == codes.OK
    assert list(bench.app.wiring.body[4:49]) == inputs
    assert get(bench, codes.WIRING_RECORD) == other
    assert bench.app.cycle.fault == codes.WIRING_UNKNOWN
    assert bench.request("clear_fault")[0] == codes.OK
    bench.request("begin_service")
    assert put(bench, codes.WIRING_RECORD, other) == codes.OK
    assert bench.app.cycle.state == codes.SERVICE
    for spoilt in (other[:-1], other[:-1] + b"x", wiring_record(lanes=0), wiring_record(inputs=[255] * 45)):
        assert put(bench, codes.WIRING_RECORD, spoilt) == codes.BAD_ARGUMENT
    assert list(bench.app.wiring.body[4:49]) == inputs


def test_a_board_without_a_map_takes_that_first_and_then_the_rest(bench: Bench) -> None:
    state = get(bench, codes.STATE_RECORD)
    bench.board.slots[WIRING_SLOT] = b""
    blank = Bench(bench.board)
    blank.hello()
    assert put(blank, codes.STATE_RECORD, state) == codes.FAULT_ACTIVE
    assert put(blank, codes.WIRING_RECORD, wiring_record()) == codes.OK
    assert blank.request("clear_fault")[0] == codes.OK
    assert blank.request("begin_service")[0] == codes.OK
    assert put(blank, codes.STATE_RECORD, state) == codes.OK


def test_a_memory_that_takes_nothing_is_a_fault(bench: Bench) -> None:
    saved = get(bench, codes.STATE_RECORD)
    bench.request("begin_service")
    bench.board.can_save = False
    assert put(bench, codes.STATE_RECORD, saved) == codes.FAULT_ACTIVE
    assert (bench.app.cycle.fault, bench.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)


def test_the_requests_for_boards_of_other_releases_stay_as_they_are() -> None:
    """By hand, and for ever: a program of any later release saves and updates a board of this one by these."""
    from wallwright_protocol.messages import FROZEN, MESSAGES

    rows = {row[:4] for row in MESSAGES if row[1] in FROZEN}
    assert rows == {
        (0x10, "get_info", "request", ""),
        (0x10, "get_info", "reply", "<16s3BHB"),
        (0x27, "get_dictionary", "request", "<H"),
        (0x27, "get_dictionary", "reply", "<H200s"),
        (0x30, "begin_service", "request", ""),
        (0x30, "begin_service", "reply", ""),
        (0x31, "end_service", "request", ""),
        (0x31, "end_service", "reply", ""),
        (0x3B, "reboot_to_loader", "request", ""),
        (0x3B, "reboot_to_loader", "reply", ""),
        (0x3C, "get_record", "request", "<BH"),
        (0x3C, "get_record", "reply", "<H200s"),
        (0x3E, "get_image", "request", ""),
        (0x3E, "get_image", "reply", "<8s16s"),
    }
