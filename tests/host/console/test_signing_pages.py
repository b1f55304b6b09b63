"""Players sign with a PIN: who has it sees the table's results and signs, who guesses is stopped."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.host.console.hall import SEED, Place
from tests.host.event.paper import declared
from wallwright.console.people.person import Person
from wallwright.console.people.pins import pins_of
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import read_journal

DAN = Person("dan", "director")


def begin_signed_event(place: Place, signing: str = "pin") -> Book:
    """Two tables that have played the one deal of their session."""
    path = str(place.file.with_name("event.journal"))
    form = replace(load_format("chengdu-grand-prix"), deals=1, player_signing=signing)
    with open_event(path, "dan", place.clock, new=True) as desk:
        setup.create(desk, form)
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 9))), "x")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        for table in (1, 2):
            told, _ = declared(desk.format.sichuan, 0, Random(table))
            results.record_result(desk, results.preview(desk, 1, table, told))
    place.site.book = book = Book(path, place.clock)
    return book


def post(client: TestClient, player: int, what: str, **body: Any) -> tuple[int, dict]:
    answer = client.post(f"/api/v1/event/players/{player}/{what}", json=body)
    return answer.status_code, answer.json()


@pytest.fixture
def signed_event(place: Place) -> Book:
    return begin_signed_event(place)


def pins_on_slips(page: str) -> dict[int, str]:
    found = re.findall(r"PIN <b>(\d{3}) (\d{3})</b></span><small>(\d+) ", page)
    return {int(number): first + last for first, last, number in found}


def test_four_players_sign_their_table_with_their_pins(place: Place, signed_event: Book) -> None:
    dan, phone = place.signed_in("director"), place.client()
    pins = pins_on_slips(dan.get("/players/pins").text)
    assert sorted(pins) == list(range(1, 9))
    assert pins_on_slips(dan.get("/players/pins").text) == pins, "a slip can be printed again"
    four = signed_event.ask(lambda desk: desk.sheet(1, 1).players)
    assert "Sign the results of my table" in phone.get(f"/players/{four[0]}").text
    status, shown = post(phone, four[0], "table", pin=pins[four[0]])
    assert (status, shown["table"], shown["problem"], shown["signed"]) == (200, 1, "", [])
    assert shown["points"] == list(signed_event.ask(lambda desk: desk.sheet(1, 1).points()))
    for player in four:
        assert post(phone, player, "sign", pin=pins[player], version=shown["version"])[0] == 200
        shown = post(phone, player, "table", pin=pins[player])[1]
        assert shown["has_signed"]
    assert shown["is_signed_off"]
    entries = [
        entry for entry in read_journal(signed_event.place) if entry.kind in ("player_signed", "table_signed_off")
    ]
    assert [entry.body["by"] for entry in entries] == [f"P{n} (player)" for n in (*four, four[3])]
    assert [entry.body["how"] for entry in entries[:4]] == ["pin"] * 4
    assert not any(pin in str(entry.body) for entry in entries for pin in pins.values())
    assert "Sign the results of my table" not in phone.get(f"/players/{four[0]}").text


def test_without_the_pin_nothing_is_seen_and_nothing_is_signed(place: Place, signed_event: Book) -> None:
    phone = place.client()
    player, other = signed_event.ask(lambda desk: desk.sheet(1, 1).players)[:2]
    assert post(phone, player, "table", pin="000000")[0] == 401, "nothing was printed yet, so nothing fits"
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    for what, body in (("table", {}), ("sign", {"version": 1})):
        assert post(phone, player, what, pin=pins[other], **body)[0] == (401 if pins[player] != pins[other] else 200)
        assert post(phone, player, what, pin="12345", **body)[0] == 422
    assert signed_event.ask(lambda desk: desk.sheet(1, 1).signers) == ()
    assert "points" not in str(post(phone, player, "table", pin=pins[other])[1])
    for role in ("referee", "scorer", "public"):
        assert place.signed_in(role).get("/players/pins").status_code in (303, 403)


def test_who_guesses_waits_wherever_they_ask_from(place: Place, signed_event: Book) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    wrong = next(f"{n:06}" for n in range(10) if f"{n:06}" != pins[1])
    clients = [TestClient(place.app, base_url="http://127.0.0.1", client=(f"10.0.0.{n}", 1)) for n in range(7)]
    assert [post(client, 1, "table", pin=wrong)[0] for client in clients[:5]] == [401] * 5
    assert post(clients[5], 1, "table", pin=wrong)[0] == 429
    assert post(clients[6], 1, "table", pin=pins[1])[0] == 429, "the right one waits too"
    assert post(clients[5], 2, "table", pin=pins[2])[0] == 200, "others do not"
    place.clock.now_ms += 300_000
    assert post(clients[6], 1, "table", pin=pins[1])[0] == 200


def test_a_pin_that_others_saw_is_ended(place: Place, signed_event: Book) -> None:
    dan, phone = place.signed_in("director", "dan"), place.client()
    before = pins_on_slips(dan.get("/players/pins").text)
    assert dan.post("/api/v1/event/players/end-pin", json={"player": "P3"}).status_code == 200
    assert post(phone, 3, "table", pin=before[3])[0] == 401
    after = pins_on_slips(dan.get("/players/pins").text)
    assert {n: pin for n, pin in after.items() if n != 3} == {n: pin for n, pin in before.items() if n != 3}
    assert [act.body["act"] for act in place.accounts.acts(100)][-1] == "end_pin"


def test_what_changed_since_it_was_seen_is_not_signed(place: Place, signed_event: Book) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    player = signed_event.ask(lambda desk: desk.sheet(1, 1).players)[0]
    seen = post(place.client(), player, "table", pin=pins[player])[1]["version"]

    def void(desk: Desk) -> None:
        results.void(desk, 1, 1, 1, "a tile was missing")

    signed_event.do(DAN, void)
    status, told = post(place.client(), player, "sign", pin=pins[player], version=seen)
    assert (status, "changed by somebody else" in told["problem"]) == (409, True)


def test_pins_are_of_one_event_and_not_asked_for_where_players_do_not_sign(place: Place) -> None:
    book = begin_signed_event(place, "none")
    dan = place.signed_in("director")
    assert "no player_signing" in dan.get("/players/pins").text
    assert "PINs to print" not in dan.get("/players").text
    player = book.ask(lambda desk: desk.sheet(1, 1).players)[0]
    pin = pins_of(place.accounts, str(book.ask(lambda desk: desk.state.begun_ms)), [player])[player]
    assert post(place.client(), player, "sign", pin=pin, version=book.view.sessions[0].tables[0].version)[0] == 409
    assert pins_of(place.accounts, "another", range(1, 200)) != dict.fromkeys(range(1, 200), pin)
