"""The API: commands are done once and are on record with their person; forged and foreign requests are turned away."""

from dataclasses import replace

import pytest

from tests.host.console.hall import BASE, PASSWORD, QUICK, Place
from wallwright.console.people.accounts import Accounts
from wallwright.errors import JournalFull, Refused
from wallwright.fleet.state import SEARCHING

STOP = "/api/v1/tables/A1/commands/stop"
CLEAR = "/api/v1/tables/A1/commands/clear_fault"


def key(text: str) -> dict[str, str]:
    return {"Idempotency-Key": text}


def test_the_hall_is_told_as_it_is(place: Place) -> None:
    hall = place.signed_in("screen").get("/api/v1/hall").json()
    assert [table["name"] for table in hall["tables"]] == ["A1", "A2"]
    assert hall["tables"][0]["stacks"] == [14, 13, 14, 13]
    assert hall["tables"][0]["lid"] == "closed"
    assert hall["tables"][0]["may"] == ["stop", "open_lid"]


def test_a_command_is_on_record_with_its_person_before_it_is_done(place: Place) -> None:
    answer = place.signed_in("operator", "ann").post(CLEAR, headers=key("one-two-three"))
    assert answer.json() == {"table": "A1", "done": True, "problem": None}
    act = {"person": "ann", "role": "operator", "act": "clear_fault", "table": "A1", "unit": "U-A1"}
    assert place.fleet.records == [("console_act", act)]
    assert place.fleet.heard == ["clear_fault A1 after 1 records"]


def test_a_command_is_not_done_while_the_journal_takes_nothing_and_a_stop_is(place: Place) -> None:
    client = place.signed_in("operator")
    place.fleet.journal_problem = JournalFull("hall.journal", "the disk is full")
    refused = client.post(CLEAR, headers=key("clear-it-now"))
    assert (refused.status_code, place.fleet.papers["A1"].asked) == (503, [])
    stopped = client.post(STOP, headers=key("stop-it-now"))
    assert (stopped.status_code, place.fleet.papers["A1"].asked) == (503, ["stop"])
    assert "not on record" in stopped.json()["problem"]


def test_the_same_key_is_answered_again_and_done_once(place: Place) -> None:
    client = place.signed_in("operator", "ann")
    answers = [client.post(CLEAR, headers=key("only-once-please")) for _ in range(3)]
    assert {answer.text for answer in answers} == {answers[0].text}
    assert place.fleet.papers["A1"].asked == ["clear_fault"]
    client.post(CLEAR, headers=key("another-key-now"))
    assert place.fleet.papers["A1"].asked == ["clear_fault"] * 2


def test_a_refusal_is_repeated_like_any_answer(place: Place) -> None:
    client = place.signed_in("operator")
    place.fleet.papers["A1"].refusal = Refused("clear_fault", "fault_active", "fault")
    first = client.post(CLEAR, headers=key("its-cause-is-there"))
    place.fleet.papers["A1"].refusal = None
    second = client.post(CLEAR, headers=key("its-cause-is-there"))
    assert first.status_code == second.status_code == 409
    assert first.json() == second.json()
    assert "mend the fault" in first.json()["problem"]
    assert place.fleet.papers["A1"].asked == ["clear_fault"]


def test_a_key_outlives_the_server_and_belongs_to_its_person(place: Place) -> None:
    ann = place.signed_in("operator", "ann")
    ann.post(CLEAR, headers=key("key-of-somebody"))
    place.site.accounts = Accounts(place.file, QUICK)
    ann.post(CLEAR, headers=key("key-of-somebody"))
    assert place.fleet.papers["A1"].asked == ["clear_fault"]
    place.signed_in("operator", "bob").post(CLEAR, headers=key("key-of-somebody"))
    assert place.fleet.papers["A1"].asked == ["clear_fault"] * 2


def test_a_key_is_known_for_a_day_and_then_asks_anew(place: Place) -> None:
    begun_ms = place.clock.now_ms
    for hours, asked in ((0, 1), (23, 1), (25, 2), (48, 2), (50, 3)):
        place.clock.now_ms = begun_ms + hours * 3_600_000
        ann = place.signed_in("operator", "ann")
        assert ann.post(CLEAR, headers=key("the-same-key")).status_code == 200
        assert place.fleet.papers["A1"].asked == ["clear_fault"] * asked, hours


def test_a_key_of_something_else_and_one_without_an_answer_are_told(place: Place) -> None:
    ann = place.signed_in("operator", "ann")
    ann.post(CLEAR, headers=key("for-clearing-only"))
    other = ann.post(STOP, headers=key("for-clearing-only"))
    assert (other.status_code, place.fleet.papers["A1"].asked) == (422, ["clear_fault"])
    # As if the server had died between the begin and the answer.
    place.accounts.begin("ann:died-on-the-way", f"POST {STOP}", place.clock.now_ms)
    died = ann.post(STOP, headers=key("died-on-the-way"))
    assert died.status_code == 409
    assert "look at the table" in died.json()["problem"]
    assert place.fleet.papers["A1"].asked == ["clear_fault"]


@pytest.mark.parametrize("headers", [{}, key("short"), key("no spaces here"), key("x" * 101)])
def test_a_command_without_a_proper_key_is_not_done(place: Place, headers: dict[str, str]) -> None:
    answer = place.signed_in("operator").post(STOP, headers=headers)
    assert answer.status_code == 422
    assert "Idempotency-Key" in answer.json()["problem"]
    assert place.fleet.heard == []


def test_the_emergency_stop_reaches_all_tables_and_names_those_it_missed(place: Place) -> None:
    place.fleet.tables["A2"] = replace(place.fleet.tables["A2"], link=SEARCHING)
    answer = place.signed_in("scorer", "sam").post("/api/v1/hall/stop", headers=key("stop-everything"))
    first, second = answer.json()
    assert first == {"table": "A1", "done": True, "problem": None}
    assert (second["table"], second["done"]) == ("A2", False)
    assert "A2 is not connected" in second["problem"]
    [(_, record)] = place.fleet.records
    assert (record["person"], record["act"], record["missed"]) == ("sam", "stop_all", ["A2"])


def test_a_call_is_taken_once_by_one_person(place: Place) -> None:
    place.fleet.tell("A1", "referee_called", side=2)
    place.look()
    [call] = place.desk.view.calls
    first = place.signed_in("referee", "ria").post(f"/api/v1/calls/{call.id}/take", headers=key("ria-goes-there"))
    second = place.signed_in("director", "dan").post(f"/api/v1/calls/{call.id}/take", headers=key("dan-goes-there"))
    assert first.json()["taken_by"] == second.json()["taken_by"] == "ria"
    assert [record["person"] for _, record in place.fleet.records] == ["ria"]


def test_another_sites_request_is_turned_away(place: Place) -> None:
    client = place.signed_in("director")
    token = client.headers.pop("X-CSRF-Token")
    for headers in ({}, {"X-CSRF-Token": "0" * 64}, {"X-CSRF-Token": "csrf"}):
        answer = client.post(STOP, headers={**key("from-elsewhere"), **headers})
        assert answer.status_code == 403
    foreign = {**key("from-elsewhere"), "X-CSRF-Token": token, "Origin": "http://evil.example"}
    assert client.post(STOP, headers=foreign).status_code == 403
    assert place.fleet.heard == []
    own = {**foreign, "Origin": BASE}
    assert client.post(STOP, headers=own).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80"])
def test_a_name_that_is_not_this_machines_gets_nothing(place: Place, host: str) -> None:
    answer = place.client().get("/sign-in", headers={"Host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8323", "[::1]:8323", "localhost", "192.168.1.7"])
def test_an_address_is_always_this_machines(place: Place, host: str) -> None:
    assert place.client().get("/sign-in", headers={"Host": host}).status_code == 200


def test_a_request_of_any_length_is_not_read(place: Place) -> None:
    answer = place.client().post("/api/v1/session", json={"name": "x" * 100_000, "password": "y"})
    assert answer.status_code == 413


def test_passwords_cannot_be_guessed_for_long(place: Place) -> None:
    place.accounts.add("ann", "director", PASSWORD)
    client = place.client()
    wrong = [client.post("/api/v1/session", json={"name": "ann", "password": f"guess {n}"}) for n in range(6)]
    assert [answer.status_code for answer in wrong] == [401] * 5 + [429]
    right = client.post("/api/v1/session", json={"name": "ann", "password": PASSWORD})
    assert right.status_code == 429
    assert int(right.headers["Retry-After"]) == 300
    place.clock.now_ms += 300_001
    assert client.post("/api/v1/session", json={"name": "ann", "password": PASSWORD}).status_code == 200


def test_the_session_cookie_is_kept_from_scripts_and_other_sites(place: Place) -> None:
    place.accounts.add("ann", "director", PASSWORD)
    answer = place.client().post("/api/v1/session", json={"name": "ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    place.site.is_secure = True
    answer = place.client().post("/api/v1/session", json={"name": "ann", "password": PASSWORD})
    assert "Secure" in answer.headers["set-cookie"]


def test_the_first_link_makes_one_director_and_signs_in(place: Place) -> None:
    token = place.accounts.invite(place.clock.now_ms)
    body = {"token": token, "name": "ann", "password": PASSWORD}
    client = place.client()
    assert client.get(f"/first/{token}").status_code == 200
    assert client.post("/api/v1/first", json={**body, "password": "short"}).status_code == 422
    assert client.post("/api/v1/first", json=body).json()["role"] == "director"
    assert client.get("/").status_code == 200
    again = place.client().post("/api/v1/first", json={**body, "name": "eve"})
    assert again.status_code == 422
    assert [person.name for person in place.accounts.people()] == ["ann"]


def test_a_session_ends_after_its_day(place: Place) -> None:
    client = place.signed_in("director")
    place.clock.now_ms += 16 * 3_600_000 - 1
    assert client.get("/").status_code == 200
    place.clock.now_ms += 1
    assert client.get("/").status_code == 303


def test_metrics_name_tables_and_no_people(place: Place) -> None:
    place.signed_in("operator", "ann one").post(STOP, headers=key("stop-for-count"))
    place.fleet.change("A2", state="fault", fault="lane_jam", fault_side=1)
    place.fleet.tell("A2", "fault", fault="lane_jam", side=1, found=0, wanted=0)
    place.look()
    text = place.client().get("/metrics").text
    assert 'wallwright_table_fault{table="A2"} 1.0' in text
    assert 'wallwright_table_fault{table="A1"} 0.0' in text
    assert 'wallwright_events_total{event="fault",table="A2"} 1.0' in text
    assert 'path="/api/v1/tables/{table}/commands/stop",status="200"' in text
    assert "ann one" not in text


def test_made_up_methods_and_paths_do_not_fill_the_metrics(place: Place) -> None:
    client = place.client()
    for number in range(5):
        assert client.request(f"MAKEUP{number}", f"/made-up-{number}").status_code == 404
        assert client.request(f"MAKEUP{number}", "/sign-in").status_code == 405
    text = client.get("/metrics").text
    assert "MAKEUP" not in text
    assert "made-up" not in text
    assert 'method="other",path="none",status="404"} 5.0' in text
