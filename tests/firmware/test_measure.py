"""What a board measures of itself: the noise is counted right, and nothing is measured while anything moves.

Its samples are handed over as they are; that, too, only while nothing moves.
"""

import itertools
import struct

import pytest

from tests.firmware.test_app import Bench
from wallwright_firmware.hal import NOT_MEASURED
from wallwright_firmware.measure import SAMPLES
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.names import MEASUREMENTS

NOISE_BYTES = 1024


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    made.hello()
    assert made.request("begin_service")[0] == codes.OK
    return made


def measure(bench: Bench, measurement: int) -> tuple[int, ...]:
    code, payload = bench.request("measure", measurement)
    assert code == codes.OK
    return struct.unpack("<8I", payload)


@pytest.mark.parametrize("noise", ["drawn", "stuck at 0", "stuck at 1", "alternating"])
def test_the_noise_is_counted_bit_by_bit(bench: Bench, noise: str) -> None:
    drawn = {
        "drawn": bench.board.random.randbytes(NOISE_BYTES),
        "stuck at 0": bytes(NOISE_BYTES),
        "stuck at 1": b"\xff" * NOISE_BYTES,
        "alternating": b"\x55" * NOISE_BYTES,
    }[noise]
    bench.board.raw = drawn
    # The number that the bytes are, lowest byte first, has the bits in their order from its end.
    bits = f"{int.from_bytes(drawn, 'little'):0{8 * NOISE_BYTES}b}"
    runs = [len(list(run)) for _, run in itertools.groupby(bits)]
    expected = (len(bits), bits.count("1"), len(runs) - 1, max(runs))
    assert measure(bench, codes.MEASURED_NOISE) == (*expected, 0, 0, 0, 0)


def test_a_board_that_knows_nothing_of_its_times_says_so(bench: Bench) -> None:
    for name in ("COLLECTIONS", "FLASH", "INPUTS", "OUTPUTS", "POLLS"):
        assert measure(bench, getattr(codes, f"MEASURED_{name}")) == NOT_MEASURED


def test_a_measurement_that_there_is_not_is_refused(bench: Bench) -> None:
    assert bench.request("measure", len(MEASUREMENTS)) == (codes.BAD_ARGUMENT, b"")


def test_nothing_is_measured_while_a_drive_is_on(bench: Bench) -> None:
    assert bench.request("jog", 0, 500)[0] == codes.OK
    assert bench.request("measure", codes.MEASURED_NOISE) == (codes.WRONG_STATE, b"")


def samples(bench: Bench) -> bytes:
    code, payload = bench.request("get_samples")
    assert code == codes.OK
    assert len(payload) == 1 + SAMPLES
    assert not any(payload[1 + payload[0] :])
    return payload[1 : 1 + payload[0]]


def test_the_samples_are_those_of_the_source_one_after_the_other_and_as_many_as_it_gives(bench: Bench) -> None:
    raw = bench.board.random.randbytes(2 * SAMPLES + 7)
    bench.board.raw = raw
    assert [samples(bench) for _ in range(4)] == [raw[:SAMPLES], raw[SAMPLES : 2 * SAMPLES], raw[2 * SAMPLES :], b""]
    assert [event["message"] for event in bench.log("command_accepted")] == [NUMBER_OF["begin_service"]], "no flood"


def test_samples_are_read_in_service_or_in_a_fault_while_no_drive_is_on(bench: Bench) -> None:
    assert bench.request("jog", 0, 500)[0] == codes.OK
    assert bench.request("get_samples") == (codes.WRONG_STATE, b"")
    bench.poll(ms=500)
    assert samples(bench)
    bench.request("end_service")
    assert bench.request("get_samples") == (codes.WRONG_STATE, b"")
    bench.request("stop")
    assert samples(bench)
