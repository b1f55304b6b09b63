"""The page on which a scorer taps a deal in."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..errors import BadName
from .pages import page
from .site import Asking, Here

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/event/sessions/{session}/tables/{table}/declare")
def declare_page(
    session: int, table: int, request: Request, site: Here, asking: Asking, deal: int | None = None
) -> Response:
    """Where a scorer taps a deal in, sees what it comes to, and enters it; with `deal`, in the place of that one."""
    sheet, deals = site.event.sheet(session, table) or (None, ())
    if sheet is None or (deal is not None and all(one.deal != deal for one in deals)):
        raise BadName("there is no such table in this session, or no such deal")
    return page(request, "declare.html", asking, session=session, sheet=sheet, corrects=deal)
