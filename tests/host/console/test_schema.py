"""The API keeps to its own description, whoever sends whatever: no 5xx, no answer of another shape than it says."""

from pathlib import Path
from random import Random

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.host.console.hall import BASE, Place
from tests.host.console.played import witnessed
from tests.host.event.paper import declared
from tests.length import length
from wallwright.console.guard import CSRF_HEADER
from wallwright.console.people.access import PUBLIC, RULES, may_use
from wallwright.console.people.accounts import ROLES
from wallwright.console.people.person import Person

EXAMPLES = length(6, 15)
OPERATIONS = sum(path.startswith("/api/") for _, path in RULES) - 3
"""All but the description itself, the stream, and the one that signs out."""
CHECKS = (not_a_server_error, response_schema_conformance, status_code_conformance)
EVERYBODY = (*ROLES, PUBLIC)
THERE = {"session": 1, "table": 1, "player": 1, "deal": 1, "stage": "main"}
"""Values of paths that lead to something; schemathesis alone would hardly ever say them."""


def begin(place: Place) -> None:
    """An event in play: a deal is entered, a penalty given."""
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(Person("dan", "director"), 1, step, "")
    director = place.signed_in("director")
    record, _ = declared(book.find_ruleset(None), 0, Random(1))
    [version] = [
        one["tables"][0]["version"] for one in director.get("/api/v1/event").json()["sessions"] if one["number"] == 1
    ]
    asked = {
        "sessions/1/tables/1/results": {"record": record, "version": version},
        "penalties": {"player": 1, "name": "warning", "reason": "late"},
    }
    for number, (path, body) in enumerate(asked.items()):
        headers = {"Idempotency-Key": f"begin-{number:04}"}
        assert director.post(f"/api/v1/event/{path}", json=body, headers=headers).status_code == 200
    witnessed(place)


def test_whoever_sends_whatever_is_answered_as_described(tmp_path: Path) -> None:
    place = Place(tmp_path)
    begin(place)
    clients = {role: place.signed_in(role) for role in EVERYBODY}
    schema = schemathesis.openapi.from_dict(place.app.openapi())
    schema.app = place.app
    checked, answered = 0, set()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path == "/api/v1/stream" or operation.method.upper() == "DELETE":
            continue  # endless, and the one that signs out
        allowed = [role for role in EVERYBODY if may_use(role, operation.method.upper(), operation.path)]

        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
        @given(
            case=operation.as_strategy(),
            role=st.sampled_from(allowed) | st.sampled_from(EVERYBODY),
            is_there=st.booleans(),
        )
        def ask(case: schemathesis.Case, role: str, is_there: bool) -> None:
            if is_there:
                case.path_parameters.update({name: THERE[name] for name in case.path_parameters if name in THERE})
            client = clients[role]
            headers = {CSRF_HEADER: client.headers.get(CSRF_HEADER, "")}
            answer = case.call(base_url=BASE, headers=headers, cookies=dict(client.cookies))
            case.validate_response(answer, checks=[*CHECKS])
            if answer.status_code < 400:
                answered.add((case.operation.path, role))

        ask()
        checked += 1
    assert checked == OPERATIONS
    assert len({role for _, role in answered}) == len(EVERYBODY), answered
    assert place.fleet.heard, "not one of the commands was ever understood"
    place.accounts.close()
