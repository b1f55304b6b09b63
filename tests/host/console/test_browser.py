"""The console in Debian's Chromium: what people see and press, on a desk and on a phone, in both languages."""

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import PASSWORD, Place
from tests.host.console.serving import Serving
from tests.host.fleet.served import until
from tests.host.journal.deals import write_deals
from wallwright.console.people.person import Person
from wallwright.console.replays.deals import Deals
from wallwright.journal import Journal


def test_a_fault_appears_and_is_cleared(browser: Browser, serving: Serving) -> None:
    place = serving.place
    with visiting(browser, serving, "operator") as page:
        page.goto(serving.address)
        expect(page.get_by_role("heading", name="All is well")).to_be_visible()
        live(page, serving)
        place.fleet.change("A4", state="fault", fault="tile_missing", fault_side=2)
        place.look()
        needing = page.get_by_role("region", name="Need somebody")
        expect(needing.get_by_role("listitem")).to_have_count(1)
        expect(needing).to_contain_text("Look on the floor")
        shown(page, "fault")
        needing.get_by_role("button", name="Clear fault, A4").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("its cause is mended")
        dialog.get_by_role("button", name="Clear fault").click()
        expect(page.get_by_role("status")).to_contain_text(["Clear fault · A4"])
        assert place.fleet.papers["A4"].asked == ["clear_fault"]
        place.fleet.change("A4", state="idle", fault=None, fault_side=None)
        place.look()
        expect(needing).to_have_count(0)


def test_a_scorer_says_on_a_phone_who_deals_next(browser: Browser, serving: Serving) -> None:
    place = serving.place
    place.fleet.change("A2", state="holding", stacks=(13, 13, 13, 13), set_whole=False)
    place.look()
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(f"{serving.address}/tables/A2")
        page.get_by_label("Next dealer").select_option("3")
        shown(page, "table-holding-phone")
        with page.expect_response("**/next-dealer") as answered:
            page.get_by_role("button", name="Build their walls").click()
        assert answered.value.ok
    assert (
        "dealer_called",
        {"deal": 3, "dealer": 3, "by": "scorer one (scorer)", "unit": "U-A2"},
    ) in place.fleet.records


def test_what_a_scorer_has_chosen_stays_when_the_table_tells_something(browser: Browser, serving: Serving) -> None:
    place = serving.place
    place.fleet.change("A2", state="holding", stacks=(13, 13, 13, 13), set_whole=False)
    place.look()
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(f"{serving.address}/tables/A2")
        live(page, serving)
        page.get_by_label("Next dealer").select_option("3")
        page.locator("#table form.acts").evaluate("form => { form.dataset.old = 'yes' }")
        place.fleet.change("A2", stacks=(13, 13, 13, 12))
        place.look()
        expect(page.locator("#table form.acts[data-old]")).to_have_count(0)
        expect(page.get_by_label("Next dealer")).to_have_value("3")
        with page.expect_response("**/next-dealer"):
            page.get_by_role("button", name="Build their walls").click()
        place.fleet.change("A2", stacks=(13, 13, 12, 12))
        place.look()
        expect(page.get_by_label("Next dealer")).to_have_value("0")
    called = [facts for kind, facts in place.fleet.records if kind == "dealer_called"]
    assert [facts["dealer"] for facts in called] == [3]


def test_everything_is_stopped_only_after_the_question_that_names_it(browser: Browser, serving: Serving) -> None:
    place = serving.place
    place.fleet.change("A2", state="building", drives=("disc", "conveyor_1"))
    place.look()
    with visiting(browser, serving, "scorer") as page:
        page.goto(serving.address)
        page.get_by_role("button", name="Stop all tables").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("A2: drum disc, belt (South)")
        dialog.get_by_role("button", name="Leave it").click()
        expect(dialog).to_be_hidden()
        assert place.fleet.heard == []
        page.get_by_role("button", name="Stop all tables").click()
        shown(page, "stop")
        dialog.get_by_role("button", name="Stop all tables").click()
        expect(dialog).to_be_hidden()
        assert [paper.asked for paper in place.fleet.papers.values()] == [["stop"]] * 6


def test_a_referee_answers_a_call_on_a_phone_without_a_mouse(browser: Browser, serving: Serving) -> None:
    place = serving.place
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(serving.address)
        live(page, serving)
        place.fleet.tell("A3", "referee_called", side=1)
        place.look()
        button = page.get_by_role("button", name="I am going")
        expect(button).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        shown(page, "phone")
        for _ in range(60):
            page.keyboard.press("Tab")
            if button.evaluate("element => element === document.activeElement"):
                break
        page.keyboard.press("Enter")
        until(lambda: bool(place.fleet.records))
        assert place.fleet.records[0][1]["act"] == "take_call"
        place.look()
        expect(page.get_by_text("is on the way")).to_be_visible()


def test_a_page_comes_back_by_itself_after_the_server_was_started_anew(browser: Browser, serving: Serving) -> None:
    place = serving.place
    with visiting(browser, serving, "operator") as page:
        page.goto(f"{serving.address}/tables/A1")
        live(page, serving)
        serving.stop()
        expect(page.get_by_text("The connection is lost")).to_be_visible()
        place.fleet.change("A1", state="lid_open")
        place.look()
        serving.start()
        expect(page.get_by_text("The connection is lost")).to_be_hidden()
        expect(page.get_by_text("Lid open").first).to_be_visible()


def test_the_first_account_is_made_and_signs_in_again(browser: Browser, serving: Serving) -> None:
    token = serving.place.accounts.invite(serving.place.clock.now_ms)
    with visiting(browser, serving, "public") as page:
        page.goto(f"{serving.address}/first/{token}")
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("heading", name="Hall", exact=True)).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill("something else")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("do not fit")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Hall", exact=True)).to_be_visible()


def test_language_and_light_are_chosen_and_kept(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "screen", locale="zh-CN", dark=True) as page:
        page.goto(serving.address)
        expect(page.get_by_role("heading", name="赛场")).to_be_visible()
        shown(page, "chinese")
        page.get_by_role("button", name="浅色 / 深色").click()
        page.get_by_role("button", name="English").click()
        expect(page.get_by_role("heading", name="All is well")).to_be_visible()
        expect(page.locator("html")).to_have_css("color-scheme", "light")


def test_a_director_runs_a_session_and_the_screen_follows(browser: Browser, serving: Serving) -> None:
    serving.stop()
    serving.place.begin_event()
    serving.start()
    place = serving.place
    with visiting(browser, serving, "director") as page, visiting(browser, serving, "public") as screen:
        screen.goto(f"{serving.address}/screen")
        page.goto(f"{serving.address}/event")
        live(page, serving)
        page.get_by_role("button", name="Open the seats, session 1").click()
        until(lambda: place.site.event.view.sessions[0].state == "open")
        place.clock.now_ms += 1000
        place.look()
        expect(screen.get_by_text("P5", exact=True)).to_be_visible()
        shown(screen, "seats")
        page.get_by_role("button", name="Start the clock, session 1").click()
        until(lambda: place.site.event.view.sessions[0].state == "running")
        place.clock.now_ms += 60_000
        place.look()
        expect(screen.get_by_role("timer")).to_have_text("59:00")
        page.get_by_label("Reason: Pause").fill("lunch")
        page.get_by_role("button", name="Pause, session 1").click()
        until(lambda: place.site.event.view.sessions[0].is_paused)
        place.clock.now_ms += 60_000
        place.look()
        expect(page.get_by_text("paused")).to_be_visible()
        expect(screen.get_by_role("timer")).to_have_text("59:00")
        shown(page, "event")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_finished_deal_is_stepped_through_by_the_arrow_keys_on_a_phone(browser: Browser, serving: Serving) -> None:
    link = finished_deal(serving.place)
    with visiting(browser, serving, "public", PHONE) as page:
        page.goto(serving.address + link)
        steps = page.get_by_role("navigation", name="Steps")
        expect(steps).to_contain_text("0 / ")
        page.keyboard.press("ArrowLeft")
        for step in (1, 2, 3):
            page.keyboard.press("ArrowRight")
            page.wait_for_url(f"**{link}?step={step}")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**{link}?step=2")
        shown(page, "replay-phone")
        steps.get_by_role("link", name="End").click()
        expect(page.get_by_role("heading", name="Why these points")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        shown(page, "replay-end")


def finished_deal(place: Place) -> str:
    """A tracked deal at table A1; the address of its page."""
    path = place.file.with_name("hall.journal")
    with Journal(path) as journal:
        write_deals(journal, 1, 5, unit="U-A1", is_tracked=True)
    place.site.deals = Deals(path)
    return f"/replays/{place.site.deals.of('U-A1')[0].entry}"


@pytest.mark.parametrize(("locale", "dark"), [("en-US", False), ("zh-CN", True)])
def test_axe_finds_nothing_serious(browser: Browser, serving: Serving, locale: str, dark: bool) -> None:
    place = serving.place
    place.fleet.change("A4", state="fault", fault="tile_missing", fault_side=2)
    place.fleet.change("A2", state="building", drives=("disc", "conveyor_1"), stacks=(3, 4, 5, 6))
    place.fleet.tell("A3", "referee_called", side=1)
    place.look()
    place.begin_event().step(Person("dan", "director"), 1, "open", "")
    replay = finished_deal(place)
    checked = 0
    with visiting(browser, serving, "director", locale=locale, dark=dark) as page:
        paths = ("/", "/tables/A4", "/tables/A3", "/sign-in", "/nothing", "/event", "/screen", "/players", "/players/1")
        for path in (*paths, "/tables/A1/deals", replay, f"{replay}?step=60", f"{replay}?step=999"):
            answer = page.goto(serving.address + path)
            assert answer is not None
            checked += checks_passed(page)
        page.goto(serving.address)
        page.locator("#stop-all").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        checked += checks_passed(page)
    assert checked > 50


def test_the_first_page_is_there_at_once(browser: Browser, serving: Serving) -> None:
    """By the browser's own count of bytes; how quick it is, `benchmarks/console.py` says."""
    with visiting(browser, serving, "screen") as page:
        sizes: list[int] = []
        page.on("response", lambda answer: sizes.append(len(answer.body())) if "/live/" not in answer.url else None)
        page.goto(serving.address)
        live(page, serving)
        assert 20_000 < sum(sizes) < 150_000
