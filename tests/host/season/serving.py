"""`wallwright serve --season` in a thread, a network before it that fails, and halls that report."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.host.event.test_event_cli import Result
from tests.host.season.halls import printed
from wallwright.console.listening import Listening
from wallwright.console.season import served
from wallwright.console.season.reports import Desk
from wallwright.journal import keys, read_journal
from wallwright.journal.season_address import SeasonAddress
from wallwright.season.asking import asking
from wallwright.season.report.receiving import Reports
from wallwright.season.report.sender import SeasonServer

SEASON = Ed25519PrivateKey.from_private_bytes(bytes(range(2, 34)))
"""The season's own key."""
AsHall = Callable[..., Result]
"""Runs `wallwright season report` with a key, a line, an address, and the exit code that it has to have."""


@contextmanager
def season_server(place: str, certificate: Path | None = None, key: Path | None = None, port: int = 0) -> Iterator[str]:
    """Serve a season, with TLS where there is a certificate for localhost; give the address."""
    with closing(served.Shown(place, lambda: asking(place))) as pages:
        app = served.make_season_app(pages, Desk(Reports(place), SEASON))
        server = served.SeasonServer(app, Listening("127.0.0.1", port, certificate, key))
        thread = threading.Thread(target=server.serve_until_told)
        thread.start()
        try:
            yield f"https://localhost:{server.port}" if certificate else f"http://127.0.0.1:{server.port}"
        finally:
            _close_halls()
            server.should_exit = True
            thread.join()


_HALLS: list[SeasonServer] = []


def hall(address: str, key: Ed25519PrivateKey, season: Ed25519PrivateKey = SEASON) -> SeasonServer:
    """A hall's program, which does not wait before it tries again; it ends with the season's server."""
    _HALLS.append(SeasonServer(SeasonAddress.told(address, printed(season)), key, lambda _: None))
    return _HALLS[-1]


def _close_halls() -> None:
    while _HALLS:
        _HALLS.pop().close()


@dataclass
class Network:
    """Passes on what comes for `port`; each connection ends after `limits`, bytes of what a hall sends, None for all.

    `heard` is what was passed on to the server, a text a connection.
    """

    port: int
    limits: list[int | None]
    heard: list[bytes] = field(default_factory=list)

    @contextmanager
    def address(self) -> Iterator[str]:
        listener = socket.create_server(("127.0.0.1", 0))
        threads = [threading.Thread(target=self._listen, args=(listener,))]
        threads[0].start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            _close_halls()
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            threads[0].join()

    def _listen(self, listener: socket.socket) -> None:
        while True:
            try:
                here, _ = listener.accept()
            except OSError:
                return
            limit = self.limits.pop(0) if self.limits else None
            self.heard.append(b"")
            with here, socket.create_connection(("127.0.0.1", self.port)) as there:
                back = threading.Thread(target=_pass_on, args=(there, here))
                back.start()
                self._pass(here, there, limit)
                for one in (here, there):
                    with suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)
                back.join()

    def _pass(self, here: socket.socket, there: socket.socket, limit: int | None) -> None:
        left = limit
        with suppress(OSError):
            while left is None or left > 0:
                data = here.recv(65536 if left is None else min(left, 65536))
                if not data:
                    return
                self.heard[-1] += data
                there.sendall(data)
                left = None if left is None else left - len(data)


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_RDWR)


def machine_of(key: Ed25519PrivateKey, tmp_path: Path) -> Path:
    """The folder in which a hall's machine has its key."""
    folder = tmp_path / f"machine-{printed(key)[:8]}"
    (folder / "wallwright").mkdir(parents=True, exist_ok=True)
    path = folder / "wallwright" / keys.NAME
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return folder


def kinds(place: str = "year.season") -> list[str]:
    return [entry.kind for entry in read_journal(place)]


def kept(place: str = "year.season") -> list[str]:
    folder = Path(f"{place}.reports")
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []
