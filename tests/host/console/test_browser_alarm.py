"""Calls are heard, felt and escalate at every page of those who answer them, in Debian's Chromium."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, live, shown, visiting
from tests.host.console.serving import Serving
from tests.host.fleet.served import until
from wallwright.fleet.state import Change
from wallwright.link.reports import Event

MINUTE_MS = 60_000
SPY = """
window.notes = []; window.shakes = [];
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  const tone = make.call(this);
  const start = tone.start;
  tone.start = (at) => { window.notes.push(tone.frequency.value); start.call(tone, at); };
  return tone;
};
Navigator.prototype.vibrate = (pattern) => { window.shakes.push(pattern.length); return true; };
"""
DEAF = "delete window.AudioContext; delete window.webkitAudioContext;"


def notes(page: Page) -> int:
    """How many tones this page has played."""
    return int(page.evaluate("window.notes.length"))


def call(serving: Serving, table: str, seq: int) -> None:
    event = Event(seq, 1, 0, "referee_called", {"side": 1})
    serving.place.fleet.news.tell(Change(serving.place.clock.now_ms, table, "event", event=event))
    serving.place.look()


def later(serving: Serving, minutes: int) -> None:
    serving.place.clock.now_ms += minutes * MINUTE_MS
    serving.place.look()


def test_a_call_sounds_and_vibrates_and_again_when_nobody_takes_it(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "referee", PHONE) as page:
        page.add_init_script(SPY)
        page.goto(f"{serving.address}/calls")
        live(page, serving)
        switch, head = page.get_by_role("switch", name="Sound"), page.locator("#alarm")
        expect(switch).to_have_attribute("aria-checked", "false")
        call(serving, "A3", 1)
        expect(head).to_have_text("1")
        assert notes(page) == 0, "nobody has asked for sounds"
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "true")
        until(lambda: notes(page) == 2)
        expect(page.locator("#sound-notice")).to_be_hidden()
        call(serving, "A5", 2)
        until(lambda: notes(page) == 4)
        assert page.evaluate("window.shakes") == [3, 3]
        later(serving, 2)
        expect(page.locator("[data-wait]").first).to_have_text("2:00")
        assert notes(page) == 4
        later(serving, 1)
        expect(head).to_have_text("2 · waiting for 3 min")
        until(lambda: notes(page) == 10)
        assert page.evaluate("window.shakes") == [3, 3, 5]
        expect(page.locator(".in.overdue")).to_have_count(2)
        shown(page, "phone-calls-overdue")
        later(serving, 1)
        until(lambda: notes(page) == 16)
        for table in ("A3", "A5"):
            page.get_by_role("button", name=f"I am going, {table}").click()
        until(lambda: len(serving.place.fleet.records) == 2)
        serving.place.look()
        expect(head).to_have_text("")
        expect(page.locator(".in.overdue")).to_have_count(0)
        assert notes(page) == 16
        switch.click()
        call(serving, "A1", 3)
        expect(head).to_have_text("1")
        assert notes(page) == 16, "it is switched off"
        assert page.evaluate("window.shakes.length") == 5, "who wants no sound feels it all the same"


def test_the_switch_is_remembered_and_a_page_that_nobody_has_tapped_says_so(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "referee", PHONE) as page:
        page.add_init_script(SPY)
        page.goto(serving.address)
        live(page, serving)
        page.get_by_role("switch", name="Sound").click()
        until(lambda: notes(page) == 2)
        page.goto(f"{serving.address}/tables/A1")
        expect(page.get_by_role("switch", name="Sound")).to_have_attribute("aria-checked", "true")
        notice = page.get_by_text("This browser holds sounds back: tap the page once.")
        expect(notice).to_be_visible()
        shown(page, "phone-sound-held")
        call(serving, "A2", 1)
        expect(page.locator("#alarm")).to_have_text("1")
        # Playwright's own looks at a page count as taps of it, so the sound may come before this one.
        page.get_by_role("heading", name="A1").click()
        expect(notice).to_be_hidden()
        until(lambda: notes(page) == 2)


def test_a_browser_without_sounds_says_so(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "referee", PHONE) as page:
        page.add_init_script(DEAF)
        page.goto(serving.address)
        switch = page.get_by_role("switch", name="Sound")
        switch.click()
        expect(page.get_by_text("This browser plays no sounds")).to_be_visible()
        expect(switch).to_have_attribute("aria-checked", "false")


@pytest.mark.parametrize(("role", "path"), [("director", "/accounts"), ("referee", "/account"), ("referee", "/")])
def test_every_page_says_that_calls_wait_for_long(browser: Browser, serving: Serving, role: str, path: str) -> None:
    with visiting(browser, serving, role, DESK, locale="zh-CN") as page:
        page.goto(serving.address + path)
        live(page, serving)
        call(serving, "A3", 1)
        expect(page.locator("#alarm")).to_have_text("1")
        later(serving, 3)
        expect(page.locator("#alarm")).to_have_text("1 · 已等 3 分钟")
        shown(page, f"desk-overdue-{role}{path.replace('/', '-')}")
        assert checks_passed(page) > 10


def test_who_answers_no_calls_hears_none(browser: Browser, serving: Serving) -> None:
    call(serving, "A3", 1)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address)
        expect(page.get_by_role("switch", name="Sound")).to_have_count(0)
        expect(page.locator("#alarm")).to_have_count(0)
