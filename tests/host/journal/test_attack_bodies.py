"""Bodies of entries and texts of checkpoints that nobody who writes journals has written."""

from pathlib import Path

import pytest

from tests.host.journal.conftest import journal_of_results, stored, tamper
from tests.host.journal.test_chain import chained, replace_all
from wallwright.errors import BadCheckpoint, WallwrightError
from wallwright.journal import Checkpoint, read_journal, verify_journal
from wallwright.journal.addresses import find_place
from wallwright.journal.known import known_of

BODIES = {
    "a number without end": '{"entry":Infinity,"hash":"","key":"","signature":""}',
    "a number too large": '{"entry":1e400,"hash":"","key":"","signature":""}',
    "no number": '{"entry":NaN}',
    "deep lists": "[" * 100_000,
    "deep objects": '{"entry":' * 100_000,
    "half a character": '{"entry":"\\ud800"}',
    "a list": "[]",
    "a text": '"checkpoint"',
    "nothing": "",
    "too many digits": '{"entry":' + "9" * 5000 + "}",
    "a text for a number": '{"entry":"1","hash":"","key":"","signature":""}',
    "true for a number": '{"entry":true,"hash":"","key":"","signature":""}',
    "a number for a hash": '{"entry":1,"hash":1,"key":2,"signature":3}',
    "a root that is a list": '{"entry":1,"root":[],"key":{},"signature":null}',
}


@pytest.mark.parametrize("kind", ["checkpoint", "deal_result"])
def test_a_body_that_nobody_wrote_is_refused_and_named(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "session.journal")
    journal_of_results(path)
    rows = stored(path)
    harmless = 0
    for name, body in BODIES.items():
        tamper(path, *replace_all(chained([*rows, (10, 1, None, None, None, kind, body, b"")])))
        known_of(find_place(path)).forget()
        found = [finding.entry for finding in verify_journal(path).findings]
        assert found == ([10] if kind == "checkpoint" else []), name
        problem = problem_of(path)
        if kind == "deal_result" and not problem:
            harmless += 1
            continue
        assert "entry 10" in problem, name
        assert len(problem) < 500, name
    # What JSON can carry may be the body of anything but a checkpoint.
    assert harmless == (4 if kind == "deal_result" else 0)


def problem_of(path: str) -> str:
    try:
        list(read_journal(path))
    except WallwrightError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1", "1e3", "\udcff"])
def test_a_checkpoint_with_such_a_number_or_text_is_refused(number: str) -> None:
    for text in (f"WALLWRIGHT2:{number}:A:A:A", f"WALLWRIGHT2:1:{number}:A:A"):
        with pytest.raises(BadCheckpoint):
            Checkpoint.parse(text)
