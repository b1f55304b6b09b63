"""A world that holds every change of its drives against what may never be, whoever drives it.

It knows mechanics only: where lid, lifts and heads stand, what lies in the carriers, when somebody acted, and what was
asked for and answered. The firmware is not asked. Whatever is broken raises `Broken` at once, with the time and the
drives.
"""

from collections.abc import Callable, Collection
from functools import cache

from tests.scenarios.owners import Owners
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DICE_KEY,
    DISC,
    DRIVES,
    HEAD,
    HEAD_HOME,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    RING,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.settings import CHECK, DEBOUNCE
from wallwright_simulator.mechanics import KEY_PRESS_MS
from wallwright_simulator.readers import NO_READERS
from wallwright_simulator.world import World

REACTION_MS = 10
"""From an act to what follows it: 3 ms of chatter or 1 ms of wire, 5 ms of debounce, and a little."""
DEBOUNCE_MS = 5
"""What of that the board filters, until it is told to filter otherwise."""
PAST_END_MS = 500
"""So long the lid and a lift may press against the end that they have reached."""
DICE_MS = 3_000
"""A dice key that is pressed before the next dice are ready waits for them so long, unless another act overtakes it."""
LOOK_MS = 4_000
"""So long the ring turns, until it is told otherwise, to show whether a tile is left over below whole walls."""
LOOK_RESTS_MS = 100
"""In a look it may rest so long while a record is written, and be on shorter by that."""
LEFT_OVER = tuple(f"E{fault:02d}" for fault in (codes.TILE_TOO_MANY, codes.WRONG_SET, codes.TWO_SETS))
PAUSE_MS = 1_100
"""Within a motion that is tried again everything may rest for so long."""

LID = LID_OPEN | LID_CLOSE
HEADS = [drive_bit(side, HEAD) for side in range(SIDES)]
RAISES = [drive_bit(side, LIFT_RAISE) for side in range(SIDES)]
LIFTS = [drive_bit(side, LIFT_RAISE) | drive_bit(side, LIFT_LOWER) for side in range(SIDES)]
FORWARDS = [drive_bit(side, CONVEYOR) for side in range(SIDES)]
REVERSES = [drive_bit(side, CONVEYOR_REVERSE) for side in range(SIDES)]

LONGEST_MS = {
    DISC: 250_000,
    RING: 85_000,
    LID_OPEN: 4_000,
    LID_CLOSE: 4_000,
    **dict.fromkeys(FORWARDS, 85_000),
    **dict.fromkeys(REVERSES, 5_000),
    **dict.fromkeys(HEADS, 2_000),
    **{drive_bit(side, kind): 5_000 for side in range(SIDES) for kind in (LIFT_RAISE, LIFT_LOWER)},
}
"""No drive may be on for longer than this, whatever happens."""

ENDS = {
    LID_OPEN: LID_IS_OPEN,
    LID_CLOSE: LID_IS_CLOSED,
    **{drive_bit(side, HEAD): input_number(side, HEAD_HOME) for side in range(SIDES)},
    **{drive_bit(side, LIFT_RAISE): input_number(side, LIFT_UP) for side in range(SIDES)},
    **{drive_bit(side, LIFT_LOWER): input_number(side, LIFT_DOWN) for side in range(SIDES)},
}
"""Drive -> the switch or vane that the board sees at its end; a head is at its end when it has come home again."""

ACTS = ("start_build", "open_lid", "raise_walls", "lower_lifts", "hurry", "set_plan", "jog")
"""Requests that may start a motion; a plan may start the build that waits for it."""

DRUM_AND_LIFTS = DISC | RING | sum(LIFTS)
HOMES = [input_number(side, HEAD_HOME) for side in range(SIDES)]
DICE_KEYS = [input_number(side, DICE_KEY) for side in range(SIDES)]

Plan = tuple[int, ...]


def is_fault(shown: str) -> bool:
    """Whether a panel shows a fault, such as `E07 S1`, that stands in the way of every motion; a notice does not."""
    return shown[:1] == "E" and shown[1:2].isdigit() and codes.SEVERITIES[int(shown[1:3])] != codes.NOTICE


@cache
def running(mask: int) -> tuple[tuple[int, int, int | None], ...]:
    """Of every drive that is on: its number, how long it may be on in ms, and the input at its end, if it has one."""
    return tuple(
        (number, LONGEST_MS[1 << number], ENDS.get(1 << number)) for number in range(DRIVES) if mask >> number & 1
    )


@cache
def clashing(mask: int) -> int:
    """The drives that are on and may not be, since their opposites are on as well."""
    clashes = 0
    for one, other in ((LID_OPEN, LID_CLOSE), *zip(FORWARDS, REVERSES, strict=True)):
        if mask & one and mask & other:
            clashes |= one
    return clashes | sum(lift for lift in LIFTS if mask & lift == lift)


class Broken(AssertionError):
    """Something that may never happen has happened."""


class WatchedWorld(World):
    """`plans` are those that walls may rise by; `shown` tells what the panel of side 0 shows.

    `act` is called with every key or command that may start a motion; `host_gone_ms` is when the board will hold its
    host for gone.
    """

    def __init__(self, seed: int, tiles: int = 108, readers: int = NO_READERS) -> None:
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
        self._at_end_since: list[int | None] = [None] * DRIVES
        self._has_left = [False] * DRIVES
        self._reaction_ms = REACTION_MS
        self._acted_before_ms = -REACTION_MS
        self._asks = False
        self._began_for = ""
        self._dice_until_ms = -REACTION_MS
        self._owners = Owners()
        self._look_ms = LOOK_MS
        self._looks_from_ms = self._looks_until_ms = -LOOK_RESTS_MS
        self._has_looked = True
        super().__init__(seed, tiles, log_drives=True, readers=readers)

    def act(self) -> None:
        """Somebody asks for a motion now."""
        self._acted_ms = self.now_ms
        self._faulted = is_fault(self.shown())

    def ask(self, name: str, values: tuple[object, ...]) -> None:
        """The host asks for something; `answer` follows."""
        self._acted_before_ms = self._acted_ms
        if name in ACTS:
            self.act()
            self._asks = True
        self._owners.ask(name, values)

    def answer(self, name: str, values: tuple[object, ...], is_done: bool) -> None:
        """The board has answered: it was done, or it was refused, and then nothing has begun."""
        began_for, self._began_for = self._began_for, ""
        self._asks = False
        if not is_done:
            self._acted_ms = max(self._acted_before_ms, -REACTION_MS)
            if began_for:
                self._broken(f"a motion begins by {name}, which was refused")
        elif name == "set_setting" and values[0] == DEBOUNCE and isinstance(values[1], int):
            self._reaction_ms = REACTION_MS - DEBOUNCE_MS + values[1]
        elif name == "set_setting" and values[0] == CHECK and isinstance(values[1], int):
            self._look_ms = values[1]
        elif name == "try_setting" and values[0] == DEBOUNCE and isinstance(values[1], int):
            # The stored one may be back at any time.
            self._reaction_ms = max(self._reaction_ms, REACTION_MS - DEBOUNCE_MS + values[1])
        wrong = self._owners.answer(self.now_ms, name, values, is_done, self.mask)
        if wrong:
            self._broken(wrong)

    def press(self, number: int, duration_ms: int = KEY_PRESS_MS) -> None:
        super().press(number, duration_ms)
        self._dice_until_ms = self.now_ms + DICE_MS if number in DICE_KEYS else -REACTION_MS
        self._owners.end_jog(self.now_ms + self._reaction_ms, "a key was pressed")

    def emergency_stop(self, pressed: bool) -> None:
        super().emergency_stop(pressed)
        if pressed:
            self._dice_until_ms = -REACTION_MS
            self._owners.end_jog(self.now_ms + self._reaction_ms, "the emergency stop was pressed")
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
                self._at_end_since[number] = None
                self._has_left[number] = 1 << number not in HEADS
        if self.mask and not mask:
            self._rests_since_ms = self.now_ms
        self._check_look(mask, started)
        is_first = not self.mask & sum(RAISES)  # the others start some ms later, for their supply's sake
        self.mask = mask
        if any(started & RAISES[side] and self.lifts[side].at_start for side in range(SIDES)):
            self._check_walls(is_first)
        super().drive(mask)
        self._check_drives()

    def advance(self, until_ms: int) -> None:
        super().advance(until_ms)
        if self.mask or self._owners.in_service:
            self._check_drives()
        elif is_fault(self.shown()):
            self._faulted = True
            self._has_looked = self._has_looked or self.shown()[:3] in LEFT_OVER

    def _check_cause(self) -> None:
        gone_ms = abs(self.now_ms - self.host_gone_ms)
        since_ms = min(self.now_ms - self._acted_ms, gone_ms)
        paused = self.now_ms - self._rests_since_ms <= PAUSE_MS and not self._faulted
        paused = paused or self.now_ms <= self._dice_until_ms
        if since_ms > self._reaction_ms and not paused:
            self._broken(f"a motion starts {since_ms} ms after the last act")
        before_ms = min(self.now_ms - self._acted_before_ms, gone_ms)
        if self._asks and before_ms > self._reaction_ms and not paused:
            self._began_for = "the request"
        self._faulted = False

    def _check_look(self, mask: int, started: int) -> None:
        """The lid opens over whole walls only when the drum was looked into without a break, or people have seen that
        a tile is left over, or the lid was away from its place before."""
        if (self.mask | mask) & sum(HEADS):
            self._has_looked = False
            self._looks_from_ms = self.now_ms
        elif not self.lid.at_start or self._owners.in_service:
            self._has_looked = True
        is_whole = 2 * sum(len(head.carrier) for head in self.heads) == self.tiles
        if started & RING and self.now_ms > self._looks_until_ms + LOOK_RESTS_MS:
            self._looks_from_ms = self.now_ms
        if self.mask & RING and not mask & RING:
            self._looks_until_ms = self.now_ms
            looked_ms = self.now_ms - self._looks_from_ms
            self._has_looked = self._has_looked or (is_whole and looked_ms >= self._look_ms - LOOK_RESTS_MS)
        if started & LID_OPEN and is_whole and not self._has_looked:
            self._broken("the lid opens, and nobody has looked for a tile left over")

    def _check_walls(self, is_first: bool) -> None:
        if self._owners.in_service:
            return  # a technician lifts what stands there, and the board asks for hands afterwards
        walls = tuple(len(head.carrier) for head in self.heads)
        if any(len(stack) != 2 for head in self.heads for stack in head.carrier):
            self._broken("a wall rises with a stack that has not two tiles")
        if not any(walls):
            return  # an empty lift that was lowered and goes back a little to try again
        if walls not in self.plans:
            self._broken(f"walls of {walls} stacks rise, planned were {self.plans}")
        if is_first:
            self.rises.append(walls)

    def _check_drives(self) -> None:
        mask = self.mask
        if mask and mask & self._forbidden():
            self._broken(f"drives {mask & self._forbidden():#x} run against an interlock")
        for number, longest_ms, end in running(mask):
            if self.now_ms - self._on_since[number] > longest_ms:
                self._broken(f"drive {number} has run since {self._on_since[number]} ms")
            if end is not None:
                self._check_end(number, end)
        if mask and self._stopped_ms is not None and self.now_ms > self._stopped_ms + self._reaction_ms:
            self._broken("a drive is on while the emergency stop is pressed")
        if is_fault(self.shown()):
            if mask:
                self._broken(f"a drive is on while the panel shows {self.shown()}")
            self._owners.leave_service()
        if self._owners.in_service and self.now_ms > self.host_gone_ms + self._reaction_ms:
            self._owners.leave_service()
            if mask:
                self._broken("a jog goes on without its host")
        wrong = self._owners.look(self.now_ms, mask)
        if wrong:
            self._broken(wrong)

    def _check_end(self, number: int, end: int) -> None:
        """A drive whose end the board sees is off soon after that, whoever has switched it on."""
        since_ms = self._at_end_since[number]
        past_ms = self._reaction_ms if 1 << number in HEADS else PAST_END_MS + self._reaction_ms
        if since_ms is not None and self._has_left[number] and self.now_ms > since_ms + past_ms:
            self._broken(f"drive {number} is on past its end, which was reached at {since_ms} ms")
        if not self.levels[end]:
            self._has_left[number] = True
            self._at_end_since[number] = None
        elif since_ms is None:
            self._at_end_since[number] = self.now_ms

    def _forbidden(self) -> int:
        """The drives that may not be on, as everything stands now."""
        forbidden = clashing(self.mask)
        if not self.lid.at_start:
            forbidden |= DRUM_AND_LIFTS
        truth = self.sensors.truth
        for side in range(SIDES):
            if not self.lifts[side].at_start:
                forbidden |= LID | HEADS[side]
            if not truth[HOMES[side]]:
                forbidden |= LIFTS[side]
        return forbidden

    def _broken(self, what: str) -> None:
        raise Broken(f"at {self.now_ms} ms, drives {self.mask:#x}: {what}")
