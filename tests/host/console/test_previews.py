"""What is shown before it is written: every preview of the API takes and refuses the bodies that its writing does."""

import json
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.host.console.before_play import begin
from tests.host.console.before_play import version as version_of_players
from tests.host.console.hall import Place, opened
from wallwright.console.api import PREFIX
from wallwright.console.people.person import Person
from wallwright.event import results

KEYS = count()
DAN = Person("dan", "director")
TABLE = f"{PREFIX}/event/sessions/1/tables/1"
NOTHING: dict[str, Any] = {"events": [], "hands": [], "end": "time_up"}
HU = {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]}
RECORDS: dict[str, dict[str, Any]] = {
    "as it was": NOTHING,
    "with a Hu": NOTHING | {"events": [HU]},
    "with its rules": NOTHING | {"ruleset": "sichuan"},
    "with other rules": NOTHING | {"ruleset": "mil-2025"},
    "with a limit": NOTHING | {"fan_limit": 3},
    "with no limit": NOTHING | {"fan_limit": None},
    "by its number": NOTHING | {"deal": 1},
    "by another number": NOTHING | {"deal": 2},
    "by no number": NOTHING | {"deal": "1"},
    "by nought": NOTHING | {"deal": 0},
    "with another dealer": NOTHING | {"dealer": 2},
    "without a dealer": NOTHING | {"dealer": None},
    "with a fifth dealer": NOTHING | {"dealer": 4},
    "without an end": {"events": [], "hands": []},
    "without events": {"hands": [], "end": "time_up"},
    "with hands missing": NOTHING | {"end": "wall"},
    "with three Hu missing": NOTHING | {"end": "three_hu"},
    "with a word too many": NOTHING | {"weather": "fine"},
    "with half a character": NOTHING | {"end": "\ud800"},
    "with a fifth seat": NOTHING | {"events": [{**HU, "from": 4}]},
    "with a hand of one tile": NOTHING | {"hands": [{"seat": 0, "standing": "1m"}]},
}
LISTS = {
    "good": "name\nAnn\nBo\nCy\nDi\n",
    "twice": "name\nAnn\nAnn\nCy\nDi\n",
    "empty": "",
    "three": "name\nA\nB\nC\n",
}


def asked(client: TestClient, path: str, body: dict[str, Any]) -> tuple[bool, str]:
    """Whether it was taken, and the problem if not."""
    # Python's own writer says half a character as JSON can.
    headers = {"Idempotency-Key": f"preview-{next(KEYS)}", "Content-Type": "application/json"}
    answer = client.post(path, content=json.dumps(body), headers=headers)
    assert answer.status_code in (200, 409, 422), answer.text
    told = answer.json()
    problem = told.get("problem") or "; ".join(told.get("problems") or ())
    return not problem, problem


@pytest.mark.parametrize("corrects", [False, True], ids=["new", "correction"])
def test_a_deal_is_taken_or_refused_as_its_preview_was(tmp_path: Path, corrects: bool) -> None:
    told = {}
    for name, record in RECORDS.items():
        folder = tmp_path / name
        folder.mkdir()
        with opened(folder) as place, place.signed_in("referee") as client:
            told[name] = pair(place, client, record, corrects=corrects)
    assert {name for name, (shown, written) in told.items() if shown != written} == set()
    taken = {name for name, ((was_taken, _), _) in told.items() if was_taken}
    own = {"by its number"} if corrects else {"by its number", "by another number"}
    assert taken == {"as it was", "with a Hu", "with its rules", "with another dealer"} | own


def pair(place: Place, client: TestClient, record: dict[str, Any], *, corrects: bool) -> Sequence[tuple[bool, str]]:
    """What a new event's preview of a deal says, and what its writing does."""
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(DAN, 1, step, "")
    if corrects:
        first = {"events": [HU], "hands": [], "end": "time_up"}
        book.do(DAN, lambda desk: results.record_result(desk, results.preview(desk, 1, 1, first), "time was called"))
    found = book.sheet(1, 1)
    assert found is not None
    body: dict[str, Any] = {"record": record, "version": found[0].version, "reason": "as it stands"}
    if corrects:
        body["corrects"] = 1
    return asked(client, f"{TABLE}/preview", body), asked(client, f"{TABLE}/results", body)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_players_is_taken_or_refused_as_its_preview_was(place: Place, name: str) -> None:
    begin(place, "chengdu-grand-prix")
    with place.signed_in("director") as client:
        body = {"text": LISTS[name], "source": "list.csv", "version": version_of_players(client)}
        shown, _ = asked(client, f"{PREFIX}/event/players/preview", body)
        assert asked(client, f"{PREFIX}/event/players", body)[0] == shown


PAIRS: dict[str, Callable[..., None]] = {
    "/event/sessions/{session}/tables/{table}/preview": test_a_deal_is_taken_or_refused_as_its_preview_was,
    "/event/players/preview": test_a_list_of_players_is_taken_or_refused_as_its_preview_was,
}


def test_every_preview_of_the_api_is_held_against_its_writing(place: Place) -> None:
    paths = place.client().get(f"{PREFIX}/openapi.json").json()["paths"]
    assert {path.removeprefix(PREFIX) for path in paths if path.endswith("/preview")} == set(PAIRS)
