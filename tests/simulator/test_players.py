"""What people can do at the simulated table, and what they cannot."""

from collections import Counter

import pytest

from tests.simulator.builder import Builder, fresh_seeds
from wallwright_protocol.hardware import (
    BELT_FULL,
    COUNT_EYE,
    DEFAULT_PLANS,
    DICE_KEY,
    LID_OPEN,
    LIFT_KEY,
    LIFT_RAISE,
    REFEREE_KEY,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.tile_sets import FACES
from wallwright_simulator.mechanics import COVER_MS
from wallwright_simulator.players import Players
from wallwright_simulator.surface import PhysicalError
from wallwright_simulator.world import World

RAISE_ALL = sum(drive_bit(side, LIFT_RAISE) for side in range(SIDES))


def drive_until(world, mask, parts):
    world.drive(mask)
    while not all(part.at_end for part in parts):
        world.advance(world.next_ms)
    world.drive(0)


@pytest.fixture
def table(seed):
    """A world with set 0 in its walls on the table and set 1 in the drum, and its people."""
    world = World(seed)
    Builder(world, DEFAULT_PLANS[108]).run(200_000)
    drive_until(world, LID_OPEN, [world.lid])
    world.push_in()
    drive_until(world, RAISE_ALL, world.lifts)
    settled_ms = world.now_ms + 100  # the lifts' switches bounce
    while world.now_ms < settled_ms:
        world.advance(settled_ms)
    world.draw_in_walls()
    return world, Players(world)


def test_tiles_leave_a_stack_from_the_top(table):
    world, players = table
    lower, upper = world.walls[1][5]
    with pytest.raises(PhysicalError, match="upper one on it"):
        players.take(0, [(1, 5, 0)])
    assert players.take(0, [(1, 5, 1), (1, 5, 0)]) == [upper, lower]
    assert world.hands[0] == [upper, lower]
    for layer in (0, 1):
        with pytest.raises(PhysicalError, match="no tile in layer"):
            players.take(0, [(1, 5, layer)])
    with pytest.raises(PhysicalError, match="has 13 stacks and no stack 13"):
        players.take(0, [(1, 13, 1)])
    with pytest.raises(PhysicalError, match="no stack -1"):
        players.take(0, [(1, -1, 1)])
    world.check_conserved()


def test_hands_discards_claims_and_melds(table):
    world, players = table
    mine = players.take(0, [(0, stack, layer) for stack in range(3) for layer in (1, 0)])
    theirs = players.take(2, [(2, 0, 1), (2, 0, 0)])
    assert players.show_hand(2) == [world.face(tile) for tile in theirs]
    players.discard(2, theirs[0])
    with pytest.raises(PhysicalError, match="does not hold"):
        players.discard(2, theirs[0])
    with pytest.raises(PhysicalError, match="cannot claim"):
        players.claim(0, theirs[1])
    players.claim(0, theirs[0])
    assert world.discards[2] == []
    players.meld(0, [*mine[:2], theirs[0]])
    players.meld(0, [mine[2]], onto=0)
    assert world.melds[0] == [[mine[0], mine[1], theirs[0], mine[2]]]
    assert world.hands[0] == mine[3:]
    for tiles in ([mine[0]], [mine[3], mine[3]]):
        with pytest.raises(PhysicalError, match="does not hold"):
            players.meld(0, tiles)
    with pytest.raises(PhysicalError, match="no meld 1"):
        players.meld(0, [mine[3]], onto=1)
    players.claim(2, mine[2])
    assert world.locations()[mine[2]] == "hand 2"
    world.check_conserved()


def test_keys_are_pressed_by_side(table):
    world, players = table
    players.press_lift(0)
    players.press_dice(1)
    players.press_referee(2)
    end_ms = world.now_ms + 500
    while world.now_ms < end_ms:
        world.advance(end_ms)
    pressed = [input_number(0, LIFT_KEY), input_number(1, DICE_KEY), input_number(2, REFEREE_KEY)]
    keys = {input_number(side, kind) for side in range(SIDES) for kind in (LIFT_KEY, DICE_KEY, REFEREE_KEY)}
    edges = Counter(number for _, number, _ in world.edges if number in keys)
    assert edges == dict.fromkeys(pressed, 6)


def test_a_hand_darkens_the_eye_it_is_held_before_and_no_other(table):
    world, players = table
    before = bytes(world.levels)
    eyes = {input_number(1, COUNT_EYE), input_number(3, BELT_FULL)}
    players.cover_count_eye(1)
    players.cover_belt_eye(3)
    start_ms = world.now_ms
    while world.now_ms < start_ms + COVER_MS // 2:
        world.advance(start_ms + COVER_MS // 2)
    assert {number for number, level in enumerate(before) if world.levels[number] != level} == eyes
    while world.now_ms < start_ms + 2 * COVER_MS:
        world.advance(start_ms + 2 * COVER_MS)
    assert bytes(world.levels) == before


def test_walls_are_drawn_in_only_from_lifts_that_are_up(seed):
    world = World(seed)
    Builder(world, DEFAULT_PLANS[108]).run(200_000)
    players = Players(world)
    drive_until(world, RAISE_ALL & ~drive_bit(3, LIFT_RAISE), world.lifts[:3])
    with pytest.raises(PhysicalError, match="side 3 cannot be drawn in: its lift is not up"):
        players.draw_in()
    assert world.walls == [[], [], [], []]
    world.check_conserved()


def test_walls_are_not_drawn_in_where_old_ones_stand(table):
    _, players = table
    with pytest.raises(PhysicalError, match="an old wall"):
        players.draw_in()


def test_tiles_are_pushed_in_only_while_the_lid_is_open(seed):
    world = World(seed)
    with pytest.raises(PhysicalError, match="lid is open"):
        Players(world).push_in()
    assert len(world.pile) == 108


def test_pushing_in_clears_the_table_in_the_order_in_which_people_push(table):
    world, players = table
    players.take(1, [(1, stack, 1) for stack in range(13)])
    players.discard(1, world.hands[1][0])
    lay = [tile for _, place in world.places() for tile in place]
    in_drum = len(world.drum.tiles)
    order = [tile for tile, _ in world.sweeping()]
    players.push_in()
    dropped = world.drum.tiles[in_drum:]
    assert sorted(dropped) == sorted(lay) == list(range(108))
    assert dropped == order != lay
    assert 20 < sum(world.drum.face_up()[in_drum:]) < 88
    assert [place for _, place in world.places() if place] == []
    world.check_conserved()


def test_a_lost_tile_stays_out_of_the_drum_until_a_hand_puts_it_back(table):
    world, players = table
    from_drum, from_wall = world.drum.tiles[50], world.walls[0][3][1]
    for tile in (from_drum, from_wall):
        world.remove_tile(tile)
        assert world.locations()[tile] == "loose"
    players.push_in()
    assert world.loose == [from_drum, from_wall]
    world.put_in_drum(from_wall)
    world.put_in_drum(from_drum)
    assert world.loose == []
    assert len(world.drum.tiles) == 216
    world.check_conserved()
    with pytest.raises(PhysicalError, match="not on the table"):
        world.put_in_drum(from_drum)


def test_a_lost_tile_leaves_one_side_a_tile_short(seed):
    world = World(seed)
    world.remove_tile(world.drum.tiles[0])
    builder = Builder(world, DEFAULT_PLANS[108])
    with pytest.raises(AssertionError, match="not built"):
        builder.run(120_000)
    assert sum(builder.stacks) == 53
    world.put_in_drum(world.loose[0])
    builder.run(120_000)
    assert builder.stacks == list(DEFAULT_PLANS[108])


def test_a_freed_head_leaves_its_tiles_loose(seed):
    world = World(seed)
    builder = Builder(world, DEFAULT_PLANS[108])
    while not world.heads[1].tiles:
        world.advance(world.next_ms)
        builder.react()
    assert world.free_head(1) == world.loose
    assert len(world.loose) == 1
    world.check_conserved()


def test_a_tile_in_two_places_or_none_is_found():
    world = World(1)
    world.pile.append(world.drum.tiles[0])
    with pytest.raises(AssertionError, match="two places: drum and pile"):
        world.check_conserved()
    world = World(1)
    gone = world.pile.pop()
    with pytest.raises(AssertionError, match=rf"\[{gone}\]"):
        world.check_conserved()


def test_faces_of_the_sets():
    for tiles, faces in FACES.items():
        assert len(faces) == tiles
    world = World(1)
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    assert [world.face(4 * kind) for kind in range(27)] == kinds
    assert Counter(world.face(tile) for tile in range(216)) == dict.fromkeys(kinds, 8)
    assert world.face(107) == world.face(108 + 107) == "9s"
    assert (world.set_of(107), world.set_of(108)) == (0, 1)
    extra = {tiles: Counter(FACES[tiles][108:]) for tiles in FACES}
    assert extra[108] == {}
    assert extra[120] == {"7z": 4, "6z": 4, "5z": 4}
    assert extra[136] == {f"{rank}z": 4 for rank in range(1, 8)}
    assert extra[144] - extra[136] == {f"{number}f": 1 for number in range(1, 9)}
    assert extra[152] - extra[144] == {"1j": 8}


def test_both_halves_of_the_faces_are_up_as_often_as_down(seed):
    up = sum(sum(World(number).drum.face_up()) for number in fresh_seeds(seed, 100))
    # 10,800 fair coins: five standard deviations are 260.
    assert abs(up - 5400) < 260
