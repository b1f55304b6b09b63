"""A director commits to deals in the console, by an announcement without tiles; the hall has never had the deals."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_deals_page import DAN, FOUR_TABLES, text_of
from tests.host.event.test_pairs import Day
from tests.host.tiles.test_secrecy import forms
from wallwright import cli
from wallwright.console.tournament.book import Book
from wallwright.duplicate.announced import announced, announced_record
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import commitment, draw_deals
from wallwright.duplicate.json_form import deals_record
from wallwright.duplicate.sealed import seal
from wallwright.event import running
from wallwright.event.desk import Desk
from wallwright.journal import read_journal


def uncommitted(place: Place, path: Path) -> Day:
    """An event whose lots are drawn, and which has committed to no deals yet."""
    day = Day(path, "pairs", 8)
    day.draw()
    day.journal.close()
    place.site.book = Book(str(day.path), place.clock)
    return day


def test_before_deals_are_committed_to_the_page_says_who_does_that(place: Place, tmp_path: Path) -> None:
    uncommitted(place, tmp_path / "event.journal")
    client, referee = place.signed_in("director"), place.signed_in("referee")
    assert client.get("/api/v1/event/deals").json() is None
    assert "wallwright deals announce" in client.get("/event/deals").text
    text = text_of(referee.get("/event/deals").text)
    assert "A director does that before the first session begins." in text
    assert "announce" not in text
    assert '<a href="/event/deals">' in client.get("/event").text


def test_a_director_commits_to_deals_that_the_hall_has_never_had(place: Place, tmp_path: Path) -> None:
    day = uncommitted(place, tmp_path / "event.journal")
    good = json.dumps(announced_record(announced(day.deals)))

    def commit(key: str, text: str, role: str = "director") -> tuple[int, Any]:
        answer = place.signed_in(role).post(
            "/api/v1/event/deals/commitment", json={"announcement": text}, headers={"Idempotency-Key": key}
        )
        return answer.status_code, answer.json()

    for role in ("referee", "scorer", "operator"):
        assert commit(f"as-a-{role}", good, role)[0] == 403
    shows = json.dumps(deals_record(day.deals))
    others = json.dumps(announced_record(announced(draw_deals("day", "hong-kong", OWN, 2))))
    short = json.dumps(announced_record(announced(draw_deals("day", "mil-2025-duplicate", OWN, 1))))
    for key, text, why in (
        ("all-the-tiles", shows, "this file shows all tiles"),
        ("no-such-file", "1m2m3m", "this is no announcement"),
        ("was-changed", good.replace('"own"', '"sky"'), "'draw' cannot be"),
        ("of-hong-kong", others, "the deals are of hong-kong"),
        ("one-too-few", short, "this event needs 2; draw more"),
    ):
        code, answer = commit(key, text)
        assert (code in (400, 409, 422), why in answer["problem"]) == (True, True), (key, code, answer)
    secrets = [day.deals.nonce, day.deals.seed or b"", bytes(day.deals.deals[0].faces[:12])]
    secrets += [json.dumps(deal["sides"][0])[1:40].encode() for deal in deals_record(day.deals)["deals"]]
    kept = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert not [name for name, data in kept.items() for one in secrets for form in forms(one) if form in data]
    promised = commitment(day.deals)
    done = (200, {"commitment": promised, "deals": 3, "spares": 1})
    assert commit("the-good-one", good) == done
    assert commit("the-good-one", good) == done, "it is sent again when no answer came"
    code, answer = commit("once-more", good)
    assert (code, "deals were committed to already; they stay" in answer["problem"]) == (409, True)
    assert promised in place.signed_in("referee").get("/event/deals").text
    (told,) = [one for one in read_journal(day.path) if one.kind == "deals_committed"]
    assert (told.body["commitment"], told.body["by"]) == (promised, "director one (director)")
    assert told.body["dealers"] == [0, 1, 2]


def test_nobody_commits_to_deals_once_a_session_has_begun(place: Place, tmp_path: Path) -> None:
    day = uncommitted(place, tmp_path / "event.journal")
    assert place.site.book is not None

    def begin(desk: Desk) -> None:
        running.open_session(desk, 1)
        running.start_session(desk, 1)

    place.site.book.do(DAN, begin)
    answer = place.signed_in("director").post(
        "/api/v1/event/deals/commitment",
        json={"announcement": json.dumps(announced_record(announced(day.deals)))},
        headers={"Idempotency-Key": "much-too-late"},
    )
    assert (answer.status_code, "session 1 has begun" in answer.json()["problem"]) == (409, True)


@pytest.mark.parametrize(("size", "locale", "dark"), [(DESK, "en-US", False), (PHONE, "zh-CN", True)])
def test_a_director_commits_in_a_browser_by_the_file_that_the_other_machine_wrote(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, size: Any, locale: str, dark: bool
) -> None:
    place = Place(tmp_path, *FOUR_TABLES)
    day = uncommitted(place, tmp_path / "event.journal")
    sealed, password, out = tmp_path / "a.deals", tmp_path / "password", tmp_path / "announced.json"
    seal(sealed, day.deals, "a long one for deals")
    password.write_text("a long one for deals\n")
    line = ["deals", "announce", sealed, "--out", out, "--password-file", password]
    monkeypatch.setattr("sys.argv", ["wallwright", *map(str, line)])
    with suppress(SystemExit):
        cli.main()
    shows = tmp_path / "deals.json"
    shows.write_text(json.dumps(deals_record(day.deals)))
    serving = Serving(place)
    is_chinese = locale == "zh-CN"
    try:
        with visiting(browser, serving, "director", size, locale, dark) as page:
            page.goto(f"{serving.address}/event")
            live(page, serving)
            page.get_by_role("link", name="各桌同局" if is_chinese else "Deals of all tables").click()
            page.locator("#announced").set_input_files(shows)
            page.locator("#commit").click()
            # On the form, or in a line of its own where the page's news came in between.
            expect(page.get_by_text("含全部牌张" if is_chinese else "shows all tiles").first).to_be_visible()
            assert checks_passed(page) > 10
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            shown(page, f"deals-announced-{locale}")
            page.locator("#announced").set_input_files(out)
            page.locator("#commit").click()
            expect(page.locator("code.long")).to_have_text(commitment(day.deals))
            expect(page.locator("#commit")).to_have_count(0)
            if is_chinese:
                assert not re.search("[A-Za-z]{4,}", page.locator("main h2").all_inner_texts()[0])
            shown(page, f"deals-committed-{locale}")
    finally:
        serving.stop()
        place.accounts.close()
