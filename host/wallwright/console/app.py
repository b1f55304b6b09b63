"""The console as an ASGI application: its endpoints, and how errors are told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse

from ..errors import WallwrightError
from .api import PREFIX, prescriptions
from .api import calls as calls_api
from .api import deals as deals_api
from .api import hall as hall_api
from .api import players as players_api
from .api import results as results_api
from .api import rulings as rulings_api
from .api import running as running_api
from .api import sessions as sessions_api
from .api import setup as setup_api
from .api import together as together_api
from .api import witness as witness_api
from .feed.feed import Feed
from .guard import Asking, Site, person_of, voice_of
from .hall.desk import Happening, Listener
from .hall.model import HallView
from .metrics import Metrics
from .middleware import Surroundings
from .mistakes import mistakes
from .pages import (
    accounts,
    calls,
    declare,
    exports,
    paper,
    players,
    replays,
    same_deals,
    screen,
    setup,
    shuffling,
    signing,
    standings,
    together,
    tournament,
    travellers,
    views,
)
from .people.access import PUBLIC
from .people.person import Person
from .problems import NotSignedIn, TooMany, answer_of, status_of
from .tournament.book import Book

ROUTERS = (
    views.router,
    hall_api.router,
    prescriptions.router,
    accounts.pages,
    accounts.router,
    calls.router,
    calls_api.router,
    tournament.router,
    travellers.router,
    same_deals.router,
    deals_api.router,
    declare.router,
    screen.router,
    signing.pages,
    signing.router,
    players.router,
    replays.router,
    shuffling.router,
    sessions_api.router,
    results_api.router,
    setup_api.router,
    setup.router,
    players_api.router,
    together.router,
    together_api.router,
    running_api.router,
    rulings_api.router,
    exports.router,
    witness_api.router,
    paper.router,
    standings.router,
)
"""A path belongs to the first of these that has it."""
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
    app.state.metrics = metrics
    for router in ROUTERS:
        app.include_router(router)
    # Functions of the module, as FastAPI remembers every endpoint for good: one that held the application would keep
    # each that was ever made.
    app.get("/metrics", include_in_schema=False)(get_metrics)
    app.get(f"{PREFIX}/openapi.json", include_in_schema=False)(get_openapi)
    app.add_exception_handler(WallwrightError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_mistakes)
    app.add_exception_handler(400, _tell_unreadable)
    app.add_exception_handler(404, _tell_nothing_there)
    app.add_exception_handler(405, _tell_nothing_there)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_FROM, compresslevel=PACKED_LEVEL)
    app.add_middleware(Surroundings, metrics=metrics, site=site, places=places)
    return app


def get_metrics(request: Request, _: Asking) -> Response:
    """The counters, for Prometheus."""
    return PlainTextResponse(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4")


def get_openapi(request: Request, _: Asking) -> Response:
    """The description of the API, OpenAPI 3.1."""
    return JSONResponse(request.app.openapi())


def _reader(book: Book) -> Listener:
    """Return what looks into the event's journal every second, in the desk's thread."""
    seen_ms = [0]

    def read(view: HallView, _: tuple[Happening, ...]) -> None:
        if abs(view.at_ms - seen_ms[0]) >= READ_MS:
            seen_ms[0] = view.at_ms
            book.follow()

    return read


async def _tell(request: Request, error: Exception) -> Response:
    assert isinstance(error, WallwrightError)
    status = status_of(error)
    answer = answer_of(error, voice_of(request))
    if _is_api(request):
        headers = {"Retry-After": str(error.wait_s)} if isinstance(error, TooMany) else None
        return JSONResponse(answer, status, headers)
    if isinstance(error, NotSignedIn) and not request.headers.get("hx-request"):
        return RedirectResponse(views.door(request), 303)
    return _problem_page(request, answer["problem"], status)


async def _tell_mistakes(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"problem": mistakes(error.errors()).said(voice_of(request))}, 422)


async def _tell_unreadable(request: Request, _: Exception) -> Response:
    translate = voice_of(request)
    return JSONResponse({"problem": translate("this cannot be read; it has to be JSON, and not too deep")}, 400)


async def _tell_nothing_there(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    translate = voice_of(request)
    text = translate("there is nothing here") if status == 404 else translate("this cannot be done here")
    headers = getattr(error, "headers", None)
    if _is_api(request):
        return JSONResponse({"problem": text}, status, headers)
    return _problem_page(request, text, status)


def _problem_page(request: Request, text: str, status: int) -> Response:
    person = person_of(request) or Person("", PUBLIC)
    return views.page(request, "problem.html", person, status, heading=str(status), problem=text)


def _is_api(request: Request) -> bool:
    return request.url.path.startswith(PREFIX)
