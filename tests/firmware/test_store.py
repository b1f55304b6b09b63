"""The two slots: torn writes, wrapped generations, the layout byte by byte, and what the app makes of them."""

import struct
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.firmware.fake_board import FakeBoard
from tests.firmware.stored import fields_of, keys_of, parts
from tests.firmware.torn import Memory, Torn
from wallwright_firmware.app import App
from wallwright_firmware.counters import Counters
from wallwright_firmware.presses import REACTION_MS
from wallwright_firmware.settings import defaults, pack
from wallwright_firmware.store import FIELDS_BYTES, LEAST_BYTES, Store
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS
from wallwright_protocol.hardware import (
    DISC,
    EMERGENCY_STOP,
    LID_OPEN,
    LIFT_KEY,
    SIDES,
    input_number,
)
from wallwright_protocol.names import CARRIERS, DRIVES, FAULTS, SETTINGS
from wallwright_protocol.settings import DEBOUNCE

PLAN = (14, 13, 14, 13)
STORED_SETTINGS = pack([9, *defaults(wash_s=0)[1:]])

BLOCKED_AT = 22
INLINE_BYTES = 512
"""The largest file that littlefs keeps beside its name on a board: an eighth of a block of 4,096."""


def with_blocked(data: bytes, blocked: list[int]) -> bytes:
    return data[:BLOCKED_AT] + bytes(blocked) + data[BLOCKED_AT + SIDES :]


fields = st.builds(
    with_blocked,
    st.binary(min_size=FIELDS_BYTES, max_size=FIELDS_BYTES),
    st.lists(st.integers(0, len(FAULTS) - 1), min_size=SIDES, max_size=SIDES),
)


@given(fields)
def test_a_record_brings_back_what_was_stored(data: bytes) -> None:
    memory = Memory()
    Store(memory).save(*parts(data))
    assert Store(memory).load() == data


@pytest.mark.parametrize("told", range(len(FAULTS)))
def test_a_record_takes_four_bytes_for_each_fault_that_was_told(told: int) -> None:
    counted = Counters()
    for fault in range(1, 1 + told):
        counted.trouble(fault, 0)
        counted.trouble(fault, 0)
    lasting = parts(with_blocked(bytes(FIELDS_BYTES), [0] * SIDES))[0]
    record = Store(Memory()).record(lasting, counted)
    assert len(record) == LEAST_BYTES + 4 * told
    assert len(record) <= INLINE_BYTES or told > 40


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            fields,
            st.none() | st.integers(0, LEAST_BYTES + 4 * len(FAULTS)),
            st.sampled_from(("lost", "kept", "erased")),
        ),
        max_size=30,
    )
)
def test_what_was_stored_last_is_there_whatever_was_torn_in_between(writes) -> None:
    memory = Memory()
    whole: bytes | None = b""
    slots = Store(memory)
    assert slots.load() == whole
    for data, cut, rest in writes:
        memory.cut, memory.rest = cut, rest
        try:
            assert slots.save(*parts(data))
            whole = data
        except Torn:
            slots = Store(memory)
            found = slots.load()
            assert found in (whole, data)
            if found == data != whole:
                # What was cut off is what the slot holds anyway: some last bytes of the CRC, or nothing.
                assert cut is not None
                assert cut >= len(slots.record(*parts(data))) - 4
            whole = found
        assert Store(memory).load() == whole


@given(st.lists(fields, min_size=1, max_size=6), st.integers(0, 3))
def test_the_generation_goes_round(writes, before_the_end: int) -> None:
    memory = Memory()
    counts = (len(SETTINGS), len(FAULTS), len(DRIVES))
    record = struct.pack("<2sBI3B", b"WW", 9, 0xFFFFFFFF - before_the_end, *counts) + bytes(FIELDS_BYTES)
    record += keys_of(SETTINGS) + keys_of(FAULTS) + keys_of(DRIVES)
    memory.slots[1] = record + struct.pack("<I", crc32(record))
    slots = Store(memory)
    assert slots.load() == bytes(FIELDS_BYTES)
    for data in writes:
        slots.save(*parts(data))
        assert Store(memory).load() == data


@given(fields, fields, st.integers(0, LEAST_BYTES - 1), st.integers(1, 255))
def test_no_changed_byte_is_taken_for_a_record(older, newer, at: int, change: int) -> None:
    memory = Memory()
    slots = Store(memory)
    slots.load()
    slots.save(*parts(older))
    slots.save(*parts(newer))
    damaged = bytearray(memory.slots[1])
    damaged[at] ^= change
    memory.slots[1] = bytes(damaged)
    assert Store(memory).load() == older
    memory.slots[0] = memory.slots[0][:-1]
    assert Store(memory).load() is None


def test_a_new_board_and_one_whose_first_write_was_cut_know_nothing_and_miss_nothing() -> None:
    memory = Memory()
    assert Store(memory).load() == b""
    memory.slots[0] = b"WW\x03"
    assert Store(memory).load() == b""


def test_a_write_never_goes_to_the_slot_of_the_newest_record() -> None:
    memory = Memory()
    slots = Store(memory)
    slots.load()
    for number in range(5):
        slots.save(*parts(bytes([number]) * FIELDS_BYTES))
    assert [slot for slot, _, _ in memory.saved] == [0, 1, 0, 1, 0]
    memory.slots[0] = b"rubbish"
    slots = Store(memory)
    assert slots.load() == bytes([3]) * FIELDS_BYTES
    slots.save(*parts(bytes(FIELDS_BYTES)))
    assert memory.saved[-1][0] == 0


class Bench:
    """An app on a board whose inputs are set by hand; `start` is a power loss and what follows."""

    def __init__(self, board: FakeBoard | None = None, tiles: int = 108) -> None:
        self.board = board or FakeBoard(wash_s=0)
        self.tiles = tiles
        self.start()

    def start(self) -> None:
        self.board.edges.clear()
        self.app = App(self.board, b"unit", self.tiles)
        self.now_ms = 0
        self.poll()

    def poll(self) -> None:
        self.app.poll(self.now_ms, b"")
        self.wait(0)

    def wait(self, ms: int) -> None:
        end_ms = self.now_ms + ms
        while self.app.due <= end_ms:
            self.now_ms = max(self.now_ms, self.app.due)
            self.app.poll(self.now_ms, b"")
        self.now_ms = end_ms

    def set(self, number: int, level: int) -> None:
        self.board.edge(self.now_ms, number, level)
        self.poll()
        self.wait(10)

    def press(self, side: int = 0, kind: int = LIFT_KEY) -> None:
        self.wait(REACTION_MS)
        for level in (1, 0):
            self.set(input_number(side, kind), level)

    def record(self) -> dict[str, bytes]:
        return fields_of(self.board.saved[-1][1])

    def events(self, name: str) -> list[dict[str, object]]:
        found = []
        seq = 0
        while (event := self.app.events.after(seq)) is not None:
            seq = event[0]
            if EVENTS[event[3]].name == name:
                found.append(EVENTS[event[3]].unpack_named(event[4]))
        return found

    @property
    def shown(self) -> str:
        return self.board.shown[0]


def test_the_layout() -> None:
    cycle, build = (bench := Bench()).app.cycle, bench.app.build
    cycle.boots, cycle.builds, cycle.set_above, cycle.deal, cycle.dealer = 0x01020304, 0x11121314, 1, 0x2122, 3
    cycle.dice, cycle.plan, cycle.plan_dealer, cycle.plan_mode = (4, 6, 0), (13, 14, 13, 14), 1, codes.HELD
    cycle.told = (2, 3, codes.GOULASH, 0x3132)
    cycle.plan_wash_s, cycle.washed_s = 75, 61
    build.restore(PLAN, (1, 2, 3, 4), (0, 1, 2, 0), (0, 0, codes.HEAD_JAM, 0), True, False, False)
    bench.app.settings.values[DEBOUNCE] = 9
    bench.app.settings.stored = pack(bench.app.settings.values)
    counters = bench.app.counters
    counters.clear(4)
    for fault, side in ((codes.SLOW_BUILD, codes.NO_SIDE), (codes.LANE_JAM, 2), (codes.LANE_JAM, 2)):
        counters.trouble(fault, side)
    kinds = ["none", "slow_build", "lane_jam", "head_jam"]  # no head jam was told in this start, but one blocks a lane
    counters.drives(LID_OPEN, 1000)
    counters.drives(0, 2567)
    bench.app.cycle.unsaved = True
    bench.poll()
    expected = {
        "magic": b"WW",
        "version": b"\x09",
        "generation": (2).to_bytes(4, "little"),
        "setting_count": bytes([len(SETTINGS)]),
        "fault_count": bytes([len(kinds)]),
        "drive_count": bytes([len(DRIVES)]),
        "boots": bytes((4, 3, 2, 1)),
        "builds": bytes((0x14, 0x13, 0x12, 0x11)),
        "set_above": b"\1",
        "carriers": bytes([CARRIERS.index("part")]),
        "plan": bytes(PLAN),
        "stacks": bytes((1, 2, 3, 4)),
        "in_head": bytes((0, 1, 2, 0)),
        "blocked": bytes((0, 0, kinds.index("head_jam"), 0)),
        "deal": bytes((0x22, 0x21)),
        "dealer": b"\3",
        "dice": bytes((4, 6, 0)),
        "next_plan": bytes((13, 14, 13, 14)),
        "plan_dealer": b"\1",
        "plan_mode": b"\1",
        "east": b"\2",
        "round_wind": b"\3",
        "deal_kind": b"\1",
        "pot": bytes((0x32, 0x31)),
        "plan_wash": bytes((75,)),
        "washed_s": bytes((61,)),
        "wall_mode": b"\0",
        "fills": b"\1",
        "drawn": bytes(4),
        "settings": STORED_SETTINGS,
        "cleared_at": bytes((4, 0, 0, 0)),
        "jams": bytes((0, 0, 0, 0, 2, 0, 0, 0)),
        "told": bytes((0, 0, 1, 0, 2, 0, 0, 0)),
        "ran": bytes(4 * 22) + bytes((15, 0, 0, 0)) + bytes(4),
        "setting_keys": keys_of(SETTINGS),
        "fault_keys": keys_of(kinds),
        "drive_keys": keys_of(DRIVES),
        "crc": crc32(bench.board.saved[-1][1][:-4]).to_bytes(4, "little"),
    }
    assert list(bench.record().items()) == list(expected.items())
    bench.start()
    assert bench.shown == f"E{codes.HEAD_JAM:02d} S2", "the blocked lane is told again"
    lanes = bench.app.build.lanes
    assert [(lane.stacks, lane.in_head) for lane in lanes] == [(1, 0), (2, 1), (3, 2), (4, 0)]
    assert (bench.app.build.plan, bench.app.build.partial) == (PLAN, True)
    cycle = bench.app.cycle
    assert (cycle.boots, cycle.builds, cycle.set_above, cycle.deal) == (0x01020305, 0x11121314, 1, 0x2122)
    assert (cycle.dealer, cycle.dice, cycle.plan, cycle.plan_dealer) == (3, (4, 6, 0), (13, 14, 13, 14), 1)
    assert cycle.told == (2, 3, codes.GOULASH, 0x3132)
    assert (cycle.plan_wash_s, cycle.washed_s) == (75, 61)
    assert cycle.plan_mode == codes.HELD
    assert (bench.app.settings.values[DEBOUNCE], bench.app.counters.data) == (9, counters.data)


def test_a_new_board_starts_with_what_is_usual_and_says_nothing_of_a_power_loss() -> None:
    bench = Bench()
    assert bench.shown == "START?"
    assert not bench.events("restored")
    assert bench.record()["boots"] == (1).to_bytes(4, "little")
    bench.start()
    assert [event["boots"] for event in bench.events("restored")] == [2]


def test_a_build_is_stored_before_it_starts_and_not_written_again_while_it_runs() -> None:
    bench = Bench()
    written = len(bench.board.saved)
    bench.set(input_number(0, LIFT_KEY), 1)
    assert bench.board.driven[-1] & DISC
    assert len(bench.board.saved) == written + 1
    _, data, driven = bench.board.saved[-1]
    assert fields_of(data)["carriers"] == bytes([codes.CARRIERS_UNKNOWN])
    assert driven == 0
    bench.wait(3_000)
    assert len(bench.board.saved) == written + 1


def test_every_drive_rests_while_a_record_is_written() -> None:
    bench = Bench()
    bench.app.cycle.plan = (13, 14, 13, 14)
    bench.press()
    bench.wait(100)
    assert bench.app.outputs.mask
    bench.app.cycle.fail(codes.STOPPED, codes.NO_SIDE, 0, 0)
    bench.poll()
    assert bench.record()["carriers"] == bytes([codes.CARRIERS_PART])
    assert all(driven == 0 for _, _, driven in bench.board.saved)


def test_a_host_s_plan_waits_until_nothing_runs() -> None:
    bench = Bench()
    bench.press()
    written = len(bench.board.saved)
    bench.app.cycle.plan = (13, 14, 13, 14)
    bench.app.cycle.unsaved = True
    bench.wait(1_000)
    assert len(bench.board.saved) == written
    bench.app.cycle.fail(codes.STOPPED, codes.NO_SIDE, 0, 0)
    bench.poll()
    assert bench.record()["next_plan"] == bytes((13, 14, 13, 14))
    bench.app.cycle.plan, bench.app.cycle.unsaved = PLAN, True
    bench.poll()
    assert bench.record()["next_plan"] == bytes(PLAN)


def test_two_bad_slots_are_a_fault_until_the_carriers_are_empty() -> None:
    board = FakeBoard()
    board.slots[:2] = [b"rubbish", b"?"]
    bench = Bench(board)
    assert bench.shown == f"E{codes.STORE_CORRUPT:02d}"
    assert not bench.events("restored")
    bench.start()
    assert bench.shown == f"E{codes.WALLS_UNKNOWN:02d}", "it asks again as long as nobody has cleared it"
    bench.press()
    assert bench.shown == "START?"
    assert bench.record()["carriers"] == bytes([codes.CARRIERS_EMPTY])
    bench.start()
    assert bench.shown == "START?"


def test_a_memory_that_takes_nothing_stops_the_table_and_nothing_starts() -> None:
    bench = Bench()
    bench.board.can_save = False
    bench.press()
    assert bench.shown == f"E{codes.STORE_FAILED:02d}"
    assert not any(bench.board.driven)
    bench.press()
    assert bench.shown == f"E{codes.STORE_FAILED:02d}"
    bench.board.can_save = True
    bench.press()
    assert bench.shown == "START?"
    bench.press()
    assert bench.shown == "BUILD"


@pytest.mark.parametrize("pressed", [0, 1])
def test_the_emergency_stop_does_not_hide_that_the_walls_are_unknown(pressed: int) -> None:
    bench = Bench()
    bench.press()
    bench.board.levels[EMERGENCY_STOP] = pressed
    bench.start()
    assert bench.shown == f"E{codes.WALLS_UNKNOWN:02d}"
    bench.press()
    assert bench.shown == (f"E{codes.WALLS_UNKNOWN:02d}" if pressed else "START?")
