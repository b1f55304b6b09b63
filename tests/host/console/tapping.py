"""How a test taps a deal in, in Debian's Chromium."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from playwright.sync_api import Page, expect

from tests.host.console.hall import SEED, Place
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import read_journal
from wallwright.rules.sichuan.tiles import parse_tiles, tile_name

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
            "winners": [{"seat": 0, "value": 4}, {"seat": 2, "false": True, "referee": "Ann"}],
        },
    ],
    "end": "wall",
    "hands": [
        {"seat": 1, "value": 0},
        {"seat": 3, "standing": "1234m567p222255s", "void": "s", "only_void_discards": True, "not_ready": True},
    ],
}
"""What bots do not do: a chain, several Hu on one tile, a false one, a referee's word, a forbidden suit kept."""


def running(place: Place) -> Book:
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    return book


def mil_event(place: Place) -> Book:
    """A session by the rules that know a breach."""
    path = str(place.file.with_name("event.journal"))
    with open_event(path, "dan", place.clock, new=True) as desk:
        draw_event(desk, "mil-2025")
    place.site.book = book = Book(path, place.clock)
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
        given = next((name for name in ("items", "value", "false") if name in hand), "sets")
        given = "zero" if hand.get("value") == 0 else given
        pick(page, "given", given)
        if given == "value":
            pick(page, "value", hand["value"])
        for item in sorted(set(hand.get("items", ())) - {"root"}):
            pick(page, "item", item)
        if given == "items":
            pick(page, "roots", hand["items"].count("root"))
        if given == "false":
            page.locator("#referee").fill(hand["referee"])
        if given != "sets":
            return
    else:
        pick(page, "given", "tiles")
        if hand.get("false"):
            page.locator("input[name=found]").check()
            page.locator("#referee").fill(hand["referee"])
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
    said = [hand for hand in record["hands"] if hand.get("not_ready") or hand.get("holds_void")]
    expect(page.locator("#doubts li")).to_have_count(len(said))
    for left in range(len(said), 0, -1):
        # The question goes with its answer, and the next one takes its place.
        page.locator("#doubts li").first.get_by_role("button").last.click()
        expect(page.locator("#doubts li")).to_have_count(left - 1)


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
