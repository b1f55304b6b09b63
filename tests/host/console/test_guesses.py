"""Guessers are slowed, persons are not: known devices, codes for new ones, and what the director sees of it."""

import re
from pathlib import Path
from random import Random, SystemRandom

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tests.host.console.hall import BASE, PASSWORD, Place
from tests.host.console.test_signing_pages import begin_signed_event, code_on, pins_on_slips, wrong_pin
from wallwright.cli import users
from wallwright.console.people.codes import CODE_MS, SIGNS, is_same
from wallwright.console.people.guesses import DAY_MS
from wallwright.console.people.limits import WINDOW_MS

WRONG = "a wrong one, sorry"
NAT = "10.0.0.7"
"""The address that all share who are in the hall's own network."""


def device_at(place: Place, address: str) -> TestClient:
    """A device that nobody knows."""
    client = TestClient(place.app, base_url=BASE, follow_redirects=False, client=(address, 50_000))
    client.portal = place.portal
    return client


def sign_in(client: TestClient, name: str, password: str, code: str = "") -> int:
    """Sign in and out again; return the status."""
    answer = client.post("/api/v1/session", json={"name": name, "password": password, "code": code})
    client.cookies.delete("wallwright_session")
    return answer.status_code


def printed_code(place: Place, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What `wallwright users code` prints in the host's terminal, at the time of the place."""
    monkeypatch.setattr(users, "wall_ms", place.clock)
    done = CliRunner().invoke(users.app, ["code", str(place.file), name], catch_exceptions=False)
    assert f"{name} types this code beside the password" in done.output
    return done.output.split("\n")[0]


def hold_up(place: Place, name: str) -> None:
    """Let fifty guesses come from ten addresses; nothing that nobody knows signs in as `name` for five minutes."""
    tried = [sign_in(device_at(place, f"10.1.0.{n}"), name, WRONG) for n in range(11) for _ in range(5)]
    assert tried == [401] * 50 + [429] * 5


def test_the_terminal_s_code_lets_a_director_in_whom_guessers_hold_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.accounts.add("dan", "director", PASSWORD)
    hold_up(place, "dan")
    new = device_at(place, "10.2.0.1")
    told = new.post("/api/v1/session", json={"name": "dan", "password": PASSWORD})
    assert told.status_code == 429
    assert "wait 5 min, or get a code for a new device" in told.json()["problem"]
    assert 0 < int(told.headers["Retry-After"]) <= WINDOW_MS // 1000
    code = printed_code(place, "dan", monkeypatch)
    assert sign_in(new, "dan", PASSWORD, "2222-2222") == 401
    assert sign_in(new, "dan", WRONG, code) == 401, "a code is none without the password"
    assert sign_in(new, "DAN", PASSWORD, code.lower().replace("-", " ")) == 200
    assert sign_in(new, "dan", PASSWORD) == 200, "the device is known now"
    assert sign_in(device_at(place, "10.2.0.2"), "dan", PASSWORD, code) == 401, "a code is good once"


def test_a_code_ends_after_ten_minutes_after_five_tries_and_with_the_password(place: Place) -> None:
    dan = place.signed_in("director", "dan")
    place.accounts.add("ann", "scorer", PASSWORD)

    def code() -> str:
        return str(dan.post("/api/v1/accounts/code", json={"name": "ann"}).json()["code"])

    hold_up(place, "ann")
    new = device_at(place, NAT)
    first, second = code(), code()
    assert sign_in(new, "ann", PASSWORD, first) == 401, "a newer code has ended it"
    assert [sign_in(new, "ann", WRONG, second) for _ in range(6)] == [401] * 5 + [429]
    assert sign_in(new, "ann", PASSWORD, second) == 429, "its five tries are over"
    assert sign_in(new, "ann", PASSWORD, code()) == 200
    third = code()
    place.clock.now_ms += CODE_MS
    hold_up(place, "ann")
    assert sign_in(device_at(place, NAT), "ann", PASSWORD, third) == 401
    fourth = code()
    place.accounts.set_password("ann", "another one, longer")
    assert sign_in(device_at(place, NAT), "ann", "another one, longer", fourth) == 401
    place.accounts.remove("ann")
    assert dan.post("/api/v1/accounts/code", json={"name": "ann"}).status_code == 422


def test_a_person_who_is_signed_in_shows_a_code_for_another_device(place: Place) -> None:
    ann, dan = place.signed_in("referee", "ann"), place.signed_in("director", "dan")
    hold_up(place, "ann")
    assert not code_on(ann.get("/account").text)
    assert ann.post("/api/v1/account/code").status_code == 200
    code = code_on(ann.get("/account").text)
    assert code
    assert code_on(dan.get("/accounts").text) == code
    assert not code_on(dan.get("/account").text)
    assert sign_in(device_at(place, NAT), "ann", PASSWORD, code) == 200
    for client in (ann, place.signed_in("scorer"), place.client()):
        assert client.post("/api/v1/accounts/code", json={"name": "dan"}).status_code in (401, 403)
    acts = [act.body for act in place.accounts.acts(100) if act.body["act"] == "give_code"]
    assert [(act["person"], act["account"]) for act in acts] == [("ann", "ann")]
    assert code not in str([act.body for act in place.accounts.acts(100)])


def test_a_laptop_that_two_directors_share_is_known_for_both(place: Place) -> None:
    laptop = device_at(place, NAT)
    for name in ("dan", "ann"):
        place.accounts.add(name, "director", PASSWORD)
        assert sign_in(laptop, name, PASSWORD) == 200
    for name in ("dan", "ann"):
        hold_up(place, name)
        assert sign_in(device_at(place, NAT), name, PASSWORD) == 429
        assert sign_in(laptop, name, PASSWORD) == 200


def test_a_device_token_that_the_server_has_not_given_is_never_known(place: Place) -> None:
    place.accounts.add("dan", "director", PASSWORD)
    planted = device_at(place, NAT)
    planted.cookies.set("wallwright_device", "chosen by somebody else")
    assert sign_in(planted, "dan", PASSWORD) == 200
    hold_up(place, "dan")
    thief = device_at(place, NAT)
    thief.cookies.set("wallwright_device", "chosen by somebody else")
    assert sign_in(thief, "dan", PASSWORD) == 429


def test_who_guesses_the_own_password_of_a_device_left_open_holds_nobody_up_elsewhere(place: Place) -> None:
    left, own = place.signed_in("scorer", "ann"), place.signed_in("scorer", "ann")
    change = {"old": WRONG, "new": "another one, longer"}
    tried = [left.post("/api/v1/account/password", json=change).status_code for _ in range(7)]
    assert tried == [401] * 5 + [429] * 2
    assert own.post("/api/v1/account/password", json={**change, "old": PASSWORD}).status_code == 200


def test_the_director_sees_who_is_guessed_at_from_where_and_how_often(place: Place) -> None:
    begin_signed_event(place)
    pins = pins_on_slips(place.signed_in("director", "dan").get("/players/pins").text)
    dan, ann = place.signed_in("director", "dan"), place.signed_in("referee", "ann")
    assert "Somebody is guessing" not in dan.get("/").text
    guesser = device_at(place, "10.3.0.1")
    for _ in range(8):
        sign_in(guesser, "ann", WRONG)
        sign_in(guesser, "my password, typed into the wrong field", WRONG)
        guesser.post("/api/v1/event/players/2/table", json={"pin": wrong_pin(pins)})
    sign_in(device_at(place, "10.3.0.2"), "dan", WRONG)
    assert "Somebody is guessing passwords or PINs." in dan.get("/").text
    assert "Somebody is guessing" not in ann.get("/").text
    shown = re.sub(r"<[^>]+>", "", dan.get("/accounts").text)
    assert "ann: from 10.3.0.1: 5 wrong, 3 held up, the last at" in shown
    assert "2 P2: from 10.3.0.1: 5 wrong, 3 held up, the last at" in shown
    assert "10.3.0.2" not in shown, "one wrong password is a slip of the finger"
    assert "wrong field" not in shown
    noted = [(act.body["act"], act.body.get("account"), act.body.get("player")) for act in place.accounts.acts(100)]
    assert [noted.count(("held_up", *who)) for who in (("ann", None), (None, 2))] == [1, 1]
    assert noted.count(("failed_pin", None, 2)) == 5
    place.clock.now_ms += DAY_MS
    assert "Somebody is guessing" not in place.signed_in("director", "dan").get("/").text


def test_a_code_has_no_signs_that_look_alike_and_is_read_as_people_type() -> None:
    code = "K7QP-3MXA"
    assert len(set(SIGNS)) == 31
    assert not set(SIGNS) & set("01ILO")
    assert all(is_same(code, typed) for typed in ("K7QP-3MXA", "k7qp3mxa", " K7QP 3MXA ", "K7QP–3MXA"))
    assert not any(is_same(code, typed) for typed in ("", "-", "K7QP-3MX", "K7QP-3MXAA", "K7QP-3MXB", "\ud800"))


def most_within(times: list[int], window_ms: int) -> int:
    """How many of these times lie within one window at the most."""
    return max((sum(begin <= one < begin + window_ms for one in times) for begin in times), default=0)


def test_whoever_guesses_from_wherever_persons_get_in_and_guesses_stay_few(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guessers and persons come in any order. A person is let in at once on a known device, and on a new one with a
    code; what is tried on devices that nobody knows stays below its bound, counted here by the answers alone.
    """
    seed = SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    random = Random(seed)
    begin_signed_event(place)
    pins = pins_on_slips(place.signed_in("director", "eve").get("/players/pins").text)
    referee, dan = place.signed_in("referee", "ann"), place.signed_in("director", "dan")
    right: dict[str, str] = {"dan": PASSWORD, "1": pins[1], "2": pins[2]}
    wrong: dict[str, list[int]] = {who: [] for who in right}

    def ask(client: TestClient, who: str, secret: str, code: str = "") -> tuple[int, str]:
        path, body = f"event/players/{who}/table", {"pin": secret, "code": code}
        if who == "dan":
            path, body = "session", {"name": "dan", "password": secret, "code": code}
        answer = client.post(f"/api/v1/{path}", json=body)
        client.cookies.delete("wallwright_session")
        return answer.status_code, answer.json().get("problem", "")

    def guess(address: str, who: str) -> None:
        secret, code = WRONG if who == "dan" else wrong_pin(pins), random.choice(("", "2222-2222"))
        status, told = ask(device_at(place, address), who, secret, code)
        assert status in (401, 429)
        if "do not fit together" in told or "not the PIN" in told:
            wrong[who].append(place.clock.now_ms)

    def come_anew(who: str) -> int:
        """Come with a device that nobody knows; return the status before a code was asked for."""
        new = device_at(place, NAT)
        first = ask(new, who, right[who])[0]
        if first == 429:
            if who != "dan":
                code = referee.post("/api/v1/event/players/code", json={"player": who}).json()["code"]
            elif random.random() < 0.5:
                code = printed_code(place, "dan", monkeypatch)
            else:
                code = dan.post("/api/v1/account/code").json()["code"]
            assert ask(new, who, right[who], code)[0] == 200, (seed, who)
        return first

    own = {who: device_at(place, NAT) for who in right}
    for who, client in own.items():
        assert ask(client, who, right[who])[0] == 200
    addresses = [NAT, *(f"10.1.{n}.1" for n in range(random.randint(2, 40)))]
    for _ in range(250):
        who = random.choice(list(right))
        match random.choices(("guess", "known", "new", "later"), (88, 5, 2, 5))[0]:
            case "guess":
                guess(random.choice(addresses), who)
            case "known":
                assert ask(own[who], who, right[who])[0] == 200, (seed, who)
            case "new":
                assert come_anew(who) in (200, 429), (seed, who)
            case "later":
                place.clock.now_ms += random.randrange(120_000)
    for who in right:
        for number in range(60):
            guess(f"10.2.{number}.1", who)
        assert ask(own[who], who, right[who])[0] == 200, (seed, who)
        assert come_anew(who) == 429, (seed, who)
    assert most_within(wrong["dan"], WINDOW_MS) == 50, seed
    assert [most_within(wrong[player], DAY_MS) for player in "12"] == [50, 50], seed


def test_what_an_older_file_knows_of_devices_stays_known(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.accounts.add("dan", "director", PASSWORD)
    own = device_at(place, NAT)
    assert sign_in(own, "dan", PASSWORD) == 200
    with place.accounts.transaction() as connection:
        connection.exec_driver_sql("INSERT INTO devices SELECT token, 'dan', ends_ms FROM known_devices")
        connection.exec_driver_sql("DROP TABLE known_devices")
    place.accounts.close()
    place = Place(tmp_path)
    hold_up(place, "dan")
    again = device_at(place, NAT)
    again.cookies.update(own.cookies)
    assert sign_in(again, "dan", PASSWORD) == 200
    place.accounts.set_password("dan", "another one, longer")
    place.accounts.close()
    place = Place(tmp_path)
    hold_up(place, "dan")
    assert sign_in(again, "dan", "another one, longer") == 429
    place.accounts.close()
