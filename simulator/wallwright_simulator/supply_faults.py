"""Faults of the motors' supply (`supply`) and what people do with its START button, as lines of the language."""

from dataclasses import dataclass

from .fault import Fault


@dataclass(frozen=True)
class Contactor(Fault):
    """The contacts of a contactor have welded: it does not open any more."""

    FORM = "contactor <which:first|second> welded [at <at_ms:time>] [for <for_ms:time>]"
    which: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class Pump(Fault):
    """The contact of the board's pump stays closed whatever edges come, or open."""

    FORM = "pump stuck <how:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    how: str
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class StartStuck(Fault):
    """The START button stays pressed."""

    FORM = "start button stuck [at <at_ms:time>] [for <for_ms:time>]"
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class NobodyStarts(Fault):
    """From now on nobody presses START because the supply is off."""

    FORM = "nobody presses start [at <at_ms:time>] [for <for_ms:time>]"
    at_ms: int = 0
    for_ms: int | None = None


@dataclass(frozen=True)
class StartPressed(Fault):
    """Somebody presses START, whether anything comes of it or not."""

    FORM = "press start at <at_ms:time>"
    at_ms: int


@dataclass(frozen=True)
class Interlock(Fault):
    """The lid's second switch stays closed or open whatever the lid does, where the table has one."""

    FORM = "lid interlock stuck <how:on|off> [at <at_ms:time>] [for <for_ms:time>]"
    how: str
    at_ms: int = 0
    for_ms: int | None = None


OF_SUPPLY: tuple[type[Fault], ...] = (Contactor, Pump, StartStuck, NobodyStarts, StartPressed, Interlock)
