"""The question before many tables of a session are confirmed or signed at once."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...event import together
from ...event.desk import Desk
from ..api.together import disputes_of, lines_of
from ..guard import Asking, Here, voice_of
from ..tournament.waiting import version_of
from .views import render

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Act = Literal["confirm", "sign-off"]
_FIND = {"confirm": together.find_to_confirm, "sign-off": together.find_to_sign}


@router.get("/event/sessions/{session}/together/{act}")
def together_dialog(session: int, act: Act, request: Request, site: Here, _: Asking) -> Response:
    """The question before many tables are confirmed or signed: which, and which not and why not."""
    voice = voice_of(request)
    disputes = disputes_of(site, session)

    def look(desk: Desk) -> tuple[together.Found, dict[int, int]]:
        found = _FIND[act](desk, session, disputes)
        return found, {table: version_of(desk.sheet(session, table)) for table, _ in found.ready}

    found, versions = site.event.ask(look)
    left = lines_of(found.left, voice)
    return HTMLResponse(
        render("together.html", voice, act=act, session=session, found=found, versions=versions, left=left)
    )
