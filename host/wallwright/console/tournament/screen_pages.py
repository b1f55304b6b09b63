"""The hall's screen, which everybody may read."""

from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ..channels import PageChannel
from ..hall.model import HallView
from ..pages import language_of, page, render, stream
from ..site import Asking, Here
from .book import Book
from .screen_view import view_screen

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/screen")
def screen_page(request: Request, site: Here, asking: Asking) -> Response:
    """The hall's screen."""
    return page(request, "screen.html", asking, event=site.event.view, screen=view_screen(site.event))


@router.get("/live/screen")
async def live_screen(request: Request, site: Here, _: Asking) -> Response:
    """What keeps the hall's screen up to date, and turns its pages."""
    language = language_of(request)
    make = partial(PageChannel, "screen", partial(_screen_body, site.event, language))
    return stream(request, ("screen", language), make)


def _screen_body(book: Book, language: str, _: HallView) -> str:
    return render("screen_body.html", language, event=book.view, screen=view_screen(book))
