"""The power fails after polls all over the cycle of prescribed walls, the lid open for a forgotten tile among it.

What must be so afterwards is asked of the world: the table waits for the set that lies in the drum, whole, and the
other one lies on the table; walls that are up bring the dice that were drawn with them, and nobody rolls others.
"""

import random

import pytest

from tests.firmware.prescribing import Director
from tests.length import length
from tests.scenarios.power import ACTS, OFF_MS, UNKNOWN, asks
from tests.scenarios.test_power import SEEN_MS, TWICE, in_a_fork, in_a_small_process
from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES
from wallwright_simulator.power import START_MS

ONE_IN = length(15, 1)
"""The power fails after one poll of so many while nothing is built."""
ONE_BUILDING = length(4_001, 101)
"""And after one of so many while walls are built, which takes a minute with nothing to it."""
KEY_MS = 400
"""A key is pressed and free again after this."""
LOOKS_MS = 20
FORGOTTEN_AT_MS = 20_000
SLOWEST_MS = 300_000
DEALER, DICE = 1, (2, 5, 0)
"""As `Director.drawn` has them."""


@pytest.mark.slow
def test_no_power_loss_in_a_cycle_of_prescribed_walls_leaves_a_table_that_waits_for_the_wrong_set(seed):
    in_a_small_process(after_polls, seed)


def after_polls(seed):
    chance = random.Random(seed)
    table = Director(chance.randrange(2**20))
    table.equip()
    assert table.prescribe(table.drawn(codes.HANDS_WALL)) == "ok"
    app, poll = table.app, table.app.poll
    seen, failures = [], []
    first = chance.randrange(ONE_IN)

    def watched(now_ms, rx):
        tx = poll(now_ms, rx)
        state = app.cycle.state
        seen.append(state)
        if len(seen) % (ONE_BUILDING if state == codes.BUILDING else ONE_IN) == first:
            own = random.Random(chance.randrange(2**32))
            report = in_a_fork(lambda: People(table, own).lose_power())
            if report:
                failures.append(f"{now_ms} ms, {codes.STATES[state]}, {shown(table)}: {report}")
        return tx

    vars(app)["poll"] = watched
    people = People(table, chance)
    people.press(0)
    people.wait(lambda: people.now_ms > FORGOTTEN_AT_MS)
    people.players.press_lift(0)
    people.press(2)
    people.wait(lambda: shown(table) == "TILE?")
    people.go_on(until=codes.LOWERING)
    people.wait(lambda: app.cycle.state == codes.BUILDING)
    assert app.cycle.wall_mode == codes.ORDINARY_WALL
    assert not failures, f"{len(failures)} of {len(seen)} polls, the first: {failures[0]}"
    assert {codes.PAUSING, codes.LID_OPEN, codes.LID_CLOSING, codes.LIFTING, codes.WALLS_UP} < {*seen}


def shown(table):
    """What the panels show, without the mark of prescribed walls."""
    return table.sim.board.displays[0].removeprefix("P ")


class People:
    """They do what panels and words say, and see which tiles lie where, but no set by its looks."""

    def __init__(self, table, chance):
        self.table = table
        self.chance = chance
        self.world = table.sim.world
        self.players = table.sim.players

    @property
    def now_ms(self):
        return self.table.sim.now_ms

    @property
    def cycle(self):
        return self.table.app.cycle

    def wait(self, done):
        end_ms = self.now_ms + SLOWEST_MS
        while not done():
            assert self.now_ms < end_ms, f"the panels show {shown(self.table)} for ever"
            self.table.sim.run_until(self.now_ms + LOOKS_MS)

    def press(self, side):
        self.players.press_lift(side)
        self.table.sim.run_until(self.now_ms + KEY_MS)

    def lose_power(self):
        """After it, perhaps after a second one, the sets are apart, and the table builds the one in the drum."""
        self.cut()
        if self.chance.randrange(TWICE) == 0:
            self.act()
            self.table.sim.run_until(self.now_ms + self.chance.randrange(6_000))
            self.cut()
        builds = self.cycle.builds
        self.go_on(until=codes.BUILDING)
        assert self.cycle.builds == builds
        self.check_sets()

    def cut(self):
        self.table.sim.cut_power(self.chance.choice((START_MS, OFF_MS)))
        self.table.sim.run_until(self.now_ms + OFF_MS + 3_000)
        assert not self.world._mask

    def go_on(self, until):
        """Do what is asked for until the table is in that state."""
        for _ in range(ACTS):
            if self.cycle.state == until:
                return
            self.act()
            self.wait(lambda: self.cycle.state == until or (not self.world._mask and self.is_asked()))
        raise AssertionError(f"not there after {ACTS} acts; the panels show {shown(self.table)}")

    def is_asked(self):
        return asks(shown(self.table)) or "LO" in shown(self.table)

    def act(self):
        """Do what the panels ask for."""
        text = shown(self.table)
        if text == UNKNOWN:
            self.table.sim.run_until(self.now_ms + SEEN_MS)
            self.empty()
            self.press(0)
        elif text == "DICE?":
            self.throw()
        elif text == "DROP" and self.world.lid.at_end:
            self.players.push_in()
            self.press(1)
        else:
            assert not text.startswith("E"), text
            self.press(1)

    def throw(self):
        is_prescribed = self.table.sim.board.displays[0].startswith("P ")
        if any(head.carrier for head in self.world.heads):
            assert is_prescribed
            self.players.draw_in()
        numbers = self.table.app.dice.number
        self.players.press_dice(3)
        self.wait(lambda: self.cycle.state != codes.WALLS_UP)
        if is_prescribed:
            assert (self.cycle.dealer, self.cycle.dice) == (DEALER, DICE)
            assert self.table.app.dice.number == numbers, "nothing is rolled"

    def empty(self):
        """What the words of walls_unknown say."""
        world = self.world
        were_whole = sum(map(len, (stack for head in world.heads for stack in head.carrier))) == self.table.tiles
        if were_whole and (world.lid.at_end or not world.pile):
            if world.lid.at_end:
                world.push_in()
            for side in range(SIDES):
                for tile in world.free_carrier(side):
                    world.lay_down(tile)
            return
        for side in range(SIDES):
            for tile in world.free_carrier(side) + world.free_head(side):
                world.put_in_drum(tile)

    def check_sets(self):
        """What is to be built now is the set that is below, and all of it."""
        world = self.world
        on_table = {*world.pile, *(tile for wall in world.walls for stack in wall for tile in stack)}
        below = [tile for tile in range(2 * self.table.tiles) if tile not in on_table]
        assert {world.set_of(tile) for tile in below} == {1 - self.cycle.set_above}
        assert len(below) == self.table.tiles
