"""When what must survive is stored: it changes with the state of the cycle, or by a plan of the host, which waits until
nothing runs. With every drive at rest, and a step a poll, so that no poll is long but the one that writes."""

from wallwright_protocol import codes

from . import store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build import Build
    from .counters import Counters
    from .cycle import Cycle
    from .game import Game
    from .safety import Outputs
    from .seal import Walls
    from .settings import Settings
    from .store import Store


class Saving:
    """The storing of a table. Until it is over, when `goes_on` is False, nothing is switched on and nothing is sent;
    `state` is the one of the cycle that was stored last."""

    def __init__(
        self,
        slots: "Store",
        settings: "Settings",
        counters: "Counters",
        game: "Game",
        cycle: "Cycle",
        build: "Build",
        walls: "Walls",
        outputs: "Outputs",
    ) -> None:
        self.goes_on = False
        self.state = codes.STARTING
        self._store = slots
        self._settings = settings
        self._counters = counters
        self._game = game
        self._cycle = cycle
        self._build = build
        self._walls = walls
        self._outputs = outputs
        self._is_noted = self._is_counted = False
        self._lasting = b""
        self._record = b""

    def restore(self, fields: bytes, is_lid_open: bool, can_sort: bool) -> bool:
        """Set all that is stored; False when the walls do not fit the stored size of a set, and none of them is set."""
        self._fit(fields)
        return store.restore(fields, self._cycle, self._build, is_lid_open, can_sort)

    def take_over(self, fields: bytes) -> bool:
        """Go by settings and counters of a record that a host has saved, and by nothing of where the tiles are; False
        when the board could not store them."""
        game = self._settings.game()
        self._fit(fields)
        self._cycle.take_over(store.state_of(fields))
        is_kept = self.keep()
        self._game.tell(game, codes.FROM_HOST)
        return is_kept

    def begin(self) -> None:
        """Store from now on, a step a poll."""
        self.goes_on = True

    def step(self) -> None:
        """Tell the walls of the readers, gather what must survive, count how long the drives have run, make the record,
        or write it, if it has changed."""
        cycle = self._cycle
        if self._record:
            if not self._store.write(self._record, self._lasting):
                cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            self._lasting = self._record = b""
            # What a host has asked for meanwhile is stored too before anything moves.
            self.goes_on = cycle.state != self.state or cycle.unsaved
        elif self._is_counted:
            self._is_counted = False
            self._record = self._store.record(self._lasting, self._counters)
        elif self._lasting:
            self._count()
            self._is_counted = True
        elif not self._is_noted:
            self.state = cycle.state
            self._is_noted = not self._walls.fitted or self._walls.state_changed(cycle.now_ms)
        else:
            self._is_noted = False
            cycle.note_saving()
            lasting = self._collect()
            self.goes_on = self._store.differs(lasting)
            if self.goes_on:
                self._lasting = lasting

    def record(self) -> bytes:
        """Return the record that would be stored now."""
        self._counters.catch_up(self._cycle.now_ms)
        return self._store.record(self._collect(), self._counters)

    def keep(self) -> bool:
        """Store all that must survive at once, counters too; False when the board could not."""
        self._lasting = self._record = b""
        self._is_counted = False
        self._count()
        return self._store.save(self._collect(), self._counters)

    def keep_change(self) -> bool:
        """Store what a request has changed, or, while a drive is on, let it be stored when nothing moves any more;
        False, with the fault, when the board could not."""
        if self._outputs.mask:
            self._cycle.note_change()
        elif self._store.differs(self._collect()) and not self.keep():
            self.fail()
            return False
        return True

    def fail(self) -> int:
        """The board could not store something: stop with that fault; return the refusal of what had asked for it."""
        self._cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
        return codes.FAULT_ACTIVE

    def _collect(self) -> bytes:
        return store.collect(self._cycle, self._build, self._settings.stored)

    def _count(self) -> None:
        self._outputs.rest()
        self._counters.catch_up(self._cycle.now_ms)

    def _fit(self, fields: bytes) -> None:
        self._settings.restore(store.settings_of(fields))
        self._counters.restore(store.counters_of(fields))
        self._game.use_size()
