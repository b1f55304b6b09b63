"""A player's page holds the journal to what it has seen, in Debian's Chromium: over hours, and against its owner."""

import json
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.played import DAN, publish, witnessed
from tests.host.console.serving import Serving
from tests.host.journal.conftest import stored, tamper
from tests.host.journal.test_chain import chained, replace_all
from tests.host.journal.test_leaves import signed_anew
from wallwright.console.tournament.book import Book
from wallwright.event import running
from wallwright.journal import verify_journal
from wallwright.journal.witness import EVERY_MS, Witnessing

Row = tuple[Any, ...]
LUNCH = datetime(2026, 11, 22, 14, 5).astimezone()
EVENING = LUNCH.replace(hour=18, minute=0)


@pytest.fixture
def witness(serving: Serving) -> Witnessing:
    """The journal's, at a console with a tournament of two tables."""
    serving.stop()
    serving.place.begin_event(salt="5a" * 32)
    witnessing = witnessed(serving.place)
    serving.start()
    return witnessing


def sign(serving: Serving, witnessing: Witnessing) -> int:
    """Let it be time for a checkpoint, and have it sent; return how many entries it is about."""
    serving.place.clock.now_ms += EVERY_MS
    witnessing.look()
    serving.place.look()
    assert witnessing.newest is not None
    return witnessing.newest.checkpoint.entry


def kept(page: Page) -> dict[str, Any]:
    found = page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('witness '))[1]")
    return dict(json.loads(found))


def test_what_was_seen_at_five_past_two_is_proved_at_six(
    browser: Browser, serving: Serving, witness: Witnessing
) -> None:
    with visiting(browser, serving, "public", PHONE) as page:
        page.clock.set_fixed_time(LUNCH)
        page.goto(f"{serving.address}/players/1")
        live(page, serving)
        expect(page.locator("#witness")).to_contain_text("This page has seen 1 checkpoints of the journal since 14:05.")
        book = publish(serving.place, 1, Random(7))
        sign(serving, witness)
        [(table, deal, seat, entry)] = book.deals_of(1, 1)
        points = json.loads(stored(book.place)[entry - 1][6])["points"][seat]
        wind = ("East", "South", "West", "North")[seat]
        said = f"Session 1, table {table}, deal {deal}, {wind}: {points:+}, seen at 14:05 (entry {entry})".replace(
            "+0", "0"
        )
        expect(page.locator("#witness li")).to_have_text(said)
        # Hours go by; the browser is closed in between, and keeps what it knows.
        page.goto(f"{serving.address}/players")
        for session in (2, 3):
            book.step(DAN, session - 1, "finalise", "no appeals")
            publish(serving.place, session, Random(session))
            sign(serving, witness)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.clock.set_fixed_time(EVENING)
        page.goto(f"{serving.address}/players/1")
        live(page, serving)
        expect(page.locator("#witness li")).to_have_count(3)
        assert any("/checkpoint/consistency?" in url for url in asked)
        page.get_by_role("button", name="Prove that they are still there").click()
        proved = "At 18:00: all 3 results that this page has seen are in the journal, by a proof for each"
        expect(page.locator("#witness [data-part=proved]")).to_contain_text(proved)
        assert sum("/checkpoint/inclusion/" in url for url in asked) == 3
        page.locator("#witness summary").click()
        expect(page.locator("#witness li").filter(has_text=said)).to_be_visible()
        assert checks_passed(page) > 10
        shown(page, "witness-phone")
        # The server's word counts for nothing: a proof of something else is found.
        page.route("**/checkpoint/inclusion/*", lambda route: route.fulfill(json={"proof": [], "leaf": "00" * 32}))
        page.get_by_role("button", name="Prove that they are still there").click()
        expect(page.get_by_role("alert")).to_contain_text(
            "a result that this page shows or has shown was not in the journal"
        )
        # Next week's tournament of the same name is another one.
        page.clock.set_fixed_time(EVENING + timedelta(days=4))
        page.reload()
        expect(page.locator("#witness")).to_contain_text("This page has seen 1 checkpoints")
        expect(page.get_by_role("alert")).to_be_hidden()


def test_a_result_that_is_shown_otherwise_than_it_is_written_is_found(
    browser: Browser, serving: Serving, witness: Witnessing
) -> None:
    """Attack: the page is sent other points than the journal has, with everything else as it is."""
    publish(serving.place, 1, Random(7))
    sign(serving, witness)

    def falsify(route: Any) -> None:
        answer = route.fetch()
        text = answer.text()
        place = text.index('data-points="') + 13
        route.fulfill(response=answer, body=f"{text[:place]}9{text[place:]}")

    with visiting(browser, serving, "public", PHONE) as page:
        signed = page.request.get(f"{serving.address}/api/v1/checkpoint").text()
        stream = f"event: checkpoint\ndata: {signed}\n\n"
        page.route("**/players/1", falsify)
        page.route("**/live/players/1*", lambda route: route.fulfill(content_type="text/event-stream", body=stream))
        page.goto(f"{serving.address}/players/1")
        expect(page.get_by_role("alert")).to_contain_text("was not in the journal")


def made_anew(rows: list[Row]) -> list[Row]:
    """Another result of the first deal, all hashes computed anew, all checkpoints signed anew with the real key."""
    at = next(number for number, row in enumerate(rows) if row[5] == "result_recorded")
    body = json.loads(rows[at][6])
    body["points"] = [-points for points in body["points"]]
    changed = (*rows[at][:6], json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False), rows[at][7])
    return signed_anew(chained([*rows[:at], changed, *rows[at + 1 :]]))


def cut_off(rows: list[Row]) -> list[Row]:
    return rows[:-4]


@pytest.mark.parametrize(("rewrite", "grows"), [(made_anew, True), (cut_off, False)], ids=["made anew", "cut off"])
def test_the_page_warns_of_a_journal_that_its_owner_has_made_anew(
    browser: Browser, serving: Serving, witness: Witnessing, rewrite: Callable[[list[Row]], list[Row]], grows: bool
) -> None:
    book = publish(serving.place, 1, Random(7))
    size = sign(serving, witness)
    with visiting(browser, serving, "public", PHONE) as page:
        page.clock.set_fixed_time(LUNCH)
        page.goto(f"{serving.address}/players/1")
        expect(page.locator("#witness li")).to_have_count(1)
        before = kept(page)["seen"][-1]["printed"]
        serving.stop()
        # In another place, for this process knows the journal that it has read; its owner starts another one.
        forged = shutil.copy(book.place, f"{book.place}.anew")
        tamper(forged, *replace_all(rewrite(stored(forged))))
        assert verify_journal(forged).is_whole
        serving.place.site.book = anew = Book(forged, serving.place.clock)
        if grows:
            anew.do(DAN, lambda desk: running.finalise(desk, 1, "no appeals"))
        other = witnessed(serving.place)
        assert other.newest is not None
        assert (other.newest.checkpoint.entry > size) == grows
        serving.start()
        alarm = page.get_by_role("alert")
        expect(alarm).to_contain_text("Warning: at 14:05 the journal of this event was no longer the one")
        expect(alarm).to_contain_text(before)
        expect(alarm).to_contain_text(str(other.newest.checkpoint))
        shown(page, f"witness-warns-{rewrite.__name__}")
        assert checks_passed(page) > 10
        # What everybody can do who has the journal's file and the alarm's first line.
        assert witness.newest is not None
        assert not verify_journal(forged, [witness.newest.checkpoint]).is_whole
        page.goto(f"{serving.address}/players/1?lang=zh")
        expect(alarm).to_contain_text("警告：14:05 时")
        page.get_by_role("button", name="忘掉此页面看到过的内容").click()
        expect(alarm).to_be_hidden()
