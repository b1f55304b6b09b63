"""When what must survive is stored: it changes with the state of the cycle, or by a plan of the host, which waits until
nothing runs. With every drive at rest, and a step a poll, so that no poll is long but the one that writes."""

from wallwright_protocol import codes

from .store import collect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App


class Saving:
    """The storing of an app. Until it is over, when `goes_on` is False, nothing is switched on and nothing is sent;
    `state` is the one of the cycle that was stored last."""

    def __init__(self, app: "App") -> None:
        self.goes_on = False
        self.state = codes.STARTING
        self._app = app
        self._is_noted = self._is_counted = False
        self._lasting = b""
        self._record = b""

    def step(self) -> None:
        """Tell the walls of the readers, gather what must survive, count how long the drives have run, make the record,
        or write it, if it has changed."""
        app = self._app
        if self._record:
            if not app.store.write(self._record):
                app.cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            self._record = b""
            # What a host has asked for meanwhile is stored too before anything moves.
            self.goes_on = app.cycle.state != self.state or app.cycle.unsaved
        elif self._is_counted:
            self._is_counted = False
            self._record = app.store.record(self._lasting + bytes(app.counters.data))
            self._lasting = b""
        elif self._lasting:
            self._count()
            self._is_counted = True
        elif not self._is_noted:
            self.state = app.cycle.state
            self._is_noted = not app.walls.fitted or app.walls.state_changed(app.cycle.now_ms)
        else:
            self._is_noted = app.cycle.unsaved = False
            lasting = collect(app)
            self.goes_on = app.store.differs(lasting)
            if self.goes_on:
                self._lasting = lasting

    def keep(self) -> bool:
        """Store all that must survive at once, counters too; False when the board could not."""
        self._lasting = self._record = b""
        self._is_counted = False
        self._count()
        return self._app.store.save(collect(self._app) + bytes(self._app.counters.data))

    def _count(self) -> None:
        self._app.outputs.rest()
        self._app.counters.catch_up(self._app.cycle.now_ms)
