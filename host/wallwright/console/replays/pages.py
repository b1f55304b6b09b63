"""The pages of finished deals: a table's list of them, and one that is stepped through, with a link to every step."""

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...rules.words import words
from ..hall.desk import Person
from ..pages import page
from ..people.access import PUBLIC, may_use
from ..site import Asking, Here, Site, TableName, table_path
from .replay import Replay

EMBARGO = words("this deal is shown once its session is published; who works at the event signs in to see it")

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/tables/{table}/deals")
def deals_page(table: TableName, request: Request, site: Here, asking: Asking) -> Response:
    """The finished deals of a table, the newest first."""
    found = site.desk.view.table(table)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(table)))
    deals = () if site.deals is None or found.unit is None else site.deals.of(found.unit)
    return page(request, "deals.html", asking, name=table, deals=deals, may_open=_may_open(site, asking, found.unit))


@router.get("/replays/{entry}")
def replay_page(entry: int, request: Request, site: Here, asking: Asking, step: int = 0) -> Response:
    """A deal that the hall's journal has, by the number of its result. Only who works there sees one of an event."""
    if site.deals is None:
        raise BadName(words("this console keeps no deals"))
    found = site.deals.finished(entry)
    if found.unit is None:
        raise BadName(words("entry {entry} belongs to the event; its table's page has it", entry=entry))
    if not _may_open(site, asking, found.unit):
        raise BadName(EMBARGO)
    table = next((one.name for one in site.desk.view.tables if one.unit == found.unit), None)
    back = None if table is None or asking.role == PUBLIC else f"{table_path(table)}/deals"
    values = {"deal": found.deal, "back": back, "place": table or found.unit, "names": ()}
    return _show(request, asking, site.deals.replay(found), step, values)


@router.get("/event/sessions/{session}/tables/{table}/deals/{deal}")
def event_deal_page(
    session: int, table: int, deal: int, request: Request, site: Here, asking: Asking, step: int = 0
) -> Response:
    """A deal of the event; for everybody once its session is published."""
    book = site.event
    is_staff = _works_there(asking)
    if not is_staff and not book.is_public(session):
        raise BadName(EMBARGO)
    sheet, deals = book.sheet(session, table) or (None, ())
    found = next((one for one in deals if one.deal == deal), None)
    if sheet is None or found is None:
        raise BadName(words("there is no such deal"))
    back = f"/event/sessions/{session}/tables/{table}" if is_staff else None
    names = tuple(name for _, name in sheet.players)
    values = {"deal": deal, "back": back, "place": f"{session}.{table}", "names": names}
    return _show(request, asking, book.deals.replay(book.deals.finished(found.entry)), step, values)


def _show(request: Request, asking: Person, replay: Replay, step: int, values: dict[str, Any]) -> Response:
    last = len(replay.moves) - 1
    at = min(max(step, 0), last)
    values |= {"replay": replay, "at": at, "last": last, "position": replay.at(at)}
    return page(request, "replay.html", asking, here=quote(request.url.path), **values)


def _may_open(site: Site, asking: Person, unit: str | None) -> bool:
    """An event's deals are under its embargo, whichever journal they are in."""
    return _works_there(asking) or site.book is None or not site.book.plays_at(unit)


def _works_there(person: Person) -> bool:
    return may_use(person.role, "GET", "/event")
