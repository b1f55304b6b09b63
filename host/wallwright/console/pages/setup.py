"""The pages of what comes before play: players and boards, the draw with its transcript, the seats of a session."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ...event.desk import Desk as EventDesk
from ...event.state_parts import MAIN
from ..api.setup import look_at_boards, look_at_draw, look_at_seats
from ..feed.channels import ValueChannel
from ..guard import Asking, Here, Site, language_of
from ..people.access import may_use
from ..tournament.setup_view import DrawView, view_players
from .views import page, render, stream

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/setup")
def setup_page(request: Request, site: Here, asking: Asking) -> Response:
    """Players, draws, seats and boards, with what a director does about them."""

    def look(desk: EventDesk) -> dict[str, Any]:
        state = desk.state
        return {
            "changes": tuple(reversed(state.all_changes)),
            "roster": view_players(state),
            "playing": desk.state.playing is not None,
        }

    tables = site.desk.view.tables
    boards = look_at_boards(site)
    units = [table.unit for table in tables if table.unit is not None]
    bound = {board.unit: board.table for board in boards if board.unit is not None}
    return page(
        request,
        "setup.html",
        asking,
        **site.event.ask(look),
        directs=may_use(asking.role, "POST", "/api/v1/event/players"),
        draws=site.event.draws,
        sessions=site.event.view.sessions,
        boards=boards,
        without=[board.table for board in boards if board.unit is None],
        bound=bound,
        free=[unit for unit in units if unit not in bound],
        units=[(table.unit, table.name, table.is_connected) for table in tables if table.unit is not None],
        unknown=[table.name for table in tables if table.unit is None],
    )


@router.get("/draws")
def draws_page(site: Here, _: Asking) -> Response:
    """The draw that matters now: the last that was begun."""
    begun = [draw.stage for draw in site.event.draws if draw.commitment]
    return RedirectResponse(f"/draws/{begun[-1] if begun else MAIN}", 303)


@router.get("/draws/{stage}")
def draw_page(stage: str, request: Request, site: Here, asking: Asking) -> Response:
    """A draw as far as it has come, for everybody; its steps for the director."""
    return page(request, "draw.html", asking, **_draw_values(site, asking.role, look_at_draw(site, stage)))


@router.get("/live/draws/{stage}")
async def live_draw(stage: str, request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the page of a draw up to date."""
    language = language_of(request)
    look_at_draw(site, stage)

    def body(draw: DrawView) -> str:
        return render("draw_body.html", site.voice(language), **_draw_values(site, asking.role, draw))

    make = partial(ValueChannel, "draw", lambda: site.event.view, partial(look_at_draw, site, stage), body)
    return stream(request, asking, ("draw", stage, language, asking.role), make)


@router.get("/seats/{session}")
def seats_page(session: int, request: Request, site: Here, asking: Asking) -> Response:
    """Who sits where in a session, to be read and to be printed."""
    seats = look_at_seats(site, asking, session)
    return page(request, "seats.html", asking, seats=seats, title=site.event.view.name)


def _draw_values(site: Site, role: str, draw: DrawView) -> dict[str, Any]:
    works = may_use(role, "GET", "/setup")
    return {
        "draw": draw,
        "others": [one.stage for one in site.event.draws if one.stage != draw.stage],
        "shown": draw.sessions if works else draw.opened,
        "works": works,
        "may_draw": may_use(role, "POST", "/api/v1/event/draws/{stage}/commit"),
    }
