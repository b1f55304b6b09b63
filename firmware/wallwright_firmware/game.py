"""The game of the table: tiles of a set, dice that are thrown, and the side that is out. All are settings."""

from wallwright_protocol import codes
from wallwright_protocol.hardware import INPUTS_PER_SIDE, LIFT_KEY, SIDES, plan_without
from wallwright_protocol.settings import DICE_COUNT, SIDES_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .cycle import Cycle
    from .drivers.inputs import Inputs
    from .events import EventRing
    from .readers import Readers
    from .safety import Outputs
    from .settings import Settings
    from .wiring import Wiring


class Game:
    """Sees to it that everybody goes by the same game."""

    def __init__(
        self,
        settings: "Settings",
        cycle: "Cycle",
        build: "Build",
        readers: "Readers",
        outputs: "Outputs",
        events: "EventRing",
        wiring: "Wiring",
        inputs: "Inputs",
    ) -> None:
        self._settings = settings
        self._cycle = cycle
        self._build = build
        self._readers = readers
        self._outputs = outputs
        self._events = events
        self._wiring = wiring
        self._inputs = inputs

    def refusal(self, tiles: int, dice_count: int, out: int) -> int:
        """Return why the table cannot go over to another size of a set, number of dice or side that is out now; OK when
        it can, or has them.

        Neither part of the walls nor a fault of its own is in the way of a side that goes out: the other three go on
        from what they have.
        """
        cycle = self._cycle
        was = self._build.out
        is_same = tiles == self._build.tiles and dice_count == self._settings.values[DICE_COUNT]
        if is_same and out == was:
            return codes.OK
        if out < SIDES and cycle.sorting is not None:
            return codes.ALL_SIDES
        if out < SIDES and not plan_without(tiles, out):
            return codes.NO_ROOM
        goes_out = is_same and was == SIDES
        if cycle.state == codes.FAULT:
            if not goes_out or cycle.fault_side != out:
                return codes.FAULT_ACTIVE
        elif cycle.state not in (codes.IDLE, codes.SERVICE) or self._outputs.mask:
            return codes.WRONG_STATE
        return codes.WALLS_BELOW if cycle.whole or (self._build.partial and not goes_out) else codes.OK

    def may_leave_out(self, tiles: int) -> bool:
        """Say whether one side may be out with sets of `tiles`: three hold them, and nothing here needs all sides."""
        return self._cycle.sorting is None and bool(plan_without(tiles, 0))

    def use_size(self) -> None:
        """Go by the size of a set and the side out that are in the settings, with their own plan unless the table had
        both before."""
        tiles, _, out = self._settings.game()
        was = self._build.out
        if tiles == self._build.tiles and out == was:
            return
        self._build.use_size(tiles, out)
        self._cycle.use_usual_plan(tiles, out)
        self._readers.make_room()
        if out != was:
            self._wiring.leave_out(out)
            self._outputs.leave_out(out)
            for side in (was, out):
                if side < SIDES:
                    self._inputs.take_levels(side * INPUTS_PER_SIDE, LIFT_KEY)
            self._cycle.side_is_out()

    def tell(self, before: "tuple[int, ...]", source: int) -> None:
        """Tell of another game than `before`."""
        game = self._settings.game()
        if game != before:
            tiles, dice_count = game[:2]
            self._events.add(
                self._cycle.now_ms, "setup_changed", tiles, dice_count, source, self._settings.values[SIDES_OUT]
            )
