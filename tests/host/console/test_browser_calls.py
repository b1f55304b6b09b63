"""What waits for a referee, on a phone in Debian's Chromium."""

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.serving import Serving
from tests.host.console.test_calls import DECLARE, DISPUTE, QUESTION, tell
from tests.host.fleet.served import until
from wallwright.rules.sichuan.settlement import Settlement


def test_a_referee_goes_to_a_call_and_says_what_it_was_about(browser: Browser, serving: Serving) -> None:
    place = serving.place
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(f"{serving.address}/calls")
        live(page, serving)
        expect(page.get_by_text("Nobody calls.")).to_be_visible()
        place.fleet.tell("A3", "referee_called", seq=1, side=1)
        place.look()
        going = page.get_by_role("button", name="I am going, A3")
        expect(going).to_be_visible()
        expect(page).to_have_title("(1) Calls · Wallwright")
        place.clock.now_ms += 83_000
        place.look()
        expect(page.get_by_text("1:23")).to_be_visible()
        going.click()
        until(lambda: bool(place.fleet.records))
        place.look()
        about = page.get_by_label("What it was about")
        about.fill("a tile on the floor")
        place.fleet.tell("A5", "referee_called", seq=2, side=0)
        place.look()
        expect(page.get_by_role("button", name="I am going, A5")).to_be_visible()
        expect(about).to_have_value("a tile on the floor")
        shown(page, "phone-calls")
        page.get_by_role("button", name="Done, A3").click()
        until(lambda: len(place.fleet.records) == 2)
        place.look()
        expect(about).to_have_count(0)
    acts = [record for _, record in place.fleet.records]
    assert [(act["act"], act["table"]) for act in acts] == [("take_call", "A3"), ("end_call", "A3")]
    assert acts[1]["words"] == "a tile on the floor"


def test_a_question_is_answered_and_its_points_are_seen(browser: Browser, serving: Serving) -> None:
    place = serving.place
    tell(place, "question", QUESTION, 20)
    place.look()
    place.fleet.settlement = Settlement((-3, 0, 3, 0), (), (), (), 1, (), (), "wall")
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(f"{serving.address}/tables/A1")
        live(page, serving)
        page.get_by_role("button", name="Answer 2 is right").click()
        expect(page.locator("#said")).to_contain_text("-3 0 +3 0")
        tell(place, "tracked", {"deal": 5, "points": [-3, 0, 3, 0], "text": "noted"}, 22)
        place.look()
        expect(page.get_by_role("button", name="Answer 2 is right")).to_have_count(0)
        expect(page.get_by_text("Deal 5 is worked out from its tiles: -3 +0 +3 +0")).to_be_visible()
    assert place.fleet.answered == [("A1", 5, 2)]


@pytest.mark.parametrize(("locale", "dark"), [("en-US", False), ("zh-CN", True)])
def test_axe_finds_nothing_serious_in_a_full_queue(browser: Browser, serving: Serving, locale: str, dark: bool) -> None:
    place = serving.place
    for seq, table in enumerate(("A1", "A2"), 1):
        place.fleet.tell(table, "referee_called", seq=seq, side=seq)
    for entry, (kind, body) in enumerate((("question", QUESTION), ("disputed", DISPUTE), ("to_declare", DECLARE)), 20):
        tell(place, kind, body, entry)
    place.look()
    place.signed_in("referee").post("/api/v1/calls/00000001-1/take", headers={"Idempotency-Key": "on-my-way"})
    place.look()
    checked = 0
    with visiting(browser, serving, "referee", PHONE, locale=locale, dark=dark) as page:
        for path in ("/calls", "/tables/A1"):
            page.goto(serving.address + path)
            checked += checks_passed(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is wider than a phone"
    assert checked > 10
