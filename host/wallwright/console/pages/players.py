"""The players' own pages, which need no account, the list of all of them, and badges with their codes."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...event.disclosure import EVERYBODY
from ...event.format import NO_SIGNING
from ...words import words
from ..feed.channels import ValueChannel
from ..feed.checkpoints import WitnessChannel
from ..guard import Asking, Here, Site, language_of
from ..people.access import may_use
from ..qr import code_of, path_of
from ..tournament.book import Book
from ..tournament.player_view import PlayerPage, view_player
from ..tournament.setup_view import by_name
from .views import page, render, stream

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/players")
def players_page(request: Request, site: Here, asking: Asking) -> Response:
    """All players by name, each with a link to the own page; a field and clubs find one."""
    players = known_players(site)
    clubs = sorted({club for _, _, club in players if club}, key=by_name)
    badges = may_use(asking.role, "GET", "/players/badges")
    pins = site.event.ask(lambda desk: desk.format.player_signing != NO_SIGNING)
    return page(request, "players.html", asking, players=players, clubs=clubs, badges=badges, pins=pins)


@router.get("/players/badges")
def badges_page(request: Request, site: Here, asking: Asking) -> Response:
    """A code for each player, to be printed and cut."""
    listed = known_players(site, but_withdrawn=True)
    players = [(*one, path_of(f"{request.base_url}players/{one[0]}")) for one in listed]
    return page(request, "badges.html", asking, players=players)


@router.get("/players/{player}")
def player_page(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """One player: the next table, and the results that everybody may see."""
    values = _values(site.event, _find(site, player))
    return page(request, "player.html", asking, event=site.event.view.name, **values)


@router.get("/live/players/{player}")
async def live_player(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """What keeps a player's page up to date."""
    language, book = language_of(request), site.event
    _find(site, player)

    def body(shown: PlayerPage | None) -> str:
        assert shown is not None
        return render("player_body.html", site.voice(language), **_values(book, shown))

    def make() -> WitnessChannel:
        inner = ValueChannel("player", lambda: book.view, partial(_look, book, player), body)
        return WitnessChannel(inner, lambda: site.signed)

    return stream(request, asking, ("player", str(player), language), make)


@router.get("/players/{player}/qr.svg")
def player_code(player: int, request: Request, site: Here, _: Asking) -> Response:
    """The address of a player's page as a QR code, for badges and lists."""
    _find(site, player)
    return Response(code_of(f"{request.base_url}players/{player}"), media_type="image/svg+xml")


def _look(book: Book, player: int) -> PlayerPage | None:
    public = book.ranks.tables[EVERYBODY]
    return book.ask(lambda desk: view_player(desk.state, book.view, public, player))


def _find(site: Site, player: int) -> PlayerPage:
    found = _look(site.event, player)
    if found is None:
        raise BadName(words("there is no such player"))
    return found


def _values(book: Book, shown: PlayerPage) -> dict[str, Any]:
    draws = [draw.stage for draw in book.draws if draw.commitment]
    return {"player": shown, "draws": draws}


def known_players(site: Site, *, but_withdrawn: bool = False) -> list[tuple[int, str, str]]:
    """Number, name and club of everybody who plays for themselves, by name."""
    roster = site.event.ask(lambda desk: desk.state.roster).players
    out = site.event.ask(lambda desk: set(desk.state.withdrawn)) if but_withdrawn else set()
    known = [(one.number, one.name, one.club) for one in roster if not one.stand_in and one.number not in out]
    return sorted(known, key=lambda one: by_name(one[1]))
