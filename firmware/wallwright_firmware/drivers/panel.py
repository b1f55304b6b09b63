"""The four side panels: two lamps and a small display each.

- The lift lamp is lit when the lift key does something, the dice lamp when the dice key does.
- Displays show what the table does, the dice, or the number and side of a fault.
"""

from wallwright_protocol.codes import BUILDING, FAULT, IDLE, LID_OPEN, NO_SIDE, READY, STATES, WALLS_UP

from ..hal import DICE_LAMP, LAMPS_PER_SIDE, LIFT_LAMP, SIDES, Hal

LIFT_KEY_STATES = (IDLE, READY, LID_OPEN)
WIDTH = 8
"""Characters on a display."""

_TEXTS = {IDLE: "START?", BUILDING: "BUILD", READY: "READY", LID_OPEN: "DROP", WALLS_UP: "DICE?"}


def _lamps(kind: int) -> int:
    mask = 0
    for side in range(SIDES):
        mask |= 1 << (side * LAMPS_PER_SIDE + kind)
    return mask


_LIFT_LAMPS = _lamps(LIFT_LAMP)
_DICE_LAMPS = _lamps(DICE_LAMP)


class Panel:
    """Lamps and displays; `mask` is what is lit."""

    def __init__(self, hal: Hal) -> None:
        self.mask = 0
        self._hal = hal
        hal.lamps(0)

    def state(self, state: int) -> None:
        """Light the keys that do something in `state` and show its name."""
        mask = 0 if state == FAULT else _DICE_LAMPS
        if state in LIFT_KEY_STATES:
            mask |= _LIFT_LAMPS
        if mask != self.mask:
            self.mask = mask
            self._hal.lamps(mask)
        if state != FAULT:
            self._show(_TEXTS.get(state, STATES[state][:WIDTH].upper()))

    def dice(self, first: int, second: int) -> None:
        """Show a roll."""
        self._show("%d %d" % (first, second))

    def fault(self, fault: int, side: int) -> None:
        """Show a fault's number and side, for a table without a host."""
        self._show("E%02d" % fault if side == NO_SIDE else "E%02d S%d" % (fault, side))

    def _show(self, text: str) -> None:
        for side in range(SIDES):
            self._hal.show(side, text)
