"""Players sign their table on phones, in Debian's Chromium: by the code of the slip, and with the PIN typed."""

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.serving import Serving
from tests.host.console.test_signing_pages import begin_signed_event, pins_on_slips, wrong_pin
from tests.host.fleet.served import until


@pytest.fixture
def signing(serving: Serving) -> Serving:
    serving.stop()
    begin_signed_event(serving.place)
    serving.start()
    return serving


def test_four_sign_at_their_phones_and_one_that_goes_round(browser: Browser, signing: Serving) -> None:
    event = signing.place.site.event
    four = event.ask(lambda desk: desk.sheet(1, 1).players)
    with visiting(browser, signing, "director") as director:
        director.goto(f"{signing.address}/players")
        director.get_by_role("link", name="PINs to print").click()
        expect(director.locator(".badges li")).to_have_count(8)
        shown(director, "pins")
        assert checks_passed(director) > 20
        pins = pins_on_slips(director.content())
        name = director.get_by_text(f"P{four[0]}", exact=True)
        slip = director.locator(".badges li", has=name).get_by_text("Code").inner_text()
    for _ in range(6):
        wrong = httpx2.post(
            f"{signing.address}/api/v1/event/players/{four[0]}/table", json={"pin": wrong_pin(pins)}, timeout=60
        )
    assert wrong.status_code == 429
    with visiting(browser, signing, "public", PHONE) as phone:
        phone.goto(f"{signing.address}/players/{four[0]}/sign#{pins[four[0]]}{slip.removeprefix('Code ')}")
        expect(phone.locator("#sign-results")).to_contain_text("Session 1, table 1")
        assert "#" not in phone.url, "the PIN does not stay in sight"
        expect(phone.get_by_label("Your PIN")).to_be_hidden()
        shown(phone, "sign-phone")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert checks_passed(phone) > 15
        phone.get_by_role("button", name="They are right: I sign").click()
        expect(phone.get_by_text("You have signed these results.")).to_be_visible()
        expect(phone.get_by_role("button", name="They are right: I sign")).to_be_hidden()
    with visiting(browser, signing, "scorer", PHONE, "zh-CN") as round_phone:
        for player in four[1:]:
            round_phone.goto(f"{signing.address}/event/sessions/1/tables/1")
            round_phone.locator("#players-sign").get_by_role("link", name=f"P{player} 签字").click()
            round_phone.get_by_label("您的 PIN").fill("000000" if pins[player] != "000000" else "000001")
            round_phone.get_by_role("button", name="查看本桌成绩").click()
            expect(round_phone.get_by_role("alert")).to_have_text("PIN 不正确")
            round_phone.get_by_label("您的 PIN").fill(pins[player])
            round_phone.get_by_role("button", name="查看本桌成绩").click()
            round_phone.get_by_role("button", name="无误，签字").click()
            expect(round_phone.get_by_text("已签字：")).to_contain_text(f"P{player}")
        expect(round_phone.get_by_text("全部签字完毕，本桌结束。")).to_be_visible()
        shown(round_phone, "sign-done-phone")
    until(lambda: event.view.sessions[0].tables[0].signed_off)
    assert not event.view.sessions[0].tables[1].signed_off
