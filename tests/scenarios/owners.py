"""Whose a drive is that is on: told from what was asked and answered, which keys were pressed, and which drives are on.

The firmware's own idea of it is not asked. In service a drive belongs to the jog that was asked for, for as long as was
asked for, until a key, an answer or a fault ends it. Outside of it a drive belongs to one of the works of a table, and
each of these has drives of its own.
"""

from functools import cache

from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    HEAD,
    LID_CLOSE,
    LID_OPEN,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    SIDES,
    drive_bit,
)

FORWARD = sum(drive_bit(side, CONVEYOR) for side in range(SIDES))
LANES = FORWARD | sum(drive_bit(side, CONVEYOR_REVERSE) | drive_bit(side, HEAD) for side in range(SIDES))
LIFTS = sum(drive_bit(side, LIFT_RAISE) | drive_bit(side, LIFT_LOWER) for side in range(SIDES))
WORKS = {
    "the lifts move": LIFTS,
    "the lid moves": LID_OPEN | LID_CLOSE,
    "walls are built": DISC | RING | LANES,
}
"""What a table does, one at a time -> the drives of it."""
DRUM_RESTS_MS = 3_200
"""For so long a drum rests at the most, within a build, while belts feed: after a tile too many has come the others are
counted for as long as the setting `belt_return_ms` says, which is 3,000 ms at the most.
"""
TOLD_MS = 5
"""A drive that a poll has switched off may be seen on for so long."""


@cache
def is_of_one_work(mask: int) -> bool:
    """Whether one of the works has all of these drives."""
    return any(mask & ~drives == 0 for drives in WORKS.values())


class Owners:
    """What was asked for. Every method that looks returns what is wrong, in words, or ""."""

    def __init__(self) -> None:
        self.in_service = False
        self.must_rest_at: int | None = None
        self.why = ""
        self._jog = 0
        self._until_ms = 0
        self._asked_jog = 0
        self._drum_ms = 0

    def ask(self, name: str, values: tuple[object, ...]) -> None:
        """The host asks; the answer is still to come."""
        if name == "jog" and isinstance(values[0], int):
            self._asked_jog = 1 << values[0]

    def answer(self, now_ms: int, name: str, values: tuple[object, ...], is_done: bool, mask: int) -> str:
        """The board has answered."""
        self._asked_jog = 0
        if not is_done:
            return ""
        if name == "begin_service":
            self.in_service = True
        elif name == "jog" and isinstance(values[0], int) and isinstance(values[1], int):
            self._jog = 1 << values[0]
            self._until_ms = now_ms + values[1]
        elif name in ("stop", "clear_fault", "end_service"):
            self.leave_service()
            if mask:
                return f"drives are on after {name}"
        return ""

    def end_jog(self, rests_at_ms: int, why: str) -> None:
        """Somebody does what ends a jog."""
        if self.in_service and self.must_rest_at is None:
            self.must_rest_at = rests_at_ms
            self.why = why

    def leave_service(self) -> None:
        """The service has ended, and every jog with it."""
        self.in_service = False
        self._jog = 0
        self.must_rest_at = None

    def look(self, now_ms: int, mask: int) -> str:
        """What is wrong with the drives that are on now."""
        if not mask:
            self.must_rest_at = None
            if now_ms > self._until_ms:
                self._jog = 0
            return ""
        if self.in_service:
            return self._look_at_jog(now_ms, mask)
        if mask & DISC:
            self._drum_ms = now_ms
        if mask & RING and not mask & DISC:
            return "the ring turns without the disc, and nobody owns it"
        if mask & FORWARD and now_ms - self._drum_ms > DRUM_RESTS_MS:
            return "a belt feeds from a drum that rests, and nobody owns it"
        if not is_of_one_work(mask):
            return f"no work of a table has these drives; there are: {', '.join(WORKS)}"
        return ""

    def _look_at_jog(self, now_ms: int, mask: int) -> str:
        if mask & ~(self._jog | self._asked_jog):
            return "a drive is on in service that nobody has asked for"
        if not mask & self._asked_jog and now_ms > self._until_ms + TOLD_MS:
            return f"a jog goes on that was asked for until {self._until_ms} ms"
        if self.must_rest_at is not None and now_ms > self.must_rest_at:
            return f"a jog goes on although {self.why}"
        return ""
