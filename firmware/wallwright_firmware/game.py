"""The game of the table: how many tiles a set has, and how many dice are thrown. Both are settings."""

from wallwright_protocol import codes
from wallwright_protocol.settings import DICE_COUNT, SET_TILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .cycle import Cycle
    from .events import EventRing
    from .readers import Readers
    from .safety import Outputs
    from .settings import Settings


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
    ) -> None:
        self._settings = settings
        self._cycle = cycle
        self._build = build
        self._readers = readers
        self._outputs = outputs
        self._events = events

    def refusal(self, tiles: int, dice_count: int) -> int:
        """Return why the table cannot go over to another size of a set or number of dice now; OK when it can, or has
        them."""
        cycle = self._cycle
        if tiles == self._build.tiles and dice_count == self._settings.values[DICE_COUNT]:
            return codes.OK
        if cycle.state == codes.FAULT:
            return codes.FAULT_ACTIVE
        if cycle.state not in (codes.IDLE, codes.SERVICE) or self._outputs.mask:
            return codes.WRONG_STATE
        return codes.WALLS_BELOW if cycle.whole or self._build.partial else codes.OK

    def use_size(self) -> None:
        """Go by the size of a set that is in the settings, with its own plan unless the table had that size before."""
        tiles = self._settings.values[SET_TILES]
        if tiles != self._build.tiles:
            self._build.use_size(tiles)
            self._cycle.use_usual_plan(tiles)
            self._readers.make_room()

    def tell(self, before: "tuple[int, ...]", source: int) -> None:
        """Tell of another game than `before`."""
        game = self._settings.game()
        if game != before:
            self._events.add(self._cycle.now_ms, "setup_changed", *game, source)
