"""Tapping a deal in, in Debian's Chromium."""

from contextlib import ExitStack
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.serving import Serving
from tests.host.console.tapping import (
    DAN,
    ENTRY,
    ODD,
    SCHEMES,
    Record,
    mil_event,
    pick,
    plain,
    running,
    tap_deal,
    tap_hand,
    written,
)
from tests.host.event.paper import declared
from wallwright.event import results


def test_a_deal_of_bots_is_tapped_in_on_a_phone_and_is_the_same(browser: Browser, serving: Serving) -> None:
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    place = serving.place
    book = running(place)
    record, settlement = declared(book.find_ruleset(None), 0, Random(seed))
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_deal(page, record)
        expect(page.locator("#points-title")).to_have_text("Points of the deal")
        told = [int(text) for text in page.locator("#points b").all_text_contents()]
        assert tuple(told) == settlement.points
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
        shown(page, "declare")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
    body = written(place)
    assert plain(body["record"]) == plain(record)
    assert body["points"] == list(settlement.points)


def test_what_was_noted_is_there_after_a_reload_and_gone_once_it_is_entered(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "referee", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_deal(page, {"events": ODD["events"], "hands": (), "end": "wall"})
        expect(page.locator("#missing")).to_contain_text("Still needed:")
        pick(page, "given", "tiles")
        page.locator("[data-kind='7p']").click()
        # Another dealer than the one that the page was shown with, as after a correction of the deal before.
        page.evaluate(
            """() => {
                const [name] = Object.keys(localStorage);
                const kept = JSON.parse(localStorage.getItem(name));
                kept.dealer = kept.deal.dealer = 3;
                localStorage.setItem(name, JSON.stringify(kept));
            }"""
        )
        page.reload()
        expect(page.get_by_text("is here again")).to_be_visible()
        expect(page.locator("#told li")).to_have_count(4)
        expect(page.locator("#count")).to_have_text("1 / 13")
        page.locator("#hand button").click()
        for hand in ODD["hands"]:
            tap_hand(page, hand)
            page.locator("#note").click()
        page.locator("#doubts").get_by_role("button", name="Not ready").click()
        expect(page.locator("#points-title")).to_have_text("Points of the deal")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
        assert plain(written(place)["record"]) == plain(ODD)
        assert written(place)["record"]["dealer"] == 0
        page.goto(serving.address + ENTRY)
        expect(page.get_by_role("heading", name="Deal 2")).to_be_visible()
        expect(page.locator("#told")).to_have_text("Nothing yet.")
        assert page.evaluate("Object.keys(localStorage)") == []


def test_nothing_is_lost_with_the_connection(browser: Browser, serving: Serving) -> None:
    running(serving.place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        expect(page.locator("#points-title")).to_have_text("Points so far")
        page.route("**/preview*", lambda route: route.abort("connectionrefused"))
        tap_deal(page, {"events": ODD["events"][:1], "hands": (), "end": "three_hu"})
        expect(page.get_by_role("alert").filter(has_text="keeps what you noted")).to_be_visible()
        page.unroute("**/preview*")
        pick(page, "way", "end")
        pick(page, "end", "time_up")
        expect(page.locator("#points b")).to_have_text(["-2", "+6", "-2", "-2"])
        expect(page.locator("#irregular")).to_contain_text("SBR-4.9")
        tap_hand(page, {"seat": 0, "melds": [{"kind": "pung", "tiles": "222s"}], "void": "s"})
        page.locator("#note").click()
        page.locator("#doubts").get_by_role("button", name="It holds it").click()
        expect(page.locator("#points b")).to_have_text(["-50", "+6", "-2", "-2"])
        expect(page.locator("#finish")).to_contain_text("a referee or the director has to approve it")


def test_a_correction_starts_with_what_is_there_and_the_later_of_two_is_told(
    browser: Browser, serving: Serving
) -> None:
    place = serving.place
    book = running(place)
    book.do(DAN, lambda desk: results.record_result(desk, results.preview(desk, 1, 1, ODD)))
    with ExitStack() as stack:
        page = stack.enter_context(visiting(browser, serving, "referee", PHONE))
        later = stack.enter_context(visiting(browser, serving, "scorer", PHONE))
        for one in (page, later):
            one.goto(f"{serving.address}/event/sessions/1/tables/1")
            one.get_by_role("link", name="Correct a deal, Deal 1").click()
            expect(one.locator("#told li")).to_have_count(6)
            one.locator("#told button").nth(2).click()
            pick(one, "value", 2)
            one.get_by_role("button", name="Keep the change").click()
            one.locator("#told button").nth(5).click()
            pick(one, "given", "zero")
            one.get_by_role("button", name="Keep the change").click()
            one.locator("#told button").nth(4).click()
            one.get_by_role("button", name="Take it away").click()
            expect(one.locator("#missing")).to_contain_text("Still needed:")
            pick(one, "given", "zero")
            one.locator("#note").click()
            expect(one.locator("#points-title")).to_have_text("Points of the deal")
            one.get_by_role("button", name="Enter it").click()
            one.get_by_label("Reason of the correction").fill("seat 0 had two fans fewer")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
        later.get_by_role("button", name="Enter it").click()
        expect(later.get_by_role("alert").filter(has_text="somebody else")).to_be_visible()
    body = written(place)
    assert body["reason"] == "seat 0 had two fans fewer"
    first, second, third = ODD["events"]
    winners = [{"seat": 0, "value": 2}, {"seat": 2, "false": True, "referee": "Ann"}]
    hands = [{"seat": 3, "value": 0}, {"seat": 1, "value": 0}]
    changed = {"events": [first, second, {**third, "winners": winners}], "end": "wall", "hands": hands}
    assert plain(body["record"]) == plain(changed)


def test_a_breach_can_be_tapped_where_the_rules_know_one(browser: Browser, serving: Serving) -> None:
    place = serving.place
    mil_event(place)
    false = {"seat": 1, "standing": "1122334557799s", "winning": "4s", "void": "m", "false": True, "referee": "Ann"}
    record = {
        "events": [
            {"type": "breach", "seat": 2},
            {"type": "hu", "by": "discard", "from": 0, "winners": [false]},
        ],
        "end": "wall",
        "hands": [{"seat": seat, "value": 0} for seat in (0, 2, 3)],
    }
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_deal(page, record)
        expect(page.locator("#points b")).to_have_text(["0", "-24", "-24", "0"])
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
    assert plain(written(place)["record"]) == plain(record)


def test_another_dealer_is_chosen_and_waits_for_a_referee(browser: Browser, serving: Serving) -> None:
    place = serving.place
    running(place)
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        page.get_by_text("Another deal or dealer").click()
        pick(page, "dealer", 2)
        shown(page, "declare-dealer")
        tap_deal(
            page,
            {"events": ODD["events"][:1], "hands": [{"seat": seat, "value": 0} for seat in range(4)], "end": "wall"},
        )
        expect(page.locator("#irregular")).to_contain_text("deals, not West (")
        page.get_by_label("Reason for this").fill("the deal before was annulled")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
        expect(page.get_by_text("waits for a referee")).to_be_visible()
        assert written(place)["dealer"] == 2
        page.goto(f"{serving.address}{ENTRY}?deal=1")
        page.get_by_text("Another dealer", exact=True).click()
        pick(page, "dealer", 1)
        page.get_by_label("Reason of the correction").fill("it was the next seat")
        page.get_by_role("button", name="Enter it").click()
        page.wait_for_url("**/event/sessions/1/tables/1")
    assert written(place)["dealer"] == 1


def test_every_part_of_the_form_is_shown_somewhere(browser: Browser, serving: Serving) -> None:
    """A part that no state of the form shows is a choice that nobody has: the dealer was one."""
    book = mil_event(serving.place)
    everything: Record = {
        "events": [
            {"type": "kong", "seat": 1, "kind": "concealed"},
            {"type": "kong", "seat": 1, "kind": "promoted", "chain": True},
            {"type": "hu", "by": "self_drawn", "after_kong": True, "winners": [{"seat": 1, "value": 8}]},
            {"type": "hu", "by": "discard", "from": 2, "winners": [{"seat": 0, "value": 4}, {"seat": 3, "value": 4}]},
        ],
        "end": "three_hu",
        "hands": [],
    }
    assert book.view.sessions
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        page.get_by_text("Another deal or dealer").click()
        page.evaluate(
            """() => {
                window.met = new Set();
                const look = () => {
                    for (const part of document.querySelectorAll("[data-part]")) {
                        if (part.checkVisibility()) met.add(part.dataset.part);
                        if (part.hidden && part.checkVisibility()) met.add(`hidden ${part.dataset.part}`);
                    }
                };
                new MutationObserver(look).observe(document.getElementById("declare"), {
                    subtree: true, attributes: true, attributeFilter: ["hidden"],
                });
                look();
            }"""
        )
        pick(page, "way", "end")
        pick(page, "end", "time_up")
        pick(page, "end", "wall")
        pick(page, "seat", 0)
        pick(page, "given", "tiles")
        pick(page, "void", "s")
        pick(page, "way", "hu")
        pick(page, "given", "false")
        pick(page, "given", "tiles")
        tap_deal(page, everything)
        parts = set(page.locator("[data-part]").evaluate_all("parts => parts.map((part) => part.dataset.part)"))
        assert set(page.evaluate("Object.keys(partsOf(deal, setup))")) == parts
        assert set(page.evaluate("[...met]")) == parts


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_axe_finds_nothing_serious_and_every_key_is_large_enough(
    browser: Browser, serving: Serving, locale: str
) -> None:
    running(serving.place)
    with visiting(browser, serving, "scorer", PHONE, locale) as page:
        page.goto(serving.address + ENTRY)
        for way in ("hu", "kong", "end"):
            pick(page, "way", way)
            if way == "hu":
                assert checks_passed(page) > 10
                pick(page, "given", "tiles")
                page.locator("[data-kind='7p']").click()
            if way == "end":
                pick(page, "end", "wall")
                pick(page, "given", "zero")
                page.locator("#note").click()
            assert (
                page.locator("#declare :is(button, .pick span, .check):visible").evaluate_all(
                    "keys => keys.filter((key) => key.getBoundingClientRect().height < 44).map((key) => key.outerHTML)"
                )
                == []
            )
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert checks_passed(page) > 10
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone"
        shown(page, f"declare-{locale}")
