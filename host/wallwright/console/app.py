"""The console as an ASGI application: its endpoints, what surrounds every answer, and how errors are told."""

import asyncio
import ipaddress
import socket
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse

from ..errors import WallwrightError
from . import (
    api,
    calls_api,
    calls_pages,
    declare_pages,
    event_api,
    event_pages,
    pages,
    player_pages,
    replay_pages,
    results_api,
    rulings_api,
    running_api,
    screen_pages,
    setup_api,
    setup_pages,
)
from .access import PUBLIC
from .book import Book
from .desk import Happening, Listener, Person
from .feed import Feed
from .metrics import Metrics
from .model import HallView
from .problems import NotSignedIn, TooMany, status_of
from .site import Asking, Site, known_person, person_of, token_of

SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""With every answer."""
PACKED_FROM = 1000
"""Bytes of an answer that is worth packing; event streams never are, they would wait for more."""
PACKED_LEVEL = 5
"""Nine makes pages a hundredth smaller in half as much time again."""
BODY_LIMIT = 64 * 1024
"""Bytes of a request; nothing that the console takes is longer."""

PLACES = 1500
KEPT = 4
"""A part in so many of the places is kept for those who are signed in: strangers' streams cannot take all."""
READ_MS = 1000
"""What others have written into the event's journal is shown after so long."""

log = structlog.get_logger("wallwright.console")


def make_app(site: Site, places: int = PLACES) -> FastAPI:
    """Return the application of a site whose desk has been started, for so many who are there at once."""
    metrics = Metrics(site)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        ends = [site.desk.listen(metrics.count)]
        if site.book is not None:
            # Before the feed, so that a viewer gets what was read just now.
            ends.append(site.desk.listen(_reader(site.book)))
        site.open_feed = Feed(site.desk)
        yield
        for end in ends:
            end()
        site.feed.close()

    app = FastAPI(
        title="Wallwright",
        version="1",
        description="The console of a hall of automatic mahjong tables.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=life,
    )
    app.state.site = site
    app.include_router(pages.router)
    app.include_router(api.router)
    app.include_router(calls_pages.router)
    app.include_router(calls_api.router)
    app.include_router(event_pages.router)
    app.include_router(declare_pages.router)
    app.include_router(screen_pages.router)
    app.include_router(player_pages.router)
    app.include_router(replay_pages.router)
    app.include_router(event_api.router)
    app.include_router(results_api.router)
    app.include_router(setup_api.router)
    app.include_router(setup_pages.router)
    app.include_router(running_api.router)
    app.include_router(rulings_api.router)

    @app.get("/metrics", include_in_schema=False)
    def get_metrics(_: Asking) -> Response:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get(f"{api.PREFIX}/openapi.json", include_in_schema=False)
    def get_openapi(_: Asking) -> Response:
        return JSONResponse(app.openapi())

    app.add_exception_handler(WallwrightError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_mistakes)
    app.add_exception_handler(404, _tell_nothing_there)
    app.add_exception_handler(405, _tell_nothing_there)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_FROM, compresslevel=PACKED_LEVEL)
    app.add_middleware(Surroundings, metrics=metrics, site=site, places=places)
    return app


class Surroundings:
    """Turns strangers' host names, endless bodies and crowds away, puts the headers on, logs and counts requests."""

    def __init__(self, app: Any, metrics: Metrics, site: Site, places: int) -> None:
        self._app = app
        self._metrics = metrics
        self._site = site
        self._places = places - places // KEPT
        self._open = 0
        self._names = {"localhost", socket.gethostname().lower()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start_s = time.perf_counter()
        status = [500]

        async def send_more(event: Any) -> None:
            if event["type"] == "http.response.start":
                status[0] = event["status"]
                headers = [*event.get("headers", ()), *SECURITY]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                event = {**event, "headers": headers}
            await send(event)

        headers = dict(scope["headers"])
        self._open += 1
        try:
            length = headers.get(b"content-length", b"0")
            if not self._is_known(headers.get(b"host", b"")):
                text = "this console is not called that; use its address, or the machine's name"
                await PlainTextResponse(text, 421)(scope, receive, send_more)
            elif not length.isdigit() or int(length) > BODY_LIMIT or b"transfer-encoding" in headers:
                await JSONResponse({"problem": "the request is too long"}, 413)(scope, receive, send_more)
            elif await self._is_crowded(scope):
                text = "too many are looking; this is for those who are signed in"
                await JSONResponse({"problem": text}, 503)(scope, receive, send_more)
            else:
                await self._app(scope, receive, send_more)
        except Exception:
            trace = traceback.format_exc()
            log.error("a bug of this program; please report it", path=scope["path"], trace=trace)
            raise
        finally:
            self._open -= 1
            self._note(scope, status[0], time.perf_counter() - start_s)

    async def _is_crowded(self, scope: Any) -> bool:
        """Say whether there is no place for another stream of somebody who is not signed in."""
        if self._open <= self._places or not scope["path"].startswith("/live/"):
            return False
        return await asyncio.to_thread(known_person, self._site, token_of(Request(scope))) is None

    def _is_known(self, host: bytes) -> bool:
        """Another name in the browser than the machine's own would be a way in for another site's scripts."""
        name = host.decode("latin-1").lower()
        bracketed, closed, _ = name.partition("]")
        name = bracketed[1:] if closed and bracketed.startswith("[") else name.partition(":")[0]
        if name in self._names or name.removesuffix(".local") in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _note(self, scope: Any, status: int, took_s: float) -> None:
        route = scope.get("route")
        path = "none" if route is None else route.path
        self._metrics.requests.labels(scope["method"], path, str(status)).observe(took_s)
        client = scope["client"][0] if scope.get("client") else ""
        log.info("request", method=scope["method"], path=path, status=status, ms=round(took_s * 1000), client=client)


def _reader(book: Book) -> Listener:
    """Return what looks into the event's journal every second, in the desk's thread."""
    seen_ms = [0]

    def read(view: HallView, _: tuple[Happening, ...]) -> None:
        if view.at_ms - seen_ms[0] >= READ_MS:
            seen_ms[0] = view.at_ms
            book.follow()

    return read


async def _tell(request: Request, error: Exception) -> Response:
    assert isinstance(error, WallwrightError)
    status = status_of(error)
    if _is_api(request):
        headers = {"Retry-After": str(error.wait_s)} if isinstance(error, TooMany) else None
        return JSONResponse({"problem": str(error)}, status, headers)
    if isinstance(error, NotSignedIn) and not request.headers.get("hx-request"):
        return RedirectResponse("/sign-in", 303)
    return _problem_page(request, str(error), status)


async def _tell_mistakes(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [f"{'.'.join(map(str, one['loc'][1:])) or 'body'}: {one['msg']}" for one in error.errors()]
    return JSONResponse({"problem": "; ".join(found)}, 422)


async def _tell_nothing_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    text = "there is nothing here" if status == 404 else "this cannot be done here"
    headers = getattr(error, "headers", None)
    if _is_api(request):
        return JSONResponse({"problem": text}, status, headers)
    return _problem_page(request, text, status)


def _problem_page(request: Request, text: str, status: int) -> Response:
    person = person_of(request) or Person("", PUBLIC)
    return pages.page(request, "problem.html", person, status, heading=str(status), problem=text)


def _is_api(request: Request) -> bool:
    return request.url.path.startswith(api.PREFIX)
