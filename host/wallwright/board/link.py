"""What any board says and does, whatever release it is of: who it is, what it keeps, and the way to its loader.

No event is acknowledged here: they stay on the board for whoever keeps a journal.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, CodecError
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

from ..errors import BadMessage, LinkError, Refused
from ..link.connection import Connection
from ..link.numbers import name_of
from ..link.ports import Transport
from ..link.reports import Event, harmless, read_status
from ..link.transport import open_transport

QUIET_MS = 500
"""A board that has events to tell tells the next one sooner."""
PART_BYTES = 200
MOST_BYTES = 1000
"""Bytes of a record that are believed."""


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board: its unit, its firmware, what it runs on and what image it was flashed with, "" where it does not say.

    `lacks` names what this program knows and its firmware does not, `wiring` is the hash of its map of wires, "" when
    nothing is connected.
    """

    unit: str
    firmware: tuple[int, int, int]
    tiles: int
    chip: str
    image: str
    protocol: int
    catalog: int
    lacks: tuple[str, ...]
    wiring: str

    @property
    def is_of_this_release(self) -> bool:
        """Whether its tables are this program's."""
        return (self.protocol, self.catalog) == (PROTOCOL_VERSION, CATALOG_HASH)


class BoardLink:
    """A board that has answered at `port`. `info` is what it says of itself."""

    def __init__(self, transport: Transport) -> None:
        self.connection = Connection(transport)
        self.port = transport.name
        self.has_left = False
        self._events: list[Event] = []
        self.connection.connect()
        self.info = self._ask_info()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the port."""
        self.close()

    def close(self) -> None:
        """Let go of the port."""
        self.connection.close()

    def now_ms(self) -> int:
        """Return the time of the port."""
        return self.connection.transport.now_ms()

    def wait(self, ms: int) -> None:
        """Let so much of the port's time go by, and stay in touch with the board."""
        until = self.now_ms() + ms
        while self.now_ms() < until:
            self.connection.pump(until - self.now_ms())
            self._take_in()

    def events(self) -> tuple[Event, ...]:
        """Return all events that the board still has, for no journal has stored them; they stay on the board."""
        while True:
            before = len(self._events)
            self.wait(QUIET_MS)
            if len(self._events) == before:
                return tuple(self._events)

    def request(self, name: str, *values: int | bytes) -> bytes:
        """Ask for something; return the reply's payload, or raise Refused."""
        code, payload = self.connection.request(name, *values)
        self._take_in()
        if code != codes.OK:
            error = Refused(name, name_of("refusal", code), self._state())
            error.trace = self.connection.trace.dump()
            raise error
        return payload

    @contextmanager
    def in_service(self) -> Iterator[None]:
        """Keep the table in service meanwhile; Refused unless it is at rest."""
        self.request("begin_service")
        try:
            yield
        finally:
            if not self.has_left:
                # A board that was unplugged or reset is in no service any more; what went wrong is on its way already.
                with suppress(LinkError):
                    self.connection.request("end_service")

    def read_record(self, number: int) -> bytes | None:
        """Return what the board keeps under this number of names.RECORDS, b"" for nothing; None when it has none such.

        Raises Refused while a drive runs, BadMessage for a record that cannot be.
        """
        data = b""
        while True:
            try:
                size, part = self._unpacked("get_record", self.request("get_record", number, len(data)))
            except Refused as refused:
                if refused.refusal == "bad_argument" and not data:
                    return None
                raise
            if size > MOST_BYTES:
                raise BadMessage("get_record", part, f"{size} bytes")
            data += bytes(part[: size - len(data)])
            if len(data) >= size:
                return data

    def write_record(self, number: int, data: bytes) -> None:
        """Have the board take over what was kept under this number. Raises Refused, also when it cannot read it."""
        for at in range(0, len(data), PART_BYTES):
            self.request("put_record", number, len(data), at, data[at : at + PART_BYTES])

    def leave_for_loader(self) -> bool:
        """Ask the board to leave for its loader; False while nobody at the table has said yes. Raises Refused."""
        try:
            self.request("reboot_to_loader")
        except Refused as refused:
            if refused.refusal == "no_consent":
                return False
            raise
        self.has_left = True
        return True

    def leave_wiring_fault(self) -> None:
        """Clear the fault in which a board stands that was given another map; Refused when its cause still shows."""
        if self._state() == "fault":
            self.request("clear_fault")

    def _take_in(self) -> None:
        self._events += [item for item in self.connection.inbox if isinstance(item, Event)]
        self.connection.inbox.clear()

    def _state(self) -> str:
        """Return the table's state for an error."""
        code, payload = self.connection.request("get_status")
        return read_status(payload).state if code == codes.OK else "unknown"

    def _ask_info(self) -> BoardInfo:
        unit, *firmware, tiles, _ = self._unpacked("get_info", self.request("get_info"))
        try:
            chip, image = self._unpacked("get_image", self.request("get_image"))
        except Refused:
            chip = image = b""  # from before there were images
        return BoardInfo(
            _text(unit),
            (firmware[0], firmware[1], firmware[2]),
            tiles,
            _text(chip),
            _text(image),
            PROTOCOL_VERSION,
            self.connection.catalog,
            self.connection.binding.lacks(),
            self._ask_wiring(),
        )

    def _ask_wiring(self) -> str:
        found = self._unpacked("get_wiring", self.request("get_wiring"))[0]
        return f"{found:08x}" if found else ""

    def _unpacked(self, name: str, payload: bytes) -> tuple[Any, ...]:
        try:
            return REPLIES[NUMBER_OF[name]].unpack(payload)
        except CodecError as error:
            raise BadMessage(name, payload) from error


def open_board(port: str) -> BoardLink:
    """Open `port` and shake hands with the board there, whatever release it is of.

    Raises what `open_transport` does, NotATable, BadBoard, and VersionMismatch when not even the protocol is the same.
    """
    transport = open_transport(port)
    try:
        return BoardLink(transport)
    except BaseException:
        transport.close()
        raise


def version_text(version: tuple[int, int, int]) -> str:
    """Return `0.1.0`."""
    return ".".join(map(str, version))


def _text(field: bytes | int) -> str:
    return harmless(bytes(field).rstrip(b"\0").decode("ascii", "replace")) if isinstance(field, bytes) else ""
