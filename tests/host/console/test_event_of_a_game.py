"""An evening of another game at the console: its pages, a referee's points, and whether there is a form."""

import pytest

from tests.host.console.hall import SEED, Clock, Place
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.rules.classical.game import Classical


@pytest.fixture
def evening(place: Place) -> Place:
    """Balsall: the first hand drawn, the goulash won by seat 1."""
    path = place.file.with_name("event.journal")
    with open_event(str(path), "dan", Clock(), new=True) as desk:
        setup.create(desk, load_format("balsall-evening"))
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 5))), "players.csv")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        for record in ({"winner": None}, {"winner": 1, "by": "self_drawn", "hands": [None, {"points": 5}, None, None]}):
            results.record_result(desk, results.preview(desk, 1, 1, record))
    place.site.book = place.desk._progress = Book(str(path), place.clock)
    return place


def test_every_page_of_the_event_is_there(evening: Place) -> None:
    client = evening.signed_in("referee")
    for path in ("/event", "/event/standings", "/event/sessions/1/tables/1", "/event/sessions/1/tables/1/deals/2"):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.text)
    assert "BAL-8.2" in client.get("/event/sessions/1/tables/1/deals/2?step=2").text


def test_cum_8_2_pages_say_who_has_moved(place: Place) -> None:
    path = place.file.with_name("event.journal")
    with open_event(str(path), "dan", Clock(), new=True) as desk:
        setup.create(desk, load_format("cumberland-evening"))
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 9))), "players.csv")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        mover = desk.sheet(1, 1).players[1]
        for table in (1, 2):
            hands = [{"points": 84 if seat == 1 else 0} for seat in range(4)]
            record = {"round_wind": "E", "winner": 1, "by": "self_drawn", "hands": hands}
            results.record_result(desk, results.preview(desk, 1, table, record))
    place.site.book = place.desk._progress = Book(str(path), place.clock)
    client = place.signed_in("referee")
    told = f"After deal 1 P{mover} moved from table 1, seat 2, to table 2, seat 2."
    for table in (1, 2):
        assert told in client.get(f"/event/sessions/1/tables/{table}").text
    own = client.get(f"/players/{mover}").text
    assert told in own
    assert "table 2, seat 2</span>" in own
    stayed = next(player for player in desk.sheet(1, 1).players if player not in (mover, desk.sheet(1, 1).players[1]))
    assert "moved from" not in client.get(f"/players/{stayed}").text


def test_a_game_that_has_a_form_is_tapped_in(evening: Place) -> None:
    client = evening.signed_in("referee")
    sheet = client.get("/event/sessions/1/tables/1").text
    assert "/event/sessions/1/tables/1/declare" in sheet
    assert "/event/sessions/1/tables/1/declare?deal=2" in sheet
    assert client.get("/event/sessions/1/tables/1/declare").status_code == 200


def test_where_a_game_has_no_form_the_page_says_how_a_deal_is_entered(
    evening: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Classical, "form")
    sheet = evening.signed_in("referee").get("/event/sessions/1/tables/1").text
    assert "wallwright event result" in sheet
    assert "/declare" not in sheet
    answer = evening.signed_in("referee").get("/event/sessions/1/tables/1/declare")
    assert answer.status_code == 409
    assert "wallwright event result --declared" in answer.text


def test_the_api_settles_a_deal_of_that_game(evening: Place) -> None:
    client = evening.signed_in("referee")
    body = {"record": {"winner": 2, "by": "discard", "from": 0, "hands": [None, None, {"points": 3}, None]}}
    shown = client.post("/api/v1/event/sessions/1/tables/1/preview", json=body)
    assert shown.status_code == 200, shown.text
    assert shown.json()["points"] == [-3, 0, 3, 0]
