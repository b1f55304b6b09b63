"""Raw reads become events: what flickers and what haunts makes none, what settles makes one; the enrolment is kept."""

import random

import pytest

from tests.firmware.read_board import ALL, ReadBoard
from tests.firmware.test_app import Bench
from wallwright_firmware.hal import ENROLMENT_SLOT
from wallwright_firmware.readers import LOST_MS, MOST_TAGS, READS, SETTLE_MS
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS
from wallwright_protocol.hardware import CLAIM_KEY_0, LANE_READERS

A, B = b"\xe0\x04\x00\x00\x00\x00\x00\x0a", b"\xe0\x04\x00\x00\x00\x00\x00\x0b"
HAND, MELDS, DISCARDS = 4, 5, 6
KINDS = ("tag_appeared", "tag_left", "tag_moved")


class Reading(Bench):
    """A table with readers, its host, and hands that move tags."""

    board: ReadBoard

    def __init__(self, readers: int = ALL) -> None:
        super().__init__(ReadBoard(readers))
        self.hello()

    def sees(self, reader: int, tag: bytes, there: bool = True) -> None:
        self.board.read(self.now_ms, reader, tag, there)
        self.poll()

    def wait(self, ms: int) -> None:
        """Let time go by, in steps as a board polls when something is due."""
        until = self.now_ms + ms
        while self.now_ms < until:
            self.poll(ms=max(1, min(self.app.due, until) - self.now_ms))

    def tags(self) -> list[tuple[object, ...]]:
        """The events of tags in order, as (name, value, ...)."""
        found = []
        record = self.app.events.after(0)
        while record is not None:
            layout = EVENTS[record[3]]
            if layout.name in KINDS:
                found.append((layout.name, *layout.unpack_named(record[4]).values()))
            record = self.app.events.after(record[0])
        return found


@pytest.fixture
def table() -> Reading:
    return Reading()


def test_a_tag_has_appeared_when_its_reader_has_seen_it_for_a_while(table):
    table.sees(HAND, A)
    table.wait(SETTLE_MS - 10)
    assert table.tags() == []
    table.wait(20)
    assert table.tags() == [("tag_appeared", HAND, A)]


def test_a_read_that_comes_and_goes_makes_no_event(table):
    table.sees(HAND, A)
    table.wait(SETTLE_MS - 10)
    table.sees(HAND, A, False)
    table.wait(2 * LOST_MS)
    assert table.tags() == []


def test_a_gap_makes_no_event_and_a_tag_that_stays_away_has_left(table):
    table.sees(HAND, A)
    table.wait(1000)
    table.sees(HAND, A, False)
    table.wait(LOST_MS - 10)
    table.sees(HAND, A)
    table.wait(5000)
    assert table.tags() == [("tag_appeared", HAND, A)]
    table.sees(HAND, A, False)
    table.wait(LOST_MS + 10)
    assert table.tags()[1:] == [("tag_left", HAND, A)]


def test_a_tag_that_was_lost_twice_has_left_by_the_second_time(table):
    table.sees(HAND, A)
    table.wait(1000)
    table.sees(HAND, A, False)
    table.wait(1000)
    table.sees(HAND, A)
    table.wait(200)
    table.sees(HAND, A, False)
    table.wait(LOST_MS - 100)
    assert table.tags() == [("tag_appeared", HAND, A)]
    table.wait(200)
    assert table.tags()[1:] == [("tag_left", HAND, A)]


@pytest.mark.parametrize("first", ["new", "old"])
def test_a_tag_that_another_reader_sees_instead_has_moved(table, first):
    table.sees(HAND, A)
    table.wait(1000)
    changes = [(DISCARDS, True), (HAND, False)]
    for reader, there in changes if first == "new" else reversed(changes):
        table.sees(reader, A, there)
        table.wait(150)
    table.wait(SETTLE_MS)
    assert table.tags() == [("tag_appeared", HAND, A), ("tag_moved", HAND, DISCARDS, A)]
    table.sees(DISCARDS, A, False)
    table.wait(LOST_MS + 10)
    assert table.tags()[2:] == [("tag_left", DISCARDS, A)]


def test_a_ghost_moves_nothing_while_the_tags_own_reader_sees_it(table):
    table.sees(HAND, A)
    table.wait(1000)
    table.sees(MELDS, A)
    table.wait(60_000)
    table.sees(MELDS, A, False)
    table.wait(60_000)
    assert table.tags() == [("tag_appeared", HAND, A)]


def test_a_tag_that_two_readers_see_is_with_the_first_and_goes_to_the_other_when_that_loses_it(table):
    table.sees(MELDS, A)
    table.wait(50)
    table.sees(HAND, A)
    table.wait(5000)
    table.sees(MELDS, A, False)
    table.wait(1000)
    assert table.tags() == [("tag_appeared", MELDS, A), ("tag_moved", MELDS, HAND, A)]


def test_a_ghost_that_went_is_not_taken_for_where_the_tag_is_now(table):
    table.sees(HAND, A)
    table.wait(1000)
    table.sees(MELDS, A)
    table.sees(MELDS, A, False)
    table.sees(DISCARDS, A)
    table.sees(HAND, A, False)
    table.wait(1000)
    assert table.tags() == [("tag_appeared", HAND, A), ("tag_moved", HAND, DISCARDS, A)]


def test_a_set_that_leaves_at_once_makes_no_long_poll_and_every_event(table):
    tags = [bytes([0xE0, 4, 0, 0, 0, 0, 0, number]) for number in range(108)]
    for tag in tags:
        table.board.read(table.now_ms, HAND, tag, True)
    table.poll()
    table.wait(1000)
    for tag in tags:
        table.board.read(table.now_ms, HAND, tag, False)
    table.app.poll(table.now_ms, b"")
    assert len(table.board.reads) == 108 - READS
    assert table.app.due == table.now_ms
    table.poll()
    table.wait(LOST_MS)
    newest = table.app.events.newest()
    while len(table.tags()) == 108:
        table.now_ms += 1
        table.app.poll(table.now_ms, b"")
    assert table.app.events.newest() - newest <= READS
    table.wait(1000)
    assert sorted(event[2] for event in table.tags()[108:]) == tags
    assert table.app.readers._tags == {}


def test_a_reader_that_makes_up_tags_takes_no_more_memory_than_a_full_table(table):
    for number in range(MOST_TAGS + 50):
        table.sees(HAND, b"\xe0" + number.to_bytes(7, "big"))
        assert len(table.app.readers._queue) <= len(table.app.readers._tags) <= MOST_TAGS
    table.sees(HAND, b"\xe0" + bytes(7), False)
    table.wait(5000)
    assert len(table.app.readers._tags) == MOST_TAGS - 1
    table.sees(HAND, A)
    table.wait(1000)
    assert ("tag_appeared", HAND, A) in table.tags()
    for _ in range(200):
        table.sees(HAND, A, False)
        table.wait(20)
        table.sees(HAND, A)
        table.wait(20)
    assert table.app.readers._queue == []


def test_any_reads_end_with_every_tag_where_it_is(seed):
    chance = random.Random(seed)
    table = Reading()
    tags = [bytes([0xE0, 4, 0, 0, 0, 0, 0, number]) for number in range(20)]
    seen: dict[bytes, set[int]] = {tag: set() for tag in tags}
    for _ in range(700):
        tag = chance.choice(tags)
        reader = chance.randrange(4, 16)
        there = reader not in seen[tag] and len(seen[tag]) < 3
        if there or reader in seen[tag]:
            (seen[tag].add if there else seen[tag].discard)(reader)
            table.sees(reader, tag, there)
        table.wait(chance.choice((1, 30, 200, 700)))
        table.app.events.forget(0)
    truth: dict[object, object] = {}
    for tag in tags:
        for reader in sorted(seen[tag])[1:]:
            table.sees(reader, tag, False)
        truth.update({tag: min(seen[tag])} if seen[tag] else {})
    table.wait(2 * LOST_MS)
    assert table.app.events.held() < 432, "the ring has dropped what this test counts on"
    at: dict[object, object] = {}
    for name, *places, moved in table.tags():
        if name == "tag_appeared":
            assert moved not in at
            at[moved] = places[0]
        elif name == "tag_moved":
            assert at[moved] == places[0] != places[1]
            at[moved] = places[1]
        else:
            assert at.pop(moved) == places[0]
    assert at == truth


def test_what_a_head_reads_is_told_in_service_only(table):
    table.sees(2, A)
    table.wait(1000)
    table.sees(2, A, False)
    table.wait(5000)
    assert table.tags() == []
    assert table.request("begin_service")[0] == codes.OK
    table.sees(2, B)
    table.wait(1000)
    assert table.request("end_service")[0] == codes.OK
    table.sees(2, B, False)
    table.wait(5000)
    assert table.tags() == [("tag_appeared", 2, B), ("tag_left", 2, B)]


def test_reads_that_no_reader_can_make_are_ignored(table):
    table.sees(16, A)
    table.sees(HAND, A[:7])
    table.wait(5000)
    assert table.tags() == []


def test_the_enrolment_is_set_in_service_and_kept(table):
    digest = bytes(range(32))

    def asked(bench):
        code, payload = bench.request("get_readers")
        assert code == codes.OK
        return REPLIES[NUMBER_OF["get_readers"]].unpack(payload)

    def give():
        return table.ask(NUMBER_OF["set_enrolment"], REQUESTS[NUMBER_OF["set_enrolment"]].pack(digest))[0]

    assert asked(table) == (ALL, bytes(32))
    assert give() == codes.WRONG_STATE
    assert table.request("begin_service")[0] == codes.OK
    assert give() == codes.OK
    assert asked(table) == (ALL, digest)
    again = Reading()
    again.board.slots = table.board.slots
    again = restarted(again.board)
    assert asked(again) == (ALL, digest)
    again.board.slots[ENROLMENT_SLOT] = again.board.slots[ENROLMENT_SLOT][:-1] + b"?"
    assert asked(restarted(again.board)) == (ALL, bytes(32))


def restarted(board: ReadBoard) -> Reading:
    """The same board after a power loss."""
    made = Reading.__new__(Reading)
    Bench.__init__(made, board)
    made.hello()
    return made


def test_a_board_that_cannot_store_the_enrolment_says_so(table):
    table.request("begin_service")
    table.board.can_save = False
    assert table.ask(NUMBER_OF["set_enrolment"], bytes(32))[0] == codes.FAULT_ACTIVE
    assert table.app.readers.enrolment == bytes(32)
    assert (table.app.cycle.fault, table.app.cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)


def test_a_blind_table_takes_no_enrolment_and_needs_no_memory_for_tags():
    table = Reading(0)
    assert table.request("begin_service")[0] == codes.OK
    assert table.ask(NUMBER_OF["set_enrolment"], bytes(32))[0] == codes.WRONG_STATE
    table.sees(HAND, A)
    table.wait(5000)
    assert table.board.reads
    assert table.app.events._tags._pages == []


def test_a_claim_key_tells_its_seat_and_does_nothing_else(table):
    state = table.app.cycle.state
    for seat in (2, 0):
        table.edge(CLAIM_KEY_0 + seat, 1)
        table.edge(CLAIM_KEY_0 + seat, 0)
    assert [event["seat"] for event in table.log("claim")] == [2, 0]
    assert table.log("key_pressed") == []
    assert table.app.cycle.state == state


def test_a_table_with_readers_at_the_heads_only_tells_of_no_seat():
    table = Reading(LANE_READERS)
    table.sees(1, A)
    table.wait(5000)
    assert table.tags() == []
    assert table.app.walls.fitted


@pytest.mark.parametrize("reads", [0, 1, 2, READS - 1, READS, READS + 1])
def test_reads_that_were_taken_are_said_to_be_however_few(table: Reading, reads: int) -> None:
    table.sees(HAND, A)
    for number in range(reads):
        table.board.read(table.now_ms, HAND, A, number % 2 == 1)
    assert table.app.readers.take_reads() is (reads > 0)
    assert table.app.readers.take_reads() is (reads > READS)
    assert table.app.readers.take_reads() is False
