"""A tournament at the console: the director's steps, scorers who meet, what everybody may see and when."""

from functools import partial
from io import BytesIO
from itertools import count
from random import Random

import pytest
import segno
from starlette.testclient import TestClient

from tests.host.console.hall import BASE, Place
from tests.host.console.test_pages import SHORT, check_harmless
from tests.host.event.paper import declared
from wallwright.console.feed.channels import EventChannel
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import NoEvent
from wallwright.event import results, running, sanctions, setup
from wallwright.journal import Journal, read_journal
from wallwright.shown_text import shown

BY = Person("sam", "scorer")
MINUTE_MS = 60_000


KEYS = count()


def ask(client: TestClient, path: str, **body: object) -> tuple[int, dict]:
    """Send a command with a key of its own."""
    headers = {"Idempotency-Key": f"key-number-{next(KEYS)}"}
    answer = client.post(f"/api/v1/event/{path}", json=body, headers=headers)
    return answer.status_code, answer.json()


def play(place: Place, session: int, deals: int) -> None:
    """Scorers declare so many deals at every table."""
    chance = Random(1)
    book = place.site.event

    def record(desk, table):
        sheet = desk.sheet(session, table)
        told, _ = declared(desk.format.sichuan, sheet.next_dealer, chance)
        return results.record_result(desk, results.preview(desk, session, table, told))

    view = book.view.session(session)
    assert view is not None
    for sheet in view.tables:
        for _ in range(deals):
            book.do(BY, lambda desk, table=sheet.table: record(desk, table))  # type: ignore[misc]


def test_a_session_from_its_seats_to_its_publication(place: Place) -> None:
    book = place.begin_event()
    dan, guest = place.signed_in("director", "dan"), place.client()
    assert "The seats are not open yet." in guest.get("/screen").text
    assert ask(dan, "sessions/1/open", reason="")[0] == 200
    screen = guest.get("/screen").text
    assert all(f"P{number}<" in screen for number in range(1, 9))
    assert ask(dan, "sessions/1/start")[0] == 200
    place.clock.now_ms += 10 * MINUTE_MS
    book.look()
    assert ">50:00<" in guest.get("/screen").text
    play(place, 1, deals=2)
    place.clock.now_ms += 50 * MINUTE_MS
    assert ask(dan, "sessions/1/stop")[0] == 200
    view = book.view.session(1)
    assert view is not None
    signed = [ask(dan, f"sessions/1/tables/{sheet.table}/sign-off", version=sheet.version) for sheet in view.tables]
    assert [status for status, _ in signed] == [200, 200]
    assert [bool(body["checkpoint"]) for _, body in signed] == [False, True]
    assert guest.get("/api/v1/event/standings").json() == [], "all tables are done, nothing is published"
    assert "Standings after" not in guest.get("/screen").text
    assert "for the staff" in dan.get("/event").text
    assert ask(dan, "sessions/1/publish")[0] == 200
    ranks = guest.get("/api/v1/event/standings").json()
    assert sorted(row["player"] for row in ranks) == list(range(1, 9))
    assert sum(row["points"] for row in ranks) == 0
    best = ranks[0]
    assert best["name"] in guest.get("/screen").text
    assert f"Rank {best['rank']} after session 1" in guest.get(f"/players/{best['player']}").text
    steps = [
        entry.body for entry in read_journal(place.file.with_name("event.journal")) if entry.kind == "session_moved"
    ]
    assert [step["trigger"] for step in steps] == ["open", "start", "stop", "sign_off", "publish"]
    assert {step["by"] for step in steps} == {"dan (director)"}


def test_a_step_that_does_not_fit_is_refused_with_what_can_be_done(place: Place) -> None:
    place.begin_event()
    dan = place.signed_in("director")
    status, body = ask(dan, "sessions/1/start")
    assert (status, body["problem"]) == (409, "session 1 is planned, so start is not possible: open")
    status, body = ask(dan, "sessions/9/open")
    assert status == 409
    assert "session 9" in body["problem"]


def test_the_later_of_two_scorers_is_told_and_overwrites_nothing(place: Place) -> None:
    book = place.begin_event()
    dan = place.signed_in("director", "dan")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    play(place, 1, deals=1)
    seen = book.view.session(1)
    assert seen is not None
    version = seen.tables[0].version
    sam, ria = place.signed_in("scorer", "sam"), place.signed_in("referee", "ria")
    assert ask(ria, "sessions/1/tables/1/void", deal=1, reason="misdeal", version=version)[0] == 200
    status, body = ask(sam, "sessions/1/tables/1/sign-off", version=version)
    assert status == 409
    assert "somebody else" in body["problem"]
    now = book.view.session(1)
    assert now is not None
    assert (now.tables[0].points, now.tables[0].signed_off) == ((0, 0, 0, 0), False)
    assert now.tables[0].version != version
    assert now.tables[1].version == seen.tables[1].version


def test_a_declared_deal_is_explained_before_it_is_written(place: Place) -> None:
    book = place.begin_event()
    dan, sam = place.signed_in("director", "dan"), place.signed_in("scorer", "sam")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    told, settlement = declared(book.do(BY, lambda desk: desk.format.sichuan), 0, Random(3))
    status, shown = ask(sam, "sessions/1/tables/1/preview", record=told)
    assert (status, shown["points"], shown["irregular"]) == (200, list(settlement.points), [])
    view = book.view.session(1)
    assert view is not None
    assert view.tables[0].deals == 0, "a preview writes nothing"
    version = view.tables[0].version
    assert ask(sam, "sessions/1/tables/1/results", record=told, version=version)[0] == 200
    assert ask(sam, "sessions/1/tables/1/results", record=told, version=version)[0] == 409
    after = book.view.session(1)
    assert after is not None
    assert (after.tables[0].points, after.tables[0].deals) == (settlement.points, 1)
    status, body = ask(sam, "sessions/1/tables/1/preview", record={**told, "end": "never"})
    assert status == 409
    assert body["problem"]


def test_an_agreed_value_that_contradicts_its_record_waits_for_a_referee(place: Place) -> None:
    book = place.begin_event()
    dan, sam = place.signed_in("director", "dan"), place.signed_in("scorer", "sam")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    robbed = {"type": "kong", "seat": 1, "kind": "promoted", "robbed": True}
    hu = {"type": "hu", "by": "robbed_kong", "from": 1, "winners": [{"seat": 0, "value": 1}]}
    hands = [{"seat": seat, "value": 0} for seat in (1, 2, 3)]
    told = {"dealer": 0, "events": [robbed, hu], "end": "wall", "hands": hands}
    status, shown = ask(sam, "sessions/1/tables/1/preview", record=told)
    assert status == 200
    assert ["worth 2 at least" in one for one in shown["irregular"]] == [True]
    view = book.view.session(1)
    assert view is not None
    version = view.tables[0].version
    assert ask(sam, "sessions/1/tables/1/results", record=told, version=version)[0] == 409
    said = {"record": told, "version": version, "reason": "they agreed"}
    assert ask(sam, "sessions/1/tables/1/results", **said)[0] == 200
    after = book.view.session(1)
    assert after is not None
    assert after.tables[0].unapproved == (1,)


def test_a_result_is_corrected_for_a_reason_by_the_one_who_saw_it_last(place: Place) -> None:
    book = place.begin_event()
    dan, sam = place.signed_in("director", "dan"), place.signed_in("scorer", "sam")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    play(place, 1, deals=1)
    before = book.view.session(1)
    assert before is not None
    version, old = before.tables[0].version, before.tables[0].points
    ruleset = book.find_ruleset(None)
    told, settlement = next(one for one in (declared(ruleset, 0, Random(n)) for n in count()) if one[1].points != old)
    path, what = "sessions/1/tables/1", {"record": told, "corrects": 1}
    status, shown = ask(sam, f"{path}/preview", **what)
    assert (status, shown["points"]) == (200, list(settlement.points))
    assert shown["lines"]
    assert ask(sam, f"{path}/preview", record={**told, "end": "never"}, corrects=1)[0] == 409
    assert ask(sam, f"{path}/preview", record=told, corrects=7)[0] == 409
    status, body = ask(sam, f"{path}/results", **what, version=version)
    assert status == 409
    assert "says what was wrong" in body["problem"]
    assert ask(sam, f"{path}/results", **what, version=version, reason="a kong was missed")[0] == 200
    status, body = ask(sam, f"{path}/results", **what, version=version, reason="again")
    assert status == 409
    assert "somebody else" in body["problem"]
    after = book.view.session(1)
    assert after is not None
    assert (after.tables[0].points, after.tables[0].deals) == (settlement.points, 1)
    kinds = [entry.kind for entry in read_journal(place.file.with_name("event.journal"))]
    assert kinds.count("result_recorded") == 2, "one for each table; what was corrected stays"
    assert kinds[-1] == "result_corrected"
    page = sam.get("/event/sessions/1/tables/1/declare?deal=1").text
    assert "Correct a deal" in page
    assert sam.get("/event/sessions/1/tables/1/declare?deal=2").status_code == 404


def test_a_penalty_is_withdrawn_for_a_reason_by_a_referee(place: Place) -> None:
    book = place.begin_event()
    ria, sam = place.signed_in("referee", "ria"), place.signed_in("scorer", "sam")
    ask(place.signed_in("director"), "sessions/1/open")
    view = book.view.session(1)
    assert view is not None
    player = view.tables[0].players[0][0]
    given = {"player": player, "name": "warning", "reason": "<late>", "session": 1}
    number = ask(ria, "penalties", **given)[1]["entry"]
    page = ria.get("/event/sessions/1/tables/1").text
    assert f"penalties/{number}/withdraw" in page
    assert "<late>" in check_harmless(page).text
    assert ask(sam, f"penalties/{number}/withdraw", reason="mine")[0] == 403
    assert ask(ria, f"penalties/{number}/withdraw", reason="")[0] == 409
    assert ask(ria, f"penalties/{number}/withdraw", reason="it was the bus")[0] == 200
    assert ask(ria, f"penalties/{number}/withdraw", reason="it was the bus")[0] == 409
    assert f"penalties/{number}/withdraw" not in ria.get("/event/sessions/1/tables/1").text
    assert book.penalties_of([player]) == ()


def test_a_referee_gives_a_penalty_of_the_catalogue_and_a_scorer_none(place: Place) -> None:
    book = place.begin_event()
    ria, sam = place.signed_in("referee", "ria"), place.signed_in("scorer", "sam")
    ask(place.signed_in("director"), "sessions/1/open")
    penalty = {"player": 3, "name": "points", "amount": "4", "reason": "late", "session": 1}
    assert ask(sam, "penalties", **penalty)[0] == 403
    assert ask(ria, "penalties", **{**penalty, "amount": "99"})[0] == 409
    nobody = ask(ria, "penalties", player=99, name="warning", reason="late")
    assert nobody == (409, {"problem": "there is no player 99"})
    assert ask(ria, "penalties", **penalty)[0] == 200
    given = book.do(BY, lambda desk: list(desk.state.penalties.values()))
    assert [(one.player, one.name, str(one.amount), one.by) for one in given] == [(3, "points", "4", "ria (referee)")]
    page = ria.get("/event/sessions/1/tables/1").text
    assert "Give a penalty" in page
    assert "Serious warning" in page
    assert "Give a penalty" not in sam.get("/event/sessions/1/tables/1").text
    assert ria.get("/event/sessions/1/tables/9").status_code == 404


def test_who_has_left_a_table_where_nothing_counts_is_shown_with_no_points(place: Place) -> None:
    book = place.begin_event()
    dan = place.signed_in("director")
    assert [ask(dan, f"sessions/1/{step}")[0] for step in ("open", "start")] == [200, 200]
    book.do(BY, lambda desk: results.rule_result(desk, 1, 1, (8, -8, 0, 0), "as it stands"))
    view = book.look().session(1)
    assert view is not None
    gone = view.tables[0].players[0]
    book.do(BY, lambda desk: sanctions.substitute(desk, 1, gone[0], "Zed", "is ill"))
    book.do(BY, lambda desk: results.void(desk, 1, 1, 1, "a wall fell over"))
    assert gone[1] in dan.get("/event/sessions/1/tables/1").text
    [people] = [one["tables"][0]["people"] for one in dan.get("/api/v1/event").json()["sessions"][:1]]
    assert [one["points"] for one in people if one["number"] == gone[0]] == [0]


def test_the_last_session_is_opened_while_the_one_before_it_plays(place: Place) -> None:
    place.begin_event()
    dan = place.signed_in("director")
    for session in (1, 2, 3, 4):
        assert [ask(dan, f"sessions/{session}/{step}")[0] for step in ("open", "start")] == [200, 200]
        if session < 4:
            assert ask(dan, f"sessions/{session}/stop", reason="an exercise")[0] == 200
            for table in (1, 2):
                place.site.event.do(BY, partial(running.sign_off, number=session, table=table))
    assert ask(dan, "sessions/5/open")[0] == 200
    page = dan.get("/event").text
    for step in ("put_back", "start"):
        assert f'data-api="/api/v1/event/sessions/5/{step}"' in page


def test_what_somebody_types_is_not_taken_away_by_the_clock(place: Place) -> None:
    book = place.begin_event()
    dan = place.signed_in("director")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    channel = EventChannel(lambda: book.view, lambda view: "whole", lambda *_: "row", lambda *_: "part")
    channel.changes(place.desk.view, ())
    place.clock.now_ms += MINUTE_MS
    book.look()
    assert channel.changes(place.desk.view, ()) == b"event: clock1\ndata: 59:00\n\n"
    ask(dan, "sessions/1/pause", reason="lunch")
    assert channel.changes(place.desk.view, ()) == b"event: event\ndata: whole\n\n"


def test_the_same_key_with_another_reason_is_another_command(place: Place) -> None:
    place.begin_event()
    dan = place.signed_in("director")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    headers = {"Idempotency-Key": "pause-for-lunch"}
    path = "/api/v1/event/sessions/1/pause"
    assert dan.post(path, json={"reason": "lunch"}, headers=headers).status_code == 200
    assert dan.post(path, json={"reason": "lunch"}, headers=headers).status_code == 200
    assert dan.post(path, json={"reason": "dinner"}, headers=headers).status_code == 422


def test_a_scorer_sees_the_event_and_cannot_step(place: Place) -> None:
    place.begin_event()
    page = place.signed_in("scorer").get("/event").text
    assert "Session 1" in page
    assert "Open the seats" not in page
    assert "Open the seats" in place.signed_in("director").get("/event").text
    assert place.client().get("/event").headers["location"] == "/sign-in?next=%2Fevent"


def test_seats_are_secret_until_they_are_open(place: Place) -> None:
    place.begin_event()
    guest = place.client()
    assert "table 1" not in guest.get("/players/1").text
    assert "table 2" not in guest.get("/players/1").text
    ask(place.signed_in("director"), "sessions/1/open")
    page = guest.get("/players/1").text
    assert "table 1" in page or "table 2" in page
    assert guest.get("/players/99").status_code == 404


def test_a_code_leads_to_the_players_own_page(place: Place) -> None:
    place.begin_event()
    answer = place.client().get("/players/3/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    expected = BytesIO()
    segno.make(f"{BASE}/players/3", micro=False).save(expected, kind="svg", scale=6, dark="#000", light="#fff")
    assert answer.content == expected.getvalue()
    assert place.client().get("/players/99/qr.svg").status_code == 404


@pytest.mark.parametrize("name", SHORT)
def test_a_player_may_be_called_anything(place: Place, name: str) -> None:
    place.begin_event(4, prefix=name)
    ask(place.signed_in("director"), "sessions/1/open")
    guest = place.client()
    for path in ("/screen", "/players", "/players/1"):
        assert shown(f"{name}1") in check_harmless(guest.get(path).text).text
    assert shown(f"{name}1") in check_harmless(place.signed_in("director").get("/event").text).text


def test_a_hall_knows_who_sits_at_a_bound_table(place: Place) -> None:
    book = place.begin_event()
    book.do(BY, lambda desk: setup.bind_table(desk, 2, "U-A1"))
    dan = place.signed_in("director")
    for step in ("open", "start"):
        ask(dan, f"sessions/1/{step}")
    play(place, 1, deals=2)
    known = book.of("A1", "U-A1")
    assert known is not None
    seen = book.view.session(1)
    assert seen is not None
    assert known.names == tuple(name for _, name in seen.tables[1].players)
    assert (known.points, known.deal) == (seen.tables[1].points, 2)
    assert known.last is not None
    assert book.of("A2", "U-A2") is None


def test_a_journal_that_cannot_be_read_is_told_until_it_can(place: Place) -> None:
    book = place.begin_event()
    path = place.file.with_name("event.journal")
    path.rename(path.with_suffix(".away"))
    path.mkdir()
    book.follow()
    assert book.view.problem is not None
    page = place.signed_in("director").get("/event").text
    assert "Session 1" in page
    assert str(path) in page
    path.rmdir()
    path.with_suffix(".away").rename(path)
    book.follow()
    assert book.view.problem is None


def test_a_console_without_an_event_says_so(place: Place) -> None:
    answer = place.client().get("/screen")
    assert answer.status_code == 404
    assert "has no event" in answer.text
    assert place.client().get("/live/screen").status_code == 404


def test_a_journal_without_an_event_is_told(place: Place) -> None:
    path = place.file.with_name("other.journal")
    Journal(path).close()
    with pytest.raises(NoEvent):
        Book(str(path))
