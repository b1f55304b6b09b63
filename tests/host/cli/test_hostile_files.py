"""Every command with files that somebody has spoiled: one line that says what to do, and nothing is changed.

`make campaign` gives every file to every command; in the suite each gets some, chosen by the seed.
"""

import hashlib
import io
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.host.every_command import CONTENTS, JOURNALS, PRINTING, WITHOUT, command_of, words_of
from tests.host.formulas import FORMULAS, is_formula, texts_of
from tests.host.programs import RUNNER, Runner, Told
from tests.length import LONG
from wallwright.cli import program
from wallwright.event.sheets import PAPERS
from wallwright.event.standings import standings
from wallwright.event.state import KINDS, EventState
from wallwright.journal import Journal, read_journal
from wallwright.system.streams import NOT_WRITTEN

OF_CONTENTS, OF_JOURNALS = 3, 1
USAGE = 2
TYPED = ("name", "club", "reason", "by", "text", "ruling", "why", "clause", "pause_reason")
REFUSED = {1, 2, 3, 5, 6}
"""1 is what a check found; it is no bug's, for that has more than one line."""
FINDINGS = ("log verify", "event draw verify", "event check", "log replay")
"""What may say on its standard output what is wrong."""
ACCEPT = {
    ("log migrate", "broken.journal"): "it asks for the schema's version alone",
    ("log copy", "broken.journal"): "what can be read of a damaged journal is copied, and stays",
    ("entropy assess", "long line"): "any million bytes are samples; these have no entropy, and that is what it says",
}
"""What is as it should be, though the command goes on or leaves something."""


def all_commands() -> Iterator[str]:
    """The names of all commands, as they are typed."""

    def below(command: Any, name: str) -> Iterator[str]:
        if not hasattr(command, "commands"):
            yield name.strip()
            return
        for word, one in command.commands.items():
            yield from below(one, f"{name} {word}")

    return below(typer.main.get_command(program.app), "")


def test_no_command_is_forgotten() -> None:
    names = set(all_commands())
    listed = {command_of(template, names) for template in (*JOURNALS, *CONTENTS)}
    assert listed | set(WITHOUT) >= names - {"dice"}
    assert not listed & set(WITHOUT)


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", "[" * 3_000_000)
        archive.writestr("event.journal", bytes(20_000_000))
    return packed.getvalue()


def workbook_with_an_entity() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')
    return packed.getvalue()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, small_event: Path) -> dict[str, Path]:
    """By name: files that nothing of ours can be, and places where no file can be."""
    folder = tmp_path_factory.mktemp("hostile")
    journal = small_event.read_bytes()
    contents = {
        "zeros": bytes(5000),
        "random": b"\0" + random.Random(1).randbytes(4000),
        "deep.json": b"[" * 200_000,
        "deep objects.json": b'{"a":' * 100_000,
        "deep.toml": b"a=" + b"[" * 100_000,
        "digits.toml": b"deals=1" + b"0" * 5000,
        "odd.toml": b'journal="\\u0000"\ndeals=inf\nrules=[[nan]]',
        "infinite.json": b'{"wallwright_trace":1,"wallwright_tiles":1,"port":1e400,"stage":NaN,"sets":Infinity}\n',
        "half.json": b'{"format":"wallwright-journal","version":1,"a":"\\ud800"}\n',
        "long line": b"x" * 2_000_000,
        "bomb.zip": bomb(),
        "entity.xlsx": workbook_with_an_entity(),
        "cut.journal": journal[:100],
        "broken.journal": journal[:4096] + bytes(range(256)) * 16 + journal[8192:],
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    with sqlite3.connect(folder / "other.sqlite") as other:
        other.execute("CREATE TABLE something (text)")
    other.close()
    for path in folder.iterdir():
        path.chmod(0o600)
    (folder / "folder").mkdir(mode=0o700)
    (folder / "folder" / "notes.txt").write_text("an empty folder is one that a study may have")
    (folder / "endless").symlink_to("/dev/zero")
    (folder / "full").symlink_to("/dev/full")
    odd = folder / "line\nend\x1b[31m"
    odd.write_bytes(b"\0" * 200)
    odd.chmod(0o600)
    found = {path.name: path for path in folder.iterdir()}
    return found | {"below a file": folder / "zeros" / "below", "long name": folder / ("n" * 300)}


def state_of(folder: Path) -> dict[str, str]:
    """What is in a folder, by name; what is not a file stands for itself."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file() and not path.is_symlink()
        else str(path.lstat().st_mode)
        for path in folder.rglob("*")
    }


def check(template: str, name: str, told: Told) -> None:
    """Say what is wrong with how a command took it."""
    where = f"{template!r} with {name!r}: {told}"
    assert "Traceback" not in told.err, where
    if template.startswith(FINDINGS) and told.code == 1:
        return
    assert told.code in REFUSED - {1}, where
    # What a command has said while it worked comes first.
    *_, error = re.split(r"^(?=error: )", told.err, flags=re.MULTILINE)
    assert error.startswith("error: "), where
    assert error.endswith("\n"), where
    # One line, or a line and a list.
    assert error[:-1].replace("\n  ", "").isprintable(), where
    assert len(told.err) < 5000, where


@pytest.mark.parametrize(
    ("templates", "few"),
    [(CONTENTS, OF_CONTENTS), (JOURNALS, OF_JOURNALS)],
    ids=["of a file", "of a journal"],
)
def test_no_command_ends_in_a_traceback_or_changes_a_file_that_it_cannot_read(
    hostile: dict[str, Path],
    good: Path,
    runner: Runner,
    tmp_path: Path,
    seed: int,
    templates: Sequence[str],
    few: int,
) -> None:
    players, folder = tmp_path / "players.csv", hostile["zeros"].parent
    players.write_text("Ann\nBob\nCid\nDan\n")
    chance = random.Random(seed)
    before, content = state_of(folder), good.read_bytes()
    names = list(all_commands())
    for number, template in enumerate(templates):
        for name in hostile if LONG else chance.sample(sorted(hostile), few):
            new = tmp_path / f"{number} {name.split()[0]}" / "new"
            new.parent.mkdir(exist_ok=True)
            places = {"FILE": str(hostile[name]), "GOOD": str(good), "LIST": str(players), "NEW": str(new)}
            told = runner.run(*words_of(template, places))
            if (command_of(template, names), name) in ACCEPT:
                assert "Traceback" not in told.err
                continue
            check(template, name, told)
            assert list(new.parent.iterdir()) == [], f"{template!r} with {name!r}"
            assert good.read_bytes() == content, f"{template!r} with {name!r}"
        assert state_of(folder) == before, template


def test_no_command_takes_a_name_whose_bytes_are_no_text(runner: Runner, tmp_path: Path) -> None:
    name = os.fsdecode(b"M\xfcller")
    for command in all_commands():
        one = runner.run(*command.split(), name)
        assert one.code == USAGE
        assert one.err == "error: M\\udcfcller is no text in UTF-8; rename the file, or type the name in UTF-8\n"
    done = subprocess.run(
        [sys.executable, "-m", "wallwright", "event", "new", os.fsencode(tmp_path) + b"/M\xfcller.journal"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == USAGE
    assert done.stderr.endswith(b"type the name in UTF-8\n")
    assert list(tmp_path.iterdir()) == []


def test_output_that_cannot_be_written_is_said_whatever_prints_it(good: Path, runner: Runner, tmp_path: Path) -> None:
    places = {"GOOD": str(good), "NEW": str(tmp_path / "users")}
    for command in PRINTING:
        one = runner.run(*words_of(command, places), stdout="/dev/full")
        *progress, said = one.err.splitlines()
        assert (one.code, said) == (NOT_WRITTEN, "error: the output cannot be written (No space left on device)"), (
            command
        )
        assert all(line.endswith(" ...") for line in progress), command


WRITING = (
    "event export GOOD results --to NEW",
    "event export GOOD results --to NEW --format json",
    "event export GOOD results --to NEW --format xlsx",
    "event backup GOOD NEW",
    "event restore NEW BACKUP",
    "event rehearse NEW --players 8 --sessions 1",
    "event new NEW",
    "log export GOOD --output NEW",
    "log export GOOD --output NEW --format csv",
    "log export GOOD --output NEW --format xlsx",
    "log copy GOOD NEW",
    "log import EXPORT NEW",
    "doctor service-file NEW --port sim://?seed=1",
    "doctor calibrate NEW --port sim://?seed=1 --yes --strokes 2 --ways 1 --builds 0",
    "users add NEW a --role referee --link",
)


def test_a_full_disk_is_said_and_no_half_a_file_stays(good: Path, runner: Runner, tmp_path: Path) -> None:
    backup, export = tmp_path / "day.backup", tmp_path / "day.jsonl"
    runner.run("event", "backup", str(good), str(backup))
    runner.run("log", "export", str(good), "--output", str(export))
    for number, command in enumerate(WRITING):
        folder = tmp_path / str(number)
        folder.mkdir()
        places = {"GOOD": str(good), "BACKUP": str(backup), "EXPORT": str(export), "NEW": str(folder / "new")}
        check(command, "no room", runner.run(*words_of(command, places), limit=1000))
        # SQLite leaves an empty file where it can write nothing.
        assert [path.name for path in folder.iterdir() if path.stat().st_size] == [], command


def hostile_text(value: Any, sign: str) -> Any:
    """A body of an entry in which every word that people typed begins like a formula."""
    if isinstance(value, list):
        return [hostile_text(one, sign) for one in value]
    if isinstance(value, dict):
        return {
            key: f"{sign}cmd|{one}" if key in TYPED and isinstance(one, str) else hostile_text(one, sign)
            for key, one in value.items()
        }
    return value


def test_no_export_has_a_formula_whatever_is_in_the_journal(
    good: Path, runner: Runner, tmp_path: Path, seed: int
) -> None:
    for number, sign in enumerate(random.Random(seed).sample(FORMULAS, len(FORMULAS) if LONG else 2)):
        path, out = tmp_path / f"{number}.journal", tmp_path / "out"
        with Journal(path) as journal, journal.batch():
            for entry in read_journal(good):
                if entry.seq is None and entry.kind != "checkpoint":
                    journal.append(entry.kind, hostile_text(entry.body, sign), at_ms=entry.at_ms, unit=f"{sign}unit")
        exports = [("log export", "", form) for form in ("csv", "xlsx")]
        exports += [("event export", paper, form) for paper in PAPERS for form in ("csv", "xlsx")]
        for command, paper, form in exports:
            out.unlink(missing_ok=True)
            words = [*command.split(), str(path), *paper.split(), "--format", form]
            told = runner.run(*words, "--output" if command == "log export" else "--to", str(out))
            assert told == Told(0, "")
            texts = texts_of(out.read_bytes(), form)
            assert not list(filter(is_formula, texts)), (command, paper, form, sign)
            if command == "log export" or paper == "standings":
                assert any(sign in text for text in texts)


def test_a_device_is_written_into_and_never_replaced(good: Path, runner: Runner, tmp_path: Path) -> None:
    full, kept = tmp_path / "full", tmp_path / "kept"
    full.symlink_to("/dev/full")
    kept.symlink_to(tmp_path / "real.csv")
    to_full, to_kept = (runner.run("event", "export", str(good), "standings", "--to", str(at)) for at in (full, kept))
    assert to_full.code == USAGE
    assert "No space left on device" in to_full.err
    assert full.is_symlink()
    assert Path("/dev/full").is_char_device()
    assert to_kept == Told(0, "")
    assert kept.is_symlink()
    assert "Player 1" in (tmp_path / "real.csv").read_text()


def test_a_missing_entry_ends_no_reader_and_what_misses_it_is_noted(good: Path, seed: int) -> None:
    """One of each kind is left out, the results among them that others confirm, approve, correct or sign."""
    chance = random.Random(seed)
    entries = list(read_journal(good, kinds=KINDS))
    by_kind: dict[str, list[int]] = {}
    for entry in entries:
        by_kind.setdefault(entry.kind, []).append(entry.id)
    assert len(by_kind) > 8
    for kind in sorted(by_kind.keys() - {"event_created"}):
        left_out = chance.choice(by_kind[kind])
        state = EventState().apply_all(entry for entry in entries if entry.id != left_out)
        for paper in PAPERS.values():
            paper(state, "live")
        standings(state, "live")
        if kind in ("players_imported", "seats_planned", "result_recorded"):
            assert any("does not fit the entries before it" in note for note in state.notes), kind


def test_a_result_that_is_confirmed_and_not_there_is_named(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.journal"
    with Journal(path) as journal:
        for entry in read_journal(good):
            if entry.seq is None and entry.kind != "checkpoint":
                journal.append(entry.kind, entry.body, at_ms=entry.at_ms, unit=entry.unit)
        number = journal.append("results_confirmed", {"session": 1, "table": 1, "deals": [1, 99], "by": "x"}, at_ms=1)
    done = RUNNER.finish("event", "check", path, "--json")
    assert done.returncode == 1
    findings = json.loads(done.stdout)["findings"]
    assert any(f"entry {number} (results_confirmed) does not fit" in one for one in findings)
