"""What the board keeps without power, for a host to save and to bring back: in parts, each as the board stores it.

A record is saved as it is stored, so that a host of another release saves it too, and a board of a later release reads
it with what it has for its own slots. Of `state` settings and counters come back, never where the tiles are.
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

from . import store
from .hal import ENROLMENT_SLOT, WIRING_SLOT
from .readers import ENROLMENT_BYTES, is_enrolment
from .wiring import body_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Reply
    from .cycle import Cycle
    from .game import Game
    from .hal import Hal
    from .readers import Readers
    from .rewiring import Rewiring
    from .safety import Outputs
    from .saving import Saving
    from .settings import Settings
    from .wiring import Wiring

PART_BYTES = 200
MOST_BYTES = 1000
"""Bytes of a record that are taken."""


class Records:
    """One record that is being read, one that is being written."""

    answers = ("get_record", "put_record", "get_dictionary")

    def __init__(
        self,
        hal: "Hal",
        cycle: "Cycle",
        outputs: "Outputs",
        settings: "Settings",
        game: "Game",
        saving: "Saving",
        readers: "Readers",
        wiring: "Wiring",
        rewiring: "Rewiring",
    ) -> None:
        self._hal = hal
        self._cycle = cycle
        self._outputs = outputs
        self._settings = settings
        self._game = game
        self._saving = saving
        self._readers = readers
        self._wiring = wiring
        self._rewiring = rewiring
        self._read = b""
        self._reading = -1
        self._written = b""
        self._writing = -1

    def on_get_record(self, values: "tuple[int, int]") -> "Reply":
        code, size, part = self.get(*values)
        return code, REPLIES[NUMBER_OF["get_record"]].pack(size, part) if code == codes.OK else b""

    def on_get_dictionary(self, values: "tuple[int]") -> "Reply":
        packed = self._hal.dictionary
        offset = values[0]
        if offset >= len(packed):
            return codes.BAD_ARGUMENT, b""
        part = packed[offset : offset + PART_BYTES]
        return codes.OK, REPLIES[NUMBER_OF["get_dictionary"]].pack(len(packed), part)

    def on_put_record(self, values: "tuple[int, int, int, bytes]") -> "Reply":
        """A part, and with the last one the record is taken over."""
        return self.put(*values), b""

    def get(self, record: int, offset: int) -> "tuple[int, int, bytes]":
        """Return a refusal code, the record's size and its part from `offset` on."""
        if record >= codes.RECORDS or (offset and (record != self._reading or offset >= len(self._read))):
            return codes.BAD_ARGUMENT, 0, b""
        if self._outputs.mask:
            return codes.WRONG_STATE, 0, b""
        if not offset:
            self._reading = record
            if record == codes.STATE_RECORD:
                self._read = self._saving.record()
            elif record == codes.WIRING_RECORD:
                self._read = self._hal.load(WIRING_SLOT)
            else:
                self._read = self._hal.load(ENROLMENT_SLOT) if self._readers.fitted else b""
        return codes.OK, len(self._read), self._read[offset : offset + PART_BYTES]

    def put(self, record: int, size: int, offset: int, part: bytes) -> int:
        """Take a part, and with the last one take the record over; return a refusal code."""
        if record >= codes.RECORDS or not 0 < size <= MOST_BYTES or offset >= size:
            return codes.BAD_ARGUMENT
        before = self._written if offset else b""
        if offset != len(before) or (offset and record != self._writing):
            return codes.BAD_ARGUMENT
        whole = before + part[: size - offset]
        fields = whole
        if len(whole) == size:
            fields = _READERS[record](whole)
            if not fields:
                return codes.BAD_ARGUMENT
        code = self._refusal(record)
        if code != codes.OK:
            return code
        self._writing = record
        self._written = whole
        if len(whole) < size:
            return codes.OK
        self._written = b""
        if record == codes.WIRING_RECORD:
            return self._put_map(fields, whole)
        if record == codes.STATE_RECORD:
            return self._put_state(fields)
        return codes.OK if self._readers.set_enrolment(fields) else self._saving.fail()

    def _refusal(self, record: int) -> int:
        """Return why the table takes no such record now, or OK."""
        # While nothing is connected nothing can move, and all the rest waits for a map.
        if record != codes.WIRING_RECORD or self._wiring.connected:
            if self._cycle.state == codes.FAULT:
                return codes.FAULT_ACTIVE
            if not self._cycle.service.is_still():
                return codes.WRONG_STATE
        return codes.WRONG_STATE if record == codes.ENROLMENT_RECORD and not self._readers.fitted else codes.OK

    def _put_state(self, fields: bytes) -> int:
        code = self._game.refusal(*self._settings.game_with(store.settings_of(fields)))
        if code != codes.OK:
            return code
        return codes.OK if self._saving.take_over(fields) else self._saving.fail()

    def _put_map(self, body: bytes, whole: bytes) -> int:
        """Go by another map, if it is another one; the table stands in a fault then, as after any other rewiring."""
        if self._hal.load(WIRING_SLOT) == whole:
            return codes.OK
        code = self._rewiring.begin()
        return self._rewiring.set_map(body) if code == codes.OK else code


def _enrolment(stored: bytes) -> bytes:
    return stored[:ENROLMENT_BYTES] if is_enrolment(stored) else b""


_READERS = (store.fields_of, _enrolment, body_in)
"""By the record: what it holds, b"" when it is not good."""
