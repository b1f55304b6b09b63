"""Confirm all and Sign off all that agree, in Debian's Chromium: what would be done is shown before it is."""

from random import Random

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_browser_running import DAN, pass_time
from tests.host.event.paper import declared
from tests.host.fleet.served import until
from wallwright.event import running, setup
from wallwright.event.desk import Desk
from wallwright.rules.sichuan.records import settlement_record


def tell(desk: Desk, table: int, deal: int) -> None:
    """Let a table tell a deal, as the tracker does."""
    dealer = desk.sheet(1, table).next_dealer
    record, settled = declared(desk.format.sichuan, dealer, Random(1))
    body = {"deal": deal, "end": record["end"], "hands": [], **settlement_record(settled)}
    desk.append(
        "deal_started", {"deal": deal, "dealer": dealer, "ruleset": "sichuan"}, at_ms=desk.now(), unit=f"U-A{table}"
    )
    desk.append("deal_result", body, at_ms=desk.now(), unit=f"U-A{table}")


@pytest.fixture
def hall(serving: Serving) -> Place:
    """Three tables, of which two have told two deals each."""
    serving.stop()
    book = serving.place.begin_event(12)

    def begin(desk: Desk) -> None:
        for table in (1, 2, 3):
            setup.bind_table(desk, table, f"U-A{table}")
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        for table in (1, 2):
            for deal in (1, 2):
                tell(desk, table, deal)

    book.do(DAN, begin)
    serving.start()
    return serving.place


def test_many_tables_are_confirmed_and_signed_off_at_once(browser: Browser, serving: Serving, hall: Place) -> None:
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(f"{serving.address}/event")
        live(page, serving)
        hall.fleet.tell("A2", "referee_called", side=1)
        pass_time(hall)
        page.get_by_role("button", name="Confirm all").click()
        expect(page.locator("#ready li")).to_have_text(["table 1 · A1 Deal 1, 2"])
        expect(page.locator("#left")).to_contain_text("table 2 · A2: a referee is called there")
        shown(page, "together-confirm-phone")
        assert checks_passed(page) > 10
        page.get_by_role("button", name="Confirm them").click()
        until(lambda: hall.site.event.view.sessions[0].tables[0].unconfirmed == ())
        assert hall.site.event.view.sessions[0].tables[1].unconfirmed == (1, 2)
        hall.site.event.do(DAN, lambda desk: running.stop_session(desk, 1, "the hall closes"))
        pass_time(hall)
        page.get_by_role("button", name="Sign off all that agree").click()
        expect(page.locator("#ready li")).to_have_text(["table 1 · A1 Deal 1, 2"])
        expect(page.locator("#left li").first).to_contain_text("table 2 · A2: deal 1 is not confirmed")
        expect(page.locator("#left li").last).to_have_text("table 3 · A3: it has no result at all")
        shown(page, "together-sign-phone")
        page.get_by_role("button", name="Sign them off").click()
        until(lambda: hall.site.event.view.sessions[0].tables[0].signed_off)
        assert [one.signed_off for one in hall.site.event.view.sessions[0].tables] == [True, False, False]


def test_a_table_that_changed_since_it_was_shown_is_left(browser: Browser, serving: Serving, hall: Place) -> None:
    pass_time(hall)
    with visiting(browser, serving, "director") as page:
        page.goto(f"{serving.address}/event")
        page.get_by_role("button", name="Confirm all").click()
        expect(page.locator("#ready li")).to_have_count(2)
        hall.site.event.do(DAN, lambda desk: tell(desk, 2, 3))
        page.get_by_role("button", name="Confirm them").click()
        expect(page.locator("#said")).to_contain_text("table 2 · A2: it has changed meanwhile; look at it again")
        view = hall.site.event.view.sessions[0]
        assert [one.unconfirmed for one in view.tables] == [(), (1, 2, 3), ()]
