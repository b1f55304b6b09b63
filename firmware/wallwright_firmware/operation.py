"""What a host asks of the cycle: acts as those of a key, the plan of the next build, what is played for."""

from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES

from .memory import plan_is_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .commands import Handlers, Reply
    from .cycle import Cycle
    from .saving import Saving


class Operation:
    """A table that a host operates."""

    def __init__(self, cycle: "Cycle", build: "Build", saving: "Saving") -> None:
        self._cycle = cycle
        self._build = build
        self._saving = saving

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {
            "start_build": lambda _: self._trigger("start_build"),
            "open_lid": lambda _: self._trigger("open_lid"),
            "raise_walls": lambda _: self._trigger("raise_walls"),
            "lower_lifts": lambda _: self._trigger("lower_lifts"),
            "hurry": lambda _: self._trigger("hurry"),
            "set_plan": self._set_plan,
            "set_deal": self._set_deal,
        }

    def _trigger(self, name: str) -> "Reply":
        refused = codes.FAULT_ACTIVE if self._cycle.state == codes.FAULT else codes.WRONG_STATE
        return codes.OK if self._cycle.trigger(name) else refused, b""

    def _set_plan(self, values: "tuple[int, ...]") -> "Reply":
        plan = values[:SIDES]
        dealer, plan_mode, wash_s = values[SIDES:]
        build = self._build
        if not plan_is_possible(plan, build.tiles) or dealer >= SIDES or plan_mode >= codes.PLAN_MODES:
            return codes.BAD_ARGUMENT, b""
        if wash_s > codes.MOST_WASH_S and wash_s != codes.AS_SET:
            return codes.BAD_ARGUMENT, b""
        if build.held and min(plan) < min(build.plan):
            # More stacks stand on a side already.
            return codes.WRONG_STATE, b""
        cycle = self._cycle
        was = cycle.planned()
        cycle.set_plan(plan, dealer, dealer, plan_mode, wash_s)
        if not self._saving.keep_change():
            cycle.set_plan(*was)
            return codes.FAULT_ACTIVE, b""
        cycle.go_on_unless_held()
        return codes.OK, b""

    def _set_deal(self, values: "tuple[int, ...]") -> "Reply":
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
