"""A player's own page: the next table, and of results only what is published; the list of players, and badges."""

import re
from random import Random
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import SEED, Place
from tests.host.console.serving import Serving
from tests.host.console.test_pages import HOSTILE, check_harmless
from tests.host.event.paper import declared
from wallwright import shown_text
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, sanctions, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.naming import seat_name

DAN = Person("dan", "director")
ME = 1


def begun(place: Place, names: list[str], clubs: list[str]) -> Book:
    """An event of the players with these names and clubs, whose lots are drawn; some may sit out."""
    path = str(place.file.with_name("event.journal"))
    with open_event(path, "dan", place.clock, new=True) as desk:
        setup.create(desk, load_format("mil-2025"))
        players = [Player(number, *one) for number, one in enumerate(zip(names, clubs, strict=True), 1)]
        setup.import_players(desk, Roster(tuple(players)), "players.csv")
        setup.commit_draw(desk, MAIN, SEED, byes=len(names) % 4 > 0)
        setup.reveal_draw(desk, MAIN, SEED)
    place.site.book = book = Book(path, place.clock)
    return book


def table_of(book: Book, session: int) -> int:
    view = book.view.session(session)
    assert view is not None
    return next(sheet.table for sheet in view.tables if ME in dict(sheet.players))


def enter(book: Book, session: int, table: int, record: dict[str, Any]) -> None:
    book.do(DAN, lambda desk: results.record_result(desk, results.preview(desk, session, table, record)))


def play(place: Place, book: Book, session: int, deals: int) -> list[int]:
    """Play a session to its signatures; return what I got in each deal."""
    for step in ("open", "start"):
        book.step(DAN, session, step, "")
    table, chance = table_of(book, session), Random(session)
    mine = []
    for _ in range(deals):
        dealer = book.ask(lambda desk: desk.sheet(session, table).next_dealer)
        record, settlement = declared(book.find_ruleset(None), dealer, chance)
        enter(book, session, table, record)
        seat = book.ask(lambda desk: desk.sheet(session, table).players.index(ME))
        mine.append(settlement.points[seat])
    place.clock.now_ms += 3_600_000
    book.step(DAN, session, "stop", "it is late")
    book.do(DAN, lambda desk: [running.sign_off(desk, session, one.table) for one in desk.session(session).tables])
    return mine


def test_my_next_table_is_shown_as_soon_as_the_seats_are_open_and_with_its_time(place: Place) -> None:
    book = begun(place, [f"P{n}" for n in range(1, 9)], [""] * 8)
    guest = place.client()
    assert "The seats are not open yet." in guest.get("/players/1").text
    book.step(DAN, 1, "open", "")
    page = guest.get("/players/1").text
    table = table_of(book, 1)
    assert any(f"table {table}, {seat_name(seat)}" in page for seat in range(4))
    assert "The clock has not started yet." in page
    book.step(DAN, 1, "start", "")
    place.clock.now_ms += 90_000
    book.look()
    assert "59 minutes until the end" in guest.get("/players/1").text
    book.do(DAN, lambda desk: running.add_time(desk, 1, 5, "a tile was missing", table))
    assert "64 minutes until the end" in guest.get("/players/1").text
    others = [n for n in range(1, 9) if f"table {3 - table}, " in guest.get(f"/players/{n}").text]
    assert len(others) == 4
    assert all("59 minutes" in guest.get(f"/players/{n}").text for n in others)


def test_who_sits_out_is_told(place: Place) -> None:
    book = begun(place, [f"P{n}" for n in range(1, 6)], [""] * 5)
    book.step(DAN, 1, "open", "")
    out = book.ask(lambda desk: desk.session(1).byes)
    guest = place.client()
    told = [n for n in range(1, 6) if "You sit out in this session." in guest.get(f"/players/{n}").text]
    assert tuple(told) == out


def test_results_deals_and_penalties_are_shown_once_the_session_is_published(place: Place) -> None:
    book = begun(place, [f"P{n}" for n in range(1, 9)], [""] * 8)
    mine = play(place, book, 1, deals=2)
    book.do(DAN, lambda desk: sanctions.give_penalty(desk, ME, "warning", "late for the table", session=1))
    table = table_of(book, 1)
    deal = f"/event/sessions/1/tables/{table}/deals/2"
    guest = place.client()
    before = guest.get("/players/1").text
    assert "Results are shown when all tables are done." in before
    assert "late for the table" not in before
    assert deal not in before
    book.step(DAN, 1, "publish", "")
    page = guest.get("/players/1").text
    assert "late for the table" in page
    assert "after session 1" in page
    assert f">{sum(mine):+d}<" in page or sum(mine) == 0
    assert deal in page
    assert guest.get(deal).status_code == 200
    assert "late for the table" not in guest.get("/players/2").text
    play(place, book, 2, deals=1)
    assert "after session 1" in guest.get("/players/1").text, "session 2 is under embargo"
    book.step(DAN, 2, "publish", "")
    assert "after session 2" in guest.get("/players/1").text


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_clubs_may_be_anything(place: Place, text: str) -> None:
    begun(place, [f"{text[:32]}{n}" for n in range(4)], [text[:32]] * 4)
    for path in ("/players", "/players/1", "/players/badges"):
        assert shown_text.shown(text[:32]) in check_harmless(place.signed_in("director").get(path).text).text


def test_badges_have_everybodys_code_in_the_page_itself(place: Place) -> None:
    place.begin_event(8)
    page = place.signed_in("director").get("/players/badges").text
    assert "qr.svg" not in page, "a thousand players would be a thousand questions"
    drawn = re.findall(r'viewBox="0 0 (\d+) \d+"[^>]*><path d="([^"]+)"/>', page)
    assert len(drawn) == 8
    expected = {}
    for number in range(1, 9):
        code = segno.make(f"http://127.0.0.1/players/{number}", micro=False, error="M", boost_error=False, mask=2)
        expected[tuple(map(tuple, code.matrix_iter(scale=1, border=4)))] = number
    found = set()
    for size, path in drawn:
        modules = [[0] * int(size) for _ in range(int(size))]
        for x, y, run in re.findall(r"M(\d+) (\d+)\.5h(\d+)", path):
            for at in range(int(x), int(x) + int(run)):
                modules[int(y)][at] = 1
        found.add(expected[tuple(map(tuple, modules))])
    assert found == set(range(1, 9))


def test_a_phone_follows_when_seats_open_and_finds_players(browser: Browser, serving: Serving) -> None:
    place = serving.place
    serving.stop()
    names = ["Ann", "José", "王小明", "Ben", "Anna", "Bo", "Li", "王芳"]
    book = begun(place, names, ["North", "South"] * 4)
    serving.start()
    with visiting(browser, serving, "public", PHONE) as page:
        page.goto(f"{serving.address}/players/{ME}")
        live(page, serving)
        book.step(DAN, 1, "open", "")
        place.look()
        expect(page.locator(".place")).to_be_visible()
        assert checks_passed(page) > 10
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        shown(page, "player-phone")
        page.goto(f"{serving.address}/players")
        found = page.locator("#players li:visible bdi:first-of-type")
        expect(page.locator("#players li:visible")).to_have_count(8)
        page.get_by_label("Name, number or club").fill("jose")
        expect(page.locator("#players li:visible")).to_have_count(1)
        expect(found.first).to_have_text("José")
        page.get_by_label("Name, number or club").fill("")
        page.get_by_role("button", name="王").click()
        expect(page.locator("#players li:visible")).to_have_count(2)
        page.get_by_role("button", name="王").click()
        page.get_by_label("Club", exact=True).select_option("North")
        expect(page.locator("#players li:visible")).to_have_count(4)
        page.get_by_label("Name, number or club").fill("zzz")
        expect(page.get_by_text("Nobody is found by that.")).to_be_visible()
        assert checks_passed(page) > 10
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
