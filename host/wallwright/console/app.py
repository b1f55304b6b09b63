"""The console as an ASGI application: its endpoints, and how errors are told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse

from ..errors import WallwrightError
from . import accounts_pages, api, views
from .feed import Feed
from .guard import Asking, Site, person_of
from .hall import calls_api, calls_pages
from .hall.desk import Happening, Listener, Person
from .hall.model import HallView
from .metrics import Metrics
from .middleware import Surroundings
from .mistakes import mistakes
from .people.access import PUBLIC
from .problems import NotSignedIn, TooMany, answer_of, status_of
from .replays import pages as replay_pages
from .tournament import (
    declare_pages,
    exports,
    player_pages,
    players_api,
    print_pages,
    results_api,
    rulings_api,
    running_api,
    screen_pages,
    setup_api,
    setup_pages,
    signing_pages,
    standings_pages,
    together_api,
)
from .tournament import pages as event_pages
from .tournament import sessions_api as event_api
from .tournament.book import Book
from .witness import api as witness_api

PACKED_FROM = 1000
"""Bytes of an answer that is worth packing; event streams never are, they would wait for more."""
PACKED_LEVEL = 5
"""Nine makes pages a hundredth smaller in half as much time again."""
PLACES = 1500
"""For as many at once, where nothing else is said."""
READ_MS = 1000
"""What others have written into the event's journal is shown after so long."""


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
    app.include_router(views.router)
    app.include_router(api.router)
    app.include_router(accounts_pages.pages)
    app.include_router(accounts_pages.router)
    app.include_router(calls_pages.router)
    app.include_router(calls_api.router)
    app.include_router(event_pages.router)
    app.include_router(declare_pages.router)
    app.include_router(screen_pages.router)
    app.include_router(signing_pages.pages)
    app.include_router(signing_pages.router)
    app.include_router(player_pages.router)
    app.include_router(replay_pages.router)
    app.include_router(event_api.router)
    app.include_router(results_api.router)
    app.include_router(setup_api.router)
    app.include_router(setup_pages.router)
    app.include_router(players_api.router)
    app.include_router(together_api.pages)
    app.include_router(together_api.router)
    app.include_router(running_api.router)
    app.include_router(rulings_api.router)
    app.include_router(exports.router)
    app.include_router(witness_api.router)
    app.include_router(print_pages.router)
    app.include_router(standings_pages.router)

    @app.get("/metrics", include_in_schema=False)
    def get_metrics(_: Asking) -> Response:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get(f"{api.PREFIX}/openapi.json", include_in_schema=False)
    def get_openapi(_: Asking) -> Response:
        return JSONResponse(app.openapi())

    app.add_exception_handler(WallwrightError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_mistakes)
    app.add_exception_handler(400, _tell_unreadable)
    app.add_exception_handler(404, _tell_nothing_there)
    app.add_exception_handler(405, _tell_nothing_there)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_FROM, compresslevel=PACKED_LEVEL)
    app.add_middleware(Surroundings, metrics=metrics, site=site, places=places)
    return app


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
    answer = answer_of(error, views.voice_of(request))
    if _is_api(request):
        headers = {"Retry-After": str(error.wait_s)} if isinstance(error, TooMany) else None
        return JSONResponse(answer, status, headers)
    if isinstance(error, NotSignedIn) and not request.headers.get("hx-request"):
        return RedirectResponse(views.door(request), 303)
    return _problem_page(request, answer["problem"], status)


async def _tell_mistakes(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"problem": mistakes(error.errors()).said(views.voice_of(request))}, 422)


async def _tell_unreadable(request: Request, _: Exception) -> Response:
    translate = views.voice_of(request)
    return JSONResponse({"problem": translate("this cannot be read; it has to be JSON, and not too deep")}, 400)


async def _tell_nothing_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    translate = views.voice_of(request)
    text = translate("there is nothing here") if status == 404 else translate("this cannot be done here")
    headers = getattr(error, "headers", None)
    if _is_api(request):
        return JSONResponse({"problem": text}, status, headers)
    return _problem_page(request, text, status)


def _problem_page(request: Request, text: str, status: int) -> Response:
    person = person_of(request) or Person("", PUBLIC)
    return views.page(request, "problem.html", person, status, heading=str(status), problem=text)


def _is_api(request: Request) -> bool:
    return request.url.path.startswith(api.PREFIX)
