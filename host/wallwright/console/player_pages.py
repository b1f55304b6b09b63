"""The players' own pages, which need no account."""

from io import BytesIO
from typing import Any

import segno
from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..errors import BadName
from .pages import page
from .site import Asking, Here

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/players")
def players_page(request: Request, site: Here, asking: Asking) -> Response:
    """All players, each with a link to the own page."""
    return page(request, "players.html", asking, event=site.event.view)


@router.get("/players/{player}")
def player_page(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """One player: the next table, and the results that everybody may see."""
    view = site.event.view
    name = dict(view.players).get(player)
    if name is None:
        raise BadName("there is no such player")
    rank = next((one for one in view.ranks if one.player == player), None)
    values: dict[str, Any] = {"number": player, "name": name, "seats": view.seats_of(player), "rank": rank}
    return page(request, "player.html", asking, event=view, **values)


@router.get("/players/{player}/qr.svg")
def player_code(player: int, request: Request, site: Here, _: Asking) -> Response:
    """The address of a player's page as a QR code, for badges and lists."""
    if player not in dict(site.event.view.players):
        raise BadName("there is no such player")
    code = BytesIO()
    segno.make(f"{request.base_url}players/{player}", micro=False).save(
        code, kind="svg", scale=6, dark="#000", light="#fff"
    )
    return Response(code.getvalue(), media_type="image/svg+xml")
