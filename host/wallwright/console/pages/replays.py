"""The pages of finished deals: a table's list of them, and one that is stepped through, with a link to every step."""

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...event.disclosure import EVERYBODY, RESULTS, STAFF
from ...words import words
from ..guard import Asking, Here, Site, TableName, table_path, voice_of
from ..people.access import PUBLIC, audience_of
from ..people.person import Person
from ..replays.deals import EMBARGO, Finished
from ..replays.replay import Replay
from .views import page

"""What is not shown and what there is not are answered alike: the answer tells nothing of a deal."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/tables/{table}/deals")
def deals_page(table: TableName, request: Request, site: Here, asking: Asking) -> Response:
    """The finished deals of a table, the newest first."""
    found = site.desk.view.table(table)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(table)))
    deals = () if site.deals is None or found.unit is None else site.deals.of(found.unit)
    shown = tuple(deal for deal in deals if _may_open(site, asking, deal))
    return page(request, "deals.html", asking, name=table, deals=shown, are_all=len(shown) == len(deals))


@router.get("/replays/{entry}")
def replay_page(entry: int, request: Request, site: Here, asking: Asking, step: int = 0) -> Response:
    """A deal of the hall's journal, by the number of its result; one of an event once its session is published."""
    if site.deals is None:
        raise BadName(words("this console keeps no deals"))
    if site.book is not None and audience_of(asking.role) == EVERYBODY:
        told = site.deals.find(entry)
        if told is None or told.unit is None or not _may_open(site, asking, told):
            raise BadName(EMBARGO)
    found = site.deals.finished(entry)
    if found.unit is None:
        raise BadName(words("entry {entry} belongs to the event; its table's page has it", entry=entry))
    table = next((one.name for one in site.desk.view.tables if one.unit == found.unit), None)
    back = None if table is None or asking.role == PUBLIC else f"{table_path(table)}/deals"
    place = found.unit if table is None else voice_of(request).hall_table(table, begins=True)
    values = {"deal": found.deal, "back": back, "place": place, "names": (), "washed_s": found.washed_s}
    return _show(request, asking, site.deals.replay(found), step, values)


@router.get("/event/sessions/{session}/tables/{table}/deals/{deal}")
def event_deal_page(
    session: int, table: int, deal: int, request: Request, site: Here, asking: Asking, step: int = 0
) -> Response:
    """A deal of the event; for everybody once its session is published."""
    book = site.event
    audience = audience_of(asking.role)
    if not book.may_see(audience, RESULTS, session):
        raise BadName(EMBARGO)
    sheet, deals = book.sheet(session, table) or (None, ())
    found = next((one for one in deals if one.deal == deal), None)
    if sheet is None or found is None:
        raise BadName(words("there is no such deal"))
    back = f"/event/sessions/{session}/tables/{table}" if audience == STAFF else None
    names = book.players_at(session, table, deal)
    voice = voice_of(request)
    place = voice(", ").join((voice("Session {number}", number=session), voice.table(table)))
    finished = book.deals.finished(found.entry)
    values = {"deal": deal, "back": back, "place": place, "names": names, "washed_s": finished.washed_s}
    return _show(request, asking, book.deals.replay(finished), step, values)


def _show(request: Request, asking: Person, replay: Replay, step: int, values: dict[str, Any]) -> Response:
    last = len(replay.moves) - 1
    at = min(max(step, 0), last)
    values |= {"replay": replay, "at": at, "last": last, "position": replay.at(at)}
    return page(request, "replay.html", asking, here=quote(request.url.path), **values)


def _may_open(site: Site, asking: Person, deal: Finished) -> bool:
    return site.book is None or site.book.may_see_result(audience_of(asking.role), deal.entry)
