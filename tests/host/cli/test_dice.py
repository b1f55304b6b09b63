"""`wallwright dice` and `wallwright dice verify`: what they print and how they exit."""

import json
import shlex
from pathlib import Path

import pytest

from tests.host.entries import altered
from tests.host.rolls import record_rolls
from wallwright import cli
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.rolls import WRONG, check_dice


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dice") / "session.journal"
    record_rolls(path)
    return path


@pytest.fixture
def entries(path: Path) -> list[Entry]:
    return list(read_journal(path))


def run(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    return int(caught.value.code or 0), capsys.readouterr().out.splitlines()


def test_the_command_prints_a_line_a_roll_and_a_summary(
    path: Path, entries: list[Entry], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = run(f"dice verify {path}", monkeypatch, capsys)
    assert code == 0
    assert len(lines) == 9
    assert all("ok, board alone" in line for line in lines[:2])
    assert all("ok, with host" in line for line in lines[2:7])
    assert lines[7] == "7 rolls: 5 with the host's part, 2 of the board alone, 0 wrong."
    assert "Roll 6 of SIM-21" in lines[8]
    code, lines = run(f"dice verify {path} --json", monkeypatch, capsys)
    *rolls, counts = map(json.loads, lines)
    assert code == 0
    assert counts == {
        "rolls": 7,
        "with_host": 5,
        "alone": 2,
        "alone_despite_offer": 0,
        "wrong": 0,
        "unopened": 1,
    }
    assert [roll["entry"] for roll in rolls] == [entry.id for entry in entries if entry.kind == "dice_rolled"]
    assert [tuple(roll["dice"]) for roll in rolls] == [roll.dice for roll in check_dice(entries).rolls]


def test_the_command_says_what_is_wrong_and_exits_with_1(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.journal"
    entries = list(read_journal(path))
    first = next(entry.id for entry in entries if entry.kind == "dice_rolled")
    with Journal(copy) as journal:  # its chain is whole: it was made anew
        for entry in entries:
            fields = entry.body.get("fields", {})
            if entry.id == first:
                fields = {**fields, "dice": [fields["dice"][1] % 6 + 1, fields["dice"][0]]}
            journal.append_entry(altered(entry, body={**entry.body, **({"fields": fields} if fields else {})}))
    code, lines = run(f"dice verify {copy}", monkeypatch, capsys)
    assert code == 1
    assert "WRONG: " in lines[0]
    assert " follows from seed and contribution" in lines[0]
    assert lines[7].endswith("1 of the board alone, 1 wrong.")
    code, lines = run(f"dice verify {copy} --json", monkeypatch, capsys)
    assert code == 1
    assert json.loads(lines[0])["verdict"] == WRONG
    assert json.loads(lines[-1])["wrong"] == 1


def test_a_journal_without_rolls_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / "journal"):
        pass
    assert run(f"dice verify {tmp_path / 'journal'}", monkeypatch, capsys) == (
        0,
        ["There are no rolls in this journal."],
    )
    assert run(f"dice verify {tmp_path / 'journal'} --json", monkeypatch, capsys)[0] == 0


def test_dice_need_a_port_or_a_journal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dice", monkeypatch, capsys) == (2, [])
    assert run("dice verify", monkeypatch, capsys) == (2, [])
    assert run("dice verify there-is-none", monkeypatch, capsys) == (5, [])


@pytest.mark.parametrize("noise", ["stuck", "biased", "dead", "repeating"])
def test_a_table_with_a_bad_source_refuses_dice(
    noise: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(f"dice --port 'sim://?seed=3&noise={noise}'", monkeypatch, capsys) == (4, [])


def test_an_unknown_source_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("dice --port 'sim://?noise=loud'", monkeypatch, capsys) == (3, [])
    code, (line,) = run("dice --port 'sim://?seed=3&noise=good'", monkeypatch, capsys)
    assert code == 0
    assert " = " in line
