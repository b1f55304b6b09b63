"""Wherever somebody names a key to trust, one that proves nothing is refused by its name, and nothing is kept."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests import edwards
from wallwright import cli
from wallwright.cli.program import app
from wallwright.journal import Journal, printed_key

TRUSTING = {
    "board keys trust": "builder {hex}",
    "log verify": "x.journal --key {printed}",
    "run": "--config hall.toml --report-to https://season.example --season-key {printed}",
    "season check": "x.journal --key {printed}",
    "season hall": "year.season East {printed}",
    "season report": "x.journal https://season.example {printed}",
    "season verify": "year.season --key {printed}",
    "serve": "--config hall.toml --report-to https://season.example --season-key {printed}",
}
"""By command: its words, with a public key in one of its two forms."""
OTHER_KEYS = {("serve", "key"), ("board keys sign", "key"), ("board keys sign", "key_file")}
"""Parameters that name a file of a certificate's key, or a private key of one's own."""
HALL = """journal = "hall.journal"
{}
[[table]]
name = "A"
port = "socket://127.0.0.1:4001"
"""
SMALL = bytes.fromhex(edwards.PUBLISHED.split()[0])
REFUSED = {
    "is one of the 8 points of small order, for which anybody can sign": SMALL,
    "is not in the one form that a key has": (edwards.P + 3).to_bytes(32, "little"),
    "is no point of the curve, so nobody can sign for it": (2).to_bytes(32, "little"),
}


def parameters(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield from parameters(inner, (*path, name))
    if path and not hasattr(command, "commands"):
        yield from ((" ".join(path), one.name) for one in command.params)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with Journal("x.journal") as journal:
        journal.append("note", {"text": "x"}, at_ms=1)
    (tmp_path / "hall.toml").write_text(HALL.format(""))
    said(monkeypatch, "season new year.season")
    return tmp_path


def said(monkeypatch: pytest.MonkeyPatch, line: str) -> int:
    monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    return int(caught.value.code or 0)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "-shm" not in path.name}


def test_every_command_that_takes_a_public_key_is_tried_here() -> None:
    found = {
        (command, name)
        for command, name in parameters(typer.main.get_command(app))
        if "key" in name or "public" in name or "trust" in name
    }
    assert {command for command, _ in found - OTHER_KEYS} == set(TRUSTING)
    assert found >= OTHER_KEYS


@pytest.mark.parametrize("command", TRUSTING)
@pytest.mark.parametrize("problem", REFUSED)
def test_a_key_that_proves_nothing_is_refused_by_name(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, problem: str
) -> None:
    key, before = REFUSED[problem], files(place)
    words = TRUSTING[command].format(hex=key.hex(), printed=printed_key(key))
    assert said(monkeypatch, f"{command} {words}") == 2
    named = key.hex() if "{hex}" in TRUSTING[command] else printed_key(key)
    line = capsys.readouterr().err.removesuffix("\n")
    assert line == f"error: the key {named} {problem}; ask its owner for the right key"
    assert files(place) == before


def test_a_hall_s_file_names_it_as_well(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    season = f'report_to = "https://season.example"\nseason_key = "{printed_key(SMALL)}"'
    (place / "hall.toml").write_text(HALL.format(season))
    assert said(monkeypatch, "run --config hall.toml") == 2
    assert f"the key {printed_key(SMALL)} is one of the 8 points of small order" in capsys.readouterr().err
