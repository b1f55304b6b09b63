"""Tapping a deal in, in Debian's Chromium."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from random import Random
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.hall import SEED, Place
from tests.host.console.serving import Serving
from tests.host.event.paper import declared
from wallwright.console.hall.desk import Person
from wallwright.console.tournament.book import Book
from wallwright.event import results, setup
from wallwright.event.desk import Desk
from wallwright.event.format import load_format
from wallwright.event.parts import MAIN
from wallwright.event.players import Player, Roster
from wallwright.event.store import open_event
from wallwright.journal import read_journal
from wallwright.rules.tiles import parse_tiles, tile_name

Record = Mapping[str, Any]

ENTRY = "/event/sessions/1/tables/1/declare"
DAN = Person("dan", "director")

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

ODD: Record = {
    "events": [
        {"type": "kong", "seat": 1, "kind": "concealed"},
        {"type": "kong", "seat": 1, "kind": "promoted", "chain": True, "robbed": True},
        {
            "type": "hu",
            "by": "robbed_kong",
            "from": 1,
            "after_kong": True,
            "winners": [{"seat": 0, "value": 4}, {"seat": 2, "false": True}],
        },
    ],
    "end": "wall",
    "hands": [
        {"seat": 1, "value": 0},
        {"seat": 3, "standing": "1234m567p222255s", "void": "s", "only_void_discards": True},
    ],
}
"""What bots do not do: a chain, several Hu on one tile, a false one, a referee's word, a forbidden suit kept."""


def running(place: Place) -> Book:
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    return book


def draw_event(desk: Desk, name: str) -> None:
    setup.create(desk, load_format(name))
    setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 9))), "players.csv")
    setup.commit_draw(desk, MAIN, SEED)
    setup.reveal_draw(desk, MAIN, SEED)


def pick(page: Page, name: str, value: object) -> None:
    page.locator(f"input[name={name}][value='{value}']").check()


def tap_hand(page: Page, hand: Record) -> None:
    """Choose the player and show the hand, in the way in which the record has it."""
    pick(page, "seat", hand["seat"])
    if "standing" not in hand:
        given = (
            "zero" if hand.get("value") == 0 else "value" if "value" in hand else "false" if "false" in hand else "sets"
        )
        pick(page, "given", given)
        if given == "value":
            pick(page, "value", hand["value"])
        if given != "sets":
            return
    elif hand.get("false"):
        page.locator("input[name=found]").check()
    pick(page, "void", hand.get("void", ""))
    melds = [(meld.get("type", "pung"), meld["tiles"]) for meld in hand.get("melds", ())]
    taps = [(mode, tile_name(parse_tiles(tiles)[0])) for mode, tiles in melds]
    taps += [("standing", kind) for kind in map(tile_name, parse_tiles(hand.get("standing", "")))]
    taps += [("winning", hand["winning"])] if "winning" in hand else []
    mode = ""
    for wanted, kind in taps:
        if wanted not in (mode, "winning"):
            pick(page, "mode", wanted)
        # After a set the form takes standing tiles again, and after the thirteenth the winning one.
        mode = wanted if wanted == "standing" else ""
        page.locator(f"[data-kind='{kind}']").click()
    tick(page, "only", hand.get("only_void_discards", False))


def tick(page: Page, name: str, wanted: bool) -> None:
    if wanted:
        page.locator(f"input[name={name}]").check()


def tap_deal(page: Page, record: Record) -> None:
    """Tap a deal in as a scorer does who has it on paper."""
    for event in record["events"]:
        if event["type"] == "hu":
            for number, winner in enumerate(event["winners"]):
                tap_hu(page, event, winner, is_same=number > 0)
            continue
        pick(page, "way", event["type"])
        pick(page, "seat", event["seat"])
        if event["type"] == "kong":
            pick(page, "kind", event["kind"])
            if "from" in event:
                pick(page, "from", event["from"])
            tick(page, "robbed", event.get("robbed", False))
            tick(page, "chain", event.get("chain", False))
        page.locator("#note").click()
    if record["end"] != "three_hu":
        pick(page, "way", "end")
        pick(page, "end", record["end"])
    for hand in record["hands"]:
        tap_hand(page, hand)
        page.locator("#note").click()


def tap_hu(page: Page, event: Record, winner: Record, *, is_same: bool) -> None:
    pick(page, "way", "hu")
    tick(page, "same", is_same)
    pick(page, "seat", winner["seat"])
    if not is_same:
        pick(page, "by", event["by"])
        if "from" in event:
            pick(page, "from", event["from"])
        tick(page, "after_kong", event.get("after_kong", False))
    tap_hand(page, winner)
    tick(page, "sea", "under_the_sea" in winner.get("conditions", ()))
    page.locator("#note").click()


def written(place: Place) -> Record:
    """The body of the newest entry of the event's journal."""
    return [entry.body for entry in read_journal(place.file.with_name("event.journal"))][-1]


def plain(record: Record) -> Any:
    """A record as JSON has it, without what the deal's events say of the winning tile anyhow."""
    told = json.loads(json.dumps({name: record[name] for name in ("events", "end", "hands")}))
    for event in told["events"]:
        for winner in event.get("winners", ()):
            said = [name for name in winner.pop("conditions", ()) if name == "under_the_sea"]
            winner |= {"conditions": said} if said else {}
            winner.get("melds", []).sort(key=lambda meld: meld["tiles"])
    return told


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
        expect(page.get_by_role("alert").filter(has_text="kept on this device")).to_be_visible()
        page.unroute("**/preview*")
        pick(page, "way", "end")
        pick(page, "end", "time_up")
        expect(page.locator("#points b")).to_have_text(["-2", "+6", "-2", "-2"])
        expect(page.locator("#irregular")).to_contain_text("SBR-4.9")
        tap_hand(page, {"seat": 0, "melds": [{"kind": "pung", "tiles": "222s"}], "void": "s"})
        page.locator("#note").click()
        expect(page.locator("#points b")).to_have_text(["-50", "+6", "-2", "-2"])
        expect(page.locator("#finish")).to_contain_text("A referee or the director has to approve it.")


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
    winners = [{"seat": 0, "value": 2}, {"seat": 2, "false": True}]
    hands = [{"seat": 3, "value": 0}, {"seat": 1, "value": 0}]
    changed = {"events": [first, second, {**third, "winners": winners}], "end": "wall", "hands": hands}
    assert plain(body["record"]) == plain(changed)


def test_a_breach_can_be_tapped_where_the_rules_know_one(browser: Browser, serving: Serving) -> None:
    place = serving.place
    path = str(place.file.with_name("event.journal"))
    with open_event(path, "dan", place.clock, new=True) as desk:
        draw_event(desk, "mil-2025")
    place.site.book = book = Book(path, place.clock)
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    false = {"seat": 1, "standing": "1122334557799s", "winning": "4s", "void": "m", "false": True}
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
