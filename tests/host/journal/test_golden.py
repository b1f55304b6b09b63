"""Journals of the first version are read as they were, and what is read of them is written as they have it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.host.journal.golden import DATA, Row, rows, told
from wallwright.journal import Entry, Journal, read_journal, verify_journal
from wallwright.journal.entry import to_json
from wallwright.journal.kinds import KINDS, Unknown, decode_record, name_of, plain, read_record
from wallwright.journal.kinds.fields import Plain, bare, fields_of

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
        assert decode_record(row[5], row[6]) == record


LATER = {"act_undone", "draw_withdrawn", "evidence", "players_sat"}
"""Kinds that came after these journals were kept."""


def test_there_is_an_entry_of_every_kind() -> None:
    assert {row[5] for row in rows("golden-shapes")} == set(KINDS) - LATER


def test_fields_that_a_later_version_writes_are_passed_over_wherever_they_stand() -> None:
    def with_more(value: Any) -> Any:
        if isinstance(value, list):
            return [with_more(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {"later": 1, "": [{}], **{key: with_more(one) for key, one in value.items()}}

    for row in rows("golden-shapes"):
        cls = KINDS[row[5]]
        of_others = [one.key for one in fields_of(cls) if bare(one.hint) is Plain]
        body = json.loads(row[6])
        more = {**with_more(body), **{key: body[key] for key in of_others if key in body}}
        if "hu" in more:
            more["hu"] = [
                {**one, **{key: was[key] for key in ("items",) if key in was}}
                for one, was in zip(more["hu"], body["hu"], strict=True)
            ]
        if cls.__name__ == "DealResult":
            more["hands"] = body["hands"]
        if not any(one.is_rest for one in fields_of(cls)):
            assert to_json(plain(decode_record(row[5], to_json(more)))) == row[6]


@pytest.mark.parametrize("row", rows("golden-shapes"), ids=lambda row: f"{row[0]}-{row[5]}")
def test_whatever_is_changed_about_a_record_is_read_exactly_or_told(row: Row) -> None:
    """Each value in turn is left out, or another's: the record says what is wrong, or has just what was written.

    A field that the kind has not, as a later version may write it, is passed over.
    """
    body = json.loads(row[6])
    others: tuple[Any, ...] = (None, 1, True, "x", 1.0, [], [1, "x"], {}, ...)
    inner = body["fields"] if KINDS[row[5]].IS_EVENT else body
    more = {**body, "surplus` - at `$.fields": 1}
    keeps_all = any(field.is_rest for field in fields_of(KINDS[row[5]]))
    assert to_json(plain(read_record(row[5], more))) == (to_json(more) if keeps_all else row[6])
    for key in inner:
        for other in others:
            changed = {**inner, key: other} if other is not ... else {k: v for k, v in inner.items() if k != key}
            whole = {**body, "fields": changed} if KINDS[row[5]].IS_EVENT else changed
            record = read_record(row[5], whole)
            assert decode_record(row[5], to_json(whole)) == record
            if isinstance(record, Unknown):
                assert record.body == whole
                assert key in record.why
            else:
                assert to_json(plain(record)) == to_json(whole)


SIDE_DONE = {"side": 1, "stacks": 14, "after_ms": 1}


@pytest.mark.parametrize(
    "body", [{}, {"fields": None, "time_ms": 1}, {"fields": [1], "time_ms": 1}, {"fields": SIDE_DONE}]
)
def test_an_event_without_fields_is_told(body: dict[str, Any]) -> None:
    record = read_record("side_done", body)
    assert isinstance(record, Unknown)
    assert record.why.startswith(("fields: ", "time_ms: "))


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        (
            "side_done",
            {"fields": {**SIDE_DONE, "side": "left"}, "time_ms": 1},
            "side: expected a whole number, found 'left'",
        ),
        ("side_done", {"fields": SIDE_DONE, "time_ms": None}, "time_ms: expected a whole number, found None"),
        ("side_done", {"fields": {"side": 1, "stacks": 14}, "time_ms": 1}, "after_ms: expected a value, found nothing"),
        ("side_done", {"fields": SIDE_DONE, "time_ms": 1, "lost": None}, "lost: expected a whole number, found None"),
        ("walls_up", {"fields": [], "time_ms": 1}, "fields: expected an object, found []"),
        (
            "dice_contributed",
            {"boot_id": 1, "roll": True, "contribution": ""},
            "roll: expected a whole number, found True",
        ),
        ("strange", {"table": "A1", "text": 5}, "text: expected a text, found 5"),
        (
            "results_approved",
            {"session": 1, "table": 1, "deals": [1, 2, "3"]},
            "deals.2: expected a whole number, found '3'",
        ),
        ("draw_revealed", {"stage": "main", "seed": "", "lots": {}}, "lots: expected a list, found {}"),
        (
            "deal_started",
            {"deal": 1, "dealer": 0, "ruleset": "mil", "dice": 1},
            "dice: expected a list, found 1",
        ),
        ("declared", {"type": "hu"}, "deal: expected a value, found nothing"),
        ("invented", {"deal": 1}, "no such kind is known"),
    ],
)
def test_what_does_not_fit_is_told_in_words(kind: str, body: dict[str, Any], why: str) -> None:
    record = decode_record(kind, to_json(body))
    assert isinstance(record, Unknown)
    assert (record.kind, record.body, record.why) == (kind, body, why)


def test_what_does_not_fit_in_an_object_without_fixed_names_is_found() -> None:
    row = next(row for row in rows("golden-shapes") if row[5] == "deal_result" and json.loads(row[6])["hu"])
    body = json.loads(row[6])
    body["hu"][0]["items"] = {"flush": 2, "pungs": "1"}
    record = decode_record("deal_result", to_json(body))
    assert isinstance(record, Unknown)
    assert record.why == "hu.0.items.pungs: expected a whole number, found '1'"
