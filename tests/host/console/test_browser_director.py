"""A day of a tournament at the console, in Debian's Chromium: each on their own device."""

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.console.browsing import PHONE, live, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.tapping import tap_deal
from tests.host.event.paper import declared
from tests.host.fleet.served import until
from wallwright.console.tournament.book import Book
from wallwright.event import setup
from wallwright.event.format_file import load_format
from wallwright.event.store import open_event

PLAYERS = "name,club\n" + "".join(f"Player {number},Club {number % 3}\n" for number in range(1, 9))
SEEDS = (22, 24)
"""Of two deals in which three players win and nobody declares a kong."""


@pytest.fixture
def day(serving: Serving) -> Place:
    """An event of one session with one deal, of which only its format is there."""
    place = serving.place
    path = str(place.file.with_name("event.journal"))
    short = replace(load_format("chengdu-grand-prix"), sessions=1, sessions_a_day=1, deals=1, best_of=())
    with open_event(path, "dan", place.clock, new=True) as desk:
        setup.create(desk, short)
    serving.stop()
    place.site.book = Book(path, place.clock)
    serving.start()
    return place


def pass_time(place: Place, ms: int = 1000) -> None:
    """Let the hall's clock go on, and the console look at it."""
    place.clock.now_ms += ms
    place.look()


def recorded(place: Place, act: str) -> bool:
    return any(body.get("act") == act for _, body in place.fleet.records)


def signed(place: Place, table: int) -> bool:
    return place.site.event.view.sessions[0].tables[table - 1].signed_off


def draw(page: Page, address: str, place: Place) -> None:
    """Take the players, draw lots before everybody's eyes, and read the seats."""
    page.goto(f"{address}/setup")
    page.get_by_label("Or paste it").fill(PLAYERS)
    page.get_by_role("button", name="What does it say?").click()
    expect(page.locator("#players-found")).to_contain_text("8 players")
    page.get_by_role("button", name="Take these players").click()
    expect(page.locator("#players-now li")).to_have_count(8)
    page.goto(f"{address}/draws/main")
    page.get_by_role("button", name="Commit to a seed").click()
    expect(page.get_by_role("heading", name="Commitment")).to_be_visible()
    page.get_by_text("Begin the draw again").click()
    page.get_by_label("Whose part").fill("Player 3")
    beside = page.context.new_page()
    beside.goto(f"{address}/draws/main")
    add_part(beside, "Player 4", "1 1 6")
    beside.close()
    # Whoever has the page open already is told by the hall's look.
    place.look()
    expect(page.locator(".parts")).to_contain_text("1 1 6")
    expect(page.get_by_label("Whose part")).to_have_value("Player 3")
    expect(page.locator("#commit-reason")).to_be_visible()
    add_part(page, "Player 3", "5 2 6")
    shown(page, "director-draw")
    page.get_by_label("Everybody who wanted to has added a part").check()
    page.get_by_role("button", name="Reveal the seed").click()
    expect(page.get_by_text("Recomputed: the lots follow from the seed")).to_be_visible()
    shown(page, "director-transcript")


def add_part(page: Page, who: str, text: str) -> None:
    page.get_by_label("Whose part").fill(who)
    page.get_by_label("What they said or rolled").fill(text)
    page.get_by_role("button", name="Add the part").click()
    expect(page.locator(".parts")).to_contain_text(text)


def step(page: Page, place: Place, name: str, state: str) -> None:
    """Take a step of the session's life, and wait until the page shows where that has led to."""
    if name == "Stop the session":
        page.get_by_label("Yes, end it for all tables").check()
    page.get_by_role("button", name=f"{name}, session 1").click()
    until(lambda: place.site.event.view.sessions[0].state == state)
    pass_time(place)


def test_a_day_from_the_draw_to_final_standings(browser: Browser, serving: Serving, day: Place) -> None:
    ruleset = day.site.event.find_ruleset(None)
    wrong, right = (declared(ruleset, 0, Random(seed))[0] for seed in SEEDS)
    with (
        visiting(browser, serving, "director") as director,
        visiting(browser, serving, "referee", PHONE) as referee,
        visiting(browser, serving, "scorer", PHONE) as scorer,
        visiting(browser, serving, "public", PHONE) as player,
    ):
        draw(director, serving.address, day)
        director.goto(f"{serving.address}/event")
        live(director, serving)
        step(director, day, "Open the seats", "open")
        player.goto(f"{serving.address}/players/3")
        expect(player.get_by_text("table").first).to_be_visible()
        step(director, day, "Start the clock", "running")
        pass_time(day, 60_000)

        referee.goto(f"{serving.address}/calls")
        live(referee, serving)
        day.fleet.tell("A2", "referee_called", side=1)
        pass_time(day)
        referee.get_by_role("button", name="I am going").click()
        until(lambda: recorded(day, "take_call"))
        pass_time(day)
        shown(referee, "referee-call")
        referee.get_by_role("button", name="Done").click()
        until(lambda: recorded(day, "end_call"))

        table = f"{serving.address}/event/sessions/1/tables/1"
        scorer.goto(f"{table}/declare")
        tap_deal(scorer, wrong)
        expect(scorer.locator("#points-title")).to_have_text("Points of the deal")
        scorer.get_by_role("button", name="Enter it").click()
        scorer.wait_for_url("**/event/sessions/1/tables/1")
        scorer.get_by_role("link", name="Correct a deal, Deal 1").click()
        noted = scorer.locator("#told button")
        expect(noted).to_have_count(sum(len(event["winners"]) for event in wrong["events"]) + len(wrong["hands"]))
        while noted.count():
            noted.first.click()
            scorer.get_by_role("button", name="Take it away").click()
        tap_deal(scorer, right)
        expect(scorer.locator("#points-title")).to_have_text("Points of the deal")
        scorer.get_by_role("button", name="Enter it").click()
        scorer.get_by_label("Reason of the correction").fill("two hands were mixed up")
        scorer.get_by_role("button", name="Enter it").click()
        scorer.wait_for_url("**/event/sessions/1/tables/1")
        expect(scorer.get_by_text("waits for a referee")).to_be_visible()

        referee.goto(f"{serving.address}/event/sessions/1/tables/2")
        referee.get_by_text("Points by a referee's word").click()
        for seat, points in enumerate((6, -2, -2, -2)):
            referee.locator(f"#points-{seat}").fill(str(points))
        referee.locator("#rule-reason").fill("the tiles were mixed before anybody had counted")
        referee.get_by_role("button", name="Write these points").click()
        expect(referee.get_by_role("row", name="Total")).to_contain_text("+6")

        serving.stop()
        expect(director.get_by_text("The connection is lost")).to_be_visible()
        serving.start()
        expect(director.get_by_text("The connection is lost")).to_be_hidden()
        pass_time(day)
        director.get_by_role("button", name="Approve, table 1, Deal 1").click()
        until(lambda: not day.site.event.view.sessions[0].tables[0].unapproved)
        pass_time(day)
        shown(director, "director-session")
        step(director, day, "Stop the session", "awaiting_sign_off")
        for number in (1, 2):
            director.get_by_role("button", name=f"Sign off, table {number}").click()
            until(partial(signed, day, number))
            pass_time(day)
        expect(director.get_by_text("checkpoint").first).to_be_visible()
        shown(director, "director-checkpoint")
        player.goto(f"{serving.address}/event/standings")
        expect(player.get_by_text("Results are shown when all tables are done.")).to_be_visible()
        step(director, day, "Publish", "under_appeal")
        pass_time(day, 31 * 60_000)
        step(director, day, "Make final", "final")
        player.goto(f"{serving.address}/event/standings")
        expect(player.get_by_role("heading", name="Final standings")).to_be_visible()
        expect(player.get_by_role("row")).to_have_count(9)
        shown(player, "final-phone")
        director.goto(f"{serving.address}/event/papers")
        with director.expect_download() as download:
            director.get_by_role("link", name="Download the backup").click()
        assert download.value.path().stat().st_size > 1000
