"""The page of what waits for a referee, for a phone: calls, who is on the way, deals to decide."""

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..feed.feed import json_message, message
from ..guard import Asking, Here, Site, language_of
from ..hall.desk import Happening
from ..hall.model import HallView
from ..texts import minutes
from .views import hall_values, page, render, stream

WAITS_MS = 1000
"""How long the calls have waited is sent this often."""
SHOWN = 60
"""Deals to decide that are shown, the oldest; nobody decides more at once."""

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class CallsChannel:
    """What waits: `body(view)` is sent when anything of it has changed, the time that calls have waited by itself."""

    def __init__(self, body: Callable[[HallView], str]) -> None:
        self._body = body
        self._before: object = None
        self._told_ms = 0

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        return message("calls", self._body(view))

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.changes."""
        now = (view.calls, view.deals, _names(view), view.journal_problem)
        before, self._before = self._before, now
        if before is not None and before != now:
            return message("calls", self._body(view))
        if not view.calls or abs(view.at_ms - self._told_ms) < WAITS_MS:
            return b""
        self._told_ms = view.at_ms
        return json_message("since", {call.id: minutes(view.at_ms - call.since_ms) for call in view.calls})


@router.get("/calls")
def calls_page(request: Request, site: Here, asking: Asking) -> Response:
    """What waits for a referee."""
    return page(request, "calls.html", asking, **_values(site, asking.role, site.desk.view))


@router.get("/live/calls")
async def live_calls(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps that page up to date."""
    language, role = language_of(request), asking.role
    make = partial(
        CallsChannel, lambda view: render("calls_body.html", site.voice(language), **_values(site, role, view))
    )
    return stream(request, asking, ("calls", language, role), make)


@router.get("/live/alarm")
async def live_alarm(request: Request, asking: Asking) -> Response:
    """What keeps the calls in the head of a page up to date that has no stream of its own."""
    return stream(request, asking, ("alarm", language_of(request)))


def _values(site: Site, role: str, view: HallView) -> dict[str, Any]:
    return {"view": view, "shown": SHOWN, **hall_values(site, role)}


def _names(view: HallView) -> object:
    """What the tables that call are called in the event, and who sits there."""
    return tuple((table.event_table, table.play and table.play.names) for table in view.tables if table.call)
