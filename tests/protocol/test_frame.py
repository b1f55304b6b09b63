"""Frames against the oracle (PyPI's cobs, binascii), and against everything that a line does to bytes."""

import random
import tracemalloc
from collections.abc import Iterator

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from wallwright_protocol.frame import MAX_BODY, MAX_FRAME, Decoder, encode

from . import spec
from .vectors import BODIES, GARBAGE

bodies = st.binary(min_size=1, max_size=MAX_BODY) | st.lists(
    st.sampled_from([0, 1, 255]), min_size=1, max_size=MAX_BODY
).map(bytes)
each_vector = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)

NEXT = b"the frame after it"
LAST = b"and one more"


@each_vector
def test_a_vector_is_framed_as_the_oracle_does_it(body: bytes) -> None:
    assert encode(body) == spec.stuff(body)


@given(bodies)
def test_any_body_is_framed_as_the_oracle_does_it(body: bytes) -> None:
    framed = encode(body)
    assert framed == spec.stuff(body)
    assert framed.index(0) == len(framed) - 1
    assert len(framed) <= MAX_FRAME
    assert Decoder().feed(framed) == [body]


@given(st.binary(max_size=MAX_FRAME - 2).map(lambda block: block.replace(b"\x00", b"\x01")))
def test_a_block_is_taken_exactly_when_the_oracle_takes_it(block: bytes) -> None:
    assert Decoder().feed(block + b"\x00") == oracle_bodies(block)


@given(bodies, st.data())
def test_a_block_close_to_a_good_one_is_taken_exactly_when_the_oracle_takes_it(
    body: bytes, data: st.DataObject
) -> None:
    block = bytearray(spec.stuff(body)[:-1])
    at = data.draw(st.integers(0, len(block) - 1))
    block[at] = data.draw(st.integers(1, 255))
    assert Decoder().feed(bytes(block) + b"\x00") == oracle_bodies(bytes(block))


def oracle_bodies(block: bytes) -> list[bytes]:
    try:
        data = bytes(cobs.decode(block))
    except cobs.DecodeError:
        return []
    body = data[:-4]
    return [body] if body and spec.stuff(body) == block + b"\x00" else []


@pytest.mark.parametrize("size", [0, MAX_BODY + 1, 1000])
def test_a_body_that_is_no_body_is_refused_with_its_size(size: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {MAX_BODY} bytes, not {size}"):
        encode(bytes(size))


@each_vector
def test_a_vector_whole_byte_by_byte_and_five_in_one(body: bytes) -> None:
    framed = encode(body)
    decoder = Decoder()
    assert decoder.feed(framed) == [body]
    one_by_one = [decoder.feed(framed[at : at + 1]) for at in range(len(framed))]
    assert one_by_one == [[]] * (len(framed) - 1) + [[body]]
    assert decoder.feed(framed * 5) == [body] * 5
    assert decoder.feed(framed[:-1]) == []
    assert decoder.feed(framed[-1:] + framed[:3]) == [body]
    assert decoder.feed(framed[3:]) == [body]
    assert (decoder.frames, decoder.errors()) == (9, 0)


def test_random_cuts_do_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    sent = rng.choices(list(BODIES.values()), k=400)
    stream = b"".join(encode(body) for body in sent)
    decoder = Decoder()
    got = []
    at = 0
    while at < len(stream):
        size = rng.choice((0, 1, 2, 7, 64, 500))
        got += decoder.feed(stream[at : at + size])
        at += size
    assert got == sent
    assert decoder.errors() == 0


@pytest.mark.parametrize("byte", range(256))
def test_every_byte_value_passes(byte: int) -> None:
    sent = [bytes([byte]), bytes([byte]) * MAX_BODY, bytes([byte, 255 - byte]) * 100]
    assert Decoder().feed(b"".join(encode(body) for body in sent)) == sent


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_garbage_takes_one_frame_along_and_is_counted_once(garbage: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(garbage + encode(NEXT) + encode(LAST)) == [LAST]
    assert decoder.errors() == 1


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_after_garbage_that_a_zero_ends_the_next_frame_is_good(garbage: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(garbage + b"\x00" + encode(NEXT)) == [NEXT]
    assert decoder.errors() == 1
    short, too_long = len(garbage) < 6, len(garbage) >= MAX_FRAME
    assert (decoder.short, decoder.crc_errors, decoder.too_long) == (short, not short and not too_long, too_long)


@each_vector
def test_half_a_frame_before_a_whole_one(body: bytes) -> None:
    framed = encode(body)
    for cut in range(1, len(framed) - 1):
        decoder = Decoder()
        assert decoder.feed(framed[:cut] + encode(NEXT) + encode(LAST)) == [LAST]
        assert decoder.errors() == 1
        assert decoder.feed(framed[cut:] + encode(NEXT)) == [NEXT]
        assert decoder.errors() == 2


def flipped(framed: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(len(framed)):
        for bit in range(8):
            yield at, framed[:at] + bytes([framed[at] ^ 1 << bit]) + framed[at + 1 :]


def deleted(framed: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(len(framed)):
        yield at, framed[:at] + framed[at + 1 :]


def inserted(framed: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(len(framed)):
        for byte in {0x00, 0x01, 0xFF, framed[at]}:
            # A 0x00 before the first byte only closes an empty block, and a second one after the frame does as little.
            if byte or 0 < at < len(framed) - 1:
                yield at, framed[:at] + bytes([byte]) + framed[at:]


@each_vector
@pytest.mark.parametrize("damage", [flipped, deleted, inserted])
def test_a_frame_damaged_at_any_byte_is_dropped_and_counted_and_the_next_is_good(damage, body: bytes) -> None:
    framed = encode(body)
    tried = 0
    for at, damaged in damage(framed):
        tried += 1
        lost_its_end = damaged[-1] != 0 or (damage is flipped and at == len(framed) - 1)
        decoder = Decoder()
        got = decoder.feed(damaged + encode(NEXT) + encode(LAST))
        assert got == ([LAST] if lost_its_end else [NEXT, LAST]), f"byte {at}: {damaged.hex(' ')}"
        assert decoder.errors() >= 1
        assert decoder.frames == len(got)
    assert tried >= len(framed)


def test_surplus_zeros_between_frames_do_nothing() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x00\x00" + encode(NEXT) + b"\x00" * 1000 + encode(LAST) + b"\x00") == [NEXT, LAST]
    assert (decoder.frames, decoder.errors()) == (2, 0)


@pytest.mark.parametrize("chunk", [1, 64, 4096, 1 << 20])
def test_an_endless_frame_is_bounded_and_dropped_to_the_next_zero(chunk: int) -> None:
    decoder = Decoder()
    piece = b"\xff" * chunk
    total = 1 << 16 if chunk == 1 else 1 << 20
    feed = decoder.feed
    tracemalloc.start()
    try:
        for _ in range(total // chunk):
            assert feed(piece) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4096
    assert (decoder.too_long, decoder.errors()) == (1, 1)
    assert decoder.feed(b"\x00" + encode(NEXT)) == [NEXT]
    assert (decoder.frames, decoder.errors()) == (1, 1)


def test_the_longest_block_is_taken_and_one_more_byte_is_too_many() -> None:
    longest = encode(b"\xff" * MAX_BODY)
    assert len(longest) == MAX_FRAME
    decoder = Decoder()
    assert decoder.feed(b"\xff" * (MAX_FRAME - 1) + b"\x00" + longest) == [b"\xff" * MAX_BODY]
    assert (decoder.crc_errors, decoder.too_long) == (1, 0)
    assert decoder.feed(b"\xff" * MAX_FRAME + b"\x00" + longest) == [b"\xff" * MAX_BODY]
    assert (decoder.crc_errors, decoder.too_long) == (1, 1)


@pytest.mark.parametrize("size", range(1, 7))
def test_what_cannot_hold_a_crc_is_short(size: int) -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x01" * size + b"\x00") == []
    assert (decoder.short, decoder.crc_errors) == ((1, 0) if size < 6 else (0, 1))
