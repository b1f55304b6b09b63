"""What the table's keys do: a press means another thing in each state of the cycle.

A dice key throws for the cut of the wall, unless a host has said that something else is to be thrown for. Only a throw
for the cut makes its side the dealer and lowers the lifts.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import DICE_KEY, INPUTS_PER_SIDE, LIFT_KEY, MOST_DICE, SIDES, input_number
from wallwright_protocol.settings import DICE_COUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .build import Build
    from .commands import Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.inputs import Inputs
    from .drivers.keys import Keys
    from .drivers.panel import Panel
    from .events import EventRing
    from .loader import Loader
    from .setup import Setup

REACTION_MS = 200
"""Nobody sees a fault come or go and presses a key in less."""
TOGETHER_MS = 2000
"""Two keys are pressed at once when the first is held and was pressed no longer ago; a stuck one does not count."""
_NO_PRESS = (codes.NO_SIDE, codes.STARTING)


class Presses:
    """The meaning of the lift, dice and referee keys; claim keys are only told of. `purpose` is what dice keys throw
    for; `make_setup` loads what sets the game, once; `wants_stop` says whether a build waits for the emergency stop."""

    answers = ("roll_dice", "set_throw")

    def __init__(
        self,
        cycle: "Cycle",
        build: "Build",
        inputs: "Inputs",
        keys: "Keys",
        panel: "Panel",
        dice: "Dice",
        loader: "Loader",
        events: "EventRing",
        settings: "list[int]",
        wants_stop: "Callable[[], bool]",
        make_setup: "Callable[[], Setup]",
    ) -> None:
        self._cycle = cycle
        self._build = build
        self._inputs = inputs
        self._keys = keys
        self._panel = panel
        self._dice = dice
        self._loader = loader
        self._events = events
        self._settings = settings
        self._wants_stop = wants_stop
        self._make_setup = make_setup
        self._setup: "Setup | None" = None
        self._early = _NO_PRESS
        self.purpose = codes.CUT
        self._dice_count = 0
        self._seat = codes.NO_SIDE

    def key(self, side: int, kind: int) -> None:
        """Do what key `kind` (`LIFT_KEY`, `DICE_KEY` or `REFEREE_KEY`) of `side` was pressed for."""
        cycle = self._cycle
        self._events.add(cycle.now_ms, "key_pressed", side, kind - LIFT_KEY)
        self._keys.pressed(input_number(side, kind), cycle.now_ms)
        self.forget_early()
        if cycle.state != codes.SERVICE:
            cycle.steps.add(self._act, side, kind, self._inputs.since(side * INPUTS_PER_SIDE + kind))
            return
        cycle.service.end_jog(codes.BY_KEY)
        if kind == LIFT_KEY:
            self._loader.lift_key()

    def _act(self, side: int, kind: int, since_ms: int) -> None:
        """Do what a key means that was pressed at `since_ms`, when the table is not in service."""
        cycle = self._cycle
        if self._sets_game(side, kind):
            return
        elif kind not in (LIFT_KEY, DICE_KEY):
            self._events.add(cycle.now_ms, "referee_called", side)
        elif since_ms < self._panel.fault_ms + REACTION_MS:
            # It began before a person can have seen that a fault has come or gone, and was meant for something else.
            return
        elif kind == LIFT_KEY:
            self._lift_key(side)
        elif cycle.state not in (codes.FAULT, codes.STARTING):
            self._dice_key(side)

    def set_throw(self, purpose: int, dice_count: int, seat: int) -> None:
        """Let dice keys throw for `purpose` from now on: that of `seat` alone, or all of them (NO_SIDE), and so many
        dice, 0 for as many as the table has."""
        self.forget_early()
        is_new = (purpose, seat) != (self.purpose, self._seat)
        self.purpose = purpose
        self._dice_count = dice_count
        self._seat = seat
        if is_new:
            is_now = self._cycle.state not in (codes.FAULT, codes.SERVICE)
            self._panel.ask_throw(purpose, seat, is_now)
            if is_now and purpose == codes.CUT:
                self._panel.state(self._cycle.state, self._cycle.keeps_above(self._build.partial))

    def roll(self, seat: int, purpose: int, dice_count: int, source: int) -> int:
        """Roll for `seat`, as many dice as the table has when `dice_count` is 0; return a code, OK when they are in
        `dice.last`."""
        if purpose == codes.CUT and self._has_prescribed_dice():
            return codes.WRONG_STATE
        throw = (seat, purpose, dice_count or self._settings[DICE_COUNT])
        code = self._dice.roll(self._cycle.now_ms, throw, source, self._cycle.deal)
        self._cycle.steps.add(self._show_dice, code)
        return code

    def forget_early(self) -> None:
        """A press that still waits for the dice is overtaken by another act; nothing may move because of it later."""
        self._early = _NO_PRESS

    def dice_settled(self) -> None:
        """There are dice again, or there will be none: a key that was pressed too early for them counts now."""
        side, state = self._early
        self.forget_early()
        if side != codes.NO_SIDE and state == self._cycle.state:
            self._dice_key(side)

    def _sets_game(self, side: int, kind: int) -> bool:
        """Say whether a key was pressed to set the game of the table."""
        if self._setup is None:
            if kind in (LIFT_KEY, DICE_KEY) or not self._inputs.steady[input_number(side, DICE_KEY)]:
                return False
            self._setup = self._make_setup()
        return self._setup.key(side, kind)

    def _dice_key(self, side: int) -> None:
        """Roll, and lower the lifts under raised walls; a press that is too early for the next dice waits for them.

        A table that asks who deals next takes it as the answer.
        """
        cycle = self._cycle
        if cycle.state == codes.ASKING:
            cycle.set_deal(side, cycle.told)
            cycle.trigger("dice_key")
            return
        if self._seat not in (side, codes.NO_SIDE):
            return
        if self.purpose == codes.CUT and self._has_prescribed_dice():
            self._show_prescribed_dice()
            return
        code = self.roll(side, self.purpose, self._dice_count, side)
        if code == codes.NOT_READY:
            self._early = (side, cycle.state)
        elif cycle.state == codes.WALLS_UP and self.purpose == codes.CUT:
            # Without random numbers people roll dice of their own; the walls come to them all the same.
            cycle.take_dice(side, self._dice.last if code == codes.OK else cycle.dice)
            cycle.trigger("dice_key")
            if code != codes.OK:
                cycle.steps.add(self._show_dice, code)

    def _has_prescribed_dice(self) -> bool:
        cycle = self._cycle
        return cycle.state == codes.WALLS_UP and cycle.wall_mode != codes.ORDINARY_WALL

    def _show_prescribed_dice(self) -> None:
        """The dice of this deal were drawn with its wall; the key only lowers the lifts."""
        cycle = self._cycle
        cycle.take_dice(cycle.drawn[0], cycle.drawn[1:])
        self._dice.take(cycle.dice)
        self._panel.dice(cycle.dice)
        cycle.trigger("dice_key")

    def _show_dice(self, code: int) -> None:
        if self._cycle.state == codes.FAULT:
            return
        if code == codes.OK:
            self._panel.dice(self._dice.last)
        elif code == codes.NO_RANDOM:
            self._panel.notice(codes.RANDOM_FAILED)

    def _lift_key(self, side: int) -> None:
        """A lift key clears a fault; two at once open the lid for a forgotten tile; one alone goes on in the cycle."""
        cycle = self._cycle
        inputs = self._inputs
        if cycle.state == codes.FAULT:
            cycle.clear(side)
            return
        pressed = 0
        for number in range(LIFT_KEY, SIDES * INPUTS_PER_SIDE, INPUTS_PER_SIDE):
            if inputs.steady[number] and cycle.now_ms <= inputs.since(number) + TOGETHER_MS:
                pressed += 1
        if pressed < 2:
            if not self._wants_stop():
                cycle.steps.add(cycle.trigger, "lift_key")
        elif not cycle.trigger("two_keys"):
            cycle.trigger("lift_key")

    def on_roll_dice(self, values: "tuple[int, ...]") -> "Reply":
        seat, purpose, dice_count = values
        if seat >= SIDES or purpose >= codes.PURPOSES or dice_count > MOST_DICE:
            return codes.BAD_ARGUMENT, b""
        if self._cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE, b""
        code = self.roll(seat, purpose, dice_count, codes.FROM_HOST)
        if code != codes.OK:
            return code, b""
        return codes.OK, REPLIES[NUMBER_OF["roll_dice"]].pack(*(self._dice.last + (self._dice.number,)))

    def on_set_throw(self, values: "tuple[int, ...]") -> "Reply":
        """Say what the dice keys throw for from now on."""
        purpose, dice_count, seat = values
        if purpose >= codes.PURPOSES or dice_count > MOST_DICE or (seat >= SIDES and seat != codes.NO_SIDE):
            return codes.BAD_ARGUMENT, b""
        self.set_throw(purpose, dice_count, seat)
        return codes.OK, b""
