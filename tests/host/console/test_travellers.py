"""The travellers of an event of pairs, on the console: after the reveal alone, for everybody."""

import re

from playwright.sync_api import Browser

from tests.host.console.browsing import visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_pages import check_harmless
from tests.host.event.test_pairs import Day
from wallwright.console.tournament.book import Book
from wallwright.duplicate.announced import announced
from wallwright.event.same_deals import commit_deals, reveal_deals


def begin(place: Place, *, shown: bool) -> None:
    """An event of four pairs at two tables, which have played a deal."""
    path = place.file.with_name("event.journal")
    day = Day(path, "pairs", 8)
    day.draw()
    commit_deals(day.desk, announced(day.deals))
    day.start()
    day.play(1, 1, (3, -1, -1, -1))
    day.play(2, 1, (0, -20, 0, 20))
    day.end()
    if shown:
        reveal_deals(day.desk, day.deals)
    day.journal.close()
    place.site.book = place.desk._progress = Book(str(path), place.clock)


def test_nothing_is_shown_before_the_deals_are(place: Place) -> None:
    begin(place, shown=False)
    answer = place.client().get("/event/travellers")
    assert answer.status_code == 409
    assert "after the last table has played" in answer.text
    assert "/event/travellers" not in place.client().get("/event/standings").text


def test_everybody_sees_what_all_tables_made_of_each_deal(place: Place) -> None:
    begin(place, shown=True)
    assert '<a href="/event/travellers">' in place.client().get("/event/standings").text
    page = check_harmless(place.client().get("/event/travellers").text).text
    # Nobody has played deal 2.
    assert (page.count("Deal 1"), page.count("Deal 2")) == (1, 0)
    text = re.sub(r"\s+", " ", page)
    # East and West: +2 at one table, 0 at the other, so 1 match point each way.
    assert re.search(r"1P\d \+3P\d -1P\d -1P\d -11-1 ", text), text
    assert re.search(r"2P\d 0P\d -20P\d 0P\d \+20-11 ", text), text
    chinese = place.client().get("/event/travellers?lang=zh").text
    assert "Travellers" not in chinese
    standings = place.client().get("/event/standings").text
    assert "Percent" in standings
    assert "55" in standings


def test_a_player_s_browser_goes_from_the_standings_to_the_travellers(place: Place, browser: Browser) -> None:
    begin(place, shown=True)
    serving = Serving(place)
    try:
        with visiting(browser, serving, "public") as page:
            page.goto(f"{serving.address}/event/standings")
            page.get_by_role("link", name="Travellers").click()
            assert page.get_by_role("heading", level=1).inner_text() == "Travellers"
            assert page.locator("table").count() == 1
    finally:
        serving.stop()
