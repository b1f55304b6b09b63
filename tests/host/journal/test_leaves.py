"""The leaves of a journal: as docs/witnesses.md describes them, and a root that whoever has the journal can check."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.host.journal.conftest import stored, tamper
from tests.host.journal.test_chain import chained, fill, replace_all
from tests.host.journal.test_merkle import mth
from wallwright.journal import Checkpoint, Journal, signing_key, verify_journal
from wallwright.journal.entry import row_text
from wallwright.journal.keys import public_bytes
from wallwright.journal.leaves import leaf_of, opening_of
from wallwright.link.reports import Event

Row = tuple[Any, ...]
OLD = b"Wallwright checkpoint 1\n%d\n%s\n"


def leaves(rows: list[Row]) -> list[bytes]:
    """What docs/witnesses.md says of the leaves, done by hand: what stands behind the byte 0."""
    done, before = [], bytes(32)
    for row in rows:
        parts = ["null" if value is None else json.dumps(value, ensure_ascii=False) for value in row[:7]]
        keys = {what: hashlib.sha256(b"Wallwright leaf 1\n" + what + before).digest() for what in (b"e", b"r")}
        leaf = hashlib.sha256(keys[b"e"] + f"[{','.join(parts)}]".encode()).digest()
        body = json.loads(row[6])
        if row[5] in ("deal_result", "result_recorded", "result_corrected") and row[4] is None and body.get("points"):
            shown = [row[0], row[5], row[2], body.get("session"), body.get("table"), body["deal"], body["points"]]
            leaf += hashlib.sha256(keys[b"r"] + json.dumps(shown, separators=(",", ":")).encode()).digest()
        done.append(leaf)
        before = row[7]
    return done


def write_results(place: str) -> None:
    with Journal(place) as journal:
        journal.append("note", {"text": "麻將"}, at_ms=1)
        journal.append("deal_result", {"deal": 3, "points": [8, -4, -4, 0], "hands": ["?"]}, at_ms=2, unit="T-1")
        journal.append("result_recorded", {"session": 1, "table": 2, "deal": 4, "points": [0, 0, 0, 0]}, at_ms=3)
        journal.append("result_recorded", {"deal": 5, "points": ["a", 0.5]}, at_ms=4)
        journal.append("result_corrected", {"deal": 5}, at_ms=4)
        journal.append_event("T-1", Event(1, 7, 1, "deal_result", {"points": [1]}), at_ms=5)


def signed_anew(rows: list[Row]) -> list[Row]:
    """The rows with checkpoints that fit what stands before them, by the real key, as the owner would make them."""
    key = signing_key()
    for at, row in enumerate(rows):
        if row[5] == "checkpoint":
            size = json.loads(row[6])["entry"]
            root = mth(leaves(rows[:size]))
            message = f"Wallwright checkpoint 2\n{size}\n{root.hex()}\n".encode()
            signed = Checkpoint(size, root, public_bytes(key), key.sign(message)).checked()
            rows[at] = (*row[:6], json.dumps(signed.record(), sort_keys=True, separators=(",", ":")), row[7])
            rows = chained(rows)
    return rows


def test_the_root_is_the_one_that_the_documentation_describes(place: str, seed: int) -> None:
    write_results(place)
    fill(place, random.Random(seed))
    rows = stored(place)
    # Of these two the points are none, so that nothing can be shown of them.
    strange = [row if row[0] not in (4, 6) else (*row[:5], "other", *row[6:]) for row in rows]
    expected = [one[:32] if row[0] in (4, 6) else one for one, row in zip(leaves(rows), rows, strict=True)]
    assert [len(one) for one in expected[:6]] == [32, 64, 64, 32, 32, 32]
    assert strange != rows
    with Journal(place) as journal:
        printed = journal.checkpoint(at_ms=9)
    assert (printed.entry, printed.hash) == (len(rows), mth(expected))
    assert [one.entry for one in verify_journal(place, [printed]).checkpoints][-2:] == [len(rows), len(rows)]


def test_the_tree_grows_with_the_journal_also_when_others_append(place: str, seed: int) -> None:
    """One that is kept from entry to entry, and from transaction to transaction, is the one that is computed anew."""
    fill(place, random.Random(seed))
    with Journal(place) as journal:
        kept = [journal.checkpoint(at_ms=1)]

        def fail() -> None:
            with journal.batch():
                journal.append("note", {"never": "kept"}, at_ms=2)
                journal.checkpoint(at_ms=2)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        journal.append("note", {"kept": True}, at_ms=3)
        with journal.batch():
            journal.append("deal_result", {"deal": 1, "points": [0, 1, -1, 0]}, at_ms=4, unit="T-1")
            kept.append(journal.checkpoint(at_ms=5))
        kept.append(journal.checkpoint(at_ms=6))
    with Journal(place) as journal:
        again = journal.checkpoint(at_ms=7)
    verdict = verify_journal(place, [*kept, again])
    assert verdict.is_whole
    assert {one.entry for one in verdict.checkpoints} >= {one.entry for one in (*kept, again)}


def test_a_checkpoint_reads_what_is_new_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    fetch = Journal._fetch

    def counted(journal: Journal, *asked: Any) -> Any:
        rows = fetch(journal, *asked)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(Journal, "_fetch", counted)
    place = str(tmp_path / "session.journal")
    with Journal(place) as journal:
        with journal.batch():
            for number in range(2500):
                journal.append("note", {"n": number}, at_ms=number)
        journal.checkpoint(at_ms=1)
        journal.append("note", {}, at_ms=2)
        journal.checkpoint(at_ms=2)
        assert sum(read) <= 2


def test_a_journal_made_anew_is_found_by_a_root(tmp_path: Path, seed: int) -> None:
    """Attack: every hash after a change is computed anew, the checkpoints in the journal are signed anew."""
    rng = random.Random(seed)
    place = str(tmp_path / "session.journal")
    printed = fill(place, rng)
    rows = stored(place)
    changed = rng.randrange(1, 10)
    rows[changed - 1] = (*rows[changed - 1][:6], '{"points":[99]}', rows[changed - 1][7])
    rows = signed_anew(chained(rows))
    tamper(place, *replace_all(rows))
    assert verify_journal(place).is_whole
    verdict = verify_journal(place, [printed])
    assert [finding.entry for finding in verdict.findings] == [1]
    assert "the chain made anew" in verdict.findings[0].text


def test_checkpoints_that_were_printed_before_there_were_roots_still_hold(place: str, seed: int) -> None:
    fill(place, random.Random(seed))
    rows, key = stored(place), signing_key()
    signature = key.sign(OLD % (rows[19][0], rows[19][7].hex().encode()))
    old = Checkpoint(20, rows[19][7], public_bytes(key), signature, 1).checked()
    assert str(old).startswith("WALLWRIGHT1:20:")
    assert Checkpoint.parse(str(old)) == old
    with Journal(place) as journal:
        body = {"entry": 20, "hash": rows[19][7].hex(), "key": old.key.hex(), "signature": signature.hex()}
        assert Checkpoint.read(body) == old
        assert old.record() == body
        number = journal.append("note", {}, at_ms=1)
        last = stored(place)[-1]
        signature = key.sign(OLD % (number, last[7].hex().encode()))
        body |= {"entry": number, "hash": last[7].hex(), "signature": signature.hex()}
        journal.append("checkpoint", body, at_ms=1)
    verdict = verify_journal(place, [old])
    assert verdict.is_whole
    assert [(one.entry, one.version) for one in verdict.checkpoints][-2:] == [(number, 1), (20, 1)]
    wrong = Checkpoint(19, old.hash, old.key, old.signature, 1)
    assert not verify_journal(place, [wrong]).is_whole


def test_a_leaf_shows_points_and_nothing_else_and_no_hash_of_an_entry(place: str) -> None:
    write_results(place)
    rows = stored(place)
    opened = opening_of(rows[0][7], rows[1], row_text(rows[1]))
    assert opened is not None
    assert json.loads(opened.result) == [2, "deal_result", "T-1", None, None, 3, [8, -4, -4, 0]]
    assert (
        opened.leaf
        == leaf_of(rows[0][7], rows[1], row_text(rows[1]))
        == hashlib.sha256(b"\0" + leaves(rows)[1]).digest()
    )
    shown = opened.entry + opened.key
    for row in rows:
        assert row[7] not in shown
