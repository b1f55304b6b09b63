"""The tournament's pages for those who work at it: sessions, and a table's results."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..errors import BadName
from .access import may_use
from .channels import EventChannel
from .event_view import EventView
from .pages import language_of, page, render, stream
from .site import Asking, Here

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


@router.get("/live/event")
async def live_event(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the event's page up to date."""
    language = language_of(request)
    book = site.event
    make = partial(EventChannel, lambda: book.view, partial(_event_body, language, asking.role))
    return stream(request, ("event", language, asking.role), make)


def _event_values(view: EventView, role: str) -> dict[str, Any]:
    steps = may_use(role, "POST", "/api/v1/event/sessions/{session}/start")
    scores = may_use(role, "POST", "/api/v1/event/sessions/{session}/tables/{table}/confirm")
    return {"event": view, "may_step": steps, "may_score": scores}


def _event_body(language: str, role: str, view: EventView) -> str:
    return render("event_body.html", language, **_event_values(view, role))
