"""Players sign with a PIN: who has it sees the table's results and signs, who guesses is stopped."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.host.console.hall import BASE, SEED, Place
from tests.host.event.paper import declared
from wallwright.console.people.limits import WINDOW_MS
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
    found = re.findall(r"PIN <b>(\d{3}) (\d{3})</b></span><small>Code [^<]+</small><small>(\d+) ", page)
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


def phone_at(place: Place, address: str) -> TestClient:
    return TestClient(place.app, base_url=BASE, client=(address, 1))


def wrong_pin(pins: dict[int, str]) -> str:
    """A PIN that nobody has."""
    return next(f"{n:06}" for n in range(100) if f"{n:06}" not in pins.values())


def test_five_wrong_pins_hold_up_who_typed_them_and_nobody_who_signs_elsewhere(
    place: Place, signed_event: Book
) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    own = phone_at(place, "10.0.0.7")
    assert post(own, 1, "table", pin=pins[1])[0] == 200
    guesser = phone_at(place, "10.0.0.7")
    tried = [post(guesser, 1, "table", pin=wrong_pin(pins))[0] for _ in range(8)]
    assert tried == [401] * 5 + [429] * 3
    assert post(own, 1, "table", pin=pins[1])[0] == 200, "the phone on which the PIN was typed before"
    assert post(guesser, 2, "table", pin=pins[2])[0] == 200, "other players"
    assert post(phone_at(place, "10.0.0.8"), 1, "table", pin=pins[1])[0] == 200, "another network"
    place.clock.now_ms += WINDOW_MS
    assert post(guesser, 1, "table", pin=pins[1])[0] == 200


def test_a_tablet_that_goes_round_is_known_for_all_who_have_signed_on_it(place: Place, signed_event: Book) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    tablet = phone_at(place, "10.0.0.7")
    for player in (1, 2, 3):
        assert post(tablet, player, "table", pin=pins[player])[0] == 200
    guesser = phone_at(place, "10.0.0.7")
    for player in (1, 2, 3):
        tried = [post(guesser, player, "table", pin=wrong_pin(pins))[0] for _ in range(6)]
        assert tried == [401] * 5 + [429]
        assert post(tablet, player, "table", pin=pins[player])[0] == 200


def test_fifty_wrong_pins_a_day_hold_up_unknown_devices_until_a_referee_gives_a_code(
    place: Place, signed_event: Book
) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    tried = [post(phone_at(place, f"10.0.{n}.1"), 1, "table", pin=wrong_pin(pins))[0] for n in range(60)]
    assert tried == [401] * 50 + [429] * 10
    new = phone_at(place, "10.1.0.1")
    status, told = post(new, 1, "table", pin=pins[1])
    assert (status, "type the code of your slip, or ask a referee for one" in told["problem"]) == (429, True)
    referee = place.signed_in("referee")
    assert referee.post("/api/v1/event/players/code", json={"player": "P1"}).status_code == 200
    code = code_on(referee.get("/players/1/sign").text)
    assert code
    assert not code_on(new.get("/players/1/sign").text), "a code is for referees to see"
    assert post(new, 1, "table", pin=pins[1], code="AAAA-AAAA")[0] == 401
    assert post(new, 1, "table", pin=wrong_pin(pins), code=code)[0] == 401, "a code is none without the PIN"
    assert post(new, 1, "table", pin=pins[1], code=f" {code.lower()} ")[0] == 200
    assert post(new, 1, "table", pin=pins[1], code=code)[0] == 200, "the device is known now"
    assert post(phone_at(place, "10.1.0.2"), 1, "table", pin=pins[1], code=code)[0] == 401, "a code is good once"
    assert not code_on(referee.get("/players/1/sign").text)


def test_a_slip_s_code_lets_its_player_sign_whoever_guesses_until_the_slip_is_ended(
    place: Place, signed_event: Book
) -> None:
    dan = place.signed_in("director")
    slips = dan.get("/players/pins").text
    pins, codes = pins_on_slips(slips), re.findall(r"Code ([2-9A-Z]{4}-[2-9A-Z]{4})</small>", slips)
    assert len(set(codes)) == 8
    for n in range(60):
        post(phone_at(place, f"10.0.{n}.1"), 1, "table", pin=wrong_pin(pins))
    for n in range(3):
        new = phone_at(place, f"10.1.{n}.1")
        assert post(new, 1, "table", pin=pins[1])[0] == 429
        assert post(new, 1, "table", pin=pins[1], code=codes[1])[0] == 401, "another player's"
        assert post(new, 1, "table", pin=pins[1], code=codes[0])[0] == 200
    guesser = phone_at(place, "10.2.0.1")
    tried = [post(guesser, 1, "table", pin=wrong_pin(pins), code=codes[0])[0] for _ in range(8)]
    assert tried == [401] * 5 + [429] * 3, "who has the code alone"
    dan.post("/api/v1/event/players/end-pin", json={"player": "1"})
    slips = dan.get("/players/pins").text
    assert codes[0] not in slips
    assert post(phone_at(place, "10.3.0.1"), 1, "table", pin=pins_on_slips(slips)[1], code=codes[0])[0] == 401


def test_a_code_ends_what_was_guessed_on_the_tablet_that_goes_round(place: Place, signed_event: Book) -> None:
    pins = pins_on_slips(place.signed_in("director").get("/players/pins").text)
    tablet, referee = phone_at(place, "10.0.0.7"), place.signed_in("referee")
    player = signed_event.ask(lambda desk: desk.sheet(1, 1).players)[0]
    seen = post(tablet, player, "table", pin=pins[player])[1]["version"]
    for _ in range(10):
        assert [post(tablet, player, "table", pin=wrong_pin(pins))[0] for _ in range(6)] == [401] * 5 + [429]
        place.clock.now_ms += WINDOW_MS
    assert post(tablet, player, "sign", pin=pins[player], version=seen)[0] == 429, "fifty a day on one device"
    code = referee.post("/api/v1/event/players/code", json={"player": str(player)}).json()["code"]
    assert post(tablet, player, "table", pin=pins[player], code=code)[0] == 200
    assert post(tablet, player, "sign", pin=pins[player], code=code, version=seen)[0] == 200


def code_on(page: str) -> str:
    """The code that a page shows, empty without one."""
    found = re.search(r"<b>([2-9A-Z]{4}-[2-9A-Z]{4})</b>", page)
    return found[1] if found else ""


def test_a_pin_that_others_saw_is_ended(place: Place, signed_event: Book) -> None:
    dan, phone = place.signed_in("director", "dan"), place.client()
    before = pins_on_slips(dan.get("/players/pins").text)
    assert dan.post("/api/v1/event/players/end-pin", json={"player": "P3"}).status_code == 200
    assert post(phone, 3, "table", pin=before[3])[0] == 401
    after = pins_on_slips(dan.get("/players/pins").text)
    assert {n: pin for n, pin in after.items() if n != 3} == {n: pin for n, pin in before.items() if n != 3}
    assert [act.body["act"] for act in place.accounts.acts(100)][-2:] == ["end_pin", "failed_pin"]


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
