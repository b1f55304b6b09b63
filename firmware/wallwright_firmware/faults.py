"""A host stops the table, or clears its fault as a key does."""

from wallwright_protocol import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .commands import Handlers, Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.panel import Panel
    from .guard import CrashLog
    from .presses import Presses
    from .rewiring import Rewiring
    from .safety import Outputs


class Faults:
    """The fault that a table stands in, as a host sees it."""

    def __init__(
        self,
        cycle: "Cycle",
        build: "Build",
        outputs: "Outputs",
        panel: "Panel",
        presses: "Presses",
        dice: "Dice",
        rewiring: "Rewiring",
        crashes: "CrashLog",
    ) -> None:
        self._cycle = cycle
        self._build = build
        self._outputs = outputs
        self._panel = panel
        self._presses = presses
        self._dice = dice
        self._rewiring = rewiring
        self._crashes = crashes

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {"stop": self._stop, "clear_fault": self._clear}

    def _stop(self, _: "tuple[int, ...]") -> "Reply":
        self._rewiring.end_jog(codes.BY_STOP)
        self._outputs.all_off()
        self._cycle.steps.add(self._cycle.fail, codes.STOPPED, codes.NO_SIDE, 0, 0)
        return codes.OK, b""

    def _clear(self, _: "tuple[int, ...]") -> "Reply":
        self._presses.forget_early()
        cycle = self._cycle
        if not self._rewiring.leave(codes.BY_STOP):
            return self._rewiring.keep_fault(), b""
        shown = (cycle.fault, cycle.fault_side)
        cleared = cycle.clear(codes.FROM_HOST)
        if cleared and shown[0] == codes.CRASH_LOOP:
            self._crashes.clear()
        if cycle.state == codes.FAULT:
            # The fault of another lane may have come to light; the one that was shown is cleared then.
            return codes.FAULT_ACTIVE if (cycle.fault, cycle.fault_side) == shown else codes.OK, b""
        if self._dice.failed():
            self._dice.clear_failure(cycle.now_ms, codes.FROM_HOST)
            self._panel.state(cycle.state, self._build.partial)
            return codes.OK, b""
        return codes.OK if cleared else codes.WRONG_STATE, b""
