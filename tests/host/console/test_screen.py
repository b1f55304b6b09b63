"""The hall's screen: everybody is on one of its pages, nothing under embargo is, and lines are large enough."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.host.console.browsing import checks_passed, live, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.console.tournament.screen_view import (
    CLOCK,
    NAMES,
    PAGE_MS,
    RANKS,
    STATE,
    TABLES,
    ScreenView,
    view_screen,
)
from wallwright.event import running

DAN = Person("dan", "director")
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
LINE = PROJECTOR["height"] / 18
MINUTE_MS = 60_000


def leaf_through(place: Place, book: Book) -> Iterator[ScreenView]:
    """Every page of the screen, one after the other."""
    for _ in range(view_screen(book).pages):
        yield view_screen(book)
        place.clock.now_ms += PAGE_MS
        book.look()


def later(place: Place, book: Book, minutes: int) -> ScreenView:
    place.clock.now_ms += minutes * MINUTE_MS
    book.look()
    return view_screen(book)


@pytest.mark.parametrize("players", [8, 100])
def test_everybody_is_on_a_page_by_table_and_on_one_by_name(place: Place, players: int) -> None:
    book = place.begin_event(players)
    assert view_screen(book).kind == STATE
    book.step(DAN, 1, "open", "")
    pages = list(leaf_through(place, book))
    assert sorted(page.page for page in pages) == list(range(1, len(pages) + 1))
    tables = [sheet for page in pages if page.kind == TABLES for sheet in page.items]
    assert sorted(sheet.table for sheet in tables) == list(range(1, players // 4 + 1))
    everybody = sorted(f"P{number}" for number in range(1, players + 1))
    assert sorted(name for sheet in tables for _, name in sheet.players) == everybody
    names = [one for page in pages if page.kind == NAMES for one in page.items]
    assert sorted(one.name for one in names) == everybody
    seat_of = {name: sheet.table for sheet in tables for _, name in sheet.players}
    assert {one.name: one.table for one in names} == seat_of


def test_the_clock_warns_and_a_pause_says_why(place: Place) -> None:
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    assert (view_screen(book).kind, view_screen(book).items) == (CLOCK, ())
    with place.client() as guest:
        book.do(DAN, lambda desk: running.pause(desk, 1, "<b>fire drill</b>"))
        assert "&lt;b&gt;fire drill&lt;/b&gt;" in guest.get("/screen").text
        later(place, book, 30)
        book.do(DAN, lambda desk: running.end_pause(desk, 1))
        assert "fire drill" not in guest.get("/screen").text
        book.do(DAN, lambda desk: running.add_time(desk, 1, 7, "a fault", 2))
        seen = later(place, book, 1)
        assert [(sheet.table, sheet.own_left_ms) for sheet in seen.items] == [(2, 66 * MINUTE_MS)]
        assert "minutes left" not in guest.get("/screen").text
        warned = book.ask(lambda desk: desk.format.warnings)
        later(place, book, 59 - min(warned))
        assert f"Less than {min(warned)} minutes left" in guest.get("/screen").text
        later(place, book, min(warned))
        assert "The deal in progress is played out." in guest.get("/screen").text


def test_standings_are_shown_when_they_are_public_and_not_before(place: Place) -> None:
    book = place.begin_event(100)
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    later(place, book, 60)
    book.step(DAN, 1, "stop", "")
    assert view_screen(book).kind == STATE
    book.do(DAN, lambda desk: [running.sign_off(desk, 1, table) for table in range(1, 26)])
    assert view_screen(book).kind == STATE
    book.step(DAN, 1, "publish", "")
    pages = list(leaf_through(place, book))
    assert {page.kind for page in pages} == {RANKS}
    ranked = sorted((row for page in pages for row in page.items), key=lambda row: row.player)
    assert [row.player for row in ranked] == list(range(1, 101))


def heights(page: Page, selector: str) -> list[float]:
    """How high the lines are; none may be cut off at the lower edge."""
    # In one go: a message may put other elements there at any time.
    measure = "one => Array.from(document.querySelectorAll(one), (line) => line.getBoundingClientRect().toJSON())"
    boxes = page.evaluate(measure, selector)
    assert boxes
    assert all(box["bottom"] <= PROJECTOR["height"] and box["right"] <= PROJECTOR["width"] for box in boxes)
    return [box["height"] for box in boxes]


@pytest.mark.parametrize("players", [8, 256])
def test_lines_can_be_read_from_ten_metres(browser: Browser, serving: Serving, players: int) -> None:
    place = serving.place
    book = place.begin_event(players, "Alexandra Papadopoulou ")
    book.step(DAN, 1, "open", "")
    seen = set()
    with visiting(browser, serving, "public", PROJECTOR) as page:

        def look(*selectors: str) -> None:
            page.goto(f"{serving.address}/screen")
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            for selector in selectors:
                assert min(heights(page, selector)) >= LINE, selector
            kind = view_screen(book).kind
            if kind not in seen:
                assert checks_passed(page) > 5
                shown(page, f"screen-{players}-{kind}")
            seen.add(kind)

        while {TABLES, NAMES} - seen:
            lines = {TABLES: (".at-tables ol li", ".at-tables > li > b"), NAMES: (".by-names li",)}
            look(*lines[view_screen(book).kind])
            place.clock.now_ms += PAGE_MS
            book.look()
        book.step(DAN, 1, "start", "")
        book.do(DAN, lambda desk: running.add_time(desk, 1, 7, "a fault", 2))
        book.do(DAN, lambda desk: running.pause(desk, 1, "the lamps above tables 1 to 9 are being changed; " * 8))
        look(".time", ".own li", ".word")
        book.do(DAN, lambda desk: running.end_pause(desk, 1))
        if players == 8:
            later(place, book, 70)
            book.step(DAN, 1, "stop", "")
            book.do(DAN, lambda desk: [running.sign_off(desk, 1, table) for table in (1, 2)])
            book.step(DAN, 1, "publish", "")
            look(".ranking tbody tr")


def test_a_page_turns_by_itself(browser: Browser, serving: Serving) -> None:
    place = serving.place
    serving.stop()
    book = place.begin_event()
    serving.start()
    book.step(DAN, 1, "open", "")
    kinds = []
    with visiting(browser, serving, "public", PROJECTOR) as page:
        page.goto(f"{serving.address}/screen")
        live(page, serving)
        for _ in range(3):
            kinds.append(view_screen(book).kind)
            page.locator({TABLES: ".at-tables", NAMES: ".by-names"}[kinds[-1]]).wait_for()
            place.clock.now_ms += PAGE_MS
            place.look()
    assert kinds in ([TABLES, NAMES, TABLES], [NAMES, TABLES, NAMES])
