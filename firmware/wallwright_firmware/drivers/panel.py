"""The four side panels: two lamps and a small display each.

- The lift lamp is lit when the table waits for a lift key, the dice lamp when the dice key does something.
- Displays show what the table does, the dice, or the number and side of a fault; NO MAP when nothing is connected.
- A fault lights the lift lamps of its side, or of all, in the fault's own pattern; a lift key then clears it.
"""

from wallwright_protocol import codes, hardware
from wallwright_protocol.link import NEVER

from ..hal import Hal

LIFT_KEY_STATES = (
    codes.IDLE,
    codes.READY,
    codes.LID_OPEN,
    codes.STOPPED_RAISING,
    codes.STOPPED_LOWERING,
    codes.SERVICE,
)
DICE_STATES = (codes.LOWERING, codes.SHUFFLING, codes.BUILDING, codes.HOLDING)
"""What follows a roll: the dice stay on the displays until the next walls are built, for people break the wall by them.
"""
STEP_MS = 250
STEPS = 8
"""A lamp pattern is so many steps of so long."""

DRIVE_WORDS = ("DISC", "RING", "C", "B", "H", "U", "D", "LID")
"""Words behind the number of a fault that has a drive; behind a side, C is its belt, B the belt backwards, H the head,
U the lift up, D the lift down."""

THROWS = ("DICE?", "EAST?", "WIND?", "SEAT?")
"""What the displays ask for, by the purpose of the throw."""

_TEXTS = {
    codes.IDLE: "START?",
    codes.BUILDING: "BUILD",
    codes.ASKING: "NEXT?",
    codes.READY: "READY",
    codes.CHECKING: "CHECK",
    codes.SHUFFLING: "WASH",
    codes.LID_OPEN: "DROP",
    codes.STOPPED_RAISING: "RAISE?",
    codes.STOPPED_LOWERING: "LOWER?",
}


def _word_of(drive: int) -> int:
    first, behind = hardware.FIRST_SIDE_DRIVE, hardware.FIRST_SIDE_DRIVE + hardware.SIDES * hardware.DRIVES_PER_SIDE
    if drive < first:
        return drive
    return first + (drive - first) % hardware.DRIVES_PER_SIDE if drive < behind else len(DRIVE_WORDS) - 1


def _lamps(kind: int) -> int:
    mask = 0
    for side in range(hardware.SIDES):
        mask |= 1 << (side * hardware.LAMPS_PER_SIDE + kind)
    return mask


_LIFT_LAMPS = _lamps(hardware.LIFT_LAMP)
_DICE_LAMPS = _lamps(hardware.DICE_LAMP)


class Panel:
    """Lamps and displays; `mask` is what is lit. `text` waits until `show` brings it to the displays. The newest fault
    has come or gone at `fault_ms`."""

    def __init__(self, hal: Hal) -> None:
        self.due = NEVER
        self.mask = 0
        self.text = ""
        self.fault_ms = -1000
        self.is_prescribed = False
        self._hal = hal
        self._roll = ""
        self._throw = THROWS[codes.CUT]
        self._flashing = 0
        self._pattern = 0
        self._step = 0
        self._drive = 0
        hal.lamps(0)

    def state(self, state: int, is_partial: bool) -> None:
        """Light the keys that do something in `state` and show its name; with a build that `is_partial`, the lid is
        open for a forgotten tile, and what is in play stays on the table."""
        self.due = NEVER
        if state != codes.FAULT:
            self._light(_DICE_LAMPS | (_LIFT_LAMPS if state in LIFT_KEY_STATES else 0))
            if state not in DICE_STATES:
                self._roll = ""
            text = (
                "TILE?"
                if state == codes.LID_OPEN and is_partial
                else self._throw
                if state == codes.WALLS_UP
                else _TEXTS.get(state, codes.STATES[state][: hardware.DISPLAY_LETTERS].upper())
            )
            self.text = self._roll or text

    def dice(self, dice: "tuple[int, ...]", asks: str = "") -> None:
        """Show a roll, dice that were not thrown left out, and what the table `asks` for next, four letters."""
        thrown = ["%d" % die for die in dice if die]
        self._roll = " ".join(thrown)
        self.text = self._roll
        if asks:
            # Three dice and a question fill the display.
            self.text = ("" if len(thrown) == hardware.MOST_DICE else " ").join(thrown) + " " + asks

    def ask_throw(self, purpose: int, seat: int, is_now: bool) -> None:
        """Ask for the throw that dice keys make, and for whose: whenever walls are up, and if it `is_now`, now."""
        self._throw = THROWS[purpose] if seat == codes.NO_SIDE else "%s S%d" % (THROWS[purpose], seat)
        if is_now:
            self.text = self._throw

    def say(self, text: str) -> None:
        """Show something that somebody else asks for."""
        self.text = text

    def mark_prescribed(self, is_prescribed: bool) -> None:
        """Say from now on whether walls are prescribed ones."""
        self.is_prescribed = is_prescribed

    def note_fault(self, now_ms: int) -> None:
        """A fault has come or gone."""
        self.fault_ms = now_ms

    def name_drive(self, drive: int) -> None:
        """Say which drive the next fault that has one is about."""
        self._drive = drive

    def notice(self, fault: int) -> None:
        """Show the number of a fault that stops nothing; the lamps stay as they are."""
        self.text = "E%02d" % fault

    def fault(self, now_ms: int, fault: int, side: int) -> None:
        """Show a fault's number and side, and flash its pattern there."""
        self.text = "E%02d" % fault if side == codes.NO_SIDE else "E%02d S%d" % (fault, side)
        if fault in (codes.DRIVE_RUNS, codes.DRIVE_DEAD) and self._drive < hardware.DRIVES:
            self.text += " " + DRIVE_WORDS[_word_of(self._drive)]
        if fault == codes.WIRING_UNKNOWN:
            self.text = "NO MAP"
        self._flashing = (
            _LIFT_LAMPS if side == codes.NO_SIDE else 1 << (side * hardware.LAMPS_PER_SIDE + hardware.LIFT_LAMP)
        )
        self._pattern = codes.LAMP_PATTERNS[fault]
        self._step = 0
        self.fault_ms = now_ms
        self.poll(now_ms)

    def show(self) -> None:
        """Bring the text to the displays, with a P before it while the walls are prescribed ones.

        Where it has spaces, they make room for that, from the left: `2 5 LOW?` is shown as `P25 LOW?`.
        """
        text = self.text
        if self.is_prescribed:
            spaces = max(0, len(text) + 2 - hardware.DISPLAY_LETTERS) if " " in text else 0
            text = ("P " + text).replace(" ", "", spaces)[: hardware.DISPLAY_LETTERS]
        for side in range(hardware.SIDES):
            self._hal.show(side, text)
        self.text = ""

    def poll(self, now_ms: int) -> None:
        """The next step of the pattern."""
        self._light(self._flashing if self._pattern >> self._step & 1 else 0)
        self._step = (self._step + 1) % STEPS
        self.due = now_ms + STEP_MS

    def _light(self, mask: int) -> None:
        if mask != self.mask:
            self.mask = mask
            self._hal.lamps(mask)
