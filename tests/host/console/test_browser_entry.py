"""Entry that nobody can get wrong, in Debian's Chromium: what is asked, what is shown, and a server that dies."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.hall import PASSWORD, Place
from tests.host.console.serving import Serving
from tests.host.console.tapping import (
    DAN,
    ENTRY,
    Record,
    pick,
    running,
    tap_deal,
    tap_hand,
    tap_hu,
    written,
)
from wallwright.event import results
from wallwright.journal import read_journal

HU: Record = {"seat": 1, "standing": "1122334455667s", "winning": "7s", "void": "p"}
SELF_DRAWN: Record = {"type": "hu", "by": "self_drawn"}
TIME_UP: Record = {"events": [], "end": "time_up", "hands": []}
ENTERED = "**/event/sessions/1/tables/1"


def entries(place: Place, kind: str = "result_recorded") -> list[Any]:
    return [entry.body for entry in read_journal(place.file.with_name("event.journal")) if entry.kind == kind]


def entered(place: Place, record: Record) -> None:
    """A deal that somebody has entered before."""
    place.site.event.do(DAN, lambda desk: results.record_result(desk, results.preview(desk, 1, 1, record), "so it was"))


def test_a_mistyped_hu_is_asked_and_corrected_and_costs_nothing(browser: Browser, serving: Serving) -> None:
    running(serving.place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_hu(page, SELF_DRAWN, {**HU, "winning": "8s"}, is_same=False)
        asked = page.locator("#doubts li")
        expect(asked).to_contain_text("mistyped, or a false Hu?")
        expect(page.locator("#points")).to_be_hidden()
        shown(page, "entry-false-hu")
        assert checks_passed(page) > 10
        asked.get_by_role("button", name="Mistyped").click()
        page.locator("#hand .won button").click()
        page.locator("[data-kind='7s']").click()
        page.get_by_role("button", name="Keep the change").click()
        expect(page.locator("#points b")).to_have_text(["-9", "+27", "-9", "-9"])
        expect(asked).to_have_count(0)


@pytest.mark.parametrize(("role", "waits"), [("scorer", True), ("referee", False)])
def test_a_false_hu_is_what_a_referee_says_and_is_marked(
    browser: Browser, serving: Serving, role: str, waits: bool
) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, role, PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_hu(page, SELF_DRAWN, {**HU, "winning": "8s"}, is_same=False)
        if waits:
            # Nobody is named yet, so nothing is said.
            page.get_by_role("button", name="A false Hu").click()
            expect(page.locator("#doubts li")).to_have_count(1)
            page.get_by_label("Which referee says so?").and_(page.locator("#doubts input")).fill("Rita")
        page.get_by_role("button", name="A false Hu").click()
        expect(page.locator("#points b")).to_have_text(["+8", "-24", "+8", "+8"])
        expect(page.locator("#told")).to_contain_text("false Hu")
        pick(page, "way", "end")
        pick(page, "end", "wall")
        for seat in (0, 2, 3):
            tap_hand(page, {"seat": seat, "value": 0})
            page.locator("#note").click()
        page.get_by_text("Why these points").click()
        referee = "Rita" if waits else "referee one"
        expect(page.locator("#lines")).to_contain_text(f"found by the referee {referee} (SBR-7.2)")
        shown(page, f"entry-false-hu-{role}")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
        expect(page.get_by_text(f"(referee {referee})")).to_be_visible()
        assert page.get_by_text("waits for a referee").is_visible() == waits
        shown(page, f"entry-false-hu-sheet-{role}")
        page.goto(f"{serving.address}/event")
        expect(page.locator(".waits").get_by_text("false Hu: P2")).to_have_count(1 if waits else 0)
    [body] = entries(place)
    assert (body["false_hu"], body["approved"]) == ([{"seat": 1, "referee": referee}], not waits)


def test_a_false_hu_without_tiles_names_its_referee(browser: Browser, serving: Serving) -> None:
    running(serving.place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        pick(page, "seat", 1)
        pick(page, "given", "false")
        page.locator("#note").click()
        expect(page.locator("#form-problem")).to_contain_text("Name the referee")
        page.locator("#referee").fill("Rita")
        page.locator("#note").click()
        expect(page.locator("#points b")).to_have_text(["+8", "-24", "+8", "+8"])


def test_a_hand_that_pays_by_its_tiles_is_asked_at_the_end(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    record: Record = {
        "events": [],
        "end": "wall",
        "hands": [
            {"seat": 0, "value": 8},
            {"seat": 1, "standing": "112233445567m1s", "void": "p", "not_ready": True},
            {"seat": 2, "standing": "1112223334447p", "void": "p", "holds_void": True},
            {"seat": 3, "value": 0},
        ],
    }
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        pick(page, "way", "end")
        pick(page, "end", "wall")
        for hand in record["hands"]:
            tap_hand(page, hand)
            page.locator("#note").click()
        asked = page.locator("#doubts li")
        expect(asked).to_contain_text(["mistyped, or not ready?", "mistyped, or does it hold its forbidden suit?"])
        shown(page, "entry-doubts")
        # The first was mistyped: there are two 6m, so seven pairs wait for 1s.
        asked.first.get_by_role("button", name="Mistyped").click()
        page.locator("#hand").get_by_role("button", name="7").click()
        page.locator("[data-kind='6m']").click()
        page.get_by_role("button", name="Keep the change").click()
        expect(asked).to_have_count(1)
        asked.get_by_role("button", name="It holds it").click()
        expect(page.locator("#points-title")).to_have_text("Points of the deal")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
    hands = written(place)["record"]["hands"]
    assert [sorted({"not_ready", "holds_void"} & set(hand)) for hand in hands] == [[], [], ["holds_void"], []]


def test_items_come_first_with_the_value_they_give(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        pick(page, "way", "kong")
        pick(page, "seat", 1)
        page.locator("#note").click()
        pick(page, "seat", 1)
        expect(page.locator("[data-kind='1m']")).to_be_hidden()
        expect(page.locator("#worth-sum")).to_have_text("1 fan = 2")
        expect(page.locator("#worth-implied")).to_contain_text("kong")
        expect(page.locator("[name=item][value=seven_pairs]")).to_be_disabled()
        pick(page, "item", "golden_wait")
        expect(page.locator("[name=item][value=all_pungs]")).to_be_checked()
        expect(page.locator("[name=roots][value='1']")).to_be_disabled()
        expect(page.locator("#worth-sum")).to_have_text("3 fans = 8")
        page.locator("[name=item][value=all_pungs]").uncheck()
        expect(page.locator("[name=item][value=golden_wait]")).not_to_be_checked()
        pick(page, "item", "full_flush")
        pick(page, "roots", 1)
        # Four fans, and the limit of the rules.
        expect(page.locator("#worth-sum")).to_have_text("4 fans = 8")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        shown(page, "entry-items")
        page.locator("#note").click()
        expect(page.locator("#points b")).to_have_text(["-11", "+33", "-11", "-11"])
        expect(page.locator("#told li").last).to_contain_text("full flush")
        pick(page, "way", "end")
        pick(page, "end", "wall")
        for seat in (0, 2, 3):
            tap_hand(page, {"seat": seat, "value": 0})
            page.locator("#note").click()
        page.get_by_text("Why these points").click()
        expect(page.locator("#lines")).to_contain_text("Agreed at the table, no tiles:")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
        expect(page.get_by_text("agreed at the table, no tiles")).to_be_visible()
        shown(page, "entry-items-sheet")
        page.get_by_role("link", name="Correct a deal, Deal 1").click()
        page.locator("#told button").nth(1).click()
        expect(page.locator("#worth-sum")).to_have_text("4 fans = 8")
    [body] = entries(place)
    assert (body["agreed"], body["approved"]) == ([1], True)
    assert body["record"]["events"][1]["winners"] == [{"seat": 1, "items": ["root", "full_flush"]}]


def test_the_tiles_are_in_sight_when_a_long_deal_is_corrected(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    kongs = [{"type": "kong", "seat": seat, "kind": "postponed"} for seat in (0, 0, 1, 1, 2, 2, 3, 3)]
    hands = [{"seat": seat, "value": 0} for seat in range(4)]
    entered(place, {"events": kongs, "end": "wall", "hands": hands})
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(f"{serving.address}{ENTRY}?deal=1")
        expect(page.locator("#points-title")).to_have_text("Points of the deal")
        page.locator("#told button").last.click()
        pick(page, "given", "tiles")
        page.locator(".keys").scroll_into_view_if_needed()
        covered = page.locator("[data-kind]").evaluate_all(
            """keys => keys.filter((key) => {
                const at = key.getBoundingClientRect();
                const over = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
                return at.bottom > innerHeight || at.top < 0 || !key.contains(over);
            }).map((key) => key.dataset.kind)"""
        )
        assert covered == []
        shown(page, "entry-correcting")


def to_the_end(page: Page, serving: Serving) -> None:
    """A deal that is ready to be entered."""
    page.goto(serving.address + ENTRY)
    hands = [{"seat": seat, "value": 0} for seat in range(4)]
    tap_deal(page, {"events": [{"type": "kong", "seat": 1, "kind": "concealed"}], "end": "wall", "hands": hands})
    expect(page.locator("#points-title")).to_have_text("Points of the deal")


def test_a_server_that_dies_is_tried_again_and_has_the_deal_once(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        serving.stop()
        page.get_by_role("button", name="Enter it").click()
        expect(page.get_by_role("status").filter(has_text="Not entered yet")).to_be_visible()
        expect(page.locator("#form")).to_have_attribute("inert", "")
        shown(page, "entry-trying")
        assert entries(place) == []
        serving.start()
        page.wait_for_url(ENTERED)
        expect(page.get_by_text("Enter a deal")).to_be_visible()
    assert len(entries(place)) == 1


def test_an_answer_that_was_lost_is_asked_for_again_under_the_same_key(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        keys: list[str] = []

        def lose(route: Route) -> None:
            keys.append(route.request.headers["idempotency-key"])
            if not entries(place):
                route.fetch()
            route.abort("connectionrefused")

        page.route("**/results*", lose)
        page.get_by_role("button", name="Enter it").click()
        expect(page.get_by_role("status").filter(has_text="Not entered yet")).to_be_visible()
        page.unroute("**/results*")
        page.get_by_role("button", name="Try now").click()
        page.wait_for_url(ENTERED)
    assert len(entries(place)) == 1
    assert len(set(keys)) == 1


def test_a_page_that_was_closed_while_it_tried_goes_on_when_it_is_opened(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        page.route("**/results*", lambda route: route.abort("connectionrefused"))
        page.get_by_role("button", name="Enter it").click()
        expect(page.get_by_role("status").filter(has_text="Not entered yet")).to_be_visible()
        page.goto("about:blank")
        assert entries(place) == []
        page.unroute("**/results*")
        page.goto(serving.address + ENTRY)
        page.wait_for_url(ENTERED)
    assert len(entries(place)) == 1


def test_what_is_tried_can_be_changed_first(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)

        def lose(route: Route) -> None:
            # A try that is under way when the deal is changed is looked at after that on a busy machine: what was
            # first to be entered never arrives, whenever it is sent.
            is_changed = json.loads(route.request.post_data or "")["record"]["hands"][3]["value"] == 8
            route.continue_() if is_changed else route.abort("connectionrefused")

        page.route("**/results*", lose)
        page.get_by_role("button", name="Enter it").click()
        page.get_by_role("button", name="Change it first").click()
        expect(page.get_by_role("status").filter(has_text="Not entered yet")).to_be_hidden()
        page.locator("#told button").last.click()
        pick(page, "given", "value")
        pick(page, "value", 8)
        page.get_by_role("button", name="Keep the change").click()
        expect(page.locator("#points-title")).to_have_text("Points of the deal")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
    [body] = entries(place)
    assert body["record"]["hands"][3]["value"] == 8


def test_a_server_that_died_while_it_wrote_is_asked_anew_and_writes_once(browser: Browser, serving: Serving) -> None:
    """It knows the key and no answer to it: the page takes another key, and the table's version tells the rest."""
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        finish = place.accounts.finish
        # What a kill leaves behind: begun, done, and nobody was answered.
        place.accounts.finish = lambda *_: None  # type: ignore[method-assign]
        page.route("**/results*", lambda route: (route.fetch(), route.abort("connectionrefused")))
        page.get_by_role("button", name="Enter it").click()
        expect(page.get_by_role("status").filter(has_text="Not entered yet")).to_be_visible()
        place.accounts.finish = finish  # type: ignore[method-assign]
        page.unroute("**/results*")
        page.get_by_role("button", name="Try now").click()
        expect(page.get_by_role("alert").filter(has_text="may have been entered")).to_be_visible()
    assert len(entries(place)) == 1


def test_who_is_signed_out_comes_back_to_the_deal_with_all_that_was_noted(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        page.context.clear_cookies()
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/sign-in?next=*")
        page.get_by_label("Name").fill("scorer one")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**" + ENTRY)
        expect(page.locator("#told li")).to_have_count(5)
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
    assert len(entries(place)) == 1


def test_another_sign_in_meanwhile_does_not_stop_an_entry(browser: Browser, serving: Serving) -> None:
    """Somebody has signed in anew in another window: the page's token is of the session before."""
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        to_the_end(page, serving)
        session = place.signed_in("scorer").cookies["wallwright_session"]
        page.context.add_cookies([{"name": "wallwright_session", "value": session, "url": serving.address}])
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url(ENTERED)
    assert len(entries(place)) == 1


def test_a_final_session_offers_no_entry(browser: Browser, serving: Serving) -> None:
    place = serving.place
    book = running(place)
    entered(place, TIME_UP)
    book.step(DAN, 1, "stop", "time is up")
    for table in (1, 2):
        with place.signed_in("scorer") as client:
            sheet = book.sheet(1, table)
            assert sheet is not None
            path = f"/api/v1/event/sessions/1/tables/{table}/sign-off"
            headers = {"Idempotency-Key": f"signed-by-{table}"}
            assert client.post(path, json={"version": sheet[0].version}, headers=headers).status_code == 200
    for step in ("publish", "finalise"):
        book.step(DAN, 1, step, "nobody appeals")
    sheet = book.sheet(1, 1)
    assert sheet is not None
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(f"{serving.address}/event/sessions/1/tables/1")
        expect(page.get_by_role("heading", name="Deals")).to_be_visible()
        expect(page.get_by_role("link", name="Correct")).to_have_count(0)
        expect(page.get_by_role("link", name="Enter a deal")).to_have_count(0)
        for path in (ENTRY, f"{ENTRY}?deal=1"):
            answer = page.goto(serving.address + path)
            assert answer is not None
            assert answer.status == 409
            expect(page.get_by_text("session 1 is final")).to_be_visible()
            expect(page.locator("#declare")).to_have_count(0)
        shown(page, "entry-final")
    with place.signed_in("scorer") as client:
        body = {"record": TIME_UP, "corrects": 1, "version": sheet[0].version, "reason": "something else"}
        path = "/api/v1/event/sessions/1/tables/1/results"
        refused = client.post(path, json=body, headers={"Idempotency-Key": "a-late-correction"})
        assert (refused.status_code, entries(place, "result_corrected")) == (409, [])
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(f"{serving.address}/event/sessions/1/tables/1")
        page.get_by_role("link", name="Correct a deal, Deal 1").click()
        expect(page.get_by_text("A correction opens it to appeals again.")).to_be_visible()
