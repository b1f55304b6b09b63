"""Settings that a host changes, or people at a panel: in force at once, and stored before anybody is told so."""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

from .settings import OF_GAME, ROWS, is_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Handlers
    from .cycle import Cycle
    from .game import Game
    from .safety import Outputs
    from .saving import Saving
    from .settings import Settings


class Adjustment:
    """`session` returns the number of the connection that asks."""

    def __init__(
        self,
        settings: "Settings",
        game: "Game",
        saving: "Saving",
        cycle: "Cycle",
        outputs: "Outputs",
        session: "Callable[[], int]",
    ) -> None:
        self._settings = settings
        self._game = game
        self._saving = saving
        self._cycle = cycle
        self._outputs = outputs
        self._session = session

    def change(self, wanted: "tuple[tuple[int, int], ...]", source: int) -> int:
        """Store settings (number, value) and go by them at once; return a refusal code, OK when it is done.

        They are allowed, and what is only tried is not stored with them.
        """
        settings = self._settings
        was = (list(settings.values), settings.stored)
        game = settings.game()
        planned = self._cycle.planned()
        must_store = settings.change(wanted)
        self._game.use_size()
        if must_store and not self._saving.keep():
            settings.take_back(*was)
            self._game.use_size()
            self._cycle.set_plan(*planned)
            return self._saving.fail()
        self._game.tell(game, source)
        return codes.OK

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {
            "get_setting": self._get,
            "set_setting": self._set,
            "try_setting": self._try,
            "end_trial": self._end_trial,
        }

    def _get(self, values: "tuple[int, ...]") -> "tuple[int, bytes]":
        number = values[0]
        if number >= len(ROWS):
            return codes.BAD_ARGUMENT, b""
        return codes.OK, REPLIES[NUMBER_OF["get_setting"]].pack(self._settings.values[number], *ROWS[number])

    def _set(self, values: "tuple[int, ...]") -> "tuple[int, bytes]":
        """Only while nothing runs: it is stored before the reply leaves, and refused when the board could not store
        it."""
        number, value = values
        code = self._refusal(number, value)
        if code == codes.OK and number in OF_GAME:
            game = [value if number == each else self._settings.values[each] for each in OF_GAME]
            code = self._game.refusal(*game)
        if code == codes.OK:
            code = self.change(((number, value),), codes.FROM_HOST)
        return code, b""

    def _try(self, values: "tuple[int, ...]") -> "tuple[int, bytes]":
        """Use a value that is not stored, as long as this connection lasts; the game is no matter of trial."""
        number, value = values
        code = codes.BAD_ARGUMENT if number in OF_GAME else self._refusal(number, value)
        if code == codes.OK:
            self._settings.begin_trial(number, value, self._session())
        return code, b""

    def _end_trial(self, _: "tuple[int, ...]") -> "tuple[int, bytes]":
        self._settings.end_trial()
        return codes.OK, b""

    def _refusal(self, number: int, value: int) -> int:
        if not is_allowed(number, value):
            return codes.BAD_ARGUMENT
        return codes.WRONG_STATE if self._outputs.mask else codes.OK
