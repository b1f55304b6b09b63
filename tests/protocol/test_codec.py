"""Payloads: every row of the table there and back, and what does not fit is refused, on both runtimes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wallwright_protocol
from wallwright_protocol import link, messages
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS, STATUSES, CodecError, Layout
from wallwright_protocol.frame import MAX_BODY
from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import EVENT, KEPT_EVENTS, MESSAGES, REPLY, REQUEST, STATUS

from . import spec

LAYOUTS = [*REQUESTS.values(), *REPLIES.values(), *EVENTS.values(), *STATUSES.values()]
HEADS = {REQUEST: link.REQUEST_HEAD, REPLY: link.REPLY_HEAD, EVENT: link.EVENT_HEAD, STATUS: link.STATUS_HEAD}
WIDTHS = {"B": 1, "H": 2, "I": 4}
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.name} {layout.direction}")


def items(layout: Layout) -> list[tuple[str, int]]:
    """The letter and the width in bytes of every value, read from the format without `struct`."""
    found: list[tuple[str, int]] = []
    for count, letter in re.findall(r"(\d*)([BHIs])", layout.layout):
        found += [("s", int(count))] if letter == "s" else [(letter, WIDTHS[letter])] * int(count or 1)
    return found


def values(layout: Layout) -> st.SearchStrategy[tuple[int | bytes, ...]]:
    return st.tuples(
        *(
            st.binary(min_size=width, max_size=width) if letter == "s" else st.integers(0, 256**width - 1)
            for letter, width in items(layout)
        )
    )


@each_layout
@given(data=st.data())
def test_a_payload_there_and_back(layout: Layout, data: st.DataObject) -> None:
    sent = data.draw(values(layout))
    payload = layout.pack(*sent)
    by_hand = [
        v if isinstance(v, bytes) else v.to_bytes(w, "little") for v, (_, w) in zip(sent, items(layout), strict=True)
    ]
    assert payload == b"".join(by_hand)
    assert layout.unpack(payload) == sent
    flat = [
        item
        for value in layout.unpack_named(payload).values()
        for item in (value if isinstance(value, tuple) else [value])
    ]
    assert tuple(flat) == sent


@each_layout
def test_names_go_with_the_values(layout: Layout) -> None:
    sent = tuple(bytes([n] * width) if letter == "s" else n for n, (letter, width) in enumerate(items(layout)))
    named = layout.unpack_named(layout.pack(*sent))
    at = 0
    for field in layout.fields:
        name, _, count = field.rstrip("]").partition("[")
        assert named[name] == (sent[at : at + int(count)] if count else sent[at])
        at += int(count or 1)
    assert at == len(sent)
    assert len(named) == len(layout.fields)


@each_layout
def test_every_wrong_length_is_refused(layout: Layout) -> None:
    for size in range(MAX_BODY):
        if size != layout.size:
            with pytest.raises(CodecError) as refused:
                layout.unpack(bytes(size))
            assert str(refused.value) == f"{layout.name} has {layout.size} bytes, not {size}"


@each_layout
def test_what_does_not_fit_is_refused_by_name(layout: Layout) -> None:
    good: list[object] = [bytes(width) if letter == "s" else 0 for letter, width in items(layout)]
    layout.pack(*good)
    wrong = [[*good, 0], *([good[:-1]] if good else [])]
    for at, (letter, width) in enumerate(items(layout)):
        unfit: list[object] = [bytes(width + 1), 0, "text"] if letter == "s" else [-1, 256**width, 1.5, "1", None]
        wrong += [[*good[:at], value, *good[at + 1 :]] for value in unfit]
    for row in wrong:
        with pytest.raises(CodecError, match=f"^{layout.name} cannot carry "):
            layout.pack(*row)


def test_short_bytes_are_filled_up() -> None:
    assert REPLIES[NUMBER_OF["get_info"]].pack(b"EAST-7", 1, 2, 3, 108, 2)[:16] == b"EAST-7" + bytes(10)


def test_the_tables_hold_every_row_once() -> None:
    assert len(LAYOUTS) == len(MESSAGES)
    assert len({(row[0], row[2]) for row in MESSAGES}) == len(MESSAGES)
    assert [(layout.number, layout.name, layout.direction) for layout in LAYOUTS] == sorted(
        ((row[0], row[1], row[2]) for row in MESSAGES),
        key=lambda row: ([REQUEST, REPLY, EVENT, STATUS].index(row[2]), row[0]),
    )


def test_one_number_has_one_name_and_one_name_one_number() -> None:
    assert len(NUMBER_OF) == len({row[1] for row in MESSAGES}) == len({row[0] for row in MESSAGES})
    assert all(NUMBER_OF[row[1]] == row[0] for row in MESSAGES)
    # 0 stands for "no message" in the answer to an acknowledgement.
    assert all(1 <= row[0] <= 255 for row in MESSAGES)


def test_every_request_has_a_reply_and_the_other_way_round() -> None:
    assert set(REQUESTS) == set(REPLIES)


@each_layout
def test_every_format_says_that_it_is_little_endian(layout: Layout) -> None:
    assert layout.layout[:1] == ("<" if layout.fields else "")


@each_layout
def test_every_message_fits_a_frame(layout: Layout) -> None:
    assert HEADS[layout.direction] + layout.size <= MAX_BODY


def test_what_a_full_ring_keeps_are_events() -> None:
    assert all(NUMBER_OF[name] in EVENTS for name in KEPT_EVENTS)


def altered(row):
    """The row with each of its parts changed in turn."""
    number, name, direction, layout, fields = row
    yield (number + 1, name, direction, layout, fields)
    yield (number, name + "_", direction, layout, fields)
    yield (number, name, EVENT if direction != EVENT else STATUS, layout, fields)
    yield (number, name, direction, layout + "B", fields)
    yield (number, name, direction, layout, (*fields, "more"))
    yield (number, name, direction, layout, fields[:-1] if fields else ("first",))
    if len(fields) > 1:
        yield (number, name, direction, layout, (fields[1], fields[0], *fields[2:]))


def test_the_catalog_hash_changes_with_any_row() -> None:
    seen = {messages.CATALOG_HASH}
    tables = [MESSAGES[:at] + MESSAGES[at + 1 :] for at in range(len(MESSAGES))]
    tables += [
        (*MESSAGES[:at], row, *MESSAGES[at + 1 :]) for at in range(len(MESSAGES)) for row in altered(MESSAGES[at])
    ]
    tables.append((*MESSAGES, (0x7F, "new", EVENT, "", ())))
    for table in tables:
        seen.add(messages.catalog_hash(table))
    assert len(tables) > 7 * len(MESSAGES) / 2
    assert len(seen) == 1 + len(tables)
    assert all(0 <= one < 2**32 for one in seen)


def test_the_catalog_hash_changes_with_any_number_of_any_list() -> None:
    seen = {messages.CATALOG_HASH}
    changed = 0
    for at, (heading, first, names) in enumerate(LISTS):
        others = [(heading, first, names[:-1]), (heading, first, (*names, "more")), (heading, first + 1, names)]
        others += [(heading, first, (*names[:n], "other", *names[n + 1 :])) for n in range(len(names))]
        others += [
            (heading, first, (*names[:n], *names[n : n + 2][::-1], *names[n + 2 :])) for n in range(len(names) - 1)
        ]
        seen.update(messages.catalog_hash(lists=(*LISTS[:at], other, *LISTS[at + 1 :])) for other in others)
        changed += len(others)
    assert len(seen) == 1 + changed > 200


@pytest.mark.parametrize("first", ["hardware", "codes", "names", "lists", "faults", "wall", "transitions"])
def test_the_catalog_hash_is_the_same_whatever_is_loaded_first(first: str) -> None:
    code = f"import wallwright_protocol.{first}\nfrom wallwright_protocol import messages\nprint(messages.CATALOG_HASH)"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert int(finished.stdout) == messages.CATALOG_HASH


IN_THE_VM = """
import sys
sys.path.insert(0, {protocol!r})
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, CodecError
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.messages import CATALOG_HASH

info = REPLIES[NUMBER_OF["get_info"]]
print(CATALOG_HASH, info.pack(b"EAST-7", 1, 2, 3, 108, 2))
for values in {wrong!r}:
    try:
        print("taken", values, info.pack(*values))
    except CodecError as error:
        print("refused")
decoder = Decoder()
for frame, body in {frames!r}:
    got = []
    for at in range(len(frame)):
        got += decoder.feed(frame[at : at + 1])
    print(got == [body] and encode(body) == frame)
print(decoder.frames, decoder.errors())
"""


def test_a_micropython_refuses_the_same_and_reads_the_same_frames(micropython: list[str], tmp_path: Path) -> None:
    good = [b"EAST-7", 1, 2, 3, 108, 2]
    wrong = [good[:-1], [*good, 0], [bytes(17), *good[1:]], [None, *good[1:]]]
    wrong += [[*good[:at], value, *good[at + 1 :]] for at in range(1, 6) for value in (-1, 65536, 1.5, None)]
    frames = [(example.frame, spec.unstuff(example.frame)) for example in spec.EXAMPLES]
    script = tmp_path / "script.py"
    protocol = str(Path(wallwright_protocol.__file__).parents[1])
    script.write_text(IN_THE_VM.format(protocol=protocol, wrong=wrong, frames=frames))
    ran = subprocess.run([*micropython, str(script)], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    packed = REPLIES[NUMBER_OF["get_info"]].pack(*good)
    assert ran.stdout.splitlines() == [
        f"{messages.CATALOG_HASH} {packed!r}",
        *["refused"] * len(wrong),
        *["True"] * len(frames),
        f"{len(frames)} 0",
    ]
