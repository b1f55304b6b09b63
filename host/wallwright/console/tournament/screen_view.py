"""What the hall's screen shows at a time: lines that are large enough to be read from ten metres, page after page.

Which page it is follows from the time alone, so that all screens of a hall show the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...event.lifecycle import OPEN, RUNNING
from .book import Book
from .setup_view import view_seats
from .view import SessionView

PAGE_MS = 10_000
TABLES_A_PAGE, NAMES_A_PAGE, RANKS_A_PAGE, CLOCKS_A_PAGE = 9, 42, 24, 6

TABLES, NAMES, CLOCK, RANKS, STATE, CODE = "tables", "names", "clock", "ranks", "state", "code"


@dataclass(frozen=True, slots=True)
class ScreenView:
    """One page of the screen, `page` of `pages`, and what is on it.

    TABLES and CLOCK have sheets (with a clock of their own), NAMES seats by name, RANKS lines of the standings, and
    STATE and CODE nothing. `plays_out` says whether the deal in progress is finished when time is up (SBR-4.9).
    """

    kind: str
    items: tuple[Any, ...]
    page: int
    pages: int
    session: SessionView | None
    plays_out: bool


def view_screen(book: Book, *, is_signed: bool = False) -> ScreenView:
    """Return what the screen shows now: seats before the start, then the clock, then standings that are published.

    Where the journal `is_signed` its checkpoint has a page of its own between lists; the clock's page has room for it.
    """
    event = book.view
    session = event.shown
    pages: list[tuple[str, tuple[Any, ...]]] = []
    if session is not None and session.state == OPEN:
        seats = book.ask(lambda desk: view_seats(desk.state, session.number))
        assert seats is not None
        pages += [(TABLES, part) for part in _parts(session.tables, TABLES_A_PAGE)]
        pages += [(NAMES, part) for part in _parts(seats.by_name, NAMES_A_PAGE)]
    elif session is not None and session.state == RUNNING:
        own = [sheet for sheet in session.tables if sheet.own_left_ms is not None]
        pages += [(CLOCK, part) for part in _parts(own, CLOCKS_A_PAGE)] or [(CLOCK, ())]
    elif session is not None and session.is_over:
        pages += [(RANKS, part) for part in _parts(event.ranks, RANKS_A_PAGE)]
    if is_signed and pages and pages[0][0] != CLOCK:
        pages.append((CODE, ()))
    pages = pages or [(STATE, ())]
    page = event.at_ms // PAGE_MS % len(pages)
    plays_out = book.plays_out
    return ScreenView(*pages[page], page + 1, len(pages), session, plays_out)


def _parts(items: Sequence[Any], size: int) -> Iterator[tuple[Any, ...]]:
    return (tuple(items[start : start + size]) for start in range(0, len(items), size))
