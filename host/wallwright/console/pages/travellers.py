"""Travellers: what all tables have made of each deal, once the deals that everybody played are shown."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...event.desk import Desk
from ...event.disclosure import RESULTS, may_see
from ...event.same_deals import traveller_rows
from ...event.score_origins import number as in_words
from ..guard import Asking, Here
from ..people.access import audience_of
from .views import page

Traveller = tuple[int, int, list[dict[str, Any]]]
"""A session, a deal of it, and a row a table."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/travellers")
def travellers_page(request: Request, site: Here, asking: Asking) -> Response:
    """Every deal that was played, of every session whose results may be seen; refused before the deals are shown."""
    audience = audience_of(asking.role)

    def ask(desk: Desk) -> list[Traveller]:
        every = [(session, deal) for session in desk.state.sessions or (1,) for deal in range(1, desk.format.deals + 1)]
        found = [(session, deal, traveller_rows(desk.state, session, deal)) for session, deal in every or [(1, 1)]]
        return [one for one in found if one[2] and may_see(desk.state, audience, RESULTS, one[0])]

    return page(request, "travellers.html", asking, travellers=site.event.ask(ask), in_words=in_words)
