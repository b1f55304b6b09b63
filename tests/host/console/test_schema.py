"""The API keeps to its own description, whatever it is sent: no 5xx, no answer of another shape than it says."""

from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.host.console.hall import BASE, Place
from wallwright.console.access import RULES
from wallwright.console.desk import Person
from wallwright.console.site import csrf_of

EXAMPLES = 25
OPERATIONS = sum(path.startswith("/api/") for _, path in RULES) - 2
"""All but the description itself and the stream."""
CHECKS = (not_a_server_error, response_schema_conformance, status_code_conformance)


def test_whatever_is_sent_is_answered_as_described(tmp_path: Path) -> None:
    place = Place(tmp_path, guest=Person("guest", "director"))
    place.begin_event()
    schema = schemathesis.openapi.from_dict(place.app.openapi())
    schema.app = place.app
    checked = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path == "/api/v1/stream":
            continue  # endless

        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case) -> None:
            answer = case.call(base_url=BASE, headers={"X-CSRF-Token": csrf_of("")})
            case.validate_response(answer, checks=[*CHECKS])

        ask()
        checked += 1
    assert checked == OPERATIONS
    assert place.fleet.heard, "not one of the commands was ever understood"
    place.accounts.close()
