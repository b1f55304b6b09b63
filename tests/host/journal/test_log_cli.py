"""`wallwright log`: verify, checkpoint, keys, copy, migrate, by the command line."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.host.entries import altered
from tests.host.journal.conftest import Log, stored, tamper
from tests.host.journal.test_migration import FIRST, first_journal
from tests.host.postgresql import Server
from wallwright.journal import Checkpoint, Journal, read_journal
from wallwright.journal.mjai import mjai_lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        for n in range(5):
            journal.append("deal", {"n": n}, at_ms=n)
    return path


@pytest.mark.parametrize(
    "command", ["show", "verify", "checkpoint", "keys", "witness", "copy", "migrate", "export", "import", "replay"]
)
def test_every_command_has_an_example_and_its_group_names_it(log: Log, command: str) -> None:
    assert f"wallwright log {command}" in log(command, "--help").out
    assert f"  {command} " in log("--help").out


def test_a_checkpoint_is_printed_and_finds_what_was_cut_off_later(log: Log, path: Path) -> None:
    printed = log("checkpoint", path).out.strip()
    assert Checkpoint.parse(printed).entry == 5
    answer = log("verify", path, "--checkpoint", printed)
    assert (answer.code, answer.error) == (0, "")
    assert "6 entries all as they were written" in answer.out
    tamper(str(path), ("DELETE FROM entries WHERE id > 3", ()))
    answer = log("verify", path, "--checkpoint", printed, "--json")
    record = json.loads(answer.out)
    assert answer.code == 1
    assert (record["whole"], record["entries"], record["hash"]) == (False, 3, stored(str(path))[2][7].hex())
    (finding,) = record["findings"]
    assert finding["entry"] == 4
    assert "2 entries were cut off" in finding["text"]
    assert finding["text"] in log("verify", path, "--checkpoint", printed).out


def test_a_checkpoint_that_was_copied_wrongly_is_wrong_usage(log: Log, path: Path) -> None:
    answer = log("verify", path, "--checkpoint", "WALLWRIGHT2:5:AA")
    assert (answer.code, answer.out) == (2, "")
    assert answer.error.count("\n") == 1


def test_no_journal_is_made_for_a_checkpoint_or_a_migration(log: Log, tmp_path: Path) -> None:
    for command in ("checkpoint", "migrate", "verify"):
        answer = log(command, tmp_path / "absent")
        assert (answer.code, answer.out) == (5, "")
    assert list(tmp_path.iterdir()) == []


def test_the_key_is_made_once_and_nobody_else_can_read_it(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    old_mask = os.umask(0)
    try:
        first = json.loads(log("keys", "--json").out)
    finally:
        os.umask(old_mask)
    path = Path(first["path"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert json.loads(log("keys", "--json").out) == first
    assert log("keys").out.split() == [first["printed"], first["path"]]
    with Journal(tmp_path / "session.journal") as journal:
        printed = str(journal.checkpoint(at_ms=1))
    assert printed.split(":")[3] == first["printed"]
    assert Checkpoint.parse(printed).key.hex() == first["key"]
    assert f"by key {first['printed']}" in log("verify", tmp_path / "session.journal").out
    path.chmod(0o640)
    answer = log("keys")
    assert (answer.code, answer.out) == (5, "")
    assert "chmod 600" in answer.error
    path.chmod(0o600)
    path.write_text("no key")
    assert "a new one is made" in log("keys").error
    path.unlink()
    assert json.loads(log("keys", "--json").out)["key"] != first["key"]


def test_an_old_journal_is_migrated_and_the_message_says_what_was_done(
    log: Log, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old = tmp_path / "old.journal"
    shutil.copy(FIRST, old)
    assert "wallwright log migrate" in log("verify", old).error
    assert log("migrate", old).out == "It has the present schema.\n"
    assert "64 entries" in caplog.text
    assert json.loads(log("migrate", old, "--json").out) == {"notice": ""}
    assert log("verify", old).code == 0


def test_a_journal_goes_to_a_server_and_back(log: Log, path: Path, tmp_path: Path, postgresql: Server) -> None:
    url = postgresql.schema()
    assert log("copy", path, url).code == 0
    back = tmp_path / "back"
    record = json.loads(log("copy", url, back, "--json").out)
    assert record == {"entries": 5, "hash": stored(str(path))[-1][7].hex()}
    assert log("show", url).out == log("show", path).out == log("show", back).out
    again = log("copy", path, url)
    assert again.code == 5
    assert "entries already" in again.error


def test_what_was_changed_is_not_copied_on(log: Log, path: Path, tmp_path: Path) -> None:
    tamper(str(path), ("UPDATE entries SET body = '{\"n\":99}' WHERE id = 3", ()))
    answer = log("copy", path, tmp_path / "copy")
    assert answer.code == 5
    assert "entry 3" in answer.error


def test_a_session_is_exported_imported_and_scored_again(log: Log, tmp_path: Path) -> None:
    first = first_journal(tmp_path)
    exported = log("export", first)
    file = tmp_path / "session.jsonl"
    assert log("export", first, "--output", file).code == 0
    assert file.read_text() == exported.out
    again = tmp_path / "again.journal"
    assert json.loads(log("import", file, again, "--json").out)["entries"] == 65
    assert log("export", again).out == exported.out
    assert log("verify", again).code == 0
    answer = log("replay", again)
    assert (answer.code, answer.error) == (0, "")
    assert "2 deals scored again" in answer.out
    assert log("export", again, "--format", "csv").out.count("\n") == 3
    assert log("export", again, "--format", "mjai").out.splitlines() == list(mjai_lines(read_journal(first)))
    assert "--output" in log("export", again, "--format", "xlsx").error
    workbook = tmp_path / "results.xlsx"
    assert log("export", again, "--format", "xlsx", "--output", workbook).code == 0
    before = workbook.read_bytes()
    refused = log("export", again, "--format", "xlsx", "--output", workbook)
    assert (refused.code, workbook.read_bytes()) == (2, before)
    assert log("import", tmp_path / "absent", tmp_path / "new").code == 2
    assert not (tmp_path / "new").exists()


def test_a_replay_that_finds_other_points_fails(log: Log, tmp_path: Path) -> None:
    first = first_journal(tmp_path)
    with Journal(tmp_path / "other.journal") as journal:
        for entry in read_journal(first):
            wrong = {**entry.body, "points": [0, 0, 0, 0]} if entry.kind == "deal_result" else entry.body
            journal.append_entry(altered(entry, body=wrong))
    answer = log("replay", tmp_path / "other.journal", "--json")
    assert answer.code == 1
    differences = json.loads(answer.out)["differences"]
    results = [entry for entry in read_journal(first) if entry.kind == "deal_result"]
    assert [one["entry"] for one in differences] == [entry.id for entry in results]
    assert str(results[0].body["points"]) in differences[0]["text"]
    assert log("replay", tmp_path / "other.journal").code == 1
