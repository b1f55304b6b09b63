"""Tapping a deal in, in Debian's Chromium."""

from random import Random

from playwright.sync_api import Browser, Page, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.serving import Serving
from tests.host.event.paper import declared
from wallwright.console.desk import Person
from wallwright.journal import read_journal
from wallwright.rules.tiles import parse_tiles, tile_name


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
        assert checks_passed(page) > 10
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
