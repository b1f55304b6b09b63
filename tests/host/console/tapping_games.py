"""How a test taps in a deal of Hong Kong, Cumberland or Balsall, in Debian's Chromium."""

from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Page

from tests.host.console.hall import SEED, Place
from tests.host.console.tapping import pick, tick
from wallwright.console.tournament.book import Book
from wallwright.event import running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.rules.core.tiles import parse_tiles, tile_name

Record = Mapping[str, Any]


def evening(place: Place, name: str) -> Book:
    """An evening of that format whose first session runs; four players at one table."""
    path = str(place.file.with_name("event.journal"))
    with open_event(path, "dan", place.clock, new=True) as desk:
        setup.create(desk, load_format(name))
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 5))), "players.csv")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        running.open_session(desk, 1)
        running.start_session(desk, 1)
    place.site.book = book = Book(path, place.clock)
    return book


def tap_hand(page: Page, hand: Record, *, ticks: tuple[str, ...] = ()) -> None:
    """Give a hand by its points, or tap its tiles: flowers, sets laid down, standing tiles, the winning one."""
    if "points" in hand:
        pick(page, "given", "value")
        typed = page.locator("input[type=number][name=value]")
        if typed.count():
            typed.fill(str(hand["points"]))
        else:
            pick(page, "value", hand["points"])
        return
    for flower in hand.get("flowers", ()):
        tap(page, flower)
    for meld in hand.get("melds", ()):
        pick(page, "mode", meld.get("type", meld["kind"]))
        tap(page, tile_name(parse_tiles(meld["tiles"])[0]))
    pick(page, "mode", "standing")
    for kind in parse_tiles(hand["standing"]):
        tap(page, tile_name(kind))
    if "winning" in hand:
        tap(page, hand["winning"])
    for name in ticks:
        tick(page, name, True)


def tap(page: Page, kind: str) -> None:
    page.locator(f".keys [data-kind='{kind}']").click()


def note(page: Page) -> None:
    page.locator("#note").click()


def tap_win(page: Page, seat: int, by: str, from_: int | None, hand: Record, *, ticks: tuple[str, ...] = ()) -> None:
    pick(page, "way", "hu")
    pick(page, "seat", seat)
    pick(page, "by", by)
    if from_ is not None:
        pick(page, "from", from_)
    tap_hand(page, hand, ticks=ticks)
    note(page)
