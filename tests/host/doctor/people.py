"""A person beside a simulated table, who does what the self-test asks for."""

import re

from wallwright_protocol.hardware import (
    BELT_FULL,
    CLAIM_KEY_0,
    COUNT_EYE,
    DICE_KEY,
    LIFT_KEY,
    REFEREE_KEY,
    input_number,
)
from wallwright_simulator.simulation import Simulation

_WHAT = {
    "cover the counting eye": COUNT_EYE,
    "cover the belt-full eye": BELT_FULL,
    "press the lift key": LIFT_KEY,
    "press the dice key": DICE_KEY,
    "press the referee key": REFEREE_KEY,
}
_CLAIM = "press the claim key"


class Helper:
    """Does everything 200 ms after it was asked, for 300 ms; `confuses` gives another task for one of them.

    Belts are watched as they run, not as they should.
    """

    def __init__(self, simulation: Simulation, confuses: dict[str, str] | None = None) -> None:
        self.simulation = simulation
        self.confuses = confuses or {}
        self.questions: list[str] = []
        self._tasks_ms = 0

    def agrees(self, question: str) -> bool | None:
        self.questions.append(question)
        belt = re.search(r"belt of side (\d) runs (towards|back)", question)
        if belt:
            side = int(belt[1])
            return not self.simulation.world.belts[side]._stalled
        if "lamps" in question:
            return self.simulation.board.lamp_mask == 0xFF and set(self.simulation.board.displays) == {"SERVICE"}
        return True

    def does(self, task: str) -> bool | None:
        self.questions.append(task)
        task = self.confuses.get(task, task)
        world = self.simulation.world
        if task.startswith("Now push all"):
            self.simulation.players.push_in()
        if task.startswith("Now draw"):
            self.simulation.players.draw_in()
        if "emergency stop" in task:
            world.emergency_stop("press" in task)
            return True
        found = re.match(r"Now (.*) of side (\d), then let go", task)
        if found:
            side = int(found[2])
            number = CLAIM_KEY_0 + side if found[1] == _CLAIM else input_number(side, _WHAT[found[1]])
            world.sensors.contact_at(world.now_ms + 200, number, 1)
            world.sensors.contact_at(world.now_ms + 500, number, 0)
        return True
