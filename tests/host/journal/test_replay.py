"""Scoring again: the same points from what was declared, and a difference wherever one was made."""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.entries import altered
from tests.host.journal.deals import declared_deal, write_deals
from tests.host.journal.test_migration import first_journal
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.replay import replay_entries
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset


def entries_of(tmp_path: Path, seed: int) -> list[Entry]:
    with Journal(tmp_path / "session.journal") as journal:
        for number, preset in enumerate(PRESETS):
            rules = load_ruleset(preset)
            write_deals(journal, 4, seed + number, ruleset=rules, unit=f"T-{number}", is_tracked=True)
        return list(journal.entries())


def test_what_was_written_is_found_again(tmp_path: Path, seed: int) -> None:
    found = replay_entries(entries_of(tmp_path, seed))
    counts = (found.scored, found.played, found.ruled, found.unfinished)
    deals = 4 * len(PRESETS)
    assert (*counts, found.differences) == (deals, deals, 0, 0, [])
    assert found.agrees


def test_the_first_schema_s_deals_are_found_again(tmp_path: Path) -> None:
    found = replay_entries(read_journal(first_journal(tmp_path)))
    assert (found.scored, found.differences) == (2, [])


def test_any_other_points_are_found(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    entries = entries_of(tmp_path, seed)
    at = rng.choice([index for index, entry in enumerate(entries) if entry.kind == "deal_result"])
    points = list(entries[at].body["points"])
    one, other = rng.sample(range(4), 2)
    points[one] += 1
    points[other] -= 1
    entries[at] = altered(entries[at], body={**entries[at].body, "points": points})
    found = replay_entries(entries)
    difference, of_moves = found.differences
    assert difference.entry == entries[at].id
    assert f"deal {entries[at].body['deal']} at {entries[at].unit}" == difference.where
    assert difference.text.startswith(f"points are {points} in the journal, and ")
    assert of_moves.entry == entries[at].id + 1
    assert str(points) in of_moves.text


def test_a_declaration_that_is_gone_changes_the_points(tmp_path: Path, seed: int) -> None:
    entries = entries_of(tmp_path, seed)
    paid = next(e for e in entries if e.kind == "deal_result" and any(not hu["false"] for hu in e.body["hu"]))
    of_deal = [e for e in entries if e.unit == paid.unit and e.body["deal"] == paid.body["deal"]]
    lost = next(e for e in of_deal if e.body.get("type") == "hu")
    found = replay_entries([entry for entry in entries if entry is not lost])
    assert {difference.entry for difference in found.differences} == {paid.id}


def test_moves_that_cannot_be_played_again_are_said(tmp_path: Path, seed: int) -> None:
    entries = entries_of(tmp_path, seed)
    at = next(index for index, entry in enumerate(entries) if entry.kind == "deal_moves")
    text = entries[at].body["text"]
    for wrong in (text.rsplit("\n", 2)[0] + "\n", text.replace("dealer 0", "dealer 5"), ""):
        changed = altered(entries[at], body={**entries[at].body, "text": wrong})
        (difference,) = replay_entries([*entries[:at], changed, *entries[at + 1 :]]).differences
        where = f"deal {entries[at].body['deal']} at {entries[at].unit}"
        assert (difference.entry, difference.where) == (entries[at].id, where)
        assert "cannot be played again" in difference.text
    (difference,) = replay_entries([*entries[:at], entries[at], entries[at], *entries[at + 1 :]][at:]).differences[:1]
    assert "do not stand behind its result" in difference.text
    assert difference.where == where


def test_moves_that_are_tracked_later_belong_to_their_own_deal(tmp_path: Path, seed: int) -> None:
    """A wall is revealed, and `wallwright track --write` asked for, when the next deals have been played."""
    entries = entries_of(tmp_path, seed)
    later = sorted(entries, key=lambda entry: entry.kind == "deal_moves")
    found = replay_entries(later)
    assert (found.played, found.differences) == (4 * len(PRESETS), [])


def test_what_a_scorer_declared_is_scored_by_the_event_s_own_rules(seed: int) -> None:
    where = {"session": 1, "table": 2, "deal": 3, "dealer": 0}
    for name in PRESETS:
        ruleset = asdict(replace(load_ruleset(name), name="house rules"))
        event = Entry.of(
            1, 1, None, None, None, "event_created", json.loads(json.dumps({"format": {"ruleset": ruleset}}))
        )
        body = json.loads(json.dumps({**where, **declared_deal(seed, name)}))
        nothing: dict[str, Any] = {"penalties": [], "winners": [], "next_dealer": 0}
        ruled = {**where, **nothing, "points": [1, -1, 0, 0], "reason": "seen by all"}
        entries = [
            event,
            Entry.of(2, 1, None, None, None, "result_recorded", body),
            Entry.of(3, 1, None, None, None, "result_corrected", ruled),
            Entry.of(4, 1, None, None, None, "deal_annulled", {**body, "next_dealer": 7, "rule": "void"}),
        ]
        found = replay_entries(entries)
        assert (found.scored, found.ruled) == (2, 1)
        (difference,) = found.differences
        assert (difference.entry, difference.where) == (4, "deal 3 of table 2 in session 1")
        assert "next_dealer are 7" in difference.text


@pytest.mark.parametrize(
    ("at", "body", "where", "text"),
    [
        (0, {"deal": 9}, "deal 1 at T-1", "its start is not in the journal"),
        (0, {"ruleset": "house"}, "deal 1 at T-1", "not in the journal and none of"),
        (0, {"ruleset": None}, "deal_started", "this program writes no such entry"),
        (-1, {"end": "rain"}, "deal 1 at T-1", "cannot be scored"),
    ],
)
def test_what_cannot_be_scored_is_said(
    tmp_path: Path, at: int, body: dict[str, Any], where: str, text: str, seed: int
) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 1, seed)
        entries = list(journal.entries())
    changed = {key: value for key, value in {**entries[at].body, **body}.items() if value is not None}
    entries[at] = altered(entries[at], body=changed)
    found = replay_entries(entries)
    assert not found.agrees
    assert text in found.differences[0].text
    assert found.differences[0].where == where


def test_deals_without_a_result_are_counted(tmp_path: Path, seed: int) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 2, seed)
        entries = list(journal.entries())
    first = next(index for index, entry in enumerate(entries) if entry.kind == "deal_result")
    found = replay_entries([*entries[:first], *entries[first + 1 : -1]])
    assert (found.scored, found.unfinished, found.differences) == (0, 2, [])
