"""One lane apart from the rest: belt, gate, eyes and stacking head."""

import random

import pytest

from wallwright_protocol.hardware import (
    BELT_FULL,
    COUNT_EYE,
    HEAD_HOME,
    HEAD_PUSHED,
    INPUTS_PER_SIDE,
    LIFT_DOWN,
    LIFT_UP,
    input_number,
)
from wallwright_simulator.belt import Belt
from wallwright_simulator.clock import NEVER, Agenda
from wallwright_simulator.drum import Drum
from wallwright_simulator.head import Head
from wallwright_simulator.sensors import Sensors
from wallwright_simulator.timing import USUAL
from wallwright_simulator.travel import Travel

SIDE = 2


class Rig:
    """The lane of side 2 with an empty drum behind it; tiles are laid into its mouth by hand."""

    def __init__(self, seed=0):
        self.agenda = Agenda()
        self.sensors = Sensors(self.agenda, random.Random(seed))
        down, up = input_number(SIDE, LIFT_DOWN), input_number(SIDE, LIFT_UP)
        self.lift = Travel(self.agenda, self.sensors, down, up, 2500, 2000)
        self.drum = Drum(self.agenda, seed)
        self.head = Head(self.agenda, self.sensors, SIDE, self.lift, 500)
        self.belt = Belt(self.agenda, self.sensors, SIDE, self.drum, self.head, 600, random.Random(seed), {}, USUAL)

    def to(self, time_ms):
        while self.agenda.step(time_ms):
            pass

    def edges(self, kind):
        """Edges of one input of the side so far, as (time_ms, level)."""
        return [(at, level) for at, number, level in self.sensors.edges if number == input_number(SIDE, kind)]

    def level(self, kind):
        return self.sensors.levels[SIDE * INPUTS_PER_SIDE + kind]


def test_a_tile_rides_600_ms_and_is_in_the_head_when_the_count_eye_gets_light():
    rig = Rig()
    rig.belt.run(1)
    rig.to(100)
    rig.belt.take_in(7)
    rig.to(779)
    assert rig.edges(COUNT_EYE) == [(700, 1)]
    assert rig.head.tiles == []
    rig.to(780)
    assert rig.edges(COUNT_EYE) == [(700, 1), (780, 0)]
    assert rig.head.tiles == [7]


def test_tiles_pass_the_gate_130_ms_apart_and_no_third_one_enters_the_head():
    rig = Rig()
    rig.belt.run(1)
    for tile in range(3):
        rig.belt.take_in(tile)
        rig.to(100 * tile + 100)
    rig.to(3000)
    assert rig.edges(COUNT_EYE) == [(600, 1), (680, 0), (730, 1), (810, 0)]
    assert rig.head.tiles == [0, 1]
    assert rig.belt.tiles == [2]


def test_a_stroke_takes_half_a_second_and_pushes_the_stack_at_the_push_vane():
    rig = Rig()
    rig.head.tiles = [4, 5]
    rig.to(1000)
    rig.head.run(True)
    rig.to(1229)
    assert rig.head.carrier == []
    rig.to(1230)
    assert rig.head.carrier == [[4, 5]]
    assert rig.head.tiles == []
    rig.to(1505)
    rig.head.run(False)
    rig.to(9000)
    assert rig.edges(HEAD_HOME) == [(1030, 0), (1500, 1)]
    assert rig.edges(HEAD_PUSHED) == [(1230, 1), (1290, 0)]
    assert min(rig.agenda.due) == NEVER


def test_the_gate_opens_again_when_the_head_is_home():
    rig = Rig()
    rig.belt.run(1)
    rig.belt.take_in(1)
    rig.head.tiles = [4, 5]
    rig.head.run(True)
    rig.to(580)
    assert rig.level(COUNT_EYE) == 0
    # The tile comes to the gate at 600 ms while the cam, still driven, has been home since 500 and leaves at 530.
    rig.to(2000)
    assert rig.edges(COUNT_EYE)[0] == (1000, 1)


def test_a_head_left_running_goes_round_and_jams_on_a_tile_in_the_gate():
    rig = Rig()
    rig.head.run(True)
    rig.to(1600)
    assert [at for at, level in rig.edges(HEAD_HOME) if not level] == [30, 530, 1030, 1530]
    rig.belt.take_in(1)
    rig.belt.run(1)
    rig.to(9000)
    # It arrives at 2200 behind a head that is away, enters with the next time home at 2500, and is caught at 2530.
    assert rig.edges(COUNT_EYE) == [(2500, 1), (2580, 0)]
    assert rig.head.jammed
    assert rig.level(HEAD_HOME) == 1
    assert rig.head.free() == [1]
    assert not rig.head.jammed


def test_a_single_tile_is_pushed_as_a_stack_of_its_own():
    rig = Rig()
    rig.head.tiles = [4]
    rig.head.run(True)
    rig.to(400)
    assert rig.head.carrier == [[4]]


def test_a_full_carrier_jams_the_head_until_it_is_freed():
    rig = Rig()
    rig.head.carrier = [[2 * stack, 2 * stack + 1] for stack in range(19)]
    rig.head.tiles = [38, 39]
    rig.head.run(True)
    rig.to(9000)
    assert rig.head.jammed
    assert len(rig.head.carrier) == 19
    assert rig.edges(HEAD_PUSHED) == []
    assert rig.level(HEAD_HOME) == 0
    rig.head.run(False)
    assert rig.head.free() == [38, 39]
    rig.to(9001)
    assert rig.edges(HEAD_HOME) == [(30, 0), (9000, 1)]
    rig.head.run(True)
    rig.to(9600)
    assert rig.edges(HEAD_PUSHED) == [(9231, 1), (9291, 0)]


def test_a_lift_that_is_not_down_jams_the_head_unless_it_is_empty():
    rig = Rig()
    rig.lift.run(True, False)
    rig.to(100)
    rig.lift.run(False, False)
    rig.head.run(True)
    rig.to(595)
    assert not rig.head.jammed
    rig.head.tiles = [4, 5]
    rig.to(5000)
    assert rig.head.jammed
    assert rig.head.tiles == [4, 5]


def test_a_blocked_head_stands_still_where_it_was():
    rig = Rig()
    rig.head.run(True)
    rig.to(250)
    rig.head.block()
    rig.to(9000)
    assert rig.level(HEAD_PUSHED) == 1
    rig.head.free()
    rig.to(9031)
    assert rig.edges(HEAD_PUSHED) == [(230, 1), (9000, 0)]
    assert rig.edges(HEAD_HOME) == [(30, 0), (9000, 1), (9030, 0)]


def test_a_belt_that_stops_freezes_the_tile_in_the_count_eye():
    rig = Rig()
    rig.belt.run(1)
    rig.belt.take_in(1)
    rig.to(650)
    rig.belt.run(0)
    rig.to(5000)
    assert rig.edges(COUNT_EYE) == [(600, 1)]
    rig.belt.run(1)
    rig.to(9000)
    assert rig.edges(COUNT_EYE) == [(600, 1), (5030, 0)]
    assert rig.head.tiles == [1]


def test_a_belt_that_reverses_backs_the_tile_out_of_the_gate_into_the_drum():
    rig = Rig()
    rig.belt.run(1)
    rig.belt.take_in(1)
    rig.to(650)
    rig.belt.run(-1)
    rig.to(1299)
    assert rig.edges(COUNT_EYE) == [(600, 1), (700, 0)]
    assert rig.belt.tiles == [1]
    rig.to(1300)
    assert rig.head.tiles == rig.belt.tiles == []
    assert rig.drum.tiles == [1]


def test_the_belt_full_eye_shows_a_standing_queue_of_five_and_no_tile_riding_past():
    rig = Rig()
    rig.head.tiles = [8, 9]
    rig.belt.run(1)
    for tile in range(5):
        rig.to(300 * tile)
        rig.belt.take_in(tile)
    # The fifth one comes to its place, 200 ms of belt from the mouth, at 1400.
    rig.to(1599)
    assert rig.edges(BELT_FULL) == []
    rig.to(1600)
    assert rig.edges(BELT_FULL) == [(1600, 1)]
    rig.head.run(True)
    rig.to(2105)
    rig.head.run(False)
    rig.to(9000)
    # Gate open at 2100; the queue of five moves on with the first one, and nobody follows.
    assert rig.edges(BELT_FULL) == [(1600, 1), (2300, 0)]


def test_a_queue_of_six_keeps_the_belt_full_eye_dark_while_one_tile_leaves():
    rig = Rig()
    rig.head.tiles = [8, 9]
    rig.belt.run(1)
    for tile in range(6):
        rig.belt.take_in(tile)
        rig.to(200 * (tile + 1))
    for start_ms, left, level in ((2000, 5, 1), (4000, 4, 0)):
        rig.to(start_ms)
        rig.head.tiles.pop()
        rig.belt.gate_changed()
        rig.to(start_ms + 1000)
        assert len(rig.belt.tiles) == left
        assert rig.level(BELT_FULL) == level
    # The fifth tile came to its place at 1200; the queue first was a tile short of it when the second one left.
    assert rig.edges(BELT_FULL) == [(1200, 1), (4200, 0)]


def test_a_belt_of_six_takes_no_more():
    rig = Rig()
    rig.head.tiles = [8, 9]
    rig.drum.join([rig.belt] * 4)
    rig.drum.drop(range(20, 40), [False] * 20, [0] * 20)
    rig.drum.turn(True)
    rig.belt.run(1)
    rig.to(60_000)
    assert len(rig.belt.tiles) == 6
    assert len(rig.drum.tiles) == 14
    rig.belt.run(-1)
    rig.to(60_650)
    assert rig.belt.tiles == []
    assert sorted(rig.drum.tiles) == list(range(20, 40))
    rig.to(90_000)
    assert len(rig.drum.tiles) == 20


class SteppedBelt:
    """The belt's rules taken one ms at a time. The head is home for good, and a tile in it is gone at once."""

    def __init__(self):
        self.places = {}
        self.direction = 0
        self.passing = None
        self.last_entry_ms = -1000
        self.log = []

    def step(self, now_ms, moved=1):
        order = sorted(self.places, key=lambda tile: self.places[tile], reverse=True)
        if self.direction > 0:
            ahead = 10_000
            for tile in order:
                end = 10_000 if tile == self.passing else 600
                self.places[tile] = min(self.places[tile] + moved, end, ahead - 100)
                ahead = self.places[tile]
            if self.passing is not None and self.places[self.passing] >= 680:
                del self.places[self.passing]
                self.log.append((now_ms, "in", self.passing))
                self.passing = None
                order.pop(0)
            if self.passing is None and order and self.places[order[0]] >= 600 and now_ms - self.last_entry_ms >= 130:
                self.passing = order[0]
                self.last_entry_ms = now_ms
                self.log.append((now_ms, "dark", self.passing))
        elif self.direction < 0:
            for tile in order:
                self.places[tile] -= moved
            if self.passing is not None and self.places[self.passing] <= 600:
                self.log.append((now_ms, "out", self.passing))
                self.passing = None
            for tile in reversed(order):
                if self.places[tile] <= 0:
                    del self.places[tile]
                    self.log.append((now_ms, "drum", tile))


def new_entries(now_ms, rig, before):
    """What happened to the rig's tiles since `before` was taken, in the words of `SteppedBelt.log`."""
    on_belt, in_gate = before
    entries = [(now_ms, "in", tile) for tile in rig.head.tiles]
    entries += [(now_ms, "drum", tile) for tile in on_belt if tile in rig.drum.tiles]
    passing = rig.belt.tiles[0] if rig.belt.passing else None
    if in_gate is not None and in_gate != passing and in_gate not in rig.head.tiles:
        entries.append((now_ms, "out", in_gate))
    if passing is not None and passing != in_gate:
        entries.append((now_ms, "dark", passing))
    rig.head.tiles.clear()
    return entries


@pytest.mark.slow
def test_the_belt_does_what_a_belt_stepped_ms_by_ms_does(seed):
    stream = random.Random(seed)
    assert sum(len(agreed_log(stream)) for _ in range(10)) > 100


def agreed_log(stream):
    """Run both belts by chance for 12 s; return what happened to the tiles, which must be the same in both."""
    rig, stepped = Rig(), SteppedBelt()
    log = []
    next_tile = 0
    change_ms = 0
    for now_ms in range(1, 12_000):
        before = rig.belt.tiles[:], stepped.passing
        rig.to(now_ms)
        stepped.step(now_ms)
        log += new_entries(now_ms, rig, before)
        if now_ms >= change_ms:
            change_ms = now_ms + stream.choice([20, 100, 700, 1500])
            stepped.direction = stream.choice([1, 1, 1, 0, -1])
            before = rig.belt.tiles[:], stepped.passing
            rig.belt.run(stepped.direction)
            # What is due at once, as a tile that waits in front of the gate when the belt starts.
            rig.to(now_ms)
            stepped.step(now_ms, 0)
            log += new_entries(now_ms, rig, before)
        assert rig.belt.tiles == sorted(stepped.places, key=lambda tile: stepped.places[tile], reverse=True)
        nearest = min(stepped.places.values(), default=1000)
        if stepped.direction > 0 and len(stepped.places) < 6 and nearest >= 100 and stream.random() < 0.005:
            rig.belt.take_in(next_tile)
            stepped.places[next_tile] = 0
            next_tile += 1
    assert sorted(log) == sorted(stepped.log)
    return log
