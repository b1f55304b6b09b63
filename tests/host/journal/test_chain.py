"""The chain: by an oracle of its own, and whatever is changed behind the journal's back is found where it was done."""

import hashlib
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.host.journal.conftest import stored, tamper
from wallwright.errors import BadCheckpoint, JournalError
from wallwright.journal import Checkpoint, Journal, printed_key, verify_journal
from wallwright.link.reports import Event

Row = tuple[Any, ...]
COLUMNS = ("id", "at_ms", "unit", "boot_id", "seq", "kind", "body", "hash")
INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def chained(rows: list[Row]) -> list[Row]:
    """What docs/journal.md says of the hashes, done by hand: the rows with new ones."""
    before = bytes(32)
    done = []
    for row in rows:
        parts = ["null" if value is None else json.dumps(value, ensure_ascii=False) for value in row[:7]]
        before = hashlib.sha256(before + f"[{','.join(parts)}]".encode()).digest()
        done.append((*row[:7], before))
    return done


def fill(place: str, rng: random.Random, count: int = 24) -> Checkpoint:
    """Write a journal with a checkpoint in the middle, and return one of its end."""
    with Journal(place) as journal:
        for n in range(1, count + 1):
            if n == count // 2:
                journal.checkpoint(at_ms=n)
            elif rng.random() < 0.5:
                fields = {"side": rng.randrange(4), "text": rng.choice(["größer", "麻將", "\0", "'"])}
                journal.append_event(f"T-{n % 3}", Event(n, rng.getrandbits(32), n, "side_done", fields), at_ms=n)
            else:
                unit = rng.choice([None, "T-1"])
                journal.append("deal", {"n": n, "points": [rng.randint(-9, 9)]}, at_ms=rng.getrandbits(41), unit=unit)
        return journal.checkpoint(at_ms=0)


def test_the_hashes_are_those_that_the_documentation_describes(place: str, seed: int) -> None:
    printed = fill(place, random.Random(seed))
    rows = stored(place)
    assert chained(rows) == rows
    assert printed.entry == rows[-2][0]
    verdict = verify_journal(place, [printed])
    assert verdict.is_whole
    assert (verdict.head.id, verdict.head.hash) == (rows[-1][0], rows[-1][7])
    assert [checkpoint.entry for checkpoint in verdict.checkpoints] == [11, 24, 24]


def replace_all(rows: list[Row]) -> list[tuple[str, Row]]:
    return [("DELETE FROM entries", ()), *((INSERT, row) for row in rows)]


def change(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    row = rng.choice(rows)
    column = rng.randrange(1, 8)
    old = row[column]
    others: dict[str, list[Any]] = {
        "unit": [None, "T-9", f"{old} "],
        "kind": ["dael", "Deal"],
        "body": [str(old) + " ", "{}", str(old)[:-1]],
        "hash": [bytes(32), b"", rng.randbytes(32)],
    }
    new = rng.choice([value for value in others.get(COLUMNS[column], [None, 2**40 + 7, 0]) if value != old])
    if column == 1 and new is None:
        new = -1
    return row[0], [(f"UPDATE entries SET {COLUMNS[column]} = ? WHERE id = ?", (new, row[0]))]


def remove(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    first = rng.randrange(1, len(rows))
    last = rng.randrange(first, len(rows))
    return first, [("DELETE FROM entries WHERE id BETWEEN ? AND ?", (first, last))]


def remove_and_renumber(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    gone = rng.randrange(1, len(rows))
    left = [row if row[0] < gone else (row[0] - 1, *row[1:]) for row in rows if row[0] != gone]
    return gone, replace_all(left)


def insert(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    at = rng.randrange(1, len(rows) + 1)
    new = (at, 5, None, None, None, "deal", '{"points":[99]}', rng.randbytes(32))
    moved = [row if row[0] < at else (row[0] + 1, *row[1:]) for row in rows]
    return at, replace_all(sorted([*moved, new], key=lambda row: int(row[0])))


def swap(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    one, other = sorted(rng.sample(range(len(rows)), 2))
    changed = list(rows)
    changed[one] = (rows[one][0], *rows[other][1:])
    changed[other] = (rows[other][0], *rows[one][1:])
    return one + 1, replace_all(changed)


def cut(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    left = rng.randrange(0, len(rows) - 1)
    return left + 1, [("DELETE FROM entries WHERE id > ?", (left,))]


def put_before(rows: list[Row], rng: random.Random) -> tuple[int, list[tuple[str, Row]]]:
    new = (-rng.randrange(3), 5, None, None, None, "deal", "{}", rng.randbytes(32))
    return 0, [(INSERT, new)]


MUTATIONS = [change, change, remove, remove_and_renumber, insert, swap, cut, put_before]


def test_any_change_by_sql_is_found_and_where(place: str, seed: int) -> None:
    rng = random.Random(seed)
    printed = fill(place, rng)
    rows = stored(place)
    for mutate in [mutation for mutation in MUTATIONS for _ in range(4)]:
        first, statements = mutate(rows, rng)
        tamper(place, *statements)
        verdict = verify_journal(place, [printed])
        assert verdict.findings, (mutate.__name__, statements)
        assert verdict.findings[0].entry == first, (mutate.__name__, statements, verdict.findings)
        assert verdict.head.id == max(first - 1, 0) or mutate in (put_before, cut)
        tamper(place, *replace_all(rows))
    assert verify_journal(place, [printed]).is_whole


def test_a_chain_that_was_made_anew_is_found_by_its_own_checkpoints(place: str, seed: int) -> None:
    rng = random.Random(seed)
    fill(place, rng)
    rows = stored(place)
    for first in (3, 11, 12, 13, 24):
        changed = [(*row[:1], row[1] + (row[0] == first), *row[2:]) for row in rows]
        tamper(place, *replace_all(chained(changed)))
        (finding, *_) = verify_journal(place).findings
        # The checkpoints are entries 12 and 25, about 11 and 24.
        assert finding.entry == (1 if first <= 11 else 12), first
        assert finding.entry <= first


def test_without_its_checkpoints_it_is_found_by_a_printed_one(place: str, seed: int) -> None:
    rng = random.Random(seed)
    printed = fill(place, rng)
    rows = [row for row in stored(place) if row[5] != "checkpoint"]
    rows = [(number, *row[1:]) for number, row in enumerate(rows, 1)]
    tamper(place, *replace_all(chained(rows)))
    assert verify_journal(place).is_whole
    (finding,) = verify_journal(place, [printed]).findings
    assert "cut off" in finding.text
    more = [*rows, *((len(rows) + n, 1, None, None, None, "deal", "{}", b"") for n in range(1, 9))]
    tamper(place, *replace_all(chained(more)))
    (finding,) = verify_journal(place, [printed]).findings
    assert finding.entry == 1
    assert f"one between 1 and {printed.entry}" in finding.text


def test_guards_that_were_taken_away_are_missed(place: str, seed: int) -> None:
    fill(place, random.Random(seed), 6)
    if place.startswith("postgresql:"):
        tamper(place, ("ALTER TABLE entries DISABLE TRIGGER entries_are_append_only", ()))
    else:
        with closing(sqlite3.connect(place)) as connection:
            connection.execute("DROP TRIGGER entries_are_not_deleted")
    (finding,) = verify_journal(place).findings
    assert finding.entry == 0
    assert "the trigger 'entries_are_" in finding.text


@pytest.mark.parametrize(
    "value", ["zeroblob(3)", "x'fffe'", "cast(x'7bff7d' as text)", "12", "1e999", "'a' || char(0)"]
)
@pytest.mark.parametrize("column", ["at_ms", "unit", "seq", "kind", "body", "hash"])
def test_a_value_of_another_type_is_found_as_well(tmp_path: Path, column: str, value: str) -> None:
    path = str(tmp_path / "session.journal")
    with Journal(path) as journal:
        for n in range(1, 7):
            journal.append_event("T-1", Event(n, 7, n, "side_done", {}), at_ms=n)
    tamper(path, (f"UPDATE entries SET {column} = {value} WHERE id = 4", ()))
    verdict = verify_journal(path)
    assert [finding.entry for finding in verdict.findings] == [4]
    assert verdict.head.id == 3


def test_a_checkpoint_can_be_printed_and_typed(place: str, seed: int) -> None:
    printed = fill(place, random.Random(seed), 6)
    text = str(printed)
    alphanumeric = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
    assert set(text) <= alphanumeric
    assert len(text) < 250
    assert Checkpoint.parse(text) == printed
    assert Checkpoint.parse(" " + text[:40].lower() + "\n" + text[40:]) == printed


def spoil(how: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
    return lambda text: ":".join(how(text.split(":")))


@pytest.mark.parametrize(
    ("how", "what"),
    [
        (lambda text: text[:-5], "cut|wrong character"),
        (lambda text: text.replace("WALLWRIGHT2", "WW"), "copy all"),
        (lambda text: text.replace("WALLWRIGHT2", "WALLWRIGHT1"), "signature does not fit"),
        (lambda text: text.rpartition(":")[0], "copy all"),
        (spoil(lambda parts: [parts[0], "x", *parts[2:]]), "no number"),
        (spoil(lambda parts: [parts[0], str(int(parts[1]) + 1), *parts[2:]]), "signature does not fit"),
        (spoil(lambda parts: [*parts[:2], parts[3], parts[3], parts[4]]), "signature does not fit"),
        (spoil(lambda parts: [*parts[:3], parts[2], parts[4]]), "signature does not fit"),
        (spoil(lambda parts: [*parts[:4], "1" + parts[4][1:]]), "wrong character"),
    ],
)
def test_a_checkpoint_that_was_copied_wrongly_is_refused(
    tmp_path: Path, how: Callable[[str], str], what: str, seed: int
) -> None:
    printed = fill(str(tmp_path / "session.journal"), random.Random(seed), 6)
    with pytest.raises(BadCheckpoint, match=what):
        Checkpoint.parse(how(str(printed)))


def test_a_checkpoint_has_one_text_and_one_record(tmp_path: Path, seed: int) -> None:
    printed = fill(str(tmp_path / "session.journal"), random.Random(seed), 6)
    spared = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    for at, bits in ((2, 4), (3, 4), (4, 3)):
        parts = str(printed).split(":")
        last = spared.index(parts[at][-1])
        for other in range(last + 1, last + 2**bits):
            with pytest.raises(BadCheckpoint, match="wrong character at its end"):
                Checkpoint.parse(":".join([*parts[:at], parts[at][:-1] + spared[other], *parts[at + 1 :]]))
    for name in ("root", "key", "signature"):
        text = printed.record()[name]
        for form in (text.upper(), f"{text[:2]} {text[2:]}", f"{text} ", text[:-2], text.encode(), int(text, 16)):
            assert form != text
            with pytest.raises(BadCheckpoint, match="not one that this program writes"):
                Checkpoint.read(printed.record() | {name: form})


def test_a_checkpoint_for_which_anybody_can_sign_is_named() -> None:
    """The neutral point as key and as R, and S = 0, fit every statement."""
    neutral = bytes.fromhex("01" + "00" * 31)
    signed = Checkpoint(5, bytes(32), neutral, neutral + bytes(32))
    told = f"key {printed_key(neutral)} is one of the 8 points of small order"
    with pytest.raises(BadCheckpoint, match=told):
        Checkpoint.parse(str(signed))
    with pytest.raises(BadCheckpoint, match=told):
        Checkpoint.read(signed.record())


def test_a_checkpoint_by_somebody_else_is_no_checkpoint_of_this_key(tmp_path: Path, seed: int) -> None:
    path = str(tmp_path / "session.journal")
    printed = fill(path, random.Random(seed), 6)
    with Journal(path) as journal:
        journal.append("checkpoint", printed.record() | {"entry": 3}, at_ms=1)
        journal.append("checkpoint", {}, at_ms=1)
    first, second = verify_journal(path).findings
    assert (first.entry, second.entry) == (8, 9)
    assert "signature" in first.text


def test_an_empty_journal_is_whole_and_has_a_checkpoint(place: str) -> None:
    with Journal(place) as journal:
        printed = journal.checkpoint(at_ms=1)
    assert (printed.entry, printed.hash) == (0, hashlib.sha256().digest())
    assert verify_journal(place, [printed]).is_whole


def test_the_schema_before_the_chain_is_said(tmp_path: Path) -> None:
    old = Path(__file__).parent / "data" / "version-1.journal"
    with pytest.raises(JournalError, match="wallwright log migrate"):
        verify_journal(old)
