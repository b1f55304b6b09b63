"""Who may use which endpoint: the table of rules is complete, and it is what the server does."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.host.console.hall import Place, routes
from wallwright.console.people.access import PUBLIC, RULES
from wallwright.console.people.accounts import ROLES

EVERYBODY = (*ROLES, PUBLIC)
VALUES = {
    "player": "1",
    "session": "1",
    "table": "A1",
    "command": "stop",
    "act": "confirm",
    "call": "none",
    "token": "x",
    "name": "console.css",
    "entry": "1",
    "deal": "1",
    "penalty": "1",
    "stage": "main",
    "appeal": "1",
    "paper": "standings.csv",
}


def endpoints(place: Place) -> set[tuple[str, str]]:
    return {(method, route.path) for route in routes(place) for method in route.methods or ()}


def test_every_endpoint_has_its_rule_and_every_rule_its_endpoint(place: Place) -> None:
    assert len(RULES) > 25
    assert endpoints(place) == set(RULES)


def test_a_role_that_there_is_not_is_in_no_rule() -> None:
    assert all(roles <= set(EVERYBODY) for roles in RULES.values())
    assert all(roles for roles in RULES.values())


STREAMS = {path for _, path in RULES if path.startswith("/live/")} | {"/api/v1/stream"}


@pytest.mark.parametrize("role", EVERYBODY)
def test_a_role_may_what_its_rules_say_and_nothing_else(place: Place, role: str) -> None:
    place.begin_event(4)
    client = place.signed_in(role)
    for number, ((method, path), allowed) in enumerate(sorted(RULES.items())):
        values = VALUES | ({"table": "1"} if "{session}" in path else {})
        if path in STREAMS and role in allowed:
            continue  # endless; test_feed reads them
        if (method, path) == ("DELETE", "/api/v1/session"):
            continue  # would sign the client out in the middle; below
        answer = client.request(method, path.format(**values), headers={"Idempotency-Key": f"{role}-key-{number}"})
        if role in allowed:
            assert answer.status_code not in (401, 403, 405), (method, path, answer.text)
            assert answer.status_code < 500, (method, path, answer.text)
        elif role == PUBLIC and not path.startswith("/api/"):
            assert answer.status_code == 303, (method, path)
            door = urlsplit(answer.headers["location"])
            page = path.format(**values)
            back = [] if page == "/" or page.startswith("/live/") else [("next", page)]
            assert (door.path, parse_qsl(door.query)) == ("/sign-in", back), (method, path)
        else:
            assert answer.status_code == (401 if role == PUBLIC else 403), (method, path)
            assert "problem" in answer.json() if path.startswith("/api/") else "<html" in answer.text


def test_what_is_refused_was_not_done(place: Place) -> None:
    scorer = place.signed_in("scorer")
    headers = {"Idempotency-Key": "a-key-of-mine"}
    assert scorer.post("/api/v1/tables/A1/commands/raise_walls", headers=headers).status_code == 403
    assert place.fleet.papers["A1"].asked == []
    assert scorer.post("/api/v1/tables/A1/commands/stop", headers=headers).status_code == 200
    assert place.fleet.papers["A1"].asked == ["stop"]


def test_another_role_counts_at_once_and_a_removed_account_is_out(place: Place) -> None:
    ann = place.signed_in("screen", "ann")
    path = "/api/v1/tables/A1/commands/clear_fault"
    assert ann.post(path, headers={"Idempotency-Key": "number-one"}).status_code == 403
    place.accounts.set_role("ann", "operator")
    assert ann.post(path, headers={"Idempotency-Key": "number-two"}).status_code == 200
    place.accounts.remove("ann")
    assert ann.post(path, headers={"Idempotency-Key": "number-three"}).status_code == 401
    assert ann.get("/").headers["location"] == "/sign-in"


def test_signing_out_ends_the_session_for_whoever_has_its_cookie(place: Place) -> None:
    ann = place.signed_in("operator", "ann")
    copied = place.client()
    copied.cookies.update(ann.cookies)
    assert copied.get("/").status_code == 200
    assert ann.delete("/api/v1/session").status_code == 204
    assert copied.get("/").status_code == 303


@pytest.mark.parametrize(
    ("wanted", "onward"),
    [
        ("/event/sessions/1/tables/2/declare?deal=3", "/event/sessions/1/tables/2/declare?deal=3"),
        ("/", "/"),
        ("", "/"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("https://elsewhere.example", "/"),
        ("/a\n/b", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_the_door_leads_back_into_this_console_alone(place: Place, wanted: str, onward: str) -> None:
    page = place.client().get("/sign-in", params={"next": wanted}).text
    assert f'data-next="{onward}"' in page
