"""A board of another release, and one that does not say what its numbers mean."""

import re
import struct
import zlib
from collections.abc import Callable

import pytest

from tests.host.line import Board, Line
from wallwright.errors import BadBoard, VersionMismatch
from wallwright.link import dictionaries
from wallwright.link.binding import OWN, Binding
from wallwright.link.connection import Connection
from wallwright.link.reports import Event
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.dictionary import Dictionary
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.messages import EVENT, PROTOCOL_VERSION

GET_DICTIONARY = NUMBER_OF["get_dictionary"]
LATER = Dictionary((*OWN.rows, (0xF0, "weighed", EVENT, "<H", ("grams",))), OWN.lists)


class OtherBoard(Board):
    """A board whose HELLO_REPLY names this dictionary, and that hands out these bytes."""

    def __init__(self, packed: bytes, catalog: int = LATER.catalog) -> None:
        super().__init__()
        self.packed = packed
        self.catalog = catalog
        self.asked: list[int] = []

    def execute(self, message: int, payload: bytes) -> tuple[int, bytes]:
        if message != GET_DICTIONARY:
            return super().execute(message, payload)
        (offset,) = struct.unpack("<H", payload)
        self.asked.append(offset)
        if offset >= len(self.packed):
            return codes.BAD_ARGUMENT, b""
        return codes.OK, REPLIES[message].pack(len(self.packed), self.packed[offset : offset + 200])

    def other(self, frame: bytes) -> list[bytes]:
        """Put its own hash into a HELLO_REPLY."""
        (body,) = Decoder().feed(frame)
        if body[0] == link.HELLO_REPLY:
            values = list(struct.unpack(link.HELLO_REPLY_LAYOUT, body))
            values[4] = self.catalog
            frame = encode(struct.pack(link.HELLO_REPLY_LAYOUT, *values))
        return [frame]


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other board has been met before."""
    monkeypatch.setattr(dictionaries, "_bound", {OWN.catalog: Binding()})


def on_line(board: OtherBoard) -> Line:
    line = Line(board)
    line.to_host = board.other
    return line


@pytest.mark.parametrize(("version", "cure"), [(0, "wallwright board flash --port"), (2, "pip install --upgrade")])
def test_row_14_another_protocol_is_refused_with_both_versions_and_the_cure(version: int, cure: str) -> None:
    line = Line(Board())

    def answer(frame: bytes) -> list[bytes]:
        (body,) = Decoder().feed(frame)
        session = struct.unpack(link.HELLO_LAYOUT, body)[3]
        values = (7, session, version, 0, codes.VERSION_MISMATCH, 0, 0)
        line.noise = encode(struct.pack(link.HELLO_REPLY_LAYOUT, link.HELLO_REPLY, *values))
        return []

    line.to_board = answer
    with pytest.raises(VersionMismatch, match=re.escape(cure)) as caught:
        Connection(line).connect()
    assert f"the board speaks protocol {version}, this program {PROTOCOL_VERSION}; " in str(caught.value)


def test_row_14_a_board_of_another_release_is_asked_once_what_its_numbers_mean() -> None:
    board = OtherBoard(LATER.packed())
    connection = Connection(on_line(board))
    connection.connect()
    assert board.asked == list(range(0, len(board.packed), 200))
    assert connection.binding.knows_more() == ("weighed",)
    assert connection.request("start_build") == (codes.OK, b"")
    connection.connect()
    Connection(on_line(OtherBoard(b""))).connect()  # another board of that release, which need not hand it out
    assert len(board.asked) == -(-len(board.packed) // 200)


def test_row_14_events_that_come_before_the_dictionary_are_read_by_it() -> None:
    board = OtherBoard(LATER.packed())
    board.ring.add(5, "walls_up", 1, 9)
    connection = Connection(on_line(board))
    connection.connect()
    connection.pump(1000)
    assert [(one.name, one.fields) for one in connection.inbox if isinstance(one, Event)] == [
        ("walls_up", {"tile_set": 1, "deal": 9})
    ]


def refusing(board: OtherBoard) -> None:
    board.packed = b""


def cut_off(board: OtherBoard) -> None:
    board.packed = board.packed[:400]


def noise(board: OtherBoard) -> None:
    board.packed = bytes(300)


def of_another(board: OtherBoard) -> None:
    board.packed = OWN.packed()


def swollen(board: OtherBoard) -> None:
    board.packed = zlib.compress(bytes(1 << 22))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (refusing, r"it refuses get_dictionary \(bad_argument\)"),
        (cut_off, "it has no end"),
        (noise, "it cannot be unpacked"),
        (of_another, f"its hash is {OWN.catalog:08x}, not {LATER.catalog:08x}"),
        (swollen, "it has no end"),
    ],
)
def test_row_14_a_board_that_does_not_say_what_its_numbers_mean_is_named(
    spoil: Callable[[OtherBoard], None], said: str
) -> None:
    board = OtherBoard(LATER.packed())
    spoil(board)
    with pytest.raises(BadBoard, match=f"does not say what its numbers mean: {said}"):
        Connection(on_line(board)).connect()
