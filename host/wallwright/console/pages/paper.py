"""What is printed for a tournament: blank score sheets and slips to sign, table by table, and the report at its end."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...event.desk import Desk
from ...event.disclosure import EVERYBODY, RESULTS, may_see, shown_penalties
from ...event.lifecycle import COUNTED
from ...event.score_origins import number as in_words
from ...words import words
from ..guard import Asking, Here, Site
from ..tournament.view import SessionView
from .views import page

LINES = 12
"""Deals on a sheet where the format sets no limit."""
SPARE = 2
"""Further lines, for deals that are played again."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/sessions/{session}/score-sheets")
def score_sheets_page(session: int, request: Request, site: Here, asking: Asking) -> Response:
    """A page for each table, on which a deal a line is written by hand."""
    found = _find(site, session)
    deals = site.event.ask(lambda desk: desk.format.deals) or LINES
    return page(request, "score_sheets.html", asking, session=found, event=site.event.view, lines=deals + SPARE)


@router.get("/event/sessions/{session}/slips")
def slips_page(session: int, request: Request, site: Here, asking: Asking) -> Response:
    """A slip for each table, with its points once they are known, for four signatures."""
    found = _find(site, session)
    known = found.state in COUNTED or any(sheet.deals for sheet in found.tables)
    return page(request, "slips.html", asking, session=found, event=site.event.view, known=known)


@router.get("/event/report")
def report_page(request: Request, site: Here, asking: Asking) -> Response:
    """All that everybody may know of the event, to be printed and kept."""
    view, table = site.event.view, site.event.ranks.tables[EVERYBODY]
    values: dict[str, Any] = site.event.ask(_public_parts)
    sessions = [one for one in view.sessions if one.number in values["shown"]]
    return page(
        request, "report.html", asking, event=view, sessions=sessions, draws=site.event.draws, rows=table.rows,
        numbers=table.sessions, state=table.status, in_words=in_words, **values,
    )  # fmt: skip


def _public_parts(desk: Desk) -> dict[str, Any]:
    given = [(one, desk.state.name(one.player)) for one in shown_penalties(desk.state, EVERYBODY) if not one.withdrawn]
    shown = [number for number in desk.state.sessions if may_see(desk.state, EVERYBODY, RESULTS, number)]
    return {"given": given, "rules": desk.format.ruleset.name, "shown": shown}


def _find(site: Site, session: int) -> SessionView:
    found = site.event.view.session(session)
    if found is None:
        raise BadName(words("there is no such session"))
    return found
