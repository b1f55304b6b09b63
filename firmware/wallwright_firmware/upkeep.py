"""Settings and counters, as a host sees and changes them, and people at a panel.

A setting is in force at once, and stored before anybody is told so.
"""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codes import FAULTS
from wallwright_protocol.hardware import DRIVES
from wallwright_protocol.settings import DEFAULTS, HIGHEST, KINDS, LOWEST, SETTINGS, SIZE, UNITS

from .commands import page
from .counters import RAN_AT, TOLD_AT
from .settings import game_of, is_allowed, pack

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

PAGE = 16
COUNTS_PAGE = 32
TIMES_PAGE = 16
"""Settings in a reply to get_settings, faults in one to get_fault_counts, drives in one to get_drive_times."""


class Upkeep:
    """`session` returns the number of the connection that asks."""

    answers = (
        "get_settings",
        "set_setting",
        "try_setting",
        "end_trial",
        "get_counters",
        "get_fault_counts",
        "get_drive_times",
        "clear_counters",
    )

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

    def on_get_settings(self, values: "tuple[int]") -> "Reply":
        first = values[0]
        if first >= SETTINGS:
            return codes.BAD_ARGUMENT, b""
        reply = bytes([SETTINGS])
        for column in (pack(self._settings.values), DEFAULTS, LOWEST, HIGHEST):
            reply += page(column, 2 * first, 2 * PAGE)
        return codes.OK, reply + page(KINDS, first, PAGE) + page(UNITS, first, PAGE)

    def on_set_setting(self, values: "tuple[int, ...]") -> "Reply":
        """Only while nothing runs: it is stored before the reply leaves, and refused when the board could not store
        it."""
        number, value = values
        code = self._refusal(number, value)
        if code == codes.OK and KINDS[number] == SIZE:
            wanted = list(self._settings.values)
            wanted[number] = value
            code = self._game.refusal(*game_of(wanted))
        if code == codes.OK:
            code = self.change(((number, value),), codes.FROM_HOST)
        return code, b""

    def on_try_setting(self, values: "tuple[int, ...]") -> "Reply":
        """Use a value that is not stored, as long as this connection lasts; the game is no matter of trial."""
        number, value = values
        code = self._refusal(number, value)
        if code != codes.BAD_ARGUMENT and KINDS[number] == SIZE:
            code = codes.BAD_ARGUMENT
        if code == codes.OK:
            self._settings.begin_trial(number, value, self._session())
        return code, b""

    def on_end_trial(self, _: "tuple[int, ...]") -> "Reply":
        self._settings.end_trial()
        return codes.OK, b""

    def on_get_counters(self, _: "tuple[int, ...]") -> "Reply":
        # The counters are kept in the form of the replies.
        cycle = self._cycle
        counted = bytes(self._counters.data[:TOLD_AT])
        return codes.OK, struct.pack("<IIH", cycle.boots, cycle.builds, cycle.deal) + counted

    def on_get_fault_counts(self, values: "tuple[int]") -> "Reply":
        first = values[0]
        if first >= FAULTS:
            return codes.BAD_ARGUMENT, b""
        told = self._counters.data[TOLD_AT:RAN_AT]
        return codes.OK, bytes([FAULTS]) + page(told, 2 * first, 2 * COUNTS_PAGE)

    def on_get_drive_times(self, values: "tuple[int]") -> "Reply":
        first = values[0]
        if first >= DRIVES:
            return codes.BAD_ARGUMENT, b""
        self._counters.catch_up(self._cycle.now_ms)
        return codes.OK, bytes([DRIVES]) + page(self._counters.data[RAN_AT:], 4 * first, 4 * TIMES_PAGE)

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
