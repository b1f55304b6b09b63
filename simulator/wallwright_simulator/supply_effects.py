"""The faults of the motors' supply at work (`injection`)."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .fault import Fault
from .supply_faults import Contactor, Interlock, NobodyStarts, Pump, StartPressed, StartStuck
from .surface import PhysicalError
from .surroundings import Effect
from .world import World


def _contactor(world: World, fault: Contactor, _: random.Random) -> Effect:
    weld = world.supply.weld
    return Effect(lambda: weld(fault.which, True), lambda: weld(fault.which, False))


def _pump(world: World, fault: Pump, _: random.Random) -> Effect:
    stick = world.supply.stick_pump
    return Effect(lambda: stick(fault.how == "on"), lambda: stick(None))


def _start_stuck(world: World, _: StartStuck, __: random.Random) -> Effect:
    stick = world.supply.stick_start
    return Effect(lambda: stick(True), lambda: stick(False))


def _nobody_starts(world: World, _: NobodyStarts, __: random.Random) -> Effect:
    attend = world.supply.attend
    return Effect(lambda: attend(False), lambda: attend(True))


def _start_pressed(world: World, _: StartPressed, __: random.Random) -> Effect:
    def press() -> None:
        with suppress(PhysicalError):
            world.supply.press_start()

    return Effect(press, lambda: None)


def _interlock(world: World, fault: Interlock, _: random.Random) -> Effect:
    stick = world.supply.guard.stick
    return Effect(lambda: stick(fault.how == "on"), lambda: stick(None))


EFFECTS_OF_SUPPLY: dict[type[Fault], Callable[[World, Any, random.Random], Effect]] = {
    Contactor: _contactor,
    Pump: _pump,
    StartStuck: _start_stuck,
    NobodyStarts: _nobody_starts,
    StartPressed: _start_pressed,
    Interlock: _interlock,
}
