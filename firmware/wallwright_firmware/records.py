"""What the board keeps without power, for a host to save and to bring back: in parts, each as the board stores it.

A record is saved as it is stored, so that a host of another release saves it too, and a board of a later release reads
it with what it has for its own slots. Of `state` settings and counters come back, never where the tiles are.
"""

from wallwright_protocol import codes

from . import store
from .hal import ENROLMENT_SLOT, WIRING_SLOT
from .readers import ENROLMENT_BYTES, is_enrolment
from .settings import setup_refusal, tell_setup
from .wiring import body_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App
    from .hal import Hal

PART_BYTES = 200
MOST_BYTES = 1000
"""Bytes of a record that are taken."""


class Records:
    """One record that is being read, one that is being written."""

    def __init__(self, app: "App", hal: "Hal") -> None:
        self._app = app
        self._hal = hal
        self._read = b""
        self._reading = -1
        self._written = b""
        self._writing = -1

    def get(self, record: int, offset: int) -> "tuple[int, int, bytes]":
        """Return a refusal code, the record's size and its part from `offset` on."""
        if record >= codes.RECORDS or (offset and (record != self._reading or offset >= len(self._read))):
            return codes.BAD_ARGUMENT, 0, b""
        app = self._app
        if app.outputs.mask:
            return codes.WRONG_STATE, 0, b""
        if not offset:
            self._reading = record
            if record == codes.STATE_RECORD:
                app.counters.catch_up(app.cycle.now_ms)
                self._read = app.store.record(store.collect(app) + bytes(app.counters.data))
            elif record == codes.WIRING_RECORD:
                self._read = self._hal.load(WIRING_SLOT)
            else:
                self._read = self._hal.load(ENROLMENT_SLOT) if app.readers.fitted else b""
        return codes.OK, len(self._read), self._read[offset : offset + PART_BYTES]

    def put(self, record: int, size: int, offset: int, part: bytes) -> int:
        """Take a part, and with the last one take the record over; return a refusal code."""
        app = self._app
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
        # While nothing is connected nothing can move, and all the rest waits for a map.
        if record != codes.WIRING_RECORD or app.wiring.connected:
            if app.cycle.state == codes.FAULT:
                return codes.FAULT_ACTIVE
            if app.cycle.state != codes.SERVICE or app.outputs.mask:
                return codes.WRONG_STATE
        if record == codes.ENROLMENT_RECORD and not app.readers.fitted:
            return codes.WRONG_STATE
        self._writing = record
        self._written = whole
        if len(whole) < size:
            return codes.OK
        self._written = b""
        if record == codes.STATE_RECORD:
            code = setup_refusal(app, *store.game_of(fields, app))
            if code != codes.OK:
                return code
        if record == codes.WIRING_RECORD:
            return self._put_map(fields, whole)
        if record == codes.STATE_RECORD:
            was = list(app.settings)
            store.take_over(fields, app)
            done = app.saving.keep()
            tell_setup(app, was, codes.FROM_HOST)
        else:
            done = app.readers.set_enrolment(fields)
        if not done:
            app.cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
            return codes.FAULT_ACTIVE
        return codes.OK

    def _put_map(self, body: bytes, whole: bytes) -> int:
        """Go by another map, if it is another one; the table stands in a fault then, as after any other rewiring."""
        if self._hal.load(WIRING_SLOT) == whole:
            return codes.OK
        code = self._app.rewiring.begin()
        return self._app.rewiring.set_map(body) if code == codes.OK else code


def _enrolment(stored: bytes) -> bytes:
    return stored[:ENROLMENT_BYTES] if is_enrolment(stored) else b""


_READERS = (store.fields_of, _enrolment, body_in)
"""By the record: what it holds, b"" when it is not good."""
