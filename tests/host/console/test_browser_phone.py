"""The console on a small phone: names of any length move nothing off it, and its menu shows that it goes on."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.host.console.browsing import shown, visiting
from tests.host.console.serving import Serving
from tests.host.console.test_naming import DAN, play
from wallwright.event import sanctions
from wallwright.event.desk import Desk

SMALL: ViewportSize = {"width": 360, "height": 740}
NAMES = tuple(
    f"{number}{letter * 63}" for number, letter in enumerate(("W", "麻", "i", "Ж", "W", "雀", "-", "g"), start=1)
)
PAGES = (
    "/", "/tables/A1", "/tables/A3", "/tables/A1/deals", "/calls", "/event", "/event/sessions/1",
    "/event/sessions/1/tables/1", "/event/sessions/1/tables/1/declare", "/event/sessions/1/tables/1/declare?deal=1",
    "/event/sessions/1/tables/1/deals/1?step=9", "/setup", "/players", "/players/1", "/players/2", "/players/badges",
    "/event/standings", "/event/papers", "/event/appeals", "/event/report",
    "/event/sessions/1/score-sheets", "/event/sessions/1/slips", "/seats/1", "/draws/main", "/screen", "/accounts",
    "/account",
)  # fmt: skip
OFF = """() => {
  const wide = document.documentElement.clientWidth;
  const told = (one) => `${one.tagName}.${one.className} ${Math.round(one.getBoundingClientRect().right)} `
    + (one.textContent || one.name || one.id).trim().slice(0, 40);
  const scrolls = (one) => {
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return true;
    return false;
  };
  const seen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0 && !one.closest(".skip");
  const over = (one) => one.getBoundingClientRect().right > wide + 1 || one.getBoundingClientRect().left < -1;
  const fields = [...document.querySelectorAll("button, a.button, input, select, textarea")];
  const all = [...document.body.querySelectorAll("*")];
  return [
    ...(document.documentElement.scrollWidth > wide ? [`scrolls ${document.documentElement.scrollWidth}`,
      ...all.filter((one) => seen(one) && over(one) && !scrolls(one)).slice(0, 4).map(told)] : []),
    ...fields.filter((one) => seen(one) && over(one)).map(told),
  ];
}"""

NAMELESS = """() => [...document.querySelectorAll("[data-part=seat] span")].filter((one) => {
  const [box, seat] = [one, one.querySelector("small")].map((part) => part.getBoundingClientRect());
  return seat.top < box.top || seat.bottom > box.bottom || seat.left < box.left;
}).map((one) => one.textContent)"""
"""Seats to choose from whose name has left the button."""


def fill(serving: Serving) -> None:
    """A hall with a fault and a call, and a tournament in play with a penalty."""
    place = serving.place

    def act(desk: Desk) -> None:
        play(desk)
        sanctions.give_penalty(desk, desk.sheet(1, 1).players[0], "warning", "z" * 64, session=1)

    place.begin_event(names=NAMES).do(DAN, act)
    place.fleet.tell("A1", "referee_called", side=0)
    place.fleet.change("A3", state="fault", fault="lane_jam", fault_side=0, drives=("disc", "conveyor_0"))
    place.look()


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_long_names_push_nothing_off_a_phone(browser: Browser, serving: Serving, locale: str) -> None:
    fill(serving)
    found: dict[str, list[str]] = {}
    with visiting(browser, serving, "director", SMALL, locale=locale) as page:
        for path in PAGES:
            answer = page.goto(serving.address + path)
            assert answer is not None
            assert answer.status == 200, path
            found[path] = page.evaluate(OFF)
            if path.endswith("/declare"):
                page.wait_for_function(
                    "document.querySelector('[data-part=seat] span')?.getBoundingClientRect().height"
                )
                assert page.evaluate(NAMELESS) == []
            shown(page, f"small {path.strip('/').replace('/', '-')} {locale}")
    assert {path: off for path, off in found.items() if off} == {}


def test_the_menu_of_a_phone_shows_that_it_goes_on(browser: Browser, serving: Serving) -> None:
    fill(serving)
    with visiting(browser, serving, "director", SMALL) as page:
        page.goto(serving.address + "/event")
        menu = page.get_by_role("navigation", name="Pages")
        expect(menu).to_have_attribute("data-more", "after")
        assert arrows(page) == {"before": False, "after": True}
        shown(page, "menu-begins")
        menu.evaluate("(one) => one.scrollTo(60, 0)")
        expect(menu).to_have_attribute("data-more", "before after")
        assert arrows(page) == {"before": True, "after": True}
        menu.evaluate("(one) => one.scrollTo(9999, 0)")
        expect(menu).to_have_attribute("data-more", "before")
        assert arrows(page) == {"before": True, "after": False}
        shown(page, "menu-ends")
        page.set_viewport_size({"width": 1280, "height": 740})
        expect(menu).to_have_attribute("data-more", "")


def arrows(page: Page) -> dict[str, bool]:
    """At which ends of the menu an arrow is drawn."""
    return {
        end: page.evaluate("(end) => getComputedStyle(document.querySelector('.rooms'), `::${end}`).content", end)
        not in ("none", "normal")
        for end in ("before", "after")
    }
