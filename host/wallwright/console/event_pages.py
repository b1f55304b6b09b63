"""The tournament's pages: sessions and results for those who work at it, the hall's screen and the players' own."""

from functools import partial
from io import BytesIO
from typing import Any

import segno
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..errors import BadName
from .access import may_use
from .book import Book
from .channels import EventChannel, PageChannel
from .event_view import EventView
from .model import HallView
from .pages import language_of, page, render, stream
from .site import Asking, Here

ON_SCREEN = 16
"""Lines of the standings that can be read from ten metres."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event")
def event_page(request: Request, site: Here, asking: Asking) -> Response:
    """Sessions, tables and standings, with what may be done."""
    return page(request, "event.html", asking, **_event_values(site.event.view, asking.role))


@router.get("/event/sessions/{session}/tables/{table}")
def sheet_page(session: int, table: int, request: Request, site: Here, asking: Asking) -> Response:
    """One table in one session: its deals and what a scorer or referee does about them."""
    found = site.event.sheet(session, table)
    if found is None:
        raise BadName("there is no such table in this session")
    sheet, deals = found
    judges = may_use(asking.role, "POST", "/api/v1/event/penalties")
    values: dict[str, Any] = {"session": session, "sheet": sheet, "deals": deals, "judges": judges}
    values["scores"] = may_use(asking.role, "POST", "/api/v1/event/sessions/{session}/tables/{table}/results")
    given = site.event.penalties_of([number for number, _ in sheet.players]) if judges else ()
    return page(request, "sheet.html", asking, **values, given=given, catalogue=site.event.catalogue())


@router.get("/event/sessions/{session}/tables/{table}/declare")
def declare_page(
    session: int, table: int, request: Request, site: Here, asking: Asking, deal: int | None = None
) -> Response:
    """Where a scorer taps a deal in, sees what it comes to, and enters it; with `deal`, in the place of that one."""
    sheet, deals = site.event.sheet(session, table) or (None, ())
    if sheet is None or (deal is not None and all(one.deal != deal for one in deals)):
        raise BadName("there is no such table in this session, or no such deal")
    return page(request, "declare.html", asking, session=session, sheet=sheet, corrects=deal)


@router.get("/screen")
def screen_page(request: Request, site: Here, asking: Asking) -> Response:
    """The hall's screen."""
    return page(request, "screen.html", asking, event=site.event.view, lines=ON_SCREEN)


@router.get("/live/screen")
async def live_screen(request: Request, site: Here, _: Asking) -> Response:
    """What keeps the hall's screen up to date."""
    language = language_of(request)
    make = partial(PageChannel, "screen", partial(_screen_body, site.event, language))
    return stream(request, ("screen", language), make)


@router.get("/live/event")
async def live_event(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the event's page up to date."""
    language = language_of(request)
    book = site.event
    make = partial(EventChannel, lambda: book.view, partial(_event_body, language, asking.role))
    return stream(request, ("event", language, asking.role), make)


@router.get("/players")
def players_page(request: Request, site: Here, asking: Asking) -> Response:
    """All players, each with a link to the own page."""
    return page(request, "players.html", asking, event=site.event.view)


@router.get("/players/{player}")
def player_page(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """One player: the next table, and the results that everybody may see."""
    view = site.event.view
    name = dict(view.players).get(player)
    if name is None:
        raise BadName("there is no such player")
    rank = next((one for one in view.ranks if one.player == player), None)
    values: dict[str, Any] = {"number": player, "name": name, "seats": view.seats_of(player), "rank": rank}
    return page(request, "player.html", asking, event=view, **values)


@router.get("/players/{player}/qr.svg")
def player_code(player: int, request: Request, site: Here, _: Asking) -> Response:
    """The address of a player's page as a QR code, for badges and lists."""
    if player not in dict(site.event.view.players):
        raise BadName("there is no such player")
    code = BytesIO()
    segno.make(f"{request.base_url}players/{player}", micro=False).save(
        code, kind="svg", scale=6, dark="#000", light="#fff"
    )
    return Response(code.getvalue(), media_type="image/svg+xml")


def _event_values(view: EventView, role: str) -> dict[str, Any]:
    steps = may_use(role, "POST", "/api/v1/event/sessions/{session}/start")
    scores = may_use(role, "POST", "/api/v1/event/sessions/{session}/tables/{table}/confirm")
    return {"event": view, "may_step": steps, "may_score": scores}


def _screen_body(book: Book, language: str, _: HallView) -> str:
    return render("screen_body.html", language, event=book.view, lines=ON_SCREEN)


def _event_body(language: str, role: str, view: EventView) -> str:
    return render("event_body.html", language, **_event_values(view, role))
