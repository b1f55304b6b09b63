"""The event's pages in Debian's Chromium in play: news that take nothing away, a checkpoint that stays, labels."""

from random import Random

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.event.paper import declared
from tests.host.fleet.served import until
from wallwright.console.people.person import Person
from wallwright.event import appeals, results, running
from wallwright.event.desk import Desk

SAM, DAN = Person("sam", "scorer"), Person("dan", "director")
MINUTE_MS = 60_000


@pytest.fixture
def hall(serving: Serving) -> Place:
    """A tournament of four tables whose first session runs."""
    serving.stop()
    book = serving.place.begin_event(16)

    def begin(desk: Desk) -> None:
        running.open_session(desk, 1)
        running.start_session(desk, 1)

    book.do(DAN, begin)
    serving.start()
    return serving.place


def out_of_turn(desk: Desk) -> None:
    """A scorer enters a deal whose dealer it was not the turn of."""
    told, _ = declared(desk.format.sichuan, 1, Random(1))
    results.record_result(desk, results.preview(desk, 1, 1, told), "they sat down wrongly", approved=False)


def pass_time(place: Place, ms: int = 1000) -> None:
    place.clock.now_ms += ms
    place.look()


def test_news_take_nothing_away_from_who_types(browser: Browser, serving: Serving, hall: Place) -> None:
    with visiting(browser, serving, "referee") as page, visiting(browser, serving, "director") as director:
        director.goto(f"{serving.address}/event")
        page.goto(f"{serving.address}/event")
        live(page, serving)
        live(director, serving)
        typed = director.get_by_label("Reason: Stop the session")
        typed.fill("the hall clo")
        hall.site.event.do(SAM, out_of_turn)
        pass_time(hall)
        approve = page.get_by_role("button", name="Approve, table 1, Deal 1")
        expect(approve).to_be_visible()
        expect(director.get_by_role("row", name="Table 1").first).to_contain_text("waits for a referee")
        hall.site.event.do(DAN, lambda desk: running.add_time(desk, 1, 5, "the lid was stuck", 2))
        pass_time(hall)
        own = director.locator("[sse-swap='row1-2'] .time")
        expect(own).to_have_text("64:58")
        pass_time(hall, MINUTE_MS)
        expect(own).to_have_text("63:58")
        approve.click()
        until(lambda: not hall.site.event.view.waits)
        pass_time(hall)
        expect(page.get_by_role("heading", name="Waits for you")).to_be_hidden()
        director.get_by_label("Minutes for the hall").fill("5")
        director.get_by_label("Reason: Add time").fill("a long speech")
        director.get_by_role("button", name="Add time").click()
        expect(director.get_by_text("✓ Add time")).to_be_visible()
        expect(director.get_by_label("Minutes for the hall")).to_have_value("")
        expect(director.get_by_label("Reason: Add time")).to_have_value("")
        typed.focus()
        hall.site.event.do(DAN, lambda desk: running.pause(desk, 1, "lunch"))
        pass_time(hall)
        expect(director.get_by_text("paused").first).to_be_visible()
        expect(typed).to_have_value("the hall clo")
        expect(typed).to_be_focused()
        shown(director, "event-typing")


def test_a_checkpoint_stays_until_it_is_closed(browser: Browser, serving: Serving, hall: Place) -> None:
    def end(desk: Desk) -> None:
        running.stop_session(desk, 1, "time")
        for table in (1, 2, 3):
            running.sign_off(desk, 1, table)

    hall.site.event.do(DAN, end)
    with visiting(browser, serving, "scorer", PHONE) as scorer, visiting(browser, serving, "director") as page:
        page.goto(f"{serving.address}/event")
        live(page, serving)
        scorer.goto(f"{serving.address}/event")
        scorer.get_by_role("button", name="Sign off, table 4").click()
        expect(scorer.get_by_text("✓ Sign off")).to_be_visible()
        expect(scorer.get_by_text("WALLWRIGHT2:")).to_be_hidden()
        pass_time(hall)
        box = page.get_by_role("status").filter(has_text="WALLWRIGHT2:")
        expect(box).to_be_visible()
        page.goto(f"{serving.address}/event/sessions/1")
        expect(box).to_be_visible()
        shown(page, "checkpoint")
        page.emulate_media(media="print")
        expect(page.get_by_role("table")).to_be_visible()
        expect(box).to_be_hidden()
        page.emulate_media(media="screen")
        box.get_by_role("button", name="Close").click()
        expect(box).to_be_hidden()
        page.reload()
        expect(page.get_by_role("heading", name="Session 1")).to_be_visible()
        expect(box).to_be_hidden()
        page.goto(f"{serving.address}/event")
        expect(page.get_by_role("heading", name="Session 1")).to_be_visible()
        expect(box).to_be_hidden()
        page.goto(f"{serving.address}/event/papers")
        expect(page.get_by_text("WALLWRIGHT2:")).to_be_visible()
        shown(page, "papers")
        scorer.goto(f"{serving.address}/event/papers")
        expect(scorer.get_by_text("WALLWRIGHT2:")).to_be_visible()


def open_all(page: Page) -> None:
    for fold in page.locator("details").all():
        fold.evaluate("fold => { fold.open = true }")


BUSIEST = ["", "/sessions/2/tables/1"]
ALL = [*BUSIEST, "/sessions/1", "/sessions/1/tables/1", "/appeals", "/standings", "/standings/3", "/papers"]


@pytest.mark.parametrize(
    ("size", "locale", "dark", "checked"), [(DESK, "en-US", False, BUSIEST), (PHONE, "zh-CN", True, ALL)]
)
def test_every_page_can_be_read_by_everybody(
    browser: Browser, serving: Serving, hall: Place, size: ViewportSize, locale: str, dark: bool, checked: list[str]
) -> None:
    def end(desk: Desk) -> None:
        running.stop_session(desk, 1, "time")
        for table in range(1, 5):
            running.sign_off(desk, 1, table)
        running.publish(desk, 1)
        appeals.file_appeal(desk, 1, 3, "The kong was seen by everybody at the table.")
        running.open_session(desk, 2)
        running.start_session(desk, 2)

    hall.site.event.do(DAN, end)
    with visiting(browser, serving, "director", size, locale, dark) as page:
        for path in ALL:
            page.goto(f"{serving.address}/event{path}")
            open_all(page)
            if path in checked:
                assert checks_passed(page) > 20
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path
