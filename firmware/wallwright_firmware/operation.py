"""Requests of a host to the cycle: acts as those of a key, the plan of the next build, what is played for, a stop."""

from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES

from .memory import least_of, plan_is_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .build import Build
    from .commands import Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.panel import Panel
    from .guard import CrashLog
    from .presses import Presses
    from .rewiring import Rewiring
    from .safety import Outputs
    from .saving import Saving


class Operation:
    """A table that a host operates."""

    answers = (
        "start_build",
        "open_lid",
        "raise_walls",
        "lower_lifts",
        "hurry",
        "set_plan",
        "set_deal",
        "stop",
        "clear_fault",
    )

    def __init__(
        self,
        cycle: "Cycle",
        build: "Build",
        outputs: "Outputs",
        panel: "Panel",
        presses: "Presses",
        dice: "Dice",
        saving: "Saving",
        rewiring: "Rewiring",
        crashes: "CrashLog",
        wants_stop: "Callable[[], bool]",
    ) -> None:
        self._cycle = cycle
        self._build = build
        self._outputs = outputs
        self._panel = panel
        self._presses = presses
        self._dice = dice
        self._saving = saving
        self._rewiring = rewiring
        self._crashes = crashes
        self._wants_stop = wants_stop

    def on_start_build(self, _: "tuple[int, ...]") -> "Reply":
        """Build the next walls."""
        if self._wants_stop():
            return codes.STOP_UNTESTED, b""
        return self._trigger("start_build")

    def on_open_lid(self, _: "tuple[int, ...]") -> "Reply":
        """Open the lid for a forgotten tile, or for the set in play."""
        return self._trigger("open_lid")

    def on_raise_walls(self, _: "tuple[int, ...]") -> "Reply":
        """Raise whole walls."""
        return self._trigger("raise_walls")

    def on_lower_lifts(self, _: "tuple[int, ...]") -> "Reply":
        """Lower the lifts."""
        return self._trigger("lower_lifts")

    def on_hurry(self, _: "tuple[int, ...]") -> "Reply":
        """Wash no longer."""
        return self._trigger("hurry")

    def on_set_plan(self, values: "tuple[int, ...]") -> "Reply":
        plan = values[:SIDES]
        dealer, plan_mode, wash_s = values[SIDES:]
        build = self._build
        if not plan_is_possible(plan, build.tiles, build.out) or dealer >= SIDES or plan_mode >= codes.PLAN_MODES:
            return codes.BAD_ARGUMENT, b""
        if wash_s > codes.MOST_WASH_S and wash_s != codes.AS_SET:
            return codes.BAD_ARGUMENT, b""
        if build.held and least_of(plan, build.out) < least_of(build.plan, build.out):
            # More stacks stand on a side already.
            return codes.WRONG_STATE, b""
        if build.out < SIDES:
            plan_mode = codes.FIXED  # a wall that is missing turns with nobody
        cycle = self._cycle
        was = cycle.planned()
        cycle.set_plan(plan, dealer, dealer, plan_mode, wash_s)
        if not self._saving.keep_change():
            cycle.set_plan(*was)
            return codes.FAULT_ACTIVE, b""
        cycle.go_on_unless_held()
        return codes.OK, b""

    def on_set_deal(self, values: "tuple[int, ...]") -> "Reply":
        """Keep what a deal needs after a power loss, and what the board itself cannot know."""
        east, dealer, round_wind, deal_kind, pot = values
        if max(east, dealer, round_wind) >= SIDES or deal_kind >= codes.DEAL_KINDS:
            return codes.BAD_ARGUMENT, b""
        cycle = self._cycle
        was = (cycle.dealer, cycle.told)
        cycle.set_deal(dealer, (east, round_wind, deal_kind, pot))
        if not self._saving.keep_change():
            cycle.set_deal(*was)
            return codes.FAULT_ACTIVE, b""
        return codes.OK, b""

    def on_stop(self, _: "tuple[int, ...]") -> "Reply":
        self._rewiring.end_jog(codes.BY_STOP)
        self._outputs.all_off()
        self._cycle.steps.add(self._cycle.fail, codes.STOPPED, codes.NO_SIDE, 0, 0)
        return codes.OK, b""

    def on_clear_fault(self, _: "tuple[int, ...]") -> "Reply":
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

    def _trigger(self, name: str) -> "Reply":
        refused = codes.FAULT_ACTIVE if self._cycle.state == codes.FAULT else codes.WRONG_STATE
        return codes.OK if self._cycle.trigger(name) else refused, b""
