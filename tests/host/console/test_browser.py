"""The console in Debian's Chromium: what people see and press, on a desk and on a phone, in both languages."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.host.console.hall import PASSWORD, Place
from tests.host.console.serving import Serving
from tests.host.event.paper import declared
from tests.host.fleet.served import until
from tests.host.journal.deals import write_deals
from wallwright.console.deals import Deals
from wallwright.console.desk import Person
from wallwright.journal import Journal, read_journal
from wallwright.rules.tiles import parse_tiles, tile_name

CHROMIUM = "/usr/bin/chromium"
PATIENCE_MS = 60_000
"""A slow machine is given this long for anything; a quick one never waits for it."""
DESK: ViewportSize = {"width": 1280, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 844}
EXPECTED = (
    "ERR_CONNECTION_REFUSED",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "[object Event]",
    "status of 401",
    "of 404",
    "of 409",
)
"""What the browser and htmx say of a server that is gone, a wrong password, a page that is not there, a late act."""
SCREENSHOTS = os.environ.get("WALLWRIGHT_SCREENSHOTS")
"""Where pictures of the pages go, if anywhere."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert Path(CHROMIUM).exists(), "there is no Chromium; `make chromium` installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    place = Place(tmp_path, *(f"A{number}" for number in range(1, 7)))
    serving = Serving(place)
    yield serving
    serving.stop()
    place.accounts.close()


@contextmanager
def visiting(
    browser: Browser, serving: Serving, role: str, size: ViewportSize = DESK, locale: str = "en-US", dark: bool = False
) -> Iterator[Page]:
    """A page of somebody with a role, signed in. What the browser complains about fails the test."""
    context = browser.new_context(viewport=size, locale=locale, color_scheme="dark" if dark else "light")
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    if role != "public":
        session = serving.place.signed_in(role).cookies["wallwright_session"]
        context.add_cookies([{"name": "wallwright_session", "value": session, "url": serving.address}])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: complaints.append(request.url) if "127.0.0.1" not in request.url else None)
    yield page
    assert [line for line in complaints if not any(one in line for one in EXPECTED)] == []
    context.close()


def live(page: Page, serving: Serving) -> None:
    """Wait until the page gets its news."""
    until(
        lambda: (
            page.evaluate("1") == 1 and serving.place.site.open_feed is not None and serving.place.site.feed.viewers > 0
        )
    )


def shown(page: Page, name: str) -> None:
    if SCREENSHOTS:
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


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


def test_everything_is_stopped_only_after_the_question_that_names_it(browser: Browser, serving: Serving) -> None:
    place = serving.place
    place.fleet.change("A2", state="building", drives=("disc", "conveyor_1"))
    place.look()
    with visiting(browser, serving, "scorer") as page:
        page.goto(serving.address)
        page.get_by_role("button", name="Stop all tables").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("A2: drum disc, belt 1")
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
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def checks_passed(page: Page, axe: str) -> int:
    """How many of axe's checks have passed; none that is serious may have failed."""
    found = page.evaluate(f"() => {{ {axe}; return axe.run() }}")
    bad = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    assert [(page.url, one["id"], [node["html"] for node in one["nodes"]]) for one in bad] == []
    return len(found["passes"])


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


def tap_hand(page: Page, hand: dict) -> None:
    page.locator("#hand-seat").select_option(str(hand["seat"]))
    page.locator("#hand-void").select_option(hand.get("void", ""))
    taps = [("standing", kind) for kind in map(tile_name, parse_tiles(hand["standing"]))]
    taps += [(meld.get("type", "pung"), tile_name(parse_tiles(meld["tiles"])[0])) for meld in hand.get("melds", ())]
    taps += [("winning", hand["winning"])] if "winning" in hand else []
    for mode, kind in taps:
        page.locator(f"input[name=mode][value={mode}]").check()
        page.locator(f"[data-kind='{kind}']").click()


def tap_deal(page: Page, record: dict) -> None:
    """Tap a deal in as a scorer does who has it on paper."""
    for event in record["events"]:
        if event["type"] == "kong":
            page.locator("#kong-seat").select_option(str(event["seat"]))
            page.locator("#kong-kind").select_option(event["kind"])
            page.locator("#kong-from").select_option(str(event.get("from", 0)))
            page.locator("#kong-robbed").set_checked(event.get("robbed", False))
            page.locator("#kong-chain").set_checked(event.get("chain", False))
            page.get_by_role("button", name="Note the kong").click()
            continue
        for number, winner in enumerate(event["winners"]):
            tap_hand(page, winner)
            page.locator("#hu-by").select_option(event["by"])
            page.locator("#hu-from").select_option(str(event.get("from", 0)))
            page.locator("#hu-same").set_checked(number > 0)
            page.locator("#hu-kong").set_checked(event.get("after_kong", False))
            page.locator("#hu-sea").set_checked("under_the_sea" in winner.get("conditions", ()))
            page.get_by_role("button", name="Note the Hu").click()
    for hand in record["hands"]:
        tap_hand(page, hand)
        page.locator("#hand-only").set_checked(hand.get("only_void_discards", False))
        page.get_by_role("button", name="Shown at the end").click()
    page.locator("#end").select_option(record["end"])


def test_a_scorer_taps_a_deal_in_on_a_phone_and_the_later_of_two_is_told(browser: Browser, serving: Serving) -> None:
    place = serving.place
    book = place.begin_event()
    dan = Person("dan", "director")
    for step in ("open", "start"):
        book.step(dan, 1, step, "")
    record, settlement = declared(book.find_ruleset(None), 0, Random(3))
    address = f"{serving.address}/event/sessions/1/tables/1/declare"
    axe = Path(AXE_FILE_PATH).read_text()
    with (
        visiting(browser, serving, "scorer", PHONE) as page,
        visiting(browser, serving, "referee", PHONE) as later,
    ):
        later.goto(address)
        tap_deal(later, record)
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        page.get_by_role("button", name="Note the kong").click()
        page.get_by_role("button", name="Take the last one back").click()
        tap_deal(page, record)
        shown(page, "declare")
        page.get_by_role("button", name="What does it come to?").click()
        expect(page.locator("#lines")).to_contain_text("Next dealer")
        assert checks_passed(page, axe) > 10
        later.get_by_role("button", name="What does it come to?").click()
        expect(later.locator("#lines")).to_contain_text("Next dealer")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
        later.get_by_role("button", name="Enter it").click()
        expect(later.get_by_role("alert")).to_contain_text("somebody else")
        page.get_by_role("link", name="Correct a deal, Deal 1").click()
        tap_deal(page, record)
        page.get_by_role("button", name="What does it come to?").click()
        expect(page.locator("#lines")).to_contain_text("Next dealer")
        page.get_by_role("button", name="Enter it").click()
        page.get_by_label("Reason of the correction").fill("a check")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
    view = book.look().session(1)
    assert view is not None
    assert (view.tables[0].deals, view.tables[0].points) == (1, settlement.points)
    corrected = [entry.body for entry in read_journal(place.file.with_name("event.journal"))][-1]
    assert (corrected["reason"], corrected["points"]) == ("a check", list(settlement.points))


def finished_deal(place: Place) -> str:
    """A tracked deal at table A1; the address of its page."""
    path = place.file.with_name("hall.journal")
    with Journal(path) as journal:
        write_deals(journal, 1, 5, unit="U-A1", is_tracked=True)
    place.site.deals = Deals(path)
    return f"/replays/{place.site.deals.of('U-A1')[0].entry}"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_nothing_serious(browser: Browser, serving: Serving, locale: str, dark: bool) -> None:
    place = serving.place
    place.fleet.change("A4", state="fault", fault="tile_missing", fault_side=2)
    place.fleet.change("A2", state="building", drives=("disc", "conveyor_1"), stacks=(3, 4, 5, 6))
    place.fleet.tell("A3", "referee_called", side=1)
    place.look()
    axe = Path(AXE_FILE_PATH).read_text()
    place.begin_event().step(Person("dan", "director"), 1, "open", "")
    replay = finished_deal(place)
    checked = 0
    with visiting(browser, serving, "director", locale=locale, dark=dark) as page:
        paths = ("/", "/tables/A4", "/tables/A3", "/sign-in", "/nothing", "/event", "/screen", "/players", "/players/1")
        for path in (*paths, "/tables/A1/deals", replay, f"{replay}?step=60", f"{replay}?step=999"):
            answer = page.goto(serving.address + path)
            assert answer is not None
            checked += checks_passed(page, axe)
        page.goto(serving.address)
        page.locator("#stop-all").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        checked += checks_passed(page, axe)
    assert checked > 50


def test_the_first_page_is_there_at_once(browser: Browser, serving: Serving) -> None:
    """By the browser's own count of bytes; how quick it is, `benchmarks/console.py` says."""
    with visiting(browser, serving, "screen") as page:
        sizes: list[int] = []
        page.on("response", lambda answer: sizes.append(len(answer.body())) if "/live/" not in answer.url else None)
        page.goto(serving.address)
        live(page, serving)
        assert 20_000 < sum(sizes) < 150_000
