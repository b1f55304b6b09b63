"""A journal whose texts are made to control a terminal: what every command says of it, and every file that it makes."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.every_command import JOURNALS, words_of
from tests.host.programs import Runner, Told
from wallwright.journal import Journal, read_journal
from wallwright.shown_text import shown

FORGED = "FORGED: all is well"
HOSTILE = f"\x1b]0;x\x07\x9b2J\x00\x7f\u202e\u2028\u200b\r\n{FORGED}"
TYPED = ("name", "club", "reason", "by", "text", "ruling", "why", "clause", "unit", "id", "of", "source", "referee")
ELSEWHERE = ("serve --event", "serve --season", "season")
"""They need another journal, or go on until they are ended; the pages of a console are looked at in a browser's way."""


def hostile(value: Any, key: str = "") -> Any:
    if isinstance(value, list):
        return [hostile(one, key) for one in value]
    if isinstance(value, dict):
        return {name: hostile(one, name) for name, one in value.items()}
    return value + HOSTILE if isinstance(value, str) and key in TYPED else value


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory, small_event: Path) -> Path:
    """The journal of a small event, every text of people in it hostile, and of one of its boards likewise."""
    path = tmp_path_factory.mktemp("odd") / "odd.journal"
    with Journal(path) as journal, journal.batch():
        for entry in read_journal(small_event):
            if entry.seq is None and entry.kind != "checkpoint":
                unit = None if entry.unit is None else entry.unit + HOSTILE
                journal.append(entry.kind, hostile(entry.body), at_ms=entry.at_ms, unit=unit)
    return path


def check(said: str, where: str) -> None:
    assert shown(said) == said, f"{where}: {said!a}"
    # Whoever exports CSV reads it by its quotes.
    if not where.startswith("event export"):
        assert not [line for line in said.split("\n") if line.startswith(FORGED)], where


def test_no_command_lets_a_journal_control_a_terminal_or_forge_a_line(
    odd: Path, runner: Runner, tmp_path: Path
) -> None:
    out, place = tmp_path / "out", tmp_path / "place"
    told_of_people = set()
    for template in JOURNALS:
        if template.startswith(ELSEWHERE):
            continue
        place.mkdir()
        shutil.copy(odd, place / "a.journal")
        out.touch()
        words = words_of(template, {"FILE": str(place / "a.journal"), "NEW": str(place / "new")})
        told = runner.run(*words, stdout=str(out))
        said = out.read_bytes().decode("utf-8-sig")
        check(said, template)
        check(told.err, template)
        assert "Traceback" not in told.err, told.err
        if "\\u001b]0;x" in said:
            told_of_people.add(template)
        shutil.rmtree(place)
        out.unlink()
    assert len(told_of_people) > 10, told_of_people


@pytest.mark.parametrize(
    "command", ["log show FILE", "event players list FILE", "event standings FILE", "event explain FILE 1"]
)
def test_json_has_the_texts_as_they_are_and_no_terminal_sees_them(
    odd: Path, runner: Runner, tmp_path: Path, command: str
) -> None:
    out = tmp_path / "out"
    out.touch()
    told = runner.run(*command.replace("FILE", str(odd)).split(), "--json", stdout=str(out))
    assert told == Told(0, ""), told.err
    said = out.read_text()
    check(said, command)
    texts = list(texts_in([json.loads(line) for line in said.splitlines()]))
    assert any(HOSTILE in text for text in texts), texts
