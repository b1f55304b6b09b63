"""Records with fewer or more settings than this firmware has: of a release before or after it."""

import struct
from zlib import crc32

import pytest

from tests.firmware.test_store import Bench
from wallwright_firmware.settings import defaults, pack
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC


def sealed(body: bytes) -> bytes:
    return body + struct.pack("<I", crc32(body))


@pytest.mark.parametrize("more", [-3, 5])
def test_a_record_with_fewer_or_more_settings_is_read_too(more: int) -> None:
    bench = Bench()
    bench.app.settings.values[codes.STROKE_LIMIT] = 1200
    bench.app.settings.stored = pack(bench.app.settings.values)
    bench.app.cycle.unsaved = True
    bench.poll()
    slot, data, _ = bench.board.saved[-1]
    end = 58 + 2 * len(defaults())
    known = data[58:end][: 2 * more if more < 0 else None] + b"\x34\x12" * max(0, more)
    count = len(defaults()) + more
    bench.board.slots[slot] = sealed(data[:7] + bytes([count]) + data[8:58] + known + data[end:-4])
    bench.board.slots[1 - slot] = b""
    bench.start()
    # The wash of this bench, 0 s, is kept where the record has it still.
    wash_s = 0 if more > 0 else defaults()[codes.WASH]
    assert bench.app.settings.values == [5, 1200, *defaults(wash_s=wash_s)[2:]]
    assert bench.app.cycle.boots == 2
    # A count that does not go with the length is no record.
    bench.board.slots[slot] = sealed(data[:7] + bytes([count]) + data[8:-4])
    bench.board.slots[1 - slot] = b""
    bench.start()
    assert bench.app.cycle.boots == 1


@pytest.mark.parametrize("more", [-8, 5])
def test_a_record_that_counts_fewer_or_more_kinds_of_faults_is_read_too(more: int) -> None:
    bench = Bench()
    bench.app.counters.trouble(codes.LANE_JAM, 2)
    bench.app.counters.drives(DISC, 0)
    bench.app.counters.drives(0, 1700)
    counted = bench.app.counters.values()
    bench.app.cycle.plan = (13, 14, 13, 14)
    bench.app.cycle.unsaved = True
    bench.poll()
    slot, data, _ = bench.board.saved[-1]
    end = len(data) - 4 - 96
    told = data[:end][: 2 * more if more < 0 else None] + b"\x34\x12" * max(0, more)
    bench.board.slots[slot] = sealed(told[:8] + bytes([data[8] + more]) + told[9:] + data[end:-4])
    bench.board.slots[1 - slot] = b""
    bench.start()
    assert (bench.app.counters.values(), bench.app.cycle.boots) == (counted, 2)
