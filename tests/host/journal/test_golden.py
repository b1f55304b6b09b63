"""Journals of the first version are read as they were, and what is read of them is written as they have it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.host.journal.golden import DATA, Row, rows, told
from wallwright.journal import Entry, Journal, read_journal, verify_journal
from wallwright.journal.entry import to_json
from wallwright.journal.kinds import KINDS, Unknown, name_of, plain, read_record
from wallwright.journal.kinds.fields import fields_of

HEAD = "cd895d12ed2caa9fdf1fbbccab7a73d3bf56f085bd1b7194d5ecc7f4efce6b60"
"""The hash of the last entry of `golden-event`, by the program that wrote it."""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """The day, in a journal of this program."""
    path = tmp_path / "day.journal"
    with Journal(path) as journal, journal.batch():
        for row in rows("golden-event"):
            journal.append_entry(Entry.of(*row[:6], json.loads(row[6])))
    return path


def test_the_chain_comes_to_the_hash_that_it_had(event: Path) -> None:
    verdict = verify_journal(event)
    assert verdict.is_whole
    assert (verdict.head.id, verdict.head.hash.hex()) == (1440, HEAD)


def test_results_standings_dice_and_replay_are_what_they_were(event: Path) -> None:
    assert json.loads(json.dumps(told(event))) == json.loads((DATA / "golden-event.json").read_text())


def test_what_is_read_has_the_bodies_that_were_written(event: Path) -> None:
    assert [to_json(entry.body) for entry in read_journal(event)] == [row[6] for row in rows("golden-event")]


@pytest.mark.parametrize("name", ["golden-event", "golden-shapes"])
def test_every_record_is_of_its_kind_and_is_written_as_it_was(name: str) -> None:
    for row in rows(name):
        record = read_record(row[5], json.loads(row[6]))
        assert not isinstance(record, Unknown), f"{row[5]}: {record.why}"
        assert name_of(record) == row[5]
        assert to_json(plain(record)) == row[6]


def test_there_is_an_entry_of_every_kind() -> None:
    assert {row[5] for row in rows("golden-shapes")} == set(KINDS)


@pytest.mark.parametrize("row", rows("golden-shapes"), ids=lambda row: f"{row[0]}-{row[5]}")
def test_whatever_is_changed_about_a_record_is_read_exactly_or_told(row: Row) -> None:
    """Each value in turn is left out, or another's: the record says what is wrong, or has just what was written.

    A field that the kind has not, as a later version may write it, is passed over.
    """
    body = json.loads(row[6])
    others: tuple[Any, ...] = (None, 1, True, "x", 1.0, [], [1, "x"], {}, ...)
    inner = body["fields"] if KINDS[row[5]].IS_EVENT else body
    more = {**body, "surplus": 1}
    keeps_all = any(field.is_rest for field in fields_of(KINDS[row[5]]))
    assert to_json(plain(read_record(row[5], more))) == (to_json(more) if keeps_all else row[6])
    for key in inner:
        for other in others:
            changed = {**inner, key: other} if other is not ... else {k: v for k, v in inner.items() if k != key}
            whole = {**body, "fields": changed} if KINDS[row[5]].IS_EVENT else changed
            record = read_record(row[5], whole)
            if isinstance(record, Unknown):
                assert record.body == whole
                assert key in record.why
            else:
                assert to_json(plain(record)) == to_json(whole)


@pytest.mark.parametrize("body", [{}, {"fields": None, "time_ms": 1}, {"fields": [1], "time_ms": 1}, {"fields": {}}])
def test_an_event_without_fields_is_told(body: dict[str, Any]) -> None:
    record = read_record("side_done", body)
    assert isinstance(record, Unknown)
    assert record.why.startswith(("fields: ", "time_ms: "))
