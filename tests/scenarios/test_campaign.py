"""A table in careless hands: random keys, commands and emergency stops at random times, watched all the while."""

import random

import pytest

from tests.length import length
from tests.scenarios.scenarios import plan_of
from tests.scenarios.table import MOTIONS, Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES

RUNS = length(32, 60)
RUN_MS = 600_000
PLANS = [plan_of(0), plan_of(1), (15, 13, 13, 13), (19, 19, 10, 6)]


class Hands:
    """People and a host who do something at random every now and then."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.table = Table(seed)
        self.table.world.plans = [
            tuple(plan[(side - turn) % SIDES] for side in range(SIDES)) for plan in PLANS for turn in range(SIDES)
        ]
        self.moves = {
            self.press_lift: 30,
            self.press_dice: 8,
            self.push_in: 30,
            self.draw_in: 30,
            self.press_stop: 2,
            self.release_stop: 10,
            self.command: 15,
            self.plan: 3,
            self.come_or_go: 4,
            self.lose: 1,
            self.bring_back: 5,
        }

    def run(self) -> None:
        """Careless for some minutes, and then what the panel asks for until walls have come up."""
        end_ms = self.table.now_ms + RUN_MS
        while self.table.now_ms < end_ms:
            self.table.run(self.chance.choice((5, 300, 2_000, 9_000)) * self.chance.randrange(1, 5))
            self.table.world.check_conserved()
            self.chance.choices(list(self.moves), list(self.moves.values()))[0]()

    def press_lift(self) -> None:
        self.table.press_lift(self.chance.randrange(SIDES))

    def press_dice(self) -> None:
        self.table.press_dice(self.chance.randrange(SIDES))

    def push_in(self) -> None:
        if self.table.world.lid.at_end:
            self.table.sim.players.push_in()

    def draw_in(self) -> None:
        """Once all walls are up and the panel says so; before that people keep their hands off."""
        world = self.table.world
        up = self.table.shown == "DICE?" and all(lift.at_end for lift in world.lifts)
        if up and any(self.table.built()) and not any(world.walls):
            self.table.sim.players.draw_in()

    def press_stop(self) -> None:
        self.table.world.emergency_stop(True)

    def release_stop(self) -> None:
        self.table.world.emergency_stop(False)

    def command(self) -> None:
        if self.table.host:
            self.table.host.request(self.chance.choice((*MOTIONS, "stop", "clear_fault", "clear_fault", "get_status")))

    def plan(self) -> None:
        if self.table.host:
            plan = (*self.chance.choice(PLANS), self.chance.randrange(SIDES))
            self.table.host.request("set_plan", *plan, codes.FIXED, codes.AS_SET)

    def come_or_go(self) -> None:
        if self.table.host:
            self.table.disconnect()
        else:
            self.table.connect(self.chance.randrange(1, 2**32))

    def lose(self) -> None:
        tiles = self.table.world.drum.tiles
        if tiles:
            self.table.world.remove_tile(self.chance.choice(tiles))

    def bring_back(self) -> None:
        for tile in list(self.table.world.loose):
            self.table.world.put_in_drum(tile)


@pytest.mark.parametrize("part", range(4))
def test_nothing_that_may_never_happen_happens(part, seed):
    chance = random.Random(f"{seed}/{part}")
    rises = 0
    for _ in range(RUNS // 4):
        run_seed = chance.randrange(2**32)
        print("run", run_seed)
        hands = Hands(run_seed)
        hands.run()
        rises += len(hands.table.world.rises)
    assert rises >= RUNS // 8, "so little was played that this shows nothing"
