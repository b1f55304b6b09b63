"""A world that holds every change of its drives against what may never be, whoever drives it.

It knows mechanics only: where lid, lifts and heads stand, what lies in the carriers, when somebody acted. The firmware
is not asked. Whatever is broken raises `Broken` at once, with the time and the drives.
"""

from collections.abc import Callable, Collection

from wallwright_firmware.hal import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    DRIVES,
    HEAD,
    HEAD_HOME,
    LID_CLOSE,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol import codes
from wallwright_simulator.world import World

REACTION_MS = 10
"""From an act to what follows it: 3 ms of chatter or 1 ms of wire, 5 ms of debounce, and a little."""
PAUSE_MS = 1_100
"""Within a motion that is tried again everything may rest for so long."""

LID = LID_OPEN | LID_CLOSE
HEADS = [drive_bit(side, HEAD) for side in range(SIDES)]
RAISES = [drive_bit(side, LIFT_RAISE) for side in range(SIDES)]
LIFTS = [drive_bit(side, LIFT_RAISE) | drive_bit(side, LIFT_LOWER) for side in range(SIDES)]
FORWARDS = [drive_bit(side, CONVEYOR) for side in range(SIDES)]
REVERSES = [drive_bit(side, CONVEYOR_REVERSE) for side in range(SIDES)]

LONGEST_MS = {
    DISC: 120_000,
    RING: 85_000,
    LID_OPEN: 4_000,
    LID_CLOSE: 4_000,
    **dict.fromkeys(FORWARDS, 85_000),
    **dict.fromkeys(REVERSES, 5_000),
    **dict.fromkeys(HEADS, 2_000),
    **{drive_bit(side, kind): 5_000 for side in range(SIDES) for kind in (LIFT_RAISE, LIFT_LOWER)},
}
"""No drive may be on for longer than this, whatever happens."""

Plan = tuple[int, ...]


def is_fault(shown: str) -> bool:
    """Whether a panel shows a fault, such as `E07 S1`, that stands in the way of every motion; a notice does not."""
    return shown.startswith("E") and codes.FAULTS[int(shown[1:3])][1] != codes.NOTICE


class Broken(AssertionError):
    """Something that may never happen has happened."""


class WatchedWorld(World):
    """`plans` are those that walls may rise by; `shown` tells what the panel of side 0 shows.

    `act` is called with every key or command that may start a motion; `host_gone_ms` is when the board will hold its
    host for gone.
    """

    def __init__(self, seed: int, tiles: int = 108) -> None:
        self.plans: Collection[Plan] = ()
        self.shown: Callable[[], str] = str
        self.host_gone_ms = -REACTION_MS
        self.rises: list[Plan] = []
        self.mask = 0
        self._acted_ms = -REACTION_MS
        self._rests_since_ms = -PAUSE_MS
        self._faulted = False
        self._stopped_ms: int | None = None
        self._on_since = [0] * DRIVES
        super().__init__(seed, tiles, log_drives=True)

    def act(self) -> None:
        """Somebody asks for a motion now."""
        self._acted_ms = self.now_ms
        self._faulted = is_fault(self.shown())

    def emergency_stop(self, pressed: bool) -> None:
        super().emergency_stop(pressed)
        self._stopped_ms = self.now_ms if pressed else None

    def drive(self, mask: int) -> None:
        started = mask & ~self.mask
        if started and not self.mask:
            self._check_cause()
        if started and is_fault(self.shown()):
            self._broken(f"a motion starts while the panel shows {self.shown()}")
        for number in range(DRIVES):
            if started >> number & 1:
                self._on_since[number] = self.now_ms
        if self.mask and not mask:
            self._rests_since_ms = self.now_ms
        self.mask = mask
        if any(started & RAISES[side] and self.lifts[side].at_start for side in range(SIDES)):
            self._check_walls()
        super().drive(mask)
        self._check_drives()

    def advance(self, until_ms: int) -> None:
        super().advance(until_ms)
        if self.mask:
            self._check_drives()
        elif is_fault(self.shown()):
            self._faulted = True

    def _check_cause(self) -> None:
        since_ms = min(self.now_ms - self._acted_ms, abs(self.now_ms - self.host_gone_ms))
        paused = self.now_ms - self._rests_since_ms <= PAUSE_MS and not self._faulted
        if since_ms > REACTION_MS and not paused:
            self._broken(f"a motion starts {since_ms} ms after the last act")
        self._faulted = False

    def _check_walls(self) -> None:
        walls = tuple(len(head.carrier) for head in self.heads)
        if any(len(stack) != 2 for head in self.heads for stack in head.carrier):
            self._broken("a wall rises with a stack that has not two tiles")
        if not any(walls):
            return  # an empty lift that was lowered and goes back a little to try again
        if walls not in self.plans:
            self._broken(f"walls of {walls} stacks rise, planned were {self.plans}")
        self.rises.append(walls)

    def _check_drives(self) -> None:
        mask = self.mask
        if mask & self._forbidden():
            self._broken(f"drives {mask & self._forbidden():#x} run against an interlock")
        for number in range(DRIVES):
            if mask >> number & 1 and self.now_ms - self._on_since[number] > LONGEST_MS[1 << number]:
                self._broken(f"drive {number} has run since {self._on_since[number]} ms")
        if mask and self._stopped_ms is not None and self.now_ms > self._stopped_ms + REACTION_MS:
            self._broken("a drive is on while the emergency stop is pressed")

    def _forbidden(self) -> int:
        """The drives that may not be on, as everything stands now."""
        forbidden = 0
        if not self.lid.at_start:
            forbidden |= DISC | RING | sum(LIFTS)
        for side in range(SIDES):
            if not self.lifts[side].at_start:
                forbidden |= LID | HEADS[side]
            if not self.sensors.truth[input_number(side, HEAD_HOME)]:
                forbidden |= LIFTS[side]
        for one, other in ((LID_OPEN, LID_CLOSE), *zip(FORWARDS, REVERSES, strict=True)):
            if self.mask & one and self.mask & other:
                forbidden |= one
        for side in range(SIDES):
            if self.mask & LIFTS[side] == LIFTS[side]:
                forbidden |= LIFTS[side]
        return forbidden

    def _broken(self, what: str) -> None:
        raise Broken(f"at {self.now_ms} ms, drives {self.mask:#x}: {what}")
