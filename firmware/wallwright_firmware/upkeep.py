"""Settings and counters, as a host sees and changes them, and people at a panel.

A setting is in force at once, and stored before anybody is told so.
"""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

from .settings import OF_GAME, ROWS, is_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .commands import Reply
    from .counters import Counters
    from .cycle import Cycle
    from .game import Game
    from .safety import Outputs
    from .saving import Saving
    from .settings import Settings


class Upkeep:
    """`session` returns the number of the connection that asks."""

    answers = ("get_setting", "set_setting", "try_setting", "end_trial", "get_counters", "clear_counters")

    def __init__(
        self,
        settings: "Settings",
        counters: "Counters",
        game: "Game",
        saving: "Saving",
        cycle: "Cycle",
        outputs: "Outputs",
        session: "Callable[[], int]",
    ) -> None:
        self._settings = settings
        self._counters = counters
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

    def on_get_setting(self, values: "tuple[int, ...]") -> "Reply":
        number = values[0]
        if number >= len(ROWS):
            return codes.BAD_ARGUMENT, b""
        return codes.OK, REPLIES[NUMBER_OF["get_setting"]].pack(self._settings.values[number], *ROWS[number])

    def on_set_setting(self, values: "tuple[int, ...]") -> "Reply":
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

    def on_try_setting(self, values: "tuple[int, ...]") -> "Reply":
        """Use a value that is not stored, as long as this connection lasts; the game is no matter of trial."""
        number, value = values
        code = codes.BAD_ARGUMENT if number in OF_GAME else self._refusal(number, value)
        if code == codes.OK:
            self._settings.begin_trial(number, value, self._session())
        return code, b""

    def on_end_trial(self, _: "tuple[int, ...]") -> "Reply":
        self._settings.end_trial()
        return codes.OK, b""

    def on_get_counters(self, _: "tuple[int, ...]") -> "Reply":
        cycle = self._cycle
        self._counters.catch_up(cycle.now_ms)
        # The counters are kept in the form of the reply.
        return codes.OK, struct.pack("<IIH", cycle.boots, cycle.builds, cycle.deal) + bytes(self._counters.data)

    def on_clear_counters(self, _: "tuple[int, ...]") -> "Reply":
        if self._outputs.mask:
            return codes.WRONG_STATE, b""
        self._counters.clear(self._cycle.builds)
        self._cycle.note_change()
        return codes.OK, b""

    def _refusal(self, number: int, value: int) -> int:
        if not is_allowed(number, value):
            return codes.BAD_ARGUMENT
        return codes.WRONG_STATE if self._outputs.mask else codes.OK
