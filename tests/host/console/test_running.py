"""A director and a referee while a session is played: clocks, substitutes, rulings, approvals, appeals."""

import re
from random import Random

import pytest
from starlette.testclient import TestClient

from tests.host.console.hall import Place
from tests.host.console.test_event import ask
from tests.host.console.test_pages import SHORT, check_harmless
from tests.host.event.paper import declared
from wallwright.console.feed.channels import EventChannel
from wallwright.console.people.person import Person
from wallwright.console.tournament.view import SessionView, SheetView
from wallwright.event import results, running
from wallwright.event.desk import Desk
from wallwright.journal import read_journal
from wallwright.person_text import refusal

MINUTE_MS = 60_000
TABLE = "sessions/1/tables/1"


class Hall:
    """A tournament of four tables whose first session runs, and who works at it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.book = place.begin_event(16)
        self.dan = place.signed_in("director", "dan")
        self.ria = place.signed_in("referee", "ria")
        self.sam = place.signed_in("scorer", "sam")
        for step in ("open", "start"):
            assert ask(self.dan, f"sessions/1/{step}")[0] == 200

    @property
    def session(self) -> SessionView:
        found = self.book.look().session(1)
        assert found is not None
        return found

    @property
    def sheet(self) -> SheetView:
        return self.session.tables[0]

    def sees(self, **body: object) -> dict[str, object]:
        return {"version": self.sheet.version, **body}

    def tick(self, minutes: int) -> None:
        self.place.clock.now_ms += minutes * MINUTE_MS

    def declare(self, client: TestClient, dealer: int, **body: object) -> tuple[int, dict]:
        told, _ = declared(self.book.find_ruleset(None), dealer, Random(4))
        return ask(client, f"{TABLE}/results", **self.sees(record=told, **body))

    def play(self, deals: int = 1) -> None:
        """Deals at the first table, as their scorers declare them."""

        def act(desk: Desk) -> None:
            for number in range(deals):
                told, _ = declared(desk.format.sichuan, desk.sheet(1, 1).next_dealer, Random(number))
                results.record_result(desk, results.preview(desk, 1, 1, told))

        self.book.do(Person("sam", "scorer"), act)

    def end(self) -> None:
        """All tables sign."""
        self.tick(60)

        def act(desk: Desk) -> None:
            running.stop_session(desk, 1)
            for sheet in desk.session(1).tables:
                running.sign_off(desk, 1, sheet.table)

        self.book.do(Person("dan", "director"), act)

    def acts(self) -> list[tuple[str, str]]:
        """What stands in the journal: kind and who."""
        path = self.place.file.with_name("event.journal")
        return [(entry.kind, entry.body["by"]) for entry in read_journal(path) if "by" in entry.body]


@pytest.fixture
def hall(place: Place) -> Hall:
    return Hall(place)


def test_a_hall_gets_time_and_so_does_one_table(hall: Hall) -> None:
    status, left = ask(hall.dan, "sessions/1/add-time", minutes=5, reason="late lunch")
    assert (status, left) == (200, {"left_ms": 65 * MINUTE_MS, "is_paused": False})
    assert hall.sheet.own_left_ms is None, "the hall's clock is this table's"
    assert ask(hall.ria, f"{TABLE}/add-time", minutes=-2, reason="slow play")[1]["left_ms"] == 63 * MINUTE_MS
    assert [sheet.own_left_ms for sheet in hall.session.tables] == [63 * MINUTE_MS, None, None, None]
    assert hall.session.left_ms == 65 * MINUTE_MS
    page = hall.sam.get("/event").text
    assert page.count("own clock") == 1
    assert "63:00" in page
    assert "63:00" in hall.sam.get("/event/sessions/1/tables/1").text


def test_a_table_is_paused_while_the_hall_plays_on(hall: Hall) -> None:
    assert ask(hall.ria, f"{TABLE}/pause", reason="the lid is stuck")[1]["is_paused"] is True
    hall.tick(10)
    assert (hall.session.left_ms, hall.sheet.own_left_ms, hall.sheet.is_paused) == (
        50 * MINUTE_MS,
        60 * MINUTE_MS,
        True,
    )
    status, body = ask(hall.ria, f"{TABLE}/pause", reason="again")
    assert status == 409
    assert "paused already" in body["problem"]
    assert ask(hall.ria, f"{TABLE}/end_pause")[1] == {"left_ms": 60 * MINUTE_MS, "is_paused": False}
    hall.tick(10)
    assert (hall.session.left_ms, hall.sheet.own_left_ms) == (40 * MINUTE_MS, 50 * MINUTE_MS)


NO_TIME: list[tuple[str, dict[str, object], int]] = [
    ("sessions/1/add-time", {"minutes": 5, "reason": " "}, 409),
    ("sessions/1/add-time", {"minutes": 0, "reason": "why"}, 409),
    ("sessions/1/add-time", {"minutes": 601, "reason": "why"}, 422),
    ("sessions/1/add-time", {"reason": "why"}, 422),
    ("sessions/2/add-time", {"minutes": 5, "reason": "why"}, 409),
    ("sessions/1/tables/9/add-time", {"minutes": 5, "reason": "why"}, 409),
    (f"{TABLE}/pause", {"reason": ""}, 409),
    (f"{TABLE}/end_pause", {}, 409),
]


def test_time_that_cannot_be_meant_is_refused_with_a_sentence(hall: Hall) -> None:
    before = len(hall.acts())
    for path, body, status in NO_TIME:
        answered, told = ask(hall.dan, path, **body)
        assert (path, body, answered) == (path, body, status)
        assert told["problem"]
    assert len(hall.acts()) == before


def test_a_substitute_plays_from_the_next_deal_on(hall: Hall) -> None:
    hall.play()
    player, name = hall.sheet.players[2]
    seen = hall.sees()
    status, body = ask(hall.dan, f"{TABLE}/substitute", **seen, out=player, into=" Late Larry ", reason="ill")
    assert (status, body) == (200, {"player": 17, "from_deal": 2})
    assert hall.sheet.players[2] == (17, "Late Larry")
    assert hall.book.ask(lambda desk: desk.sheet(1, 1).deals[1].players[2]) == player
    status, body = ask(hall.dan, f"{TABLE}/substitute", **seen, out=player, into="Bo", reason="ill")
    assert "somebody else" in body["problem"]
    status, body = ask(hall.dan, f"{TABLE}/substitute", **hall.sees(out=player, into="Bo", reason="ill"))
    assert (status, body["problem"]) == (409, f"{name} has no seat at table 1")
    elsewhere, name = hall.session.tables[1].players[0]
    status, body = ask(hall.dan, f"{TABLE}/substitute", **hall.sees(out=elsewhere, into="Bo", reason="ill"))
    assert (status, body["problem"]) == (409, f"{name} has no seat at table 1")
    assert ask(hall.ria, f"{TABLE}/substitute", **hall.sees(out=17, into="Bo", reason="ill"))[0] == 403
    assert ("player_substituted", "dan (director)") in hall.acts()


def test_two_on_each_others_seats_are_swapped_at_the_tables_page(hall: Hall) -> None:
    hall.play()
    (one, name), (other, _) = hall.sheet.players[0], hall.session.tables[1].players[2]
    seen = hall.sees(player=one, other=str(other), from_deal=1, reason="seen on the photo")
    assert ask(hall.sam, f"{TABLE}/swap-seats", **seen)[0] == 403
    assert "is called" in ask(hall.ria, f"{TABLE}/swap-seats", **{**seen, "other": "Nobody"})[1]["problem"]
    status, body = ask(hall.ria, f"{TABLE}/swap-seats", **seen)
    assert status == 200
    assert len(body["lines"]) == 2
    assert all("has the seat of" in line for line in body["lines"])
    assert hall.sheet.players[0][0] == other
    assert hall.session.tables[1].players[2] == (one, name)
    assert hall.book.ask(lambda desk: desk.sheet(1, 1).deals[1].players[0]) == other
    assert "somebody else" in ask(hall.ria, f"{TABLE}/swap-seats", **seen)[1]["problem"]
    fours = [[number for number, _ in sheet.players] for sheet in hall.session.tables[:2]]
    assert ask(hall.ria, f"{TABLE}/swap-seats", **hall.sees(other_table=2, from_deal=1, reason="mixed up"))[0] == 200
    assert [[number for number, _ in sheet.players] for sheet in hall.session.tables[:2]] == fours[::-1]
    assert ask(hall.ria, f"{TABLE}/swap-seats", **hall.sees(from_deal=1, reason="why"))[0] == 409
    assert ("players_sat", "ria (referee)") in hall.acts()


def test_a_director_undoes_what_was_done_last_as_it_was_seen(hall: Hall) -> None:
    hall.play()
    [number] = re.findall(r'name="entry" value="(\d+)"', hall.dan.get("/event/undo").text)
    assert hall.ria.get("/event/undo").status_code == 403
    assert ask(hall.ria, "undo", entry=int(number), reason="mistyped")[0] == 403
    assert "for a reason" in ask(hall.dan, "undo", entry=int(number), reason="")[1]["problem"]
    status, body = ask(hall.dan, "undo", entry=int(number), reason="mistyped")
    assert (status, hall.sheet.deals) == (200, 0)
    assert "the result of deal 1 at table 1 in session 1" in body["lines"][0]
    assert "meanwhile" in ask(hall.dan, "undo", entry=int(number), reason="again")[1]["problem"]
    page = hall.dan.get("/event/undo").text
    assert "mistyped" in page.partition('id="undone-title"')[2]
    assert ("act_undone", "dan (director)") in hall.acts()


def test_a_referees_word_stands_whatever_the_rules_say(hall: Hall) -> None:
    ruling = {"points": [8, -8, 1, 0], "reason": "mixed up", "next_dealer": 2}
    assert ask(hall.sam, f"{TABLE}/rule", **hall.sees(**ruling))[0] == 403
    assert ask(hall.ria, f"{TABLE}/rule", **hall.sees(**{**ruling, "reason": ""}))[0] == 409
    assert ask(hall.ria, f"{TABLE}/rule", **hall.sees(**{**ruling, "points": [1, 2, 3]}))[0] == 422
    assert ask(hall.ria, f"{TABLE}/rule", **hall.sees(**ruling))[0] == 200
    assert (hall.sheet.points, hall.sheet.deals) == ((8, -8, 1, 0), 1)
    assert hall.book.ask(lambda desk: desk.sheet(1, 1).next_dealer) == 2
    assert not hall.book.ask(lambda desk: desk.sheet(1, 1).is_balanced(desk.sheet(1, 1).deals[1]))
    corrected = {"points": [8, -16, 0, 0], "fines": [0, 8, 0, 0], "reason": "a false Hu", "corrects": 1}
    seen = hall.sees(**corrected)
    assert ask(hall.ria, f"{TABLE}/rule", **seen)[0] == 200
    assert (hall.sheet.points, hall.sheet.deals) == ((8, -16, 0, 0), 1)
    assert hall.book.ask(lambda desk: desk.sheet(1, 1).is_balanced(desk.sheet(1, 1).deals[1]))
    assert "somebody else" in ask(hall.ria, f"{TABLE}/rule", **seen)[1]["problem"]
    assert ask(hall.ria, f"{TABLE}/rule", **hall.sees(**{**corrected, "corrects": 7}))[0] == 409


def test_a_deal_is_annulled_by_the_rule_of_the_format(hall: Hall) -> None:
    assert ask(hall.ria, f"{TABLE}/annul", **hall.sees(reason="jam"))[0] == 409
    hall.play(deals=2)
    assert "It is taken away and played again." in hall.ria.get("/event/sessions/1/tables/1").text
    assert ask(hall.sam, f"{TABLE}/annul", **hall.sees(reason="jam"))[0] == 403
    assert ask(hall.ria, f"{TABLE}/annul", **hall.sees(reason="a tile was split")) == (200, {"rule": "replay"})
    assert hall.sheet.deals == 1


def test_a_signature_is_taken_back_for_a_reason(hall: Hall) -> None:
    hall.play()
    hall.end()
    assert hall.session.state == "provisional"
    page = hall.ria.get("/event/sessions/1/tables/1").text
    assert "Take the signature back" in page
    assert "Take the signature back" not in hall.sam.get("/event/sessions/1/tables/1").text
    assert ask(hall.ria, f"{TABLE}/take-back", **hall.sees(reason=""))[0] == 409
    assert ask(hall.ria, f"{TABLE}/take-back", **hall.sees(reason="a deal was forgotten"))[0] == 200
    assert (hall.session.state, hall.sheet.signed_off) == ("awaiting_sign_off", False)
    assert ask(hall.ria, f"{TABLE}/take-back", **hall.sees(reason="again"))[0] == 409


def test_what_a_scorer_enters_out_of_order_waits_for_a_referee(hall: Hall) -> None:
    status, body = hall.declare(hall.sam, dealer=1)
    assert status == 409
    assert "SBR-8.1" in body["problem"]
    assert hall.declare(hall.sam, dealer=1, reason="they sat down wrongly")[0] == 200
    assert (hall.sheet.deals, hall.sheet.unapproved) == (1, (1,))
    page = hall.ria.get("/event").text
    assert "approve-1-1-1" in page
    assert "they sat down wrongly · sam (scorer)" in check_harmless(page).text
    assert "approve-1-1-1" not in hall.sam.get("/event").text
    assert "waits for a referee" in hall.sam.get("/event/sessions/1/tables/1").text
    hall.tick(60)
    ask(hall.dan, "sessions/1/stop")
    status, body = ask(hall.sam, f"{TABLE}/sign-off", **hall.sees())
    assert (status, body["problem"]) == (
        409,
        "a referee has to approve deal 1 of table 1 first, or correct or void it",
    )
    seen = hall.sees(deals=[1])
    assert ask(hall.sam, f"{TABLE}/approve", **seen)[0] == 403
    assert ask(hall.ria, f"{TABLE}/approve", **{**seen, "deals": [2]})[0] == 409
    assert ask(hall.ria, f"{TABLE}/approve", **seen)[1]["deals"] == [1]
    assert "somebody else" in ask(hall.dan, f"{TABLE}/approve", **seen)[1]["problem"]
    assert hall.sheet.unapproved == ()
    assert ask(hall.sam, f"{TABLE}/sign-off", **hall.sees())[0] == 200
    assert ("results_approved", "ria (referee)") in hall.acts()


@pytest.mark.parametrize(("who", "waits"), [("sam", (1,)), ("ria", ()), ("dan", ())])
def test_a_correction_waits_unless_who_makes_it_may_approve_it(hall: Hall, who: str, waits: tuple[int, ...]) -> None:
    hall.play()
    assert hall.declare(getattr(hall, who), dealer=0, corrects=1, reason="a kong was missed")[0] == 200
    assert hall.sheet.unapproved == waits


def test_a_session_is_published_after_its_corrections_are_approved(hall: Hall) -> None:
    hall.play()
    hall.end()
    assert hall.declare(hall.sam, dealer=0, corrects=1, reason="a kong was missed")[0] == 200
    status, body = ask(hall.dan, "sessions/1/publish")
    assert (status, "approve deal 1 of table 1" in body["problem"]) == (409, True)
    assert ask(hall.dan, f"{TABLE}/approve", **hall.sees())[0] == 200
    assert ask(hall.dan, "sessions/1/publish")[0] == 200


def test_an_appeal_is_filed_by_a_referee_and_decided_by_the_director(hall: Hall) -> None:
    hall.play()
    player, name = hall.sheet.players[1]
    appeal = {"session": 1, "player": player, "text": "<b>The kong</b>\nwas seen.", "table": 1, "deal": 1}
    assert ask(hall.ria, "appeals", **appeal)[0] == 409
    hall.end()
    assert ask(hall.sam, "appeals", **appeal)[0] == 403
    number = ask(hall.ria, "appeals", **appeal)[1]["entry"]
    (wait,) = (one for one in hall.book.look().waits if one.kind == "appeal")
    assert (wait.session, wait.tables, wait.deals, wait.who, wait.entry) == (1, (1,), (1,), name, number)
    ask(hall.dan, "sessions/1/publish")
    assert "<b>The kong</b>" in check_harmless(hall.ria.get("/event/appeals").text).text
    assert "Words of the ruling" not in hall.ria.get("/event/appeals").text
    assert f"/event/appeals#appeal-{number}" in hall.dan.get("/event").text
    status, body = ask(hall.dan, "sessions/1/finalise", reason="now")
    assert status == 409
    assert body["problem"] == (f"appeal {number} of {name} about session 1, table 1, deal 1 is open; decide it first")
    decision = {"upheld": False, "ruling": "Nobody else saw it."}
    assert ask(hall.ria, f"appeals/{number}/decide", **decision)[0] == 403
    assert ask(hall.dan, f"appeals/{number}/decide", upheld=True, ruling="")[0] == 409
    assert ask(hall.dan, f"appeals/{number}/decide", **decision)[0] == 200
    assert ask(hall.dan, f"appeals/{number}/decide", **decision)[0] == 409
    listed = hall.sam.get("/api/v1/event/appeals").json()
    assert [(one["appeal"], one["decision"], one["decided_by"]) for one in listed] == [
        (number, "dismissed", "dan (director)")
    ]
    assert ask(hall.dan, "sessions/1/finalise", reason="now")[0] == 200
    assert hall.place.client().get("/event/appeals").headers["location"] == "/sign-in?next=%2Fevent%2Fappeals"


@pytest.mark.parametrize("text", [one for one in SHORT if refusal(one) is None])
def test_an_appeal_a_reason_and_a_substitute_may_say_anything(hall: Hall, text: str) -> None:
    hall.declare(hall.sam, dealer=1, reason=text)
    player = hall.sheet.players[1][0]
    ask(hall.dan, f"{TABLE}/substitute", **hall.sees(out=player, into=text, reason=text))
    ask(hall.ria, f"{TABLE}/approve", **hall.sees())
    hall.declare(hall.sam, dealer=0, corrects=1, reason=text)
    shown = check_harmless(hall.ria.get("/event").text).text
    assert text.strip() in shown
    ask(hall.ria, f"{TABLE}/approve", **hall.sees())
    hall.end()
    number = ask(hall.ria, "appeals", session=1, player=player, text=text)[1]["entry"]
    ask(hall.dan, f"appeals/{number}/decide", upheld=True, ruling=text)
    for path in ("/event/appeals", "/event/sessions/1/tables/1", "/event/sessions/1"):
        check_harmless(hall.dan.get(path).text)


def test_what_waits_says_who_has_not_signed(hall: Hall) -> None:
    hall.play()
    assert hall.book.view.waits == ()
    hall.tick(60)
    ask(hall.dan, "sessions/1/stop")
    (wait,) = hall.book.look().waits
    assert (wait.kind, wait.session, wait.tables) == ("sign", 1, (1, 2, 3, 4))
    ask(hall.sam, f"{TABLE}/sign-off", **hall.sees())
    assert [one.tables for one in hall.book.look().waits] == [(2, 3, 4)]


def test_a_change_at_a_table_sends_its_row_and_what_waits(hall: Hall) -> None:
    channel = EventChannel(
        lambda: hall.book.view,
        lambda view: "whole",
        lambda session, sheet: f"row of {sheet.table}: {sheet.deals}",
        lambda view, name: f"{name}: {len(getattr(view, name))}",
    )
    seen = hall.place.desk.view
    assert channel.changes(seen, ()) == b""
    hall.declare(hall.sam, dealer=1, reason="out of turn")
    assert channel.changes(seen, ()) == b"event: row1-1\ndata: row of 1: 1\n\nevent: waits\ndata: waits: 1\n\n"
    ask(hall.ria, f"{TABLE}/add-time", minutes=3, reason="jam")
    assert channel.changes(seen, ()) == b"event: row1-1\ndata: row of 1: 1\n\n"
    hall.tick(1)
    hall.book.look()
    assert channel.changes(seen, ()) == b"event: clock1\ndata: 59:00\n\nevent: clock1-1\ndata: 62:00\n\n"
    ask(hall.dan, "sessions/1/pause", reason="lunch")
    assert channel.changes(seen, ()) == b"event: event\ndata: whole\n\n"


def test_sessions_that_are_over_are_a_line_with_a_page(hall: Hall) -> None:
    hall.play()
    assert 'sse-swap="row1-1"' in hall.sam.get("/event").text
    hall.end()
    page = hall.sam.get("/event").text
    assert 'sse-swap="row1-1"' not in page
    assert '/event/sessions/1"' in page
    names = [name for _, name in hall.sheet.players]
    tables = check_harmless(hall.sam.get("/event/sessions/1").text).text
    assert all(name in tables for name in names)
    assert hall.sam.get("/event/sessions/9").status_code == 404
    assert hall.place.client().get("/event/sessions/1").headers["location"] == "/sign-in?next=%2Fevent%2Fsessions%2F1"
