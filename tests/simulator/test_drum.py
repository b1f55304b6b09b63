"""The drum: its look-ahead against a plain walk over all slots, and which tiles end in which layer."""

import random

import pytest

from tests.simulator.builder import fresh_seeds
from wallwright_protocol.hardware import DEFAULT_PLANS
from wallwright_simulator.clock import NEVER, Agenda
from wallwright_simulator.drum import Drum
from wallwright_simulator.ideal import catch_all, ideal_build_ms
from wallwright_simulator.mechanics import CATCH_HALF, CATCH_LIMIT, EYE_DARK_MS, REPELLED_FLIPS
from wallwright_simulator.world import World

SLOT_MS = 280
PLAN = DEFAULT_PLANS[108]


class Taker:
    """A mouth that notes what it is given."""

    def __init__(self, agenda, lane, caught):
        self.agenda = agenda
        self.lane = lane
        self.caught = caught

    def take_in(self, tile):
        self.caught.append((self.agenda.now_ms, self.lane, tile))


def loaded_drum(seed, count):
    """A drum with `count` tiles on an agenda of its own, its mouths shut, and the list in which catches appear."""
    agenda = Agenda()
    drum = Drum(agenda, seed, slot_ms=SLOT_MS)
    caught: list[tuple[int, int, int]] = []
    drum.join([Taker(agenda, lane, caught) for lane in range(4)])
    stream = random.Random(seed)
    drum.drop(range(count), [stream.random() < 0.5 for _ in range(count)], [0] * count)
    return drum, agenda, caught


def walk_all_slots(seed, face_up, until_ms, is_open):
    """What the drum's docstring says, done slot by slot; `is_open(lane, time_ms)`."""
    order = list(range(len(face_up)))
    face_up = list(face_up)
    streams = [random.Random(f"{seed}/slots/1/{lane}") for lane in range(4)]
    slots = sorted(
        (lane_slot * SLOT_MS + SLOT_MS * (lane + 1) // 4, lane)
        for lane in range(4)
        for lane_slot in range(until_ms // SLOT_MS + 1)
    )
    caught = []
    for time_ms, lane in slots:
        chance = (streams[lane].getrandbits(12) + 0.5) / 4096
        luck = streams[lane].getrandbits(64)
        count = len(order)
        if time_ms > until_ms or not is_open(lane, time_ms) or not chance < CATCH_LIMIT * count / (count + CATCH_HALF):
            continue
        met = int(luck % 2**32 / 2**32 * count)
        if face_up[order[met]]:
            face_up[order[met]] = (luck >> 32) / 2**32 >= REPELLED_FLIPS
            continue
        caught.append((time_ms, lane, order[met]))
        order[met] = order[-1]
        order.pop()
    return caught


def test_looking_ahead_finds_what_a_walk_over_all_slots_finds(seed):
    for drum_seed in fresh_seeds(seed, 15):
        drum, agenda, caught = loaded_drum(drum_seed, 108)
        face_up = drum.face_up()
        stream = random.Random(drum_seed)
        # Mouths open and shut by chance; the slots that pass meanwhile are lost to their lane and change nobody's luck.
        changes = sorted((stream.randrange(30_000), stream.randrange(4), stream.random() < 0.7) for _ in range(60))
        changes = [(0, lane, True) for lane in range(4)] + changes
        drum.turn(True)
        for time_ms, lane, opens in changes:
            while agenda.step(time_ms):
                pass
            (drum.open if opens else drum.shut)(lane)
        while agenda.step(40_000):
            pass

        def is_open(lane, time_ms, changes=changes):
            # A magnet that passes at the very time of a change still finds the mouth open, or finds it open already.
            before = [opens for at_ms, which, opens in changes if which == lane and at_ms < time_ms]
            return before[-1] or (time_ms, lane, True) in changes

        assert caught == walk_all_slots(drum_seed, face_up, 40_000, is_open)
        assert len(caught) > 80


def test_the_ring_goes_on_where_it_stood(seed):
    whole, agenda, caught = loaded_drum(seed, 60)
    for lane in range(4):
        whole.open(lane)
    whole.turn(True)
    while agenda.step(20_000):
        pass
    halting, other_agenda, other_caught = loaded_drum(seed, 60)
    for lane in range(4):
        halting.open(lane)
    stream = random.Random(seed)
    ran_ms = 0
    while ran_ms < 20_000:
        run_ms = min(stream.randrange(1, 900), 20_000 - ran_ms)
        halting.turn(True)
        until_ms = other_agenda.now_ms + run_ms
        while other_agenda.step(until_ms):
            pass
        halting.turn(False)
        assert min(other_agenda.due) == NEVER
        other_agenda.step(until_ms + 1234)
        ran_ms += run_ms
    assert [(lane, tile) for _, lane, tile in caught] == [(lane, tile) for _, lane, tile in other_caught]
    assert len(caught) > 40


def test_an_empty_drum_gives_nothing_until_a_tile_falls_in(seed):
    drum, agenda, caught = loaded_drum(seed, 0)
    drum.open(2)
    drum.turn(True)
    assert min(agenda.due) == NEVER
    agenda.step(5000)
    drum.put_back(7, False)
    while not caught:
        agenda.step(agenda.next_ms)
    assert caught[0][1:] == (2, 7)
    assert caught[0][0] > 5000
    assert min(agenda.due) == NEVER


def test_catches_get_rarer_as_the_drum_empties(seed):
    middle_ms = last_ms = 0
    for drum_seed in fresh_seeds(seed, 100):
        drum, agenda, caught = loaded_drum(drum_seed, 108)
        for lane in range(4):
            drum.open(lane)
        drum.turn(True)
        while len(caught) < 108:
            agenda.step(agenda.next_ms)
        times = [time_ms for time_ms, _, _ in caught]
        middle_ms += times[54] - times[50]
        last_ms += times[-1] - times[-5]
    # By the formula the last four take twice as long as four in the middle.
    assert last_ms > 1.4 * middle_ms


def lower_counts(seeds, groups):
    """How many tiles of each group of the drop order ended in the lower layer, over one build a seed."""
    counts = [0] * groups
    for world_seed in seeds:
        drum = World(world_seed).drum
        dropped_at = {tile: at for at, tile in enumerate(drum.tiles)}
        layers = [0] * 4
        for catch in catch_all(drum, PLAN):
            if layers[catch.lane] == 0:
                counts[dropped_at[catch.tile] * groups // 108] += 1
            layers[catch.lane] ^= 1
    return counts


def chi_square(counts, builds):
    """Of `counts` against half of each group below; a build puts 54 of 108 tiles below without replacement."""
    group = 108 / len(counts)
    variance = builds * 54 * (group / 108) * (54 / 107)
    return sum((count - builds * group / 2) ** 2 for count in counts) / variance


@pytest.mark.slow
def test_the_layer_does_not_depend_on_when_a_tile_was_dropped(seed):
    # 12 groups have 11 degrees of freedom: a fair drum passes 46 once in 300,000 runs.
    assert chi_square(lower_counts(fresh_seeds(seed, 300), 12), 300) < 46


def test_the_ideal_build_counts_the_last_tile_of_the_slowest_lane():
    world = World(5)
    catches = catch_all(world.drum, PLAN)
    ends = []
    for lane in range(4):
        times = [catch.time_ms for catch in catches if catch.lane == lane]
        assert len(times) == 2 * PLAN[lane]
        ends.append(max(times) + world.belts[lane].travel_ms + EYE_DARK_MS + world.heads[lane].cycle_ms)
    assert ideal_build_ms(world, PLAN) == max(ends)
    assert len({catch.tile for catch in catches}) == 108


def test_the_ideal_build_refuses_a_plan_beyond_the_drum():
    with pytest.raises(ValueError, match="too few for 55 stacks"):
        ideal_build_ms(World(5), (14, 14, 14, 13))
