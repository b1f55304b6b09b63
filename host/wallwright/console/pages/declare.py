"""The page on which a scorer taps a deal in, or changes one that has a result."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName, EventRefused
from ...event import results
from ...event.lifecycle import FINAL
from ...words import words
from ..api.results import APPROVE
from ..guard import Asking, Here, voice_of
from ..people.access import may_use
from .views import page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/sessions/{session}/tables/{table}/declare")
def declare_page(
    session: int, table: int, request: Request, site: Here, asking: Asking, deal: int | None = None
) -> Response:
    """Where a scorer taps a deal in, sees what it comes to, and enters it; with `deal`, in the place of that one."""
    book = site.event
    sheet, deals = book.sheet(session, table) or (None, ())
    old = next((one for one in deals if one.deal == deal), None)
    if sheet is None or (deal is not None and old is None):
        raise BadName(words("there is no such table in this session, or no such deal"))
    # Nobody is to tap in a deal that would be refused at the end.
    if old is None:
        book.ask(lambda desk: desk.sheet_in_play(session, table))
    elif not may_use(asking.role, "POST", APPROVE):
        book.ask(lambda desk: results.check_open(desk, session))
    place = f"/event/sessions/{session}/tables/{table}"
    start = None if old is None else book.deals.record(book.deals.finished(old.entry))
    number = book.ask(lambda desk: desk.sheet(session, table).next_deal) if old is None else old.deal
    kept = book.ask(lambda desk: desk.sheet(session, table).kept_before(number))
    form = book.form(kept if start is None else start)
    if form is None:
        raise EventRefused(words("this game has no form for its deals; use `wallwright event result --declared`"))
    approves = may_use(asking.role, "POST", APPROVE)
    setup: dict[str, Any] = {
        "api": f"/api/v1{place}",
        "next": place,
        "version": sheet.version,
        "players": book.players_at(session, table, deal),
        "deal": number,
        "dealer": book.ask(lambda desk: desk.sheet(session, table).next_dealer) if old is None else old.dealer,
        "corrects": deal,
        "is_final": book.ask(lambda desk: desk.session(session).state) == FINAL,
        "referee": asking.name if approves else "",
        "form": asdict(form),
        "kept": kept or {},
        "start": start,
    }
    # Another event's deals on the same device are not meant.
    setup["keep"] = f"declare {book.view.name} {session}.{table}.{setup['deal']} {'corrects' if old else 'new'}"
    voice = voice_of(request)
    labels = {name: label.said(voice) for name, label in form.labels.items()}
    values: dict[str, Any] = {
        "setup": setup,
        "form": form,
        "labels": labels,
        "sheet": sheet,
        "old": old,
        "approves": approves,
    }
    return page(request, "declare.html", asking, **values)
