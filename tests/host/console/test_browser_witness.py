"""A player's page holds the journal to what it has seen, in Debian's Chromium: over hours, and against its owner."""

import json
import re
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
from tests.length import length
from tests.proofs import all_cases
from tests.proofs.served import PlayersPage, players_pages
from tests.proofs.test_verdicts import REMEMBER, differences
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
        for open_ in ("seats others there", "all results of the player", "who the player is"):
            expect(page.locator("#witness [data-part=proved]")).to_contain_text(open_)
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


Lie = Callable[[list[dict[str, Any]], list[dict[str, Any]]], Any]
"""Makes other results of those of player 1 and of another player in the session; or says what the server answers."""


def _of_another(own: list[dict[str, Any]], others: list[dict[str, Any]]) -> Any:
    return [others[0] | {"table": own[0]["table"], "deal": own[0]["deal"]}]


LIES: dict[str, tuple[Lie, str, bool]] = {
    # what the server tells, whose points the page shows, whether that is a contradiction
    "another table's entry": (_of_another, "theirs", True),
    "another seat's points": (lambda own, _: [own[0] | {"seat": (own[0]["seat"] + 1) % 4}], "neighbours", False),
    "another kind": (lambda own, _: [own[0] | {"result": own[0]["result"].replace("recorded", "corrected")}], "", True),
    "another board": (lambda own, _: [own[0] | {"result": own[0]["result"].replace("null", '"A1"', 1)}], "", True),
    "other points": (lambda own, _: [own[0] | {"result": own[0]["result"].replace(",[", ",[1")}], "", True),
    "the same twice": (lambda own, _: [own[0], own[0]], "", True),
    "no result": (lambda own, _: [], "", False),
    "a refusal": (lambda own, _: 404, "", False),
    "silence": (lambda own, _: None, "", False),
    "no object": (lambda own, _: "results", "", True),
}


def test_a_server_that_lies_about_a_deal_has_nothing_proved(
    browser: Browser, serving: Serving, witness: Witnessing
) -> None:
    """Attack: the server points at another entry, says another seat, or says nothing; its proofs are true ones."""
    publish(serving.place, 1, Random(7))
    size = sign(serving, witness)
    book, client = serving.place.site.event, serving.place.client()
    told = [client.get(f"/api/v1/checkpoint/results/1/{player}?size={size}").json() for player in range(1, 9)]
    [(table, deal, seat, entry)] = book.deals_of(1, 1)
    others = next(one["results"] for one in told if one["results"][0]["table"] != table)
    four = json.loads(stored(book.place)[entry - 1][6])["points"]
    theirs = json.loads(others[0]["result"])[6][others[0]["seat"]]
    stream = f"event: checkpoint\ndata: {client.get('/api/v1/checkpoint').text}\n\n"
    answer: Any = None
    points = four[seat]

    def answered(route: Any) -> None:
        if answer is None:
            route.abort("connectionrefused")
        elif isinstance(answer, int):
            route.fulfill(status=answer, json={"problem": "no such result"})
        else:
            route.fulfill(json=told[0] | {"results": answer})

    def falsified(route: Any) -> None:
        text = route.fetch().text().replace(f'data-points="{four[seat]}"', f'data-points="{points}"')
        was, now = (f"{one:+d}" if one else "0" for one in (four[seat], points))
        route.fulfill(body=re.sub(rf"(data-deal.*?>\d+ <span[^>]*>){re.escape(was)}<", rf"\g<1>{now}<", text))

    with visiting(browser, serving, "public", PHONE) as page:
        page.route("**/checkpoint/results/*/*", answered)
        page.route("**/players/1", falsified)
        page.route("**/live/players/1*", lambda route: route.fulfill(content_type="text/event-stream", body=stream))
        lines, open_ = page.locator("#witness li"), page.locator("#witness [data-part=open]")
        for lie, (tell, whose, is_contradiction) in LIES.items():
            answer = tell(told[0]["results"], others)
            points = {"theirs": theirs, "neighbours": four[(seat + 1) % 4]}.get(whose, four[seat])
            page.goto(f"{serving.address}/players/1")
            if is_contradiction:
                expect(page.get_by_role("alert"), lie).to_contain_text("was not in the journal")
            elif whose == "neighbours":
                # That is in the journal, of the seat that the page names, and nothing says who sat there.
                expect(lines).to_contain_text("Not proved: who sat there.")
                wind = ("East", "South", "West", "North")[(seat + 1) % 4]
                expect(lines).to_contain_text(f"deal {deal}, {wind}: {points:+d}".replace("+0", "0"))
            else:
                said = f"Not proved, 1 of the results on this page (session-table-deal): 1-{table}-{deal}"
                expect(open_, lie).to_have_text(said)
                expect(lines, lie).to_have_count(0)
                # It stays so until it is proved: the true answer comes at last.
                answer = told[0]["results"]
                page.reload()
                expect(lines, lie).to_have_count(1)
                expect(open_, lie).to_have_text("")
            page.evaluate("localStorage.clear()")


def test_all_cases_of_proofs_have_their_verdicts_in_the_browser(
    browser: Browser, serving: Serving, witness: Witnessing
) -> None:
    """By the scripts that a player's page has got from its server, whose rules for scripts hold as well."""
    verify = "cases => cases.map((text) => JSON.stringify(verdict.verify(JSON.parse(text))))"
    with visiting(browser, serving, "public", PHONE) as page:
        page.goto(f"{serving.address}/players/1")
        page.evaluate(f"() => {{ const known = new Map(); {REMEMBER.read_text(encoding='utf-8')} }}")
        cases = [json.dumps(case["case"]) for case in all_cases()]
        parts = [cases[at : at + 100] for at in range(0, len(cases), 100)]
        found = [json.loads(text) for part in parts for text in page.evaluate(verify, part)]
    assert differences(found) == []


SAID = """() => {
  const texts = (where) => Array.from(document.querySelectorAll(`#witness ${where}`), (one) => one.textContent);
  const lines = texts("li").map((line) => line.replace(/, seen at \\S+/, "")).sort();
  return { alarm: !document.getElementById("witness-alarm").hidden, open: texts("[data-part=open]")[0], lines };
}"""


def test_a_player_s_page_says_what_a_case_proves_and_nothing_else(
    browser: Browser, serving: Serving, witness: Witnessing, seed: int
) -> None:
    """Attack: the server sends what a case has, as page, news and answers."""
    pages = list(players_pages())
    assert len(pages) > 300
    one: PlayersPage
    with visiting(browser, serving, "public", PHONE) as page:
        true = page.request.get(f"{serving.address}/players/1").text()
        page.goto(f"{serving.address}/players/1")
        page.route("**/players/1", lambda route: route.fulfill(body=one.text(true), content_type="text/html"))
        page.route("**/live/*/1*", lambda route: route.fulfill(content_type="text/event-stream", body=one.stream))

        def answered(route: Any) -> None:
            answer = one.answer(route.request.url)
            if answer == "silent":
                route.abort("connectionrefused")
            else:
                route.fulfill(body=json.dumps(answer), status=404 if answer == "refused" else 200)

        page.route("**/checkpoint/results/*/*", answered)
        for one in Random(seed).sample(pages, length(5, len(pages))):
            page.evaluate("([name, text]) => localStorage.setItem(name, text)", one.known)
            page.goto(f"{serving.address}/players/1")
            page.locator("#witness:not([hidden])").wait_for(state="attached")
            said = page.evaluate(SAID)
            assert said == one.says(), one.name
            if one.accepted is not None:
                has_all = not said["alarm"] and not said["open"] and "Not proved" not in "".join(said["lines"])
                assert has_all == one.accepted, one.name


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
