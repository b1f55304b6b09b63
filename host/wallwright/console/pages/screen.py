"""The hall's screen, which everybody may read."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..feed.channels import PageChannel
from ..guard import Asking, Here, Site, language_of
from ..hall.model import HallView
from ..qr import path_of
from ..tournament.book import Book
from ..tournament.screen_view import view_screen
from .views import page, render, stream

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/screen")
def screen_page(request: Request, site: Here, asking: Asking) -> Response:
    """The hall's screen."""
    return page(request, "screen.html", asking, **_values(site, site.event))


@router.get("/live/screen")
async def live_screen(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the hall's screen up to date, and turns its pages."""
    language, book = language_of(request), site.event
    make = partial(PageChannel, "screen", partial(_screen_body, site, book, language))
    return stream(request, asking, ("screen", language), make)


def _screen_body(site: Site, book: Book, language: str, _: HallView) -> str:
    return render("screen_body.html", site.voice(language), **_values(site, book))


def _values(site: Site, book: Book) -> dict[str, Any]:
    signed = site.signed
    code = None if signed is None else path_of(str(signed.checkpoint))
    return {
        "event": book.view,
        "screen": view_screen(book, is_signed=signed is not None),
        "signed": signed,
        "code": code,
    }
