"""Faults of the electrics: switches of drives, bits of output registers, inputs.

drive disc stuck on at 8.3 s
drive lift raise 2 stuck off for 3 s
sense head 1 stuck on at 8.3 s
output 4 flips at 8.3 s            # a bit of a register changes by itself, until it is written again
input 36 stuck off
inputs 1 and 2 touch
"""

from dataclasses import dataclass

from .fault import Fault


@dataclass(frozen=True)
class Drive(Fault):
    """The switch of a drive of the table has failed: its motor has voltage whatever is commanded, or never."""

    FORM = "drive <drive:disc|ring|lid open|lid close> stuck <how:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    drive: str
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class SideDrive(Fault):
    """The switch of a drive of one side has failed."""

    FORM = (
        "drive <drive:conveyor reverse|conveyor|head|lift raise|lift lower> <side:side> stuck <how:on|off> "
        "[at <at_ms:time>] [for <for_ms:time>]"
    )
    drive: str
    side: int
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Sense(Fault):
    """The sense of a drive of the table has failed: it shows voltage whatever is behind the switch, or never."""

    FORM = "sense <drive:disc|ring|lid open|lid close> stuck <how:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    drive: str
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class SideSense(Fault):
    """The sense of a drive of one side has failed."""

    FORM = (
        "sense <drive:conveyor reverse|conveyor|head|lift raise|lift lower> <side:side> stuck <how:on|off> "
        "[at <at_ms:time>] [for <for_ms:time>]"
    )
    drive: str
    side: int
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Flip(Fault):
    """The stored bit of an output changes by itself; the board writes it again within ms."""

    FORM = "output <output:output> flips at <at_ms:time>"
    output: int
    at_ms: int


@dataclass(frozen=True)
class Input(Fault):
    """An input stays at one level, whatever its sensor does; numbers are those of the hardware contract."""

    FORM = "input <input:input> stuck <level:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    input: int
    level: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Touching(Fault):
    """The wires of two inputs touch: either shows on both."""

    FORM = "inputs <one:input> and <other:input> touch [at <at_ms:time>] [for <for_ms:time>]"
    one: int
    other: int
    at_ms: int = 0
    for_ms: int | None = None
