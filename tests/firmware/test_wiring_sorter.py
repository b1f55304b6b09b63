"""What sorts, in the map of the wires: kept, told, brought back to another board, and never half of it."""

import struct
from binascii import crc32

import pytest

from tests.firmware.test_app import Bench
from tests.firmware.test_wiring import AWAY, TURNED, bench_of, hash_of, open_bench, record
from wallwright_firmware.hal import WIRING_SLOT
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import FLAP_SORTER, MOUTH_SORTER, RING_SORTER

__all__ = ["open_bench"]


@pytest.mark.parametrize(
    "sorter",
    [(RING_SORTER, 18, 160), (RING_SORTER, 4, 120), (FLAP_SORTER, 0, 250), (FLAP_SORTER, 8, 160), (MOUTH_SORTER, 0, 0)],
)
def test_a_map_with_a_sorter_is_kept_told_and_brought_back(open_bench: Bench, sorter: "tuple[int, ...]") -> None:
    fields = (15, *AWAY, *TURNED, *sorter)
    assert open_bench.request("set_wiring", *fields)[0] == codes.OK
    stored = record(15, AWAY, TURNED, sorter)
    assert open_bench.board.slots[WIRING_SLOT] == stored
    bench = bench_of(AWAY, stored)
    code, payload = bench.request("get_wiring")
    assert code == codes.OK
    assert REPLIES[NUMBER_OF["get_wiring"]].unpack(payload) == (crc32(stored[:-4]), *fields)
    other = Bench()
    other.hello()
    assert other.request("begin_service")[0] == codes.OK
    assert other.request("put_record", codes.WIRING_RECORD, len(stored), 0, stored.ljust(200, b"\0"))[0] == codes.OK
    assert other.board.slots[WIRING_SLOT] == stored


@pytest.mark.parametrize("length", [*range(90)])
def test_a_record_of_any_other_length_is_no_map(length: int) -> None:
    body = (record(sorter=(RING_SORTER, 18, 160))[:-4] + bytes(9))[:length]
    is_map = length == 84
    bench = bench_of(AWAY, body + struct.pack("<I", crc32(body)))
    assert (hash_of(bench) != 0) == is_map
    # What is left of a map with a sorter is not one without.
    assert bench.app.wiring.connected == is_map
