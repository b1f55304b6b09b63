"""The standings for everybody, and where each number in them comes from. What is under embargo is on neither page."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...event.desk import Desk
from ...event.disclosure import EVERYBODY, STAFF
from ...event.score_origins import explain_session, explain_total
from ...event.score_origins import number as in_words
from ...event.standings import ABSENT
from ...words import Words, words
from ..guard import Asking, Here, language_of, voice_of
from ..people.access import audience_of
from .views import page, render

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/standings")
def standings_page(request: Request, site: Here, asking: Asking, public: bool = False) -> Response:
    """All players with what every session gave; who works there sees those of sessions not yet published too."""
    audience = EVERYBODY if public else audience_of(asking.role)
    ranks, language = site.event.ranks, language_of(request)
    table = ranks.tables[audience]
    rendered = ranks.pages.get((audience, language))
    if rendered is None:
        rendered = render(
            "standings_rows.html", site.voice(language), rows=table.rows, sessions=table.sessions, in_words=in_words
        )
        ranks.pages[audience, language] = rendered
    values: dict[str, Any] = {
        "table": rendered,
        "sessions": table.sessions,
        "state": table.status,
        "for_staff": audience == STAFF,
        "works_here": audience_of(asking.role) == STAFF,
        "travellers": site.event.ask(_are_deals_shown),
    }
    return page(request, "standings.html", asking, event=site.event.view, **values)


def _are_deals_shown(desk: Desk) -> bool:
    return desk.state.deals is not None and desk.state.deals.shown is not None


@router.get("/event/standings/{player}")
def total_page(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """Where a player's total comes from: sessions, deals, penalties."""
    audience = audience_of(asking.role)
    table = site.event.ranks.tables[audience]
    found = next((row for row in table.rows if row.player == player), None)
    if found is None or not table.sessions:
        raise BadName(words("there is nothing to explain yet; results are shown when all tables are done"))

    def ask(desk: Desk) -> list[tuple[Words, ...]]:
        sat = [score.session for score in found.sessions if score.kind != ABSENT]
        each = [explain_session(desk.state, player, session, audience) for session in sat]
        return [explain_total(desk.state, player, table, audience), *each]

    say = voice_of(request)
    parts = [[line.said(say) for line in lines] for lines in site.event.ask(ask)]
    return page(request, "total.html", asking, name=found.name, parts=parts)
