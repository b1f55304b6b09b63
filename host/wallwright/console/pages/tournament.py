"""The tournament's pages for those who work at it: sessions, a table's results, appeals."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...event.acts import Act, last_act
from ...event.desk import Desk
from ...event.lifecycle import FINAL, OPEN, PLANNED, PLAYING, PROVISIONAL, RUNNING, UNDER_APPEAL
from ...event.players import NAME_LIMIT
from ...event.same_deals import has_same_deals
from ...event.sheets import appeal_rows
from ...event.undo import why_not
from ...words import words
from ..feed.channels import EventChannel
from ..guard import Asking, Here, Site, language_of, voice_of
from ..people.access import may_use
from ..tournament.view import EventView, SessionView, SheetView
from ..voice import Voice
from .views import module, page, render, stream

TOP = 16
"""Lines of the standings on the event's page; another page has all of them."""
_TABLE = "/api/v1/event/sessions/{session}/tables/{table}"

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event")
def event_page(request: Request, site: Here, asking: Asking) -> Response:
    """What waits, the session in play, the others, and standings, with what may be done."""
    rights = _rights(asking.role) | {"same_deals": site.event.ask(has_same_deals)}
    return page(request, "event.html", asking, event=site.event.view, top=TOP, **rights)


@router.get("/event/sessions/{session}")
def session_page(session: int, request: Request, site: Here, asking: Asking) -> Response:
    """The tables of one session."""
    found = site.event.view.session(session)
    if found is None:
        raise BadName(words("there is no such session"))
    return page(request, "session.html", asking, session=found, **_rights(asking.role))


@router.get("/event/sessions/{session}/tables/{table}")
def sheet_page(session: int, table: int, request: Request, site: Here, asking: Asking) -> Response:
    """One table in one session: its deals and what a scorer or referee does about them."""
    found = site.event.sheet(session, table)
    if found is None:
        raise BadName(words("there is no such table in this session"))
    sheet, deals = found
    judges = may_use(asking.role, "POST", "/api/v1/event/penalties")
    values: dict[str, Any] = {"session": session, "sheet": sheet, "deals": deals, "judges": judges}
    values["scores"] = may_use(asking.role, "POST", f"{_TABLE}/results")
    values["directs"] = may_use(asking.role, "POST", f"{_TABLE}/substitute")
    values |= site.event.ask(partial(_what_fits, session, table))
    values["has_form"] = site.event.has_form
    values["corrects"] = values["scores"] and (not values["is_final"] or judges)
    given = site.event.penalties_of(sheet.names) if judges else ()
    return page(request, "sheet.html", asking, **values, given=given, catalogue=site.event.catalogue())


@router.get("/event/appeals")
def appeals_page(
    request: Request, site: Here, asking: Asking, session: int | None = None, table: int | None = None
) -> Response:
    """All appeals; they are filed and decided here. `session` and `table` are those of a new one."""
    view = site.event.view
    values: dict[str, Any] = {
        "appeals": site.event.ask(lambda desk: appeal_rows(desk.state)),
        "open_sessions": [one for one in view.sessions if one.state in (PROVISIONAL, UNDER_APPEAL)],
        "appellants": site.event.ask(_appellants),
        "chosen": session,
        "table": table,
    }
    return page(request, "appeals.html", asking, **values, **_rights(asking.role))


@router.get("/event/undo")
def undo_page(request: Request, site: Here, asking: Asking) -> Response:
    """What was done last at the desk, with the act that undoes it, and what was undone."""
    return page(request, "undo.html", asking, **site.event.ask(partial(_last_act, voice_of(request))))


def _last_act(voice: Voice, desk: Desk) -> dict[str, Any]:
    state = desk.state
    act = last_act(state)
    why = None if act is None else why_not(state, act)
    return {
        "line": None if act is None else act.line(state).said(voice),
        "number": None if act is None else act.number,
        "why": None if why is None else why.said(voice),
        "undone": [(Act(one.entries).line(state).said(voice), one) for one in reversed(state.undone) if one.entries],
    }


def _appellants(desk: Desk) -> dict[int, list[tuple[int | None, list[tuple[int, str]]]]]:
    """By session and table, None for who sat out: numbers and names of those who may appeal."""
    name = desk.state.name
    return {
        number: [
            *((sheet.table, [(one, name(one)) for one in sheet.all_players]) for sheet in session.tables),
            (None, [(one, name(one)) for one in session.byes]),
        ]
        for number, session in desk.state.sessions.items()
    }


@router.get("/live/event")
async def live_event(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the event's page up to date."""
    language, book = language_of(request), site.event
    rights = _rights(asking.role) | {"same_deals": book.ask(has_same_deals)}
    make = partial(
        EventChannel,
        lambda: book.view,
        partial(_event_body, site, language, rights),
        partial(_row, site, language, rights),
        partial(_part, site, language, rights),
    )
    return stream(request, asking, ("event", language, asking.role), make)


def _rights(role: str) -> dict[str, bool]:
    return {
        "may_step": may_use(role, "POST", "/api/v1/event/sessions/{session}/start"),
        "may_score": may_use(role, "POST", f"{_TABLE}/confirm"),
        "may_judge": may_use(role, "POST", f"{_TABLE}/approve"),
        "may_decide": may_use(role, "POST", "/api/v1/event/appeals/{appeal}/decide"),
    }


def _what_fits(session: int, table: int, desk: Desk) -> dict[str, Any]:
    """What the state of a session and a table lets be done."""
    found, sheet = desk.session(session), desk.sheet(session, table)
    taken = {player for one in found.tables for player in one.players} | set(desk.state.withdrawn)
    return {
        "plays": found.state in PLAYING,
        "has_begun": found.state != PLANNED,
        "other_tables": [one.table for one in found.tables if one.table != table],
        "runs": found.state == RUNNING,
        "is_final": found.state == FINAL,
        "seats_change": found.state in (PLANNED, OPEN, *PLAYING),
        "appealable": found.state in (PROVISIONAL, UNDER_APPEAL),
        "reopens": found.state in (*PLAYING, PROVISIONAL, UNDER_APPEAL),
        "next_deal": sheet.next_deal,
        "machine_fault": desk.format.machine_fault,
        "free": [player.name for player in desk.state.players.values() if player.number not in taken],
        "name_limit": NAME_LIMIT,
    }


def _event_body(site: Site, language: str, rights: Mapping[str, bool], view: EventView) -> str:
    return render("event_body.html", site.voice(language), event=view, top=TOP, **rights)


def _row(site: Site, language: str, rights: Mapping[str, bool], session: SessionView, sheet: SheetView) -> str:
    return str(_parts(site, language, rights).row(session, sheet))


def _part(site: Site, language: str, rights: Mapping[str, bool], view: EventView, name: str) -> str:
    return str(getattr(_parts(site, language, rights), name)(view))


def _parts(site: Site, language: str, rights: Mapping[str, bool]) -> Any:
    return module("event_parts.html", site.voice(language), top=TOP, **rights)
