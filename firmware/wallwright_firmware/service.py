"""Service: a technician moves one drive at a time, for a bounded time, while the table stands still.

- Begins from rest; keys and requests of the cycle do nothing then. Ends in the state that the switches show.
- A jog asks the interlocks first. It ends at its limit, at the switch or vane where the drive has to stop, at any key,
  when the service ends or the host falls silent, and by a fault: the emergency stop is one.
- Stacks that were counted stay counted: while any stand in the carriers, nothing moves that could add to them or lift
  them. A tile that a belt brings into a head here is not counted, so the carriers count as unknown afterwards.
"""

from wallwright_protocol import codes, hardware
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import drive_bit, input_number
from wallwright_protocol.link import NEVER

from .safety import DRIVE_OF_END, END_OF_DRIVE, NONE, Outputs, side_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .commands import Reply
    from .cycle import Cycle
    from .drivers.travel import Travel
    from .events import EventRing

LONGEST_JOG_MS = 10000
"""Three turns of the ring, the slowest of all; one request lets no drive run for longer."""
MARGIN_MS = 500
"""A jog ends so long before the run-time limit of its drive, which would be a fault."""


def kind_of(drive: int) -> int:
    """Return the kind of a drive that every side has, NONE for the others."""
    return NONE if side_of(drive) == codes.NO_SIDE else (drive - 2) % hardware.DRIVES_PER_SIDE


class Service:
    """At most one jog at a time. What ends it looks at what is on; what is remembered of a jog is only for telling."""

    answers = ("begin_service", "end_service", "jog", "get_drive")

    def __init__(
        self, cycle: "Cycle", build: "Build", outputs: Outputs, steady: bytearray, events: "EventRing"
    ) -> None:
        self._cycle = cycle
        self._build = build
        self._outputs = outputs
        self._steady = steady
        self._events = events
        self.number = 0
        """Counts the services, so that what was agreed to in one does not hold in another."""
        self._drive = NONE
        self._started_ms = NEVER

    def on_begin_service(self, _: "tuple[int, ...]") -> "Reply":
        """Enter the service."""
        return self.begin(), b""

    def on_end_service(self, _: "tuple[int, ...]") -> "Reply":
        """Leave it."""
        return self.end(codes.BY_STOP), b""

    def on_jog(self, values: "tuple[int, int]") -> "Reply":
        """Run one drive."""
        return self.jog(self._cycle.now_ms, *values), b""

    def is_still(self) -> bool:
        """Say whether the table is in service and nothing runs."""
        return self._cycle.state == codes.SERVICE and not self._outputs.mask

    def stand_still(self) -> int:
        """Refuse what asks for a table that stands still in service, or in a fault; else see that it stays so."""
        if self._cycle.state not in (codes.SERVICE, codes.FAULT) or self._outputs.mask:
            return codes.WRONG_STATE
        self._outputs.rest()
        return codes.OK

    def begin(self) -> int:
        """Enter the service; return a refusal code."""
        if self._cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE
        # A table that is ready may still be looking for a tile too many.
        if self._outputs.mask or not self._cycle.trigger("begin_service"):
            return codes.WRONG_STATE
        self.number += 1
        self._drive = NONE
        return codes.OK

    def end(self, why: int) -> int:
        """Stop what runs and leave the service; return a refusal code."""
        if self._cycle.state != codes.SERVICE:
            return codes.WRONG_STATE
        self.end_jog(why)
        self._cycle.come_to_rest()
        return codes.OK

    def limit_ms(self, drive: int) -> int:
        """Return how long one jog of a drive may last."""
        return min(LONGEST_JOG_MS, self._outputs.limit_ms(drive) - MARGIN_MS)

    def jog(self, now_ms: int, drive: int, for_ms: int) -> int:
        """Run one drive for `for_ms` at the most; return a refusal code. One that is at its end does not run."""
        cycle = self._cycle
        if drive >= hardware.DRIVES or not 0 < for_ms <= self.limit_ms(drive):
            return codes.BAD_ARGUMENT
        if cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE
        if cycle.state != codes.SERVICE or self._outputs.mask:
            return codes.WRONG_STATE
        kind = kind_of(drive)
        if (cycle.whole or self._build.partial) and kind not in (NONE, hardware.CONVEYOR_REVERSE):
            return codes.WALLS_BELOW
        if side_of(drive) == self._build.out:
            return codes.IS_OUT
        if self._outputs.forbidden_by(1 << drive):
            return codes.FORBIDDEN
        self._drive = drive
        self._started_ms = now_ms
        end = END_OF_DRIVE.get(drive, NONE)
        if end != NONE and self._steady[end]:
            self.end_jog(codes.BY_SWITCH)
        else:
            self._outputs.on(1 << drive, now_ms)
            cycle.wake_at(now_ms + for_ms)
        return codes.OK

    def put_off(self, by_ms: int) -> None:
        """The drive of the jog starts so much later."""
        if self._started_ms != NEVER:
            self._started_ms += by_ms
            self._cycle.wake_at(self._cycle.due + by_ms)

    def end_jog(self, why: int) -> None:
        """Switch off what runs in service, and tell for how long it ran and why it stopped."""
        if self._cycle.state == codes.SERVICE:
            self._outputs.off(self._outputs.mask)
        if self._started_ms == NEVER:
            return
        now_ms = self._cycle.now_ms
        self._events.add(now_ms, "jog_done", self._drive, now_ms - self._started_ms, why)
        self._started_ms = NEVER
        self._cycle.wake_at(NEVER)

    def moves(self, travel: "Travel") -> bool:
        """Say whether the last jog of this service drove it, so that it may leave its switches."""
        return self._cycle.state == codes.SERVICE and bool(
            (travel.first.drive | travel.second.drive) >> self._drive & 1
        )

    def input_rose(self, number: int) -> bool:
        """An input has become 1; say whether what must survive a power loss has changed by that."""
        if self._outputs.mask >> DRIVE_OF_END.get(number, hardware.DRIVES) & 1:
            self.end_jog(codes.BY_SWITCH)
        for side in range(hardware.SIDES):
            if number == input_number(side, hardware.COUNT_EYE) and self._outputs.mask & drive_bit(
                side, hardware.CONVEYOR
            ):
                self._cycle.lose_walls()
                return True
        return False

    def on_get_drive(self, values: "tuple[int, ...]") -> "Reply":
        drive = values[0]
        if drive >= hardware.DRIVES:
            return codes.BAD_ARGUMENT, b""
        number, level = self._outputs.forbidden_by(1 << drive) or (NONE, 0)
        return codes.OK, REPLIES[NUMBER_OF["get_drive"]].pack(self.limit_ms(drive), number, level)
