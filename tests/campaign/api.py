"""The API by schemathesis with state: what one answer names, the next request asks for, as people of all roles.

`.venv-dev/bin/python -m tests.campaign.api --seconds 600` asks for so long; the first answer that is not as described
ends it.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import schemathesis
import structlog
from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from tests.host.console.hall import BASE, Place
from tests.host.console.test_schema import EVERYBODY, THERE, begin
from wallwright.console.guard import CSRF_HEADER
from wallwright.console.people.access import may_use

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]
AT_EVENT = "$response.body#/sessions/0"
TOLD = {
    "/api/v1/event": {
        "session": f"{AT_EVENT}/number",
        "table": f"{AT_EVENT}/tables/0/table",
        "player": f"{AT_EVENT}/tables/0/players/0/0",
    },
    "/api/v1/hall": {"table": "$response.body#/tables/0/name"},
}
"""What two answers name that paths of others ask for."""
VERSION = f"{AT_EVENT}/tables/0/version"
ENDLESS = ("/api/v1/stream", "/api/v1/session")
"""A stream, and where somebody signs out."""
STEPS = 12
"""Requests that follow one another, at the most."""
THERE_SHARE = 0.7
"""So often a path leads to something that is there, unless an answer has named it."""


def linked(description: dict[str, Any]) -> dict[str, Any]:
    """Return the description with links from what is told of hall and event to all that can be asked then."""
    for path, methods in description["paths"].items():
        source = max((one for one in TOLD if path.startswith(one)), key=len, default="/api/v1/hall")
        links = description["paths"][source]["get"]["responses"]["200"].setdefault("links", {})
        for method, operation in methods.items():
            if path in ENDLESS:
                continue
            named = {one["name"] for one in operation.get("parameters", []) if one["in"] == "path"}
            link: dict[str, Any] = {"operationId": operation["operationId"]}
            link["parameters"] = {name: where for name, where in TOLD[source].items() if name in named}
            if "/sessions/{session}/tables/" in path and method == "post":
                link["requestBody"] = {"version": VERSION}
            links[f"{method} {path}"] = link
    return description


class Asking:
    """Everybody who may ask something of a hall in play; `asked` counts (method and path, status)."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.asked: Counter[tuple[str, int]] = Counter()
        self._seed = seed
        self._chance = Random(seed)
        self._place = Place(folder)
        begin(self._place)
        self._clients = {role: self._place.signed_in(role) for role in EVERYBODY}
        for table in self._place.fleet.tables:
            self._clients["director"].post(f"/api/v1/tables/{table}/call")
        self._schema = schemathesis.openapi.from_dict(linked(self._place.app.openapi()))
        self._schema.app = self._place.app

    def ask(self, scenarios: int) -> None:
        """Ask so many rows of requests. A failure of schemathesis when an answer is not as described."""
        asking = self

        class People(self._schema.as_state_machine()):  # type: ignore[misc]
            def before_call(self, case: Any) -> None:
                for name in THERE.keys() & case.path_parameters.keys():
                    if asking._chance.random() < THERE_SHARE:
                        case.path_parameters[name] = THERE[name]

            def get_call_kwargs(self, case: Any) -> dict[str, Any]:
                path = case.operation.path
                able = [role for role in EVERYBODY if may_use(role, case.method.upper(), path)]
                client = asking._clients[asking._chance.choice(able or EVERYBODY)]
                headers = {CSRF_HEADER: client.headers.get(CSRF_HEADER, "")}
                return {"base_url": BASE, "headers": headers, "cookies": dict(client.cookies)}

            def validate_response(self, response: Any, case: Any, **_: Any) -> None:
                asking.asked[f"{case.method} {case.operation.path}", response.status_code] += 1
                case.validate_response(response, checks=CHECKS)

        seeded(self._chance.randrange(2**32))(People)
        People.run(
            settings=settings(
                max_examples=scenarios,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
        )

    def close(self) -> None:
        """Close what the place keeps open."""
        self._place.accounts.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the time that is given, and print how often what was answered how."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.api", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    print(f"api: {given.seconds} s, seed {given.seed} (repeat with --seed {given.seed})", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        asking = Asking(Path(folder), given.seed)
        end = time.monotonic() + given.seconds
        while time.monotonic() < end:
            asking.ask(20)
        asking.close()
    taken = sum(count for (_, status), count in asking.asked.items() if status < 400)
    paths = {path for path, _ in asking.asked}
    print(f"api: {asking.asked.total():,} requests of {len(paths)} kinds, {taken:,} taken, nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
