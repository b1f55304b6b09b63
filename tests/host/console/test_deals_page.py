"""The director's page of the deals that all tables play: what is in the way where, a spare deal, the reveal."""

import base64
import json
import re
import struct
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, live, shown, visiting
from tests.host.console.hall import Place, opened
from tests.host.console.serving import Serving
from tests.host.console.test_pages import check_harmless
from tests.host.event.test_pairs import Day
from tests.host.event.test_told_walls import Board
from tests.host.fleet.served import until
from tests.host.tiles.test_secrecy import forms
from wallwright.console.hall.releases import ASKS_MS, KINDS
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.console.tournament.deals_view import WallsOf
from wallwright.duplicate.announced import announced
from wallwright.duplicate.json_form import deals_record
from wallwright.event import results, running
from wallwright.event.desk import Desk
from wallwright.event.same_deals import commit_deals
from wallwright.event.setup import bind_table
from wallwright.fleet.state import SEARCHING, TableState
from wallwright.link.reports import Event
from wallwright_protocol.prescription import HEAD_FORMAT, MAGIC, VERSION

FOUR_TABLES = ("A1", "A2", "A3", "A4")


DAN = Person("dan", "director")


class Telling(Board):
    """A board whose events go through the console's book."""

    def tell(self, name: str, **fields: Any) -> None:
        self.seq += 1
        event = Event(self.seq, 7, 1000 * self.seq, name, fields)
        self.day.book.do(DAN, lambda desk: desk.append_event(self.unit, event, at_ms=desk.now()))


class Evening:
    """An event of eight pairs at four tables whose first session runs; table 4 has no board."""

    def __init__(self, place: Place, *, sessions: int = 1) -> None:
        self.place = place
        path = place.file.with_name("event.journal")
        self.day = Day(path, "pairs", 16, sessions=sessions, deals=2, spares=1)
        self.day.draw()
        commit_deals(self.day.desk, announced(self.day.deals))
        for table, name in enumerate(FOUR_TABLES[:3], 1):
            bind_table(self.day.desk, table, f"U-{name}")
        self.day.start()
        self.day.journal.close()
        place.site.book = self.book = Book(str(path), place.clock)
        self.boards = {name: Telling(self, f"U-{name}") for name in FOUR_TABLES[:3]}

    def play_out(self) -> None:
        """All tables play their first deal, and sign."""

        def act(desk: Desk) -> None:
            for table in range(1, 5):
                results.rule_result(desk, 1, table, (3, -1, -1, -1), "noted by hand")
            running.stop_session(desk, 1, "the evening is over")
            for table in range(1, 5):
                running.sign_off(desk, 1, table)
            running.publish(desk, 1)

        self.book.do(DAN, act)
        self.look()

    def look(self) -> None:
        self.book.follow()
        self.place.look()

    def view(self) -> dict[str, Any]:
        self.look()
        found: dict[str, Any] = self.place.signed_in("referee").get("/api/v1/event/deals").json()
        return found

    def rows(self) -> dict[int, tuple[str, int | None]]:
        """By table: where its walls are, and which drawn deal is due."""
        return {row["table"]: (row["where"], row["due"]) for row in self.view()["tables"]}

    def ask(self, *names: str) -> None:
        """A director's machine asks for these tables."""
        for name in names:
            assert self.place.signed_in("director").get(f"/api/v1/tables/{name}/sorter").status_code == 200


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with opened(tmp_path, *FOUR_TABLES) as place:
        yield Evening(place)


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", html)))


def test_the_page_says_of_each_table_where_its_walls_are_and_puts_first_what_is_in_the_way(evening: Evening) -> None:
    assert evening.rows() == {1: ("unasked", 1), 2: ("unasked", 1), 3: ("unasked", 1), 4: ("by_hand", None)}
    evening.ask(*FOUR_TABLES[:3])
    assert evening.rows() == {1: ("waits", 1), 2: ("waits", 1), 3: ("waits", 1), 4: ("by_hand", None)}
    first, second, third = evening.boards.values()
    first.judged(1)
    second.judged(1, "unsigned")
    third.judged(1)
    third.build(match=0)
    assert evening.rows() == {1: ("released", 1), 2: ("refused", 1), 3: ("differs", 1), 4: ("by_hand", None)}
    page = evening.place.signed_in("referee").get("/event/deals").text
    check_harmless(page)
    assert re.findall(r'data-where="(\w+)"', page) == ["differs", "refused", "released", "by_hand"]
    text = text_of(page)
    assert "The walls are not those of drawn deal 1" in text
    assert "Have it signed by a director whose key this board has" in text
    assert "2 tables in the way" in text
    first.build(inferred=1)
    second.build("ordinary")
    third.tell("build_started", tile_set=0, plan=(14, 13, 14, 13), wall_mode="strict")
    assert evening.rows() == {1: ("matched", 1), 2: ("ordinary", 1), 3: ("building", 1), 4: ("by_hand", None)}
    text = text_of(evening.place.signed_in("referee").get("/event/deals").text)
    assert "Drawn deal 1 stands, every tile in its place 1 tile unread, known by the others" in text
    assert "or void the deal at this table" in text
    first.rise()
    evening.place.fleet.change("A2", state="fault", fault="wall_differs", fault_side=None)
    evening.place.fleet.tables["A3"] = TableState("A3", SEARCHING)
    assert evening.rows() == {1: ("waits", 2), 2: ("fault", 1), 3: ("away", 1), 4: ("by_hand", None)}
    text = text_of(evening.place.signed_in("referee").get("/event/deals").text)
    assert "What to do" not in text
    assert "the prescribed walls are built once more" in text
    evening.place.clock.now_ms += ASKS_MS
    assert evening.rows()[1] == ("unasked", 2)


def test_what_the_director_s_machine_finds_is_shown_as_long_as_it_asks(evening: Evening) -> None:
    director = evening.place.signed_in("director")
    evening.ask("A1", "A2")
    for what in KINDS:
        assert director.post("/api/v1/tables/A1/in-the-way", json={"what": what}).status_code == 204
        row = next(row for row in evening.view()["tables"] if row["table"] == 1)
        assert (row["where"], row["why"]) == ("blocked", what)
        assert evening.rows()[2] == ("waits", 1)
        assert len(text_of(evening.place.signed_in("referee").get("/event/deals").text)) > 400
    assert director.post("/api/v1/tables/A1/in-the-way", json={"what": "1m2m3m"}).status_code == 422
    assert director.post("/api/v1/tables/A9/in-the-way", json={"what": None}).status_code == 404
    referee = evening.place.signed_in("referee")
    assert referee.post("/api/v1/tables/A1/in-the-way", json={"what": None}).status_code == 403
    assert director.post("/api/v1/tables/A1/in-the-way", json={"what": None}).status_code == 204
    assert evening.rows()[1] == ("waits", 1)
    director.post("/api/v1/tables/A1/in-the-way", json={"what": "no_tags"})
    evening.place.clock.now_ms += ASKS_MS
    assert evening.rows()[1] == ("unasked", 1)


def test_a_spoilt_deal_is_replaced_at_all_tables(evening: Evening) -> None:
    director, referee = evening.place.signed_in("director"), evening.place.signed_in("referee")
    evening.ask(*FOUR_TABLES[:3])
    board = evening.boards["A1"]
    board.judged(1)
    board.build()
    spoilt = {"session": 1, "deal": 1, "reason": "a wall fell over at table 2"}
    refused = referee.post("/api/v1/event/deals/replace", json=spoilt, headers={"Idempotency-Key": "replace-it"})
    assert refused.status_code == 403
    done = director.post("/api/v1/event/deals/replace", json=spoilt, headers={"Idempotency-Key": "replace-it"})
    assert (done.status_code, done.json()) == (200, {"spare": 3})
    view = evening.view()
    assert evening.rows() == {1: ("other", 3), 2: ("waits", 3), 3: ("waits", 3), 4: ("by_hand", None)}
    assert [(one["number"], one["spoilt"]) for one in view["deals"]] == [(3, [1]), (2, [])]
    assert (view["spares"], view["may_replace"]) == (0, False)
    page = text_of(director.get("/event/deals").text)
    assert "in place of 1" in page
    assert "No spare deal is left" in page
    assert "The director's machine takes them back" in page
    assert "drawn deal 3 comes next" in page
    # What another director looked at before: the deal that was spoilt, and walls of it that a machine has signed.
    late = director.post(
        "/api/v1/event/deals/replace", json=spoilt | {"spares": 1}, headers={"Idempotency-Key": "too-late"}
    )
    assert (late.status_code, "replaced by somebody else meanwhile" in late.json()["problem"]) == (409, True)
    head = struct.pack(HEAD_FORMAT, MAGIC, VERSION, 1, 136, 0, 0, 1, 1, 0, *[17] * 4, 1, 1, b"day", b"U-A2", bytes(32))
    walls = {"data": base64.b64encode(head).decode()}
    signed = director.post("/api/v1/tables/A2/prescription", json=walls, headers={"Idempotency-Key": "walls-of-1"})
    assert (signed.status_code, "deal 1 was replaced at all tables" in signed.json()["problem"]) == (409, True)
    again = director.post("/api/v1/event/deals/replace", json=spoilt, headers={"Idempotency-Key": "once-more"})
    assert (again.status_code, "no spare deal is left" in again.json()["problem"]) == (409, True)


def files_of(evening: Evening) -> dict[str, bytes]:
    folder = evening.place.file.parent
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_deals_that_come_too_early_or_are_others_are_refused_and_leave_nothing_behind(evening: Evening) -> None:
    director = evening.place.signed_in("director")
    deals = evening.day.deals
    body = {"deals": json.dumps(deals_record(deals))}

    def reveal(key: str, text: str) -> tuple[int, str]:
        answer = director.post("/api/v1/event/deals/reveal", json={"deals": text}, headers={"Idempotency-Key": key})
        return answer.status_code, answer.json().get("problem", "")

    code, problem = reveal("much-too-early", body["deals"])
    assert (code, "session 1 is still to be played or signed" in problem) == (409, True)
    secrets = [deals.nonce, deals.seed or b"", bytes(deals.deals[0].faces[:12])]
    secrets += [json.dumps(deal["sides"][0])[1:40].encode() for deal in deals_record(deals)["deals"]]
    kept = files_of(evening)
    assert len(kept) >= 2
    assert not [name for name, data in kept.items() for one in secrets for form in forms(one) if form in data]
    evening.play_out()
    other = json.dumps({**deals_record(deals), "spares": 0})
    for key, text, why in (
        ("no-deals", "1m2m", "no JSON with"),
        ("changed-one", other, "the file was changed"),
        ("another-day", json.dumps(deals_record(Day.other_deals())), "are not the deals that were committed to"),
    ):
        code, problem = reveal(key, text)
        assert (code in (400, 409, 422), why in problem) == (True, True), (key, code, problem)
    assert reveal("good-deals", body["deals"]) == (200, "")
    assert evening.view()["is_shown"]
    assert "The deals are revealed" in evening.place.signed_in("referee").get("/event/deals").text
    assert evening.place.client().get("/event/travellers").status_code == 200


def test_an_event_of_other_deals_has_no_such_page(place: Place) -> None:
    place.begin_event(8)
    client = place.signed_in("director")
    assert client.get("/event/deals").status_code == 404
    assert "/event/deals" not in client.get("/event").text


@pytest.mark.parametrize(("size", "locale", "dark"), [(DESK, "en-US", False), (PHONE, "zh-CN", True)])
def test_a_director_replaces_and_reveals_in_a_browser(
    tmp_path: Path, browser: Browser, size: Any, locale: str, dark: bool
) -> None:
    place = Place(tmp_path, *FOUR_TABLES)
    evening = Evening(place)
    serving = Serving(place)
    is_chinese = locale == "zh-CN"
    exported = tmp_path / "deals.json"
    exported.write_text(json.dumps(deals_record(evening.day.deals)))
    try:
        evening.ask("A1", "A2")
        place.site.releases.found("A2", "other_director")
        evening.boards["A1"].judged(1)
        evening.look()
        with visiting(browser, serving, "director", size, locale, dark) as page:
            page.goto(f"{serving.address}/event")
            live(page, serving)
            page.get_by_role("link", name="各桌同局" if is_chinese else "Deals of all tables").click()
            rows = page.locator(".walls-of li")
            expect(rows).to_have_count(4)
            assert rows.first.get_attribute("data-where") == "blocked"
            assert checks_passed(page) > 20
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            shown(page, f"deals-{locale}")
            until(lambda: page.evaluate("1") == 1 and place.site.feed.viewers > 0)
            evening.look()
            page.locator("#why-spoilt").fill("a wall fell over")
            page.locator("#spoilt").select_option("2")
            page.locator("#spoilt").evaluate("select => { select.dataset.old = 'yes' }")
            evening.boards["A1"].build(match=0)
            evening.look()
            expect(page.locator('[data-where="differs"]')).to_have_count(1)
            expect(page.locator("#why-spoilt")).to_have_value("a wall fell over")
            expect(page.locator("#spoilt:not([data-old])")).to_have_value("2")
            page.locator("#spoilt").select_option("1")
            if is_chinese:
                assert not re.search("[A-Za-z]{4,}", rows.first.inner_text().replace("wallwright deals trust", ""))
            page.locator("#sure-spoilt").check()
            page.locator("#replace-deal").click()
            until(lambda: evening.view()["spares"] == 0)
            evening.look()
            expect(page.locator("#replace-deal")).to_have_count(0)
            shown(page, f"deals-replaced-{locale}")
            evening.play_out()
            page.locator("#revealed").set_input_files(exported)
            shown(page, f"deals-reveal-{locale}")
            page.locator("#reveal").click()
            page.wait_for_url("**/event/travellers")
            assert page.locator("section.board").count() == 1
            shown(page, f"travellers-{locale}")
    finally:
        serving.stop()
        place.accounts.close()


def test_a_row_that_is_in_the_way_is_one_that_somebody_has_to_go_to() -> None:
    rows = [WallsOf(1, "A1", where, 1, None, None) for where in ("fault", "waits", "matched", "done", "by_hand")]
    assert [row.is_in_the_way for row in rows] == [True, False, False, False, False]
