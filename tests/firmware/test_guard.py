"""The record of failures by its docstring, and how many within a minute are too many."""

import re
import struct
from pathlib import Path
from zlib import crc32

import pytest

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware import guard
from wallwright_firmware.guard import BYTES, CrashLog, fell, place_of
from wallwright_firmware.hal import CRASH_SLOT
from wallwright_protocol.codes import WATCHDOG_RESET


def failed(board: FakeBoard, *runs_ms: int, watchdog: bool = False) -> CrashLog:
    """What is remembered after failures of these runs, each at another line."""
    for line, ran_ms in enumerate(runs_ms):
        if watchdog:
            board.restart_cause, board.ran_ms = WATCHDOG_RESET, ran_ms
            CrashLog(board).started()
        else:
            CrashLog(board).add(ran_ms, b"firmware/app", line, b"ValueError")
    return CrashLog(board)


@pytest.mark.parametrize("watchdog", [False, True])
@pytest.mark.parametrize(
    ("runs_ms", "times", "stopped"),
    [
        ((5_000,), 1, 0),
        ((5_000, 60_000), 2, 0),
        ((5_000, 60_001), 1, 0),
        ((5_000, 30_000, 30_000), 3, 1),
        ((900_000, 30_000, 30_000), 3, 1),
        ((5_000, 30_000, 30_001), 2, 0),
        ((5_000, 30_000, 30_001, 29_999), 3, 1),
        ((5_000, 1_000, 1_000, 900_000), 1, 1),
    ],
)
def test_three_failures_within_a_minute_of_running_are_too_many(
    runs_ms: tuple[int, ...], times: int, stopped: int, watchdog: bool
) -> None:
    """Nobody counts the time before the first of them: the minute begins with it."""
    log = failed(FakeBoard(), *runs_ms, watchdog=watchdog)
    if watchdog and len(runs_ms) > 3:
        times, stopped = (3, 1) if stopped else (times, stopped)
    assert (log.times, log.stopped) == (times, stopped)


def test_a_table_that_fails_at_every_start_does_not_wear_its_memory_out() -> None:
    board = FakeBoard()
    for _ in range(3):
        CrashLog(board).add(500, b"firmware/app", 7, b"ValueError")
    writes = len(board.saved)
    for _ in range(100):
        CrashLog(board).add(500, b"firmware/app", 7, b"ValueError")
    assert len(board.saved) == writes
    assert CrashLog(board).stopped


def test_the_record_is_laid_out_as_its_docstring_says() -> None:
    board = FakeBoard()
    CrashLog(board).add(12_345, b"firmware/drivers/lane", 321, b"ZeroDivisionError")
    record = board.slots[CRASH_SLOT]
    rows = re.findall(r"^ {4,}(\d+) +(\d+)  (.*)$", guard.__doc__ or "", re.M)
    assert [int(at) for at, _, _ in rows] == [sum(int(size) for _, size, _ in rows[:row]) for row in range(len(rows))]
    assert sum(int(size) for _, size, _ in rows) == len(record) == BYTES
    assert record[:6] == b"WC\x01\x01\x00\x01"
    assert struct.unpack("<IH", record[6:12]) == (12_345, 321)
    assert record[12:36].rstrip(b"\0") == b"firmware/drivers/lane"
    assert record[36:56].rstrip(b"\0") == b"ZeroDivisionError"
    assert int.from_bytes(record[-4:], "little") == crc32(record[:-4])


@pytest.mark.parametrize("spoil", [lambda record: record[:-1], lambda record: b"XC" + record[2:], lambda _: b"?"])
def test_a_record_that_cannot_be_read_stands_for_none(spoil) -> None:
    board = FakeBoard()
    failed(board, 500, 500, 500)
    board.slots[CRASH_SLOT] = spoil(board.slots[CRASH_SLOT])
    log = CrashLog(board)
    assert (log.times, log.stopped, log.untold) == (0, 0, 0)


def test_outputs_go_off_before_anything_is_looked_at_or_stored() -> None:
    class Told(FakeBoard):
        def __init__(self) -> None:
            super().__init__()
            self.calls: list[str] = []

        def off(self) -> None:
            self.calls.append("off")

        def load(self, slot: int) -> bytes:
            self.calls.append("load")
            return super().load(slot)

        def save(self, slot: int, data: bytes) -> bool:
            self.calls.append("save")
            return super().save(slot, data)

    board = Told()
    fell(board, MemoryError(), 100)
    assert board.calls == ["off", "load", "save"]
    assert CrashLog(board).error == b"MemoryError"


def test_the_place_is_the_innermost_one_in_the_program_itself() -> None:
    class Broken(FakeBoard):
        def load(self, slot: int) -> bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        CrashLog(Broken())
    module, line = place_of(caught.value)
    lines = Path(guard.__file__).read_text().splitlines()
    assert module == "firmware/guard"
    assert "hal.load(CRASH_SLOT)" in lines[line - 1]


def test_an_error_of_nobody_s_has_a_place_too() -> None:
    assert place_of(ValueError()) == ("unknown", 0)
    with pytest.raises(ValueError, match="x") as caught:
        raise ValueError("x")
    assert place_of(caught.value)[0] == "test_guard"
