"""What tells of a tag leaves the traffic before it is shown or written down, however the bytes were cut."""

import json
import random
import struct

from wallwright.link.frames import decode, describe
from wallwright.link.masking import Masker, body_of, masked
from wallwright.link.reports import SECRET_EVENTS, read_event
from wallwright.link.trace import RECEIVED, Trace
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REQUESTS
from wallwright_protocol.frame import encode
from wallwright_protocol.link import EVENT, EVENT_LAYOUT, REPLY, REQUEST, REQUEST_LAYOUT

TAG = bytes.fromhex("e00401af5533c6d2")


def frame(name: str, *values: object, seq: int = 7) -> bytes:
    """The frame of an event, its 0x00 included."""
    head = struct.pack(EVENT_LAYOUT, EVENT, 0xABCD, seq, seq - 1, 1234, NUMBER_OF[name])
    return encode(head + EVENTS[NUMBER_OF[name]].pack(*values))


SECRET_FRAMES = (frame("tag_appeared", 4, TAG), frame("tag_left", 9, TAG), frame("tag_moved", 4, 6, TAG))


def has_tag(data: bytes | str) -> bool:
    """Whether four bytes in a row of the tag are in it, as they are, in hexadecimal or as Python writes bytes."""
    text = data if isinstance(data, str) else data.decode("latin-1")
    parts = [TAG[at : at + 4] for at in range(len(TAG) - 3)]
    forms = [form for part in parts for form in (part.decode("latin-1"), part.hex(), part.hex(" "), repr(part)[2:-1])]
    return any(form in text for form in forms)


def test_every_event_that_tells_of_a_tag_is_secret():
    told = {layout.name for layout in EVENTS.values() if {"tag", "from", "to"} & set(layout.fields)}
    assert told == SECRET_EVENTS


def test_of_a_secret_event_its_number_and_its_time_are_shown_and_nothing_else():
    for secret in SECRET_FRAMES:
        assert has_tag(secret)
        record = decode(secret[:-1])
        assert (record["message"], record["seq"], record["time_ms"], record["fields"]) == ("tag_sealed", 7, 1234, {})
        assert describe(secret[:-1]).endswith("tag_sealed")
        assert not has_tag(json.dumps(record))


def test_other_frames_stay_as_they_are(seed):
    rng = random.Random(seed)
    for plain in (
        frame("build_done", 1, 14, 13, 14, 13, 21000, 60),
        frame("claim", 2),
        frame("wall_sealed", 3, 108, 0, rng.randbytes(32)),
        encode(struct.pack("<BIIHBB", REPLY, 1, 2, 3, 0x11, 0) + TAG),
    ):
        assert masked(plain[:-1]) == plain[:-1]


def test_of_a_wall_that_is_shown_no_tag_is_shown():
    shown = masked(frame("wall_part", 3, 26, 2, (TAG + TAG[::-1]).ljust(208, b"\0"))[:-1])
    record = decode(shown)
    assert (record["message"], record["fields"]) == ("wall_part", {"deal": 3, "first": 26, "tiles": 2})
    assert not has_tag(shown)
    assert masked(shown) == shown


def test_what_is_masked_is_a_frame_of_the_same_head_and_alike_for_all_of_them():
    [shown] = {masked(secret[:-1]) for secret in SECRET_FRAMES}
    assert body_of(shown)[:17] == body_of(SECRET_FRAMES[0][:-1])[:17]
    assert not any(body_of(shown)[18:])
    assert masked(shown) == shown


def test_of_a_prescription_that_is_sent_its_length_stays_and_no_tile_of_it():
    head = struct.pack(REQUEST_LAYOUT, REQUEST, 0xABCD, 7, NUMBER_OF["prescribe"])
    parts = [REQUESTS[NUMBER_OF["prescribe"]].pack(1232, 200, part * 25) for part in (TAG, TAG[::-1])]
    [shown] = {masked(encode(head + payload)[:-1]) for payload in parts}
    record = decode(encode(head + parts[0])[:-1])
    assert (record["message"], record["sequence"], record["fields"]["offset"]) == ("prescribe", 7, 200)
    assert not has_tag(json.dumps(record))
    assert not has_tag(shown)
    assert masked(shown) == shown
    masker = Masker()
    sent = encode(head + parts[0])
    assert b"".join(masker.add(sent[at : at + 1]) for at in range(len(sent))) + masker.end() == shown + b"\0"


def test_a_frame_that_is_broken_shows_nothing_of_its_tag(seed):
    rng = random.Random(seed)
    for secret in SECRET_FRAMES * 40:
        broken = bytearray(secret[:-1])
        at = rng.randrange(len(broken))
        how = rng.choice(("flip", "lose", "add"))
        if how == "flip":
            broken[at] ^= 1 << rng.randrange(8)
        elif how == "lose":
            del broken[at]
        else:
            broken.insert(at, rng.randrange(1, 256))
        if 0xE0 in broken[-14:-6] and 0 not in broken:
            assert not has_tag(describe(bytes(broken)))
            assert not has_tag(json.dumps(decode(bytes(broken))))


def test_pieces_are_masked_however_they_were_cut_and_nothing_else_is_lost(seed):
    rng = random.Random(seed)
    plain = [frame("claim", 1, seq=number + 1) for number in range(9)] + [b"boot\r\n\0"]
    sent = [rng.choice([*plain, *SECRET_FRAMES]) for _ in range(60)]
    data = b"".join(sent)
    masker = Masker()
    written = b""
    while data:
        size = rng.randint(1, 40)
        written += masker.add(data[:size])
        assert not has_tag(written)
        data = data[size:]
    written += masker.end()
    assert written == b"".join(masked(each[:-1]) + b"\0" for each in sent)
    assert masker.add(SECRET_FRAMES[0][:-3]) == b""
    assert not has_tag(masker.end())


def test_the_last_frames_of_a_link_show_no_tag_even_unfinished():
    trace = Trace()
    trace.add(1, RECEIVED, b"".join(SECRET_FRAMES))
    trace.add(2, RECEIVED, SECRET_FRAMES[2][:-2])
    assert not has_tag(trace.dump())
    assert not has_tag(trace.noise())


def test_an_event_keeps_its_tag_out_of_every_text_form():
    for name, payload in (("tag_moved", bytes((4, 6)) + TAG), ("tag_left", b"\x04" + TAG)):
        event = read_event(1, 2, 0, 3, NUMBER_OF[name], payload)
        assert event.fields == {}
        assert event.secret["tag"] == TAG.hex()
        assert not has_tag(f"{event!r} {event} {event.fields}")
