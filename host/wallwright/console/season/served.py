"""The pages of a season for whoever asks: an ASGI application that makes each page when somebody wants it.

Nothing is changed here and nobody signs in; before many readers a proxy that keeps pages belongs.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware

from ...errors import BadName, WallwrightError
from ...journal import read_journal
from ...season.desk import extracts_of
from ...season.state import KINDS, SeasonState
from ...season.tables import Tables
from ...system.signals import handling
from ...system.streams import warn
from ..listening import Listening, listen
from .site import Content, SeasonSite

LOOK_S = 2
"""What the desk of the season writes is shown after so long."""
PACKED_FROM = 1000
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'"
HEADERS = {
    "cache-control": f"public, max-age={LOOK_S}",
    "content-security-policy": f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}
Open = Callable[[], AbstractContextManager[tuple[SeasonState, Tables]]]


class Shown:
    """The season at `place` as it is now; `opened` gives it with its tables. Threads may ask at once."""

    def __init__(self, place: str, opened: Open) -> None:
        self._place = place
        self._open = opened
        self._lock = threading.Lock()
        self._held = ExitStack()
        self._looked_s = 0.0
        self._look()

    def content(self, path: str) -> Content:
        """Return what is at a path. BadName when there is nothing."""
        with self._lock:
            if time.monotonic() - self._looked_s > LOOK_S:
                self._looked_s = time.monotonic()
                try:
                    if next(read_journal(self._place, after=self._last, kinds=KINDS), None) is not None:
                        self._look()
                except WallwrightError as error:
                    warn(f"{error}; the pages show the season as it was")
            return self._site.content(path or "index.html")

    def close(self) -> None:
        """Let go of the tables."""
        self._held.close()

    def _look(self) -> None:
        """Take the season as it is now, or leave the one before after an error."""
        with ExitStack() as held:
            state, tables = held.enter_context(self._open())
            self._site = SeasonSite(state, extracts_of(self._place), tables)
            self._last = state.last
            self._looked_s = time.monotonic()
            self._held.close()
            self._held = held.pop_all()


class SeasonServer(uvicorn.Server):
    """Answers with the pages until Ctrl-C or SIGTERM; `port` says where. PortBusy when the address cannot be had."""

    def __init__(self, shown: Shown, listening: Listening) -> None:
        super().__init__(
            uvicorn.Config(
                make_season_app(shown),
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                limit_concurrency=listening.connections,
                ssl_certfile=listening.certificate,
                ssl_keyfile=listening.key,
            )
        )
        self._socket = listen(listening.host, listening.port)
        self.port: int = self._socket.getsockname()[1]

    def serve_until_told(self) -> None:
        """Answer."""
        self.run(sockets=[self._socket])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end it, and not raise them again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        with handling(self.handle_exit):
            yield


def make_season_app(shown: Shown) -> FastAPI:
    """Return the application; it answers reads of what the pages have, and nothing else."""
    app = FastAPI(title="Wallwright season", docs_url=None, redoc_url=None, openapi_url=None)
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
