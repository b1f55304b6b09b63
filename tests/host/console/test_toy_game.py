"""A fifth game from a folder at the console, in Debian's Chromium: no page, script or text of the console knows it."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.tapping import ENTRY, pick, written
from tests.host.console.tapping_games import evening, note, tap_hand
from tests.host.toy import toy_game
from wallwright.console.people.person import Person
from wallwright.event import results
from wallwright.fleet.wall_up import WallUp
from wallwright.rules.core.game_rules import preset_rules
from wallwright.rules.core.registry import games

SHEET = "/event/sessions/1/tables/1"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game is installed, and a club plays an evening of it: the path of its format."""
    path = tmp_path / "club.toml"
    path.write_text('base = "hong-kong-club"\nname = "Toys"\nruleset = "high-tile"\n')
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(toy_game(site)))
    importlib.invalidate_caches()
    games.cache_clear()
    yield str(path)
    games.cache_clear()
    for name in ("high_tile", "high_tile.game"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("locale", "size", "why", "end"),
    [
        ("en-US", PHONE, "Why these points", "End"),
        ("zh-CN", DESK, "得分的由来", "结束"),
    ],
)
def test_a_game_from_a_folder_is_tapped_in_corrected_and_replayed(
    browser: Browser, serving: Serving, club: str, locale: str, size: ViewportSize, why: str, end: str
) -> None:
    book = evening(serving.place, club)
    hand = {"standing": "1m", "winning": "8f"}
    with visiting(browser, serving, "referee", size, locale) as page:
        page.goto(serving.address + ENTRY)
        expect(page.get_by_text("TOY-2")).to_be_visible()
        pick(page, "way", "hu")
        pick(page, "seat", 2)
        tap_hand(page, hand)
        note(page)
        expect(page.locator("#points b")).to_have_text(["-1", "-1", "+3", "-1"])
        checks_passed(page)
        shown(page, f"toy-form-{locale}")
        page.locator("#enter").click()
        page.wait_for_url(f"**{SHEET}")
        assert written(serving.place)["record"]["winner"] == 2
        book.look()
        page.goto(f"{serving.address}{ENTRY}?deal=1")
        page.locator("#told button").click()
        pick(page, "seat", 1)
        note(page)
        expect(page.locator("#points b")).to_have_text(["-1", "+3", "-1", "-1"])
        page.locator("#reason").fill("it was the other seat")
        page.locator("#enter").click()
        page.wait_for_url(f"**{SHEET}")
        book.look()
        page.goto(f"{serving.address}{SHEET}/deals/1")
        page.get_by_role("navigation").get_by_text(end, exact=True).click()
        expect(page.get_by_role("heading", name=why)).to_be_visible()
        expect(page.get_by_text("has the highest tile (TOY-2)")).to_be_visible()
        expect(page.locator(".seats-at .tile")).to_have_count(2)
        checks_passed(page)
        shown(page, f"toy-replay-{locale}")


def test_the_walls_of_a_game_from_a_folder_are_seen_from_above(browser: Browser, serving: Serving, club: str) -> None:
    fleet = serving.place.fleet
    wall = WallUp((18, 18, 18, 18), (3,), 0, 20)
    fleet.tables["A1"] = replace(fleet.tables["A1"], rules=preset_rules("high-tile"), wall=wall)
    fleet.change("A1", tiles=144, dice_count=1, dice=wall.dice, plan=wall.plan, stacks=(18, 4, 0, 11))
    serving.place.look()
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.goto(f"{serving.address}/tables/A1")
        expect(page.locator(".die")).to_have_count(1)
        expect(page.locator(".wall")).to_have_count(72)
        expect(page.locator(".wall.h0")).to_have_count(10)
        expect(page.locator(".wall.tail")).to_have_count(1)
        shown(page, "toy-table")


def test_events_that_only_the_game_knows_are_shown_by_their_name(place: Place, club: str) -> None:
    book = evening(place, club)
    events = [{"type": "spin", "seat": 1}, {"type": "kong", "seat": 3, "kind": "odd"}, 7]
    record = {"winner": 2, "events": events, "hands": ["?", None, {"standing": "?"}, {"points": 4}]}
    book.do(Person("sam", "scorer"), lambda desk: results.record_result(desk, results.preview(desk, 1, 1, record)))
    referee = place.signed_in("referee")
    pages = [referee.get(f"{SHEET}/deals/1?step={step}") for step in range(5)]
    assert [page.status_code for page in pages] == [200] * 5
    for page, said in zip(pages[1:], ("spin", "kong", "wins", "TOY-2"), strict=True):
        assert said in page.text
