"""What the simulated readers say of the tiles that are there, without errors and with each kind of them."""

import pytest

from wallwright_protocol.hardware import DISCARDS, HAND, LANE_READERS, MELDS, reader_number
from wallwright_simulator.faults import FaultError, parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.mechanics import GATE_PERIOD_MS
from wallwright_simulator.readers import ALL_READERS, GONE_MS, HEAD_MS, SEAT_MS
from wallwright_simulator.world import World

HAND_1, MELDS_1, DISCARDS_1 = (reader_number(1, kind) for kind in (HAND, MELDS, DISCARDS))


def table(script: str = "", seed: int = 1, readers: int = ALL_READERS) -> tuple[World, Injection]:
    """A world whose pile is in the hands: nine tiles for each seat, as if drawn."""
    world = World(seed, readers=readers)
    injection = Injection(world, parse_faults(script))
    for seat in range(4):
        for _ in range(9):
            world.hands[seat].append(world.pile.pop())
    world.moved()
    return world, injection


def run(world: World, ms: int) -> list[tuple[int, int, bool]]:
    """Let time go by; return what was read as (tile, reader, there), in order."""
    until = world.now_ms + ms
    while world.now_ms < until:
        world.advance(until)
    reads = [(world.readers.tags.index(read.tag), read.reader, read.there) for read in world.readers.reads]
    world.readers.reads.clear()
    return reads


def seen(world: World) -> dict[int, set[int]]:
    """What the readers see by all that they have said so far: reader -> tiles."""
    found: dict[int, set[int]] = {reader: set() for reader in range(16)}
    for read in world.readers.reads:
        (set.add if read.there else set.discard)(found[read.reader], world.readers.tags.index(read.tag))
    return found


def test_every_reader_sees_what_lies_before_it_and_no_two_tags_are_the_same():
    world, _ = table()
    world.advance(SEAT_MS[1])
    while world.now_ms < SEAT_MS[1]:
        world.advance(SEAT_MS[1])
    found = seen(world)
    assert [found[reader_number(seat, HAND)] for seat in range(4)] == [set(hand) for hand in world.hands]
    assert sum(map(len, found.values())) == 36
    assert len(set(world.readers.tags)) == 216


def test_a_tile_that_goes_from_zone_to_zone_is_seen_there_and_lost_here():
    world, _ = table()
    run(world, SEAT_MS[1])
    tile = world.hands[1][3]
    world.discard(1, tile)
    reads = run(world, GONE_MS[1])
    assert sorted(reads) == [(tile, HAND_1, False), (tile, DISCARDS_1, True)]
    world.claim(1, tile)
    world.meld(1, [tile, *world.hands[1][:2]])
    assert (tile, MELDS_1, True) in run(world, GONE_MS[1])


def test_a_tile_that_only_passes_is_not_seen():
    world, _ = table()
    run(world, SEAT_MS[1])
    tile = world.hands[1][0]
    world.discard(1, tile)
    world.claim(2, tile)
    reads = run(world, GONE_MS[1])
    assert (tile, DISCARDS_1, True) not in reads
    assert (tile, reader_number(2, HAND), True) in reads


def shares(script: str, seed: int) -> tuple[int, list[tuple[int, int, bool]]]:
    """1,000 stays at one reader, each 4 s long and 1 s apart, under `script`: how many, and all reads."""
    world, _ = table(script, seed)
    run(world, 3000)
    tile = world.hands[1][0]
    reads = []
    for _ in range(1000):
        world.discard(1, tile)
        reads += run(world, 4000)
        world.claim(1, tile)
        reads += run(world, 1000)
    return 1000, [read for read in reads if read[1] in (DISCARDS_1, MELDS_1)]


@pytest.mark.slow
def test_the_shares_of_misses_doubles_and_ghosts_are_what_was_asked_for(seed):
    # Of 1,000 trials at 10 %, 100 +- 9.5 are hit: six of these either way are never left.
    stays, reads = shares("readers miss 10 %", seed)
    assert 43 < stays - sum(there for _, reader, there in reads if reader == DISCARDS_1) < 157
    stays, reads = shares("readers double 10 %", seed)
    assert 43 < sum(there for _, reader, there in reads if reader == DISCARDS_1) - stays < 157
    stays, reads = shares("readers ghost 10 %", seed)
    # A stay in the hand and one in the discards have a ghost each, every other one at the melds.
    assert 43 < sum(there for _, reader, there in reads if reader == MELDS_1) < 157


def test_a_late_read_is_later_than_any_other():
    for script, latest in (("", SEAT_MS[1]), ("readers late 100 %", 1620)):
        world, _ = table(script)
        until = 2000
        while world.now_ms < until:
            world.advance(until)
        times = [read.at_ms for read in world.readers.reads]
        assert len(times) == 36
        assert max(times) <= latest
        assert script == "" or min(times) >= 220


def test_errors_that_have_not_begun_change_nothing():
    plain, _ = table()
    other, _ = table("readers miss 50 % at 5 s; readers ghost 50 % at 5 s; reader 4 dead at 5 s")
    for world in (plain, other):
        while world.now_ms < 4000:
            world.advance(4000)
    assert plain.readers.reads == other.readers.reads != []


def test_a_dead_antenna_loses_what_it_saw_and_finds_it_again():
    world, _ = table(f"reader {HAND_1} dead at 1 s for 2 s")
    run(world, 900)
    hand = {(tile, HAND_1) for tile in world.hands[1]}
    assert {(tile, reader) for tile, reader, there in run(world, 500) if not there} == hand
    assert {(tile, reader) for tile, reader, there in run(world, 3000) if there} == hand


def test_a_dead_tag_is_never_seen_and_a_foreign_one_is():
    world = World(1, readers=ALL_READERS)
    tile = world.pile[-1]
    Injection(world, parse_faults(f"tag {tile} dead; foreign tag 6 at 0.5 s for 1 s"))
    world.hands[0].append(world.pile.pop())
    world.moved()
    until = 2000
    while world.now_ms < until:
        world.advance(until)
    first, last = world.readers.reads
    assert (first.at_ms, first.reader, first.there, last.at_ms, last.there) == (500, 6, True, 1500, False)
    assert first.tag == last.tag
    assert first.tag not in world.readers.tags


def test_a_misread_tag_has_another_number_of_its_set_for_that_stay_and_is_lost_under_it():
    world, injection = table("readers misread 50 %")
    told = [tile for tile, reader, there in run(world, 500) if there and reader == HAND_1]
    hand = world.hands[1]
    assert len(told) == len(hand)
    wrong = set(told) - set(hand)
    assert 0 < len(wrong) < len(hand)
    assert {world.set_of(tile) for tile in wrong} == {world.set_of(hand[0])}
    injection.mend()
    for tile in hand[:]:
        world.discard(1, tile)
    gone = run(world, 1000)
    assert sorted(tile for tile, reader, there in gone if not there and reader == HAND_1) == sorted(told)
    assert {tile for tile, reader, there in gone if there and reader == DISCARDS_1} == set(world.discards[1])


def test_a_board_that_starts_is_told_what_is_seen_now():
    world, _ = table()
    run(world, SEAT_MS[1])
    world.discard(1, world.hands[1][0])
    run(world, GONE_MS[1])
    world.readers.restart()
    found = seen(world)
    assert found[HAND_1] == set(world.hands[1])
    assert found[DISCARDS_1] == set(world.discards[1])
    assert {read.at_ms for read in world.readers.reads} == {world.now_ms}


def test_lanes_alone_see_no_seats_and_a_blind_table_sees_nothing():
    for readers in (LANE_READERS, 0):
        world, _ = table(readers=readers)
        assert run(world, 3000) == []
    for script in ("readers miss 1 %", "reader 4 dead", "tag 3 dead", "foreign tag 5 at 1 s"):
        with pytest.raises(FaultError, match="no such tile reader"):
            table(script, readers=0)
    with pytest.raises(FaultError, match="no such tile reader"):
        table("reader 4 dead", readers=LANE_READERS)


def test_a_reader_at_a_head_has_seen_a_tile_before_the_next_one_is_there():
    assert HEAD_MS[1] < GATE_PERIOD_MS
