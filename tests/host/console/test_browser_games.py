"""Deals of Hong Kong, Cumberland and Balsall at the console, in Debian's Chromium: tapped in, corrected, explained."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, shown, visiting
from tests.host.console.serving import Serving
from tests.host.console.tapping import ENTRY, pick, written
from tests.host.console.tapping_games import Record, evening, note, tap_hand, tap_win
from wallwright.fleet.wall_up import WallUp
from wallwright.rules.core.game_rules import preset_rules

SHEET = "/event/sessions/1/tables/1"
EIGHT: Record = {
    "standing": "9m",
    "melds": [
        {"kind": "chow", "tiles": "123m"},
        {"kind": "chow", "tiles": "456m"},
        {"kind": "pung", "tiles": "777m"},
        {"kind": "chow", "tiles": "345m"},
    ],
    "winning": "9m",
}
"""Worked example 8 of the Hong Kong rules: twelve pieces."""
EAST: Record = {
    "standing": "9s",
    "melds": [
        {"kind": "kong", "tiles": "1111z", "type": "concealed"},
        {"kind": "kong", "tiles": "7777z", "type": "promoted"},
        {"kind": "kong", "tiles": "6666z", "type": "melded"},
        {"kind": "kong", "tiles": "5555s", "type": "promoted"},
    ],
    "winning": "9s",
}
"""Worked example 4 of the classical games, Cumberland: 7552 points."""
LOSER: Record = {"standing": "11234556799m22z"}
"""Worked example 5, 12 points for its seat."""
ELEVEN: Record = {"standing": "222m666p88999s11z", "winning": "8s", "flowers": ["2f"]}
"""Worked example 11, Balsall: hidden treasure."""


def points_of(page: Page) -> list[int]:
    return [int(text) for text in page.locator("#points b").all_text_contents()]


def looked_at(page: Page, name: str) -> None:
    """Nothing is wider than the screen, axe has no complaint, and a picture is kept."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    assert checks_passed(page) > 10
    shown(page, name)


def enter(page: Page, reason: str = "") -> None:
    if reason:
        page.locator("#reason").fill(reason)
    page.locator("#enter").click()
    page.wait_for_url(f"**{SHEET}")


def plain(record: Any) -> Any:
    """A record without the options of its rules."""
    return {key: value for key, value in record.items() if key not in ("ruleset", "options")}


@pytest.mark.parametrize(("locale", "said", "fault"), [("en-US", "HKO-6.8", "mistake"), ("zh-CN", "喂出", "失误")])
def test_twelve_pieces_of_hong_kong(browser: Browser, serving: Serving, locale: str, said: str, fault: str) -> None:
    book = evening(serving.place, "hong-kong-club")
    with visiting(browser, serving, "scorer", PHONE, locale) as page:
        page.goto(serving.address + ENTRY)
        for way in ("nine_pieces", "twelve_pieces"):
            pick(page, "way", way)
            pick(page, "seat", 1)
            if way == "twelve_pieces":
                pick(page, "from", 0)
            note(page)
        pick(page, "way", "hu")
        pick(page, "seat", 1)
        tap_hand(page, EIGHT)
        looked_at(page, f"hong-kong-hand-{locale}")
        note(page)
        expect(page.locator("#told li")).to_have_count(3)
        expect(page.locator("#points b")).to_have_text(["-384", "+384", "0", "0"])
        page.locator("#finish summary").click()
        expect(page.locator("#lines")).to_contain_text(said)
        looked_at(page, f"hong-kong-{locale}")
        enter(page)
        body = written(serving.place)
        assert body["points"] == [-384, 384, 0, 0]
        assert body["record"]["events"] == [
            {"type": "nine_pieces", "seat": 1},
            {"type": "twelve_pieces", "seat": 1, "from": 0},
            {"type": "hu", "by": "self_drawn", "winners": [{"seat": 1, **EIGHT}]},
        ]
        # It was no false win after all: the win is corrected into the dealer's mistake.
        book.look()
    with visiting(browser, serving, "referee", PHONE, locale) as page:
        page.goto(f"{serving.address}{ENTRY}?deal=1")
        expect(page.locator("#told li")).to_have_count(3)
        for _ in range(3):
            page.locator("#told button").first.click()
            page.locator("#drop").click()
        pick(page, "way", "false_win")
        pick(page, "seat", 2)
        pick(page, "what", "count")
        note(page)
        expect(page.locator("#points b")).to_have_text(["+128", "+128", "-384", "+128"])
        looked_at(page, f"hong-kong-corrected-{locale}")
        enter(page, "it was a long hand")
        assert written(serving.place)["record"]["events"] == [{"type": "false_win", "seat": 2, "what": "count"}]
        page.goto(f"{serving.address}{SHEET}/deals/1?step=1")
        expect(page.locator(".told")).to_contain_text(fault)
        page.goto(f"{serving.address}{SHEET}/deals/1?step=2")
        expect(page.get_by_text("HKO-7.1").first).to_be_visible()
        looked_at(page, f"hong-kong-replay-{locale}")


def test_a_hand_that_cannot_be_is_refused_by_its_clause_and_nothing_is_lost(browser: Browser, serving: Serving) -> None:
    evening(serving.place, "hong-kong-club")
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_win(page, 1, "discard", 2, {"standing": "123m456p789s1122z", "winning": "3z"})
        expect(page.locator("#problem")).to_contain_text("HKO-5.1")
        expect(page.locator("#told li")).to_have_count(1)
        page.reload()
        page.locator("#told button").click()
        page.locator("#hand .won button").click()
        page.locator(".keys [data-kind='2z']").click()
        note(page)
        expect(page.locator("#points b")).to_have_text(["-2", "+8", "-4", "-2"])
        # No chow begins with an eight or an honour, and a fifth tile is not there.
        page.locator("#told button").click()
        pick(page, "mode", "chow")
        assert page.locator(".keys [data-kind='8m']").is_disabled()
        assert page.locator(".keys [data-kind='1z']").is_disabled()


@pytest.mark.parametrize(("locale", "said"), [("en-US", "6 doubles"), ("zh-CN", "加倍 6 次")])
def test_four_hands_of_cumberland(browser: Browser, serving: Serving, locale: str, said: str) -> None:
    evening(serving.place, "cumberland-evening")
    losers: dict[int, Record] = {
        1: LOSER,
        2: {"points": 8},
        3: {"standing": "19m19p19s1234567z", "flowers": ["4f", "8f"]},
    }
    with visiting(browser, serving, "scorer", PHONE, locale) as page:
        page.goto(serving.address + ENTRY)
        pick(page, "way", "hu")
        pick(page, "seat", 0)
        tap_hand(page, EAST)
        note(page)
        expect(page.locator("#form-problem")).to_be_visible()
        pick(page, "round_wind", "E")
        pick(page, "by", "loose")
        note(page)
        for seat, hand in losers.items():
            pick(page, "seat", seat)
            tap_hand(page, hand)
            if seat == 3:
                looked_at(page, f"cumberland-hand-{locale}")
            note(page)
        expect(page.locator("#points b")).to_have_text(["+7552", "+12", "+8", "+32"])
        page.locator("#finish summary").click()
        expect(page.locator("#lines")).to_contain_text(said)
        looked_at(page, f"cumberland-{locale}")
        enter(page)
        record = written(serving.place)["record"]
        assert (record["winner"], record["by"], record["round_wind"], "events" in record) == (0, "loose", "E", False)
        assert record["hands"] == [EAST, *losers.values()]
    with visiting(browser, serving, "referee", DESK, locale) as page:
        page.goto(f"{serving.address}{ENTRY}?deal=1")
        page.locator("#told button").nth(2).click()
        page.locator("input[name=value]").fill("16")
        note(page)
        expect(page.locator("#points b")).to_have_text(["+7552", "+12", "+16", "+32"])
        looked_at(page, f"cumberland-corrected-{locale}")
        enter(page, "the pair of dragons")
        assert written(serving.place)["record"]["hands"][2] == {"points": 16}
        page.goto(f"{serving.address}{SHEET}/deals/1?step=1")
        expect(page.locator(".seats-at .won .tile")).to_have_count(1)
        expect(page.locator(".seats-at .tile")).to_have_count(18)
        page.goto(f"{serving.address}{SHEET}/deals/1?step=2")
        expect(page.locator(".seats-at .tile")).to_have_count(18 + 13 + 13 + 2)
        expect(page.locator(".why").last).to_contain_text("CUM-8.1")
        looked_at(page, f"cumberland-replay-{locale}")


@pytest.mark.parametrize(("locale", "said"), [("en-US", "hidden treasure"), ("zh-CN", "彩池")])
def test_a_drawn_hand_of_balsall_and_its_goulash(browser: Browser, serving: Serving, locale: str, said: str) -> None:
    evening(serving.place, "balsall-evening")
    with visiting(browser, serving, "scorer", PHONE, locale) as page:
        page.goto(serving.address + ENTRY)
        pick(page, "way", "kong")
        pick(page, "seat", 3)
        pick(page, "kind", "melded")
        note(page)
        pick(page, "way", "end")
        pick(page, "end", "wall")
        expect(page.locator("#points b")).to_have_text(["-2", "-2", "-2", "+6"])
        enter(page)
        assert written(serving.place)["record"]["winner"] is None
        page.goto(serving.address + ENTRY)
        expect(page.get_by_text("BAL-8")).to_be_visible()
        tap_win(page, 1, "self_drawn", None, ELEVEN)
        expect(page.locator("#points b")).to_have_text(["-5", "+15", "-5", "-5"])
        page.locator("#finish summary").click()
        expect(page.locator("#lines")).to_contain_text(said)
        looked_at(page, f"balsall-goulash-{locale}")
        enter(page)
    with visiting(browser, serving, "referee", DESK, locale) as page:
        page.goto(f"{serving.address}{ENTRY}?deal=2")
        page.locator("#told button").click()
        pick(page, "by", "discard")
        pick(page, "from", 0)
        page.locator("#hand button").first.click()
        note(page)
        expect(page.locator("#points b")).to_have_text(["-5", "+15", "-5", "-5"])
        looked_at(page, f"balsall-corrected-{locale}")
        enter(page, "it was a discard")
        record = written(serving.place)["record"]
        assert (record["by"], record["from"], "flowers" in record["hands"][1]) == ("discard", 0, False)
        page.goto(f"{serving.address}{SHEET}/deals/2?step=2")
        expect(page.get_by_text("BAL-8.2").first).to_be_visible()
        looked_at(page, f"balsall-replay-{locale}")


def test_kongs_that_a_hand_of_balsall_shows_are_paid(browser: Browser, serving: Serving) -> None:
    evening(serving.place, "balsall-evening")
    hand: Record = {
        "standing": "111m234p5z",
        "melds": [{"kind": "kong", "tiles": "2222s", "type": "concealed"}, {"kind": "pung", "tiles": "777z"}],
        "winning": "5z",
    }
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(serving.address + ENTRY)
        tap_win(page, 2, "discard", 1, hand)
        # 1 for the pung of dragons and 1 for no flowers are too little.
        expect(page.locator("#problem")).to_contain_text("BAL-7.1")
        expect(page.locator("#told li")).to_have_count(2)
        page.locator("#told button").first.click()
        page.locator(".keys [data-kind='1f']").click()
        pick(page, "given", "value")
        page.locator("input[name=value]").fill("4")
        note(page)
        expect(page.locator("#points b")).to_have_text(["-3", "-7", "+13", "-3"])


@pytest.mark.parametrize(("locale", "said"), [("en-US", "the dead wall"), ("zh-CN", "王牌")])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_wall_of_two_ends_is_seen_from_above(
    browser: Browser, serving: Serving, locale: str, said: str, size: ViewportSize
) -> None:
    rules = preset_rules("hong-kong").changed({"flowers": True, "dead_wall": 14})
    fleet = serving.place.fleet
    wall = WallUp((18, 18, 18, 18), (6, 5, 6), 1, 70)
    fleet.tables["A1"] = replace(fleet.tables["A1"], rules=rules, wall=wall)
    fleet.change("A1", tiles=144, dice_count=3, dice=wall.dice, plan=wall.plan, stacks=(18, 4, 0, 11))
    serving.place.look()
    with visiting(browser, serving, "scorer", size, locale) as page:
        page.goto(f"{serving.address}/tables/A1")
        expect(page.locator(".die")).to_have_count(3)
        expect(page.locator(".wall")).to_have_count(72)
        expect(page.locator(".wall.tail")).to_have_count(1)
        expect(page.locator(".wall.dead")).to_have_count(7)
        expect(page.locator("figcaption")).to_contain_text(said)
        page.locator(".from-above").evaluate("part => part.scrollIntoView()")
        looked_at(page, f"table-hong-kong-{locale}-{size['width']}")
