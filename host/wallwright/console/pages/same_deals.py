"""The director's page of the deals that all tables play: which deal is at which table, and what is in the way."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..api.deals import look_at_deals
from ..deal_texts import said_of, to_do
from ..feed.channels import ValueChannel
from ..guard import Asking, Here, Site, language_of
from ..people.access import may_use
from ..tournament.deals_view import DealsView
from .views import page, render, stream

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/deals")
def deals_page(request: Request, site: Here, asking: Asking) -> Response:
    """Where the deals are, for who works at the event; a director replaces a spoilt one here, and reveals them."""
    return page(request, "same_deals.html", asking, view=look_at_deals(site), **_values(site, asking.role))


@router.get("/live/event/deals")
async def live_deals(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps that page up to date."""
    look_at_deals(site)  # what is wrong with that is said before the stream begins
    language, role = language_of(request), asking.role
    body = partial(_body, site, language, role)
    # What a table does, what the event says and how long ago a machine has asked: each is looked at anew.
    make = partial(ValueChannel, "deals", object, partial(look_at_deals, site), body)
    return stream(request, asking, ("deals", language, role), make)


def _body(site: Site, language: str, role: str, view: DealsView | None) -> str:
    return render("same_deals_body.html", site.voice(language), view=view, **_values(site, role))


def _values(site: Site, role: str) -> dict[str, Any]:
    faults = {table.name: table.fault for table in site.desk.view.tables}
    return {
        "directs": may_use(role, "POST", "/api/v1/event/deals/replace"),
        "faults": faults,
        "said_of": said_of,
        "to_do": to_do,
    }
