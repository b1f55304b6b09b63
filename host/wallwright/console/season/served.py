"""The pages of a season for whoever asks: an ASGI application that makes each page when somebody wants it.

Nobody signs in, and nothing is changed but by halls that report (`reports`); before many readers a proxy that keeps
pages belongs.
"""

import hashlib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import uvicorn
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware

from ...errors import BadInput, BadName, WallwrightError
from ...journal import read_journal
from ...season.report.receiving import Reports
from ...season.state import KINDS, SeasonState
from ...season.tables import Tables
from ...system.signals import handling
from ...system.streams import warn
from ..crash_log import tell_bug
from ..listening import Listening, listen
from ..slow_clients import Patience
from .reports import Desk, report_routes
from .site import Content, SeasonSite

LOOK_S = 2
"""What the desk of the season writes is shown after so long."""
WAIT_S = 0.1
"""Who has the server look waits so long for what has come."""
PACKED_FROM = 1000
TICKS_PER_LOOK = 10
"""uvicorn ticks ten times a second."""
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'"
HEADERS = {
    "cache-control": f"public, max-age={LOOK_S}",
    "content-security-policy": f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
Open = Callable[[], AbstractContextManager[tuple[SeasonState, Tables]]]


class _Season:
    """A season's pages and the tables that they are made of, which are let go of when nobody needs them any more."""

    def __init__(self, site: SeasonSite, last: int, held: ExitStack) -> None:
        self.site = site
        self.last = last
        self._held = held
        self._lock = threading.Lock()
        self._users = 1

    @contextmanager
    def used(self) -> Iterator[SeasonSite]:
        """Give the pages, with their tables."""
        with self._lock:
            self._users += 1
        try:
            yield self.site
        finally:
            self.leave()

    def leave(self) -> None:
        """Be no user any more."""
        with self._lock:
            self._users -= 1
            if not self._users:
                self._held.close()


class Shown:
    """The season at `place` as it is now; `opened` gives it with its tables. Threads may ask at once.

    While a thread takes in what has come, the pages show the season as it was: a long day takes seconds.
    """

    def __init__(self, place: str, opened: Open) -> None:
        self._place = place
        self._open = opened
        self._lock = threading.Lock()
        self._looking: threading.Thread | None = None
        self._season = self._taken()
        self._looked_s = time.monotonic()

    def content(self, path: str) -> Content:
        """Return what is at a path. BadName when there is nothing."""
        self._look_when_due()
        with ExitStack() as used:
            with self._lock:
                site = used.enter_context(self._season.used())
            return site.content(path or "index.html")

    def close(self) -> None:
        """Let go of the tables."""
        if self._looking is not None:
            self._looking.join()
        self._season.leave()

    def _look_when_due(self) -> None:
        with self._lock:
            is_due = time.monotonic() - self._looked_s > LOOK_S
            if not is_due or (self._looking is not None and self._looking.is_alive()):
                return
            looking = self._looking = threading.Thread(target=self._look, name="season")
            looking.start()
        looking.join(WAIT_S)

    def _look(self) -> None:
        """Take the season as it is now, or leave the one before after an error."""
        try:
            if next(read_journal(self._place, after=self._season.last, kinds=KINDS), None) is not None:
                new = self._taken()
                with self._lock:
                    old, self._season = self._season, new
                old.leave()
        except WallwrightError as error:
            warn(f"{error}; the pages show the season as it was")
        except Exception:  # noqa: BLE001 (the pages go on)
            tell_bug(self._place)
        finally:
            self._looked_s = time.monotonic()

    def _taken(self) -> _Season:
        with ExitStack() as held:
            state, tables = held.enter_context(self._open())
            return _Season(SeasonSite(self._place, state, tables), state.last, held.pop_all())


class SeasonServer(uvicorn.Server):
    """Answers with `app` until Ctrl-C or SIGTERM; `port` says where.

    Raises PortBusy when the address cannot be had, and BadInput for a certificate that cannot be used.
    """

    def __init__(self, app: FastAPI, listening: Listening) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                limit_concurrency=listening.connections,
                ssl_certfile=listening.certificate,
                ssl_keyfile=listening.key,
            )
        )
        try:
            self.config.load()
        except (ssl.SSLError, OSError) as error:
            raise BadInput(f"certificate and key cannot be used: {error}") from error
        self._patience = Patience(time.monotonic)
        self._socket = listen(listening.host, listening.port)
        self.port: int = self._socket.getsockname()[1]

    def serve_until_told(self) -> None:
        """Answer."""
        self.run(sockets=[self._socket])

    async def on_tick(self, counter: int) -> bool:
        """Let those go who keep it waiting; return whether it is to end."""
        if counter % TICKS_PER_LOOK == 0:
            self._patience.look(self.server_state.connections)
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end it, and not raise them again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        with handling(self.handle_exit):
            yield


def make_report_app(desk: Desk) -> FastAPI:
    """Return the application where halls report, and nothing else."""
    app = FastAPI(title="Wallwright season", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(report_routes(desk))
    return app


@contextmanager
def taking_reports(place: str, key: Ed25519PrivateKey, now_ms: Callable[[], int]) -> Iterator[str]:
    """Have a thread take reports for the season at `place` on this machine; `key` signs. Gives the address."""
    server = SeasonServer(make_report_app(Desk(Reports(place, now_ms), key)), Listening("127.0.0.1", 0))
    thread = threading.Thread(target=server.serve_until_told, name="season")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.should_exit = True
        thread.join()


def make_season_app(shown: Shown, desk: Desk) -> FastAPI:
    """Return the application: the pages, and where halls report."""
    app = make_report_app(desk)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_FROM)

    @app.api_route("/{path:path}", methods=["GET", "HEAD"])
    def page(path: str, request: Request) -> Response:
        try:
            found = shown.content(path)
        except BadName as error:
            return Response(f"{error}\n", 404, HEADERS, "text/plain")
        tag = f'"{hashlib.sha256(found.data).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, HEADERS | {"etag": tag})
        return Response(found.data, 200, HEADERS | {"etag": tag}, found.media_type)

    return app
