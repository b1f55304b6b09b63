"""What the table's keys do: a press means another thing in each state of the cycle.

A dice key throws for the cut of the wall, unless a host has said that something else is to be thrown for. Only a throw
for the cut makes its side the dealer and lowers the lifts.
"""

from wallwright_protocol import codes
from wallwright_protocol.hardware import DICE_KEY, INPUTS_PER_SIDE, LIFT_KEY, SIDES, input_number

from .resting import keeps_above

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

REACTION_MS = 200
"""Nobody sees a fault come or go and presses a key in less."""
TOGETHER_MS = 2000
"""Two keys are pressed at once when the first is held and was pressed no longer ago; a stuck one does not count."""
_NO_PRESS = (codes.NO_SIDE, codes.STARTING)


class Presses:
    """The meaning of the lift, dice and referee keys; claim keys are only told of. `purpose` is what dice keys throw
    for."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._early = _NO_PRESS
        self.purpose = codes.CUT
        self._dice_count = 0
        self._seat = codes.NO_SIDE

    def key(self, side: int, kind: int) -> None:
        """Do what key `kind` (`LIFT_KEY`, `DICE_KEY` or `REFEREE_KEY`) of `side` was pressed for."""
        app = self._app
        cycle = app.cycle
        app.events.add(cycle.now_ms, "key_pressed", side, kind - LIFT_KEY)
        app.keys.pressed(input_number(side, kind), cycle.now_ms)
        self.forget_early()
        if cycle.state != codes.SERVICE:
            cycle.steps.add(self._act, side, kind, app.inputs.since(side * INPUTS_PER_SIDE + kind))
            return
        cycle.service.end_jog(codes.BY_KEY)
        if kind == LIFT_KEY:
            app.loader.lift_key()

    def _act(self, side: int, kind: int, since_ms: int) -> None:
        """Do what a key means that was pressed at `since_ms`, when the table is not in service."""
        app = self._app
        cycle = app.cycle
        if self._sets_game(side, kind):
            return
        elif kind not in (LIFT_KEY, DICE_KEY):
            app.events.add(cycle.now_ms, "referee_called", side)
        elif since_ms < app.panel.fault_ms + REACTION_MS:
            # It began before a person can have seen that a fault has come or gone, and was meant for something else.
            return
        elif kind == LIFT_KEY:
            self._lift_key(side)
        elif cycle.state not in (codes.FAULT, codes.STARTING):
            self._dice_key(side)

    def set_throw(self, purpose: int, dice_count: int, seat: int) -> None:
        """Let dice keys throw for `purpose` from now on: that of `seat` alone, or all of them (NO_SIDE), and so many
        dice, 0 for as many as the table has."""
        app = self._app
        self.forget_early()
        is_new = (purpose, seat) != (self.purpose, self._seat)
        self.purpose = purpose
        self._dice_count = dice_count
        self._seat = seat
        if is_new:
            shown = app.panel.text
            app.panel.ask_throw(purpose, seat)
            if app.cycle.state in (codes.FAULT, codes.SERVICE):
                app.panel.text = shown
            elif purpose == codes.CUT:
                app.panel.state(app.cycle.state, keeps_above(app.cycle, app.build.partial))

    def roll(self, seat: int, purpose: int, dice_count: int, source: int) -> int:
        """Roll for `seat`, as many dice as the table has when `dice_count` is 0; return a code, OK when they are in
        `dice.last`."""
        app = self._app
        if purpose == codes.CUT and self._has_prescribed_dice():
            return codes.WRONG_STATE
        throw = (seat, purpose, dice_count or app.settings[codes.DICE_COUNT])
        code = app.dice.roll(app.cycle.now_ms, throw, source, app.cycle.deal)
        app.cycle.steps.add(self._show_dice, code)
        return code

    def forget_early(self) -> None:
        """A press that still waits for the dice is overtaken by another act; nothing may move because of it later."""
        self._early = _NO_PRESS

    def dice_settled(self) -> None:
        """There are dice again, or there will be none: a key that was pressed too early for them counts now."""
        side, state = self._early
        self.forget_early()
        if side != codes.NO_SIDE and state == self._app.cycle.state:
            self._dice_key(side)

    def _sets_game(self, side: int, kind: int) -> bool:
        """Say whether a key was pressed to set the game of the table."""
        app = self._app
        setup = app.setup
        if setup is None:
            if kind in (LIFT_KEY, DICE_KEY) or not app.inputs.steady[input_number(side, DICE_KEY)]:
                return False
            setup = app.make_setup()
        return setup.key(side, kind)

    def _dice_key(self, side: int) -> None:
        """Roll, and lower the lifts under raised walls; a press that is too early for the next dice waits for them.

        A table that asks who deals next takes it as the answer.
        """
        cycle = self._app.cycle
        if cycle.state == codes.ASKING:
            cycle.dealer = side
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
            cycle.dealer = side
            if code == codes.OK:
                cycle.dice = self._app.dice.last
            cycle.trigger("dice_key")
            if code != codes.OK:
                cycle.steps.add(self._show_dice, code)

    def _has_prescribed_dice(self) -> bool:
        cycle = self._app.cycle
        return cycle.state == codes.WALLS_UP and cycle.wall_mode != codes.ORDINARY_WALL

    def _show_prescribed_dice(self) -> None:
        """The dice of this deal were drawn with its wall; the key only lowers the lifts."""
        app = self._app
        cycle = app.cycle
        cycle.dealer = cycle.drawn[0]
        cycle.dice = app.dice.last = cycle.drawn[1:]
        app.panel.dice(cycle.dice)
        cycle.trigger("dice_key")

    def _show_dice(self, code: int) -> None:
        app = self._app
        if app.cycle.state == codes.FAULT:
            return
        if code == codes.OK:
            app.panel.dice(app.dice.last)
        elif code == codes.NO_RANDOM:
            app.panel.notice(codes.RANDOM_FAILED)

    def _lift_key(self, side: int) -> None:
        """A lift key clears a fault; two at once open the lid for a forgotten tile; one alone goes on in the cycle."""
        cycle = self._app.cycle
        inputs = self._app.inputs
        if cycle.state == codes.FAULT:
            cycle.clear(side)
            return
        pressed = 0
        for number in range(LIFT_KEY, SIDES * INPUTS_PER_SIDE, INPUTS_PER_SIDE):
            if inputs.steady[number] and cycle.now_ms <= inputs.since(number) + TOGETHER_MS:
                pressed += 1
        if pressed < 2:
            cycle.steps.add(cycle.trigger, "lift_key")
        elif not cycle.trigger("two_keys"):
            cycle.trigger("lift_key")
