"""Servers that this program asks answer without end, or a byte at a time: it goes on, and says why it has no answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.request import Request

import pytest

from tests.host.season.halls import EAST
from tests.host.season.serving import hall
from wallwright.cli.season import common
from wallwright.errors import BadInput, ConsoleFailed
from wallwright.journal import witness_places
from wallwright.season.errors import SeasonAway
from wallwright.season.report import sender
from wallwright.system.answers import asked, read_answer
from wallwright.tiles import hall_station

OK = b"HTTP/1.1 200 OK\r\n"
ANSWERS = {
    "a status that never ends": (b"", b"H"),
    "headers that never end": (OK, b"X-A: 1\r\n"),
    "a header that never ends": (OK + b"X-A: ", b"a"),
    "a body that never ends": (OK + b"Content-Length: 100000000000\r\n\r\n", b" "),
    "chunks that never end": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "a size of a chunk that never ends": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
}
"""How an answer begins, and what then comes again and again."""


class Server:
    """Answers everybody by one of ANSWERS: `begin`, and `more` every `pause_s` until the other side has gone."""

    def __init__(self, begin: bytes, more: bytes, pause_s: float) -> None:
        self._answer = begin, more, pause_s
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _run(self) -> None:
        begin, more, pause_s = self._answer
        with suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                with here, suppress(OSError):
                    here.recv(65536)
                    here.sendall(begin)
                    while not self._over.wait(pause_s):
                        here.sendall(more)


@pytest.fixture(params=ANSWERS)
def slow(request: pytest.FixtureRequest) -> Iterator[str]:
    server = Server(*ANSWERS[request.param], 0.02)
    yield server.url
    server.close()


@pytest.fixture
def endless() -> Iterator[str]:
    server = Server(OK + b"\r\n", b" " * 65536, 0)
    yield server.url
    server.close()


def test_a_server_that_answers_a_byte_at_a_time_keeps_nobody(slow: str) -> None:
    why = "its answer has not come in 0.2 s"
    with pytest.raises(TimeoutError, match=why), asked(Request(slow), 60, 0.2) as answer:
        read_answer(answer, 1 << 30)


def test_each_program_that_asks_says_that_no_answer_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(*ANSWERS["a body that never ends"], 0.02)
    try:
        monkeypatch.setattr(common, "FETCH_S", 0.2)
        with pytest.raises(BadInput, match=r"cannot be fetched \(its answer has not come in 0.2 s\)"):
            common.extract_in(f"{server.url}/day.extract")
        monkeypatch.setattr(sender, "ANSWER_S", 0.1)
        with pytest.raises(SeasonAway, match=r"does not answer \(its answer has not come in 0.2 s\)"):
            hall(server.url, EAST).ask("GET", "")
        monkeypatch.setattr(hall_station, "ANSWER_S", 0.1)
        with pytest.raises(ConsoleFailed, match=r"does not answer .*its answer has not come in 0.2 s"):
            hall_station.Console(hall_station.ConsolePlace(server.url), "director", "a password")
    finally:
        server.close()


def test_a_witness_that_never_ends_its_headers_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(*ANSWERS["headers that never end"], 0.02)
    try:
        monkeypatch.setattr(witness_places, "ANSWER_S", 0.2)
        witness = witness_places.find_witness(server.url)
        assert witness_places.keep_at(witness, "a line") == "its answer has not come in 0.2 s"
    finally:
        server.close()


def test_of_an_answer_no_more_is_taken_than_is_allowed(endless: str) -> None:
    with pytest.raises(BadInput, match="answers with more than 16,777,216 bytes"):
        common.extract_in(f"{endless}/day.extract")
    with pytest.raises(SeasonAway, match="answers with more than 1,048,576 bytes"):
        hall(endless, EAST).ask("GET", "")
    with pytest.raises(ConsoleFailed, match="answers with more than 16,777,216 bytes"):
        hall_station.Console(hall_station.ConsolePlace(endless), "director", "a password")
