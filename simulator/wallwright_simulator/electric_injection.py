"""Faults of the electrics at work, as `injection` puts them into a world or a board."""

from typing import TYPE_CHECKING, Any

from wallwright_protocol.names import DRIVES

from . import electric_faults as faults
from .fault import Fault
from .surroundings import Effect, Surroundings

if TYPE_CHECKING:
    import random

    from .world import World


def _bit(fault: "faults.Drive | faults.SideDrive | faults.Sense | faults.SideSense") -> int:
    """Return the bit of the drive that a fault names."""
    name = fault.drive.replace(" ", "_")
    return 1 << DRIVES.index(f"{name}_{fault.side}" if isinstance(fault, faults.SideDrive | faults.SideSense) else name)


def drive(world: "World", fault: faults.Drive | faults.SideDrive, _: "random.Random") -> Effect:
    """The switch of a drive fails, or is replaced."""
    bit = _bit(fault)
    return Effect(lambda: world.stick(bit, fault.how == "on"), lambda: world.stick(bit, None))


def sense(world: "World", fault: faults.Sense | faults.SideSense, _: "random.Random") -> Effect:
    """The sense of a drive fails, or is replaced."""
    bit = _bit(fault)
    stick = world.terminals.stick_sense
    return Effect(lambda: stick(world.now_ms, bit, fault.how == "on"), lambda: stick(world.now_ms, bit, None))


def held(world: "World", fault: faults.Input, _: "random.Random") -> Effect:
    """An input stays at a level."""
    level = int(fault.level == "on")
    sensors = world.sensors
    return Effect(
        lambda: sensors.distort(fault.input, lambda _: level),
        lambda: sensors.distort(fault.input, None),
    )


def touching(world: "World", fault: faults.Touching, _: "random.Random") -> Effect:
    """The wires of two inputs touch, or no longer."""
    touch = world.sensors.touch
    return Effect(lambda: touch(fault.one, fault.other, True), lambda: touch(fault.one, fault.other, False))


def flip(board: Surroundings, fault: faults.Flip) -> Effect:
    """A bit of a register changes."""
    return Effect(lambda: board.flip(fault.output), lambda: None)


OF_WORLD: dict[type[Fault], Any] = {
    faults.Drive: drive,
    faults.SideDrive: drive,
    faults.Sense: sense,
    faults.SideSense: sense,
    faults.Input: held,
    faults.Touching: touching,
}
OF_BOARD: dict[type[Fault], Any] = {faults.Flip: flip}
