"""The packed ring of tags beside that of the other events, against a plain list."""

import random

import pytest

from wallwright_firmware.events import CAPACITY, EventRing
from wallwright_firmware.tag_ring import EVENTS_PER_TILE, TagRing
from wallwright_protocol.codec import EVENTS, NUMBER_OF

Record = tuple[int, int, int, bytes]


def add(ring: EventRing, plain: list[Record], chance: random.Random, now_ms: int) -> None:
    """Add one event of chance to both."""
    name = chance.choice(("tag_appeared", "tag_left", "tag_moved", "tag_unread", "state_changed"))
    tag = chance.randbytes(8)
    before, now = chance.randrange(16), chance.randrange(16)
    if name == "state_changed":
        ring.add(now_ms, name, now)
        values: tuple[object, ...] = (now,)
    else:
        ring.add_tag(now_ms, name, before, now, b"" if name == "tag_unread" else tag)
        values = {"tag_moved": (before, now, tag), "tag_unread": (now,)}.get(name, (now, tag))
    message = NUMBER_OF[name]
    plain.append((len(plain) + 1, now_ms & 0xFFFFFFFF, message, EVENTS[message].pack(*values)))


def walk(ring: EventRing) -> list[tuple[int, int, int, int, bytes]]:
    """All that the ring hands out after what is stored."""
    found = []
    record = ring.after(ring.stored())
    while record is not None:
        found.append(record)
        record = ring.after(record[0])
    return found


def test_events_of_both_kinds_come_out_in_their_order_each_with_the_one_before_it(seed):
    chance = random.Random(seed)
    ring = EventRing()
    ring.make_tag_room(200)
    plain: list[Record] = []
    held: list[Record] = []
    for step in range(3000):
        add(ring, plain, chance, step + 0xFFFFFC00)
        held.append(plain[-1])
        tags = [record for record in held if record[2] != NUMBER_OF["state_changed"]]
        others = [record for record in held if record[2] == NUMBER_OF["state_changed"]]
        held = sorted(tags[-200:] + others[-CAPACITY:])
        if chance.random() < 0.01:
            stored = chance.randrange(ring.stored(), len(plain) + 1)
            ring.forget(stored)
            held = [record for record in held if record[0] > stored]
        if chance.random() < 0.02:
            found = walk(ring)
            # The link cuts times to 32 bits in any case.
            assert [(record[0], record[2] & 0xFFFFFFFF, *record[3:]) for record in found] == held
            assert [record[1] for record in found] == [ring.stored(), *[record[0] for record in found[:-1]]][
                : len(found)
            ]
            assert ring.held() == len(held)
            at = chance.randrange(len(plain) + 2)
            later = [record for record in found if record[0] > at]
            assert ring.after(at) == (later[0] if later else None)


def test_a_whole_deal_of_tags_fits_while_the_host_is_away(seed):
    chance = random.Random(seed)
    ring = EventRing()
    ring.make_tag_room(EVENTS_PER_TILE * 108)
    tags = [chance.randbytes(8) for _ in range(108)]
    ring.add(0, "walls_up", 0, 1)
    for tag in tags:
        ring.add_tag(1, "tag_appeared", 0, 4, tag)
    for tag in tags:
        ring.add_tag(2, "tag_moved", 4, 6, tag)
    for tag in tags:
        ring.add_tag(3, "tag_left", 0, 6, tag)
    found = walk(ring)
    assert [record[0] for record in found] == list(range(1, 1 + 1 + 3 * 108))
    assert [record[4][-8:] for record in found[1:]] == tags * 3


def test_a_ring_without_room_for_tags_is_that_of_a_blind_table():
    ring = EventRing()
    ring.add(5, "booted", 0, 1, 0)
    assert walk(ring) == [(1, 0, 5, NUMBER_OF["booted"], bytes((0, 1, 0)))]


def test_no_large_piece_of_memory_is_asked_for() -> None:
    """A heap in use may have none that is free: with one piece, boards stopped at power-on or not by mere chance."""
    assert max(map(len, TagRing(600)._pages)) < 1024


@pytest.mark.parametrize("wanted", [0, 40, 200])
def test_a_ring_of_another_size_keeps_what_it_holds(wanted: int) -> None:
    """Sets of another size bring more events, or fewer; those that no host has stored yet stay."""
    ring = TagRing(70)
    for seq in range(1, 101):
        ring.add(seq, 10 * seq, "tag_moved", 4, 5, seq.to_bytes(8, "big"))
    ring.forget(40)
    before = [ring.record_at(place) for place in range(ring.held())]
    other = ring.resized(wanted)
    assert [other.record_at(place) for place in range(other.held())] == before
    assert len(before) == 60
    for seq in range(101, 101 + 200):
        other.add(seq, 10 * seq, "tag_moved", 4, 5, bytes(8))
    assert other.held() == max(wanted, 60)
    assert other.seq_at(other.held() - 1) == 300
