"""Texts beyond a budget are refused before they are parsed; all others are parsed as they were."""

import io
import json
import random
import sys
import tomllib
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wallwright.budgets import FILE, LINE, TOML_DEPTH, TOML_SIZE, Budget, json_over, toml_over
from wallwright.cli.passwords import read_password
from wallwright.console.listening import Listening
from wallwright.errors import BadCheckpoint, BadInput, BadPlayers
from wallwright.event.player_lists import read_players
from wallwright.journal.witness_places import read_witness
from wallwright.study import walls
from wallwright.system.answers import trusting
from wallwright.system.strict_json import BadJson, json_lines, read_json
from wallwright.text_files import BadText, toml_table

ROOT = Path(__file__).parents[2]
MB = 1 << 20
MOST_MB = 100
"""What a refused text of some megabytes may take besides itself."""


def counted(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(1 + counted(one) for one in value.values())
    return 1 + sum(map(counted, value)) if isinstance(value, list) else 1


def deep(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(deep, inner), default=0) if isinstance(value, dict | list) else 0


def random_value(chance: random.Random, level: int) -> Any:
    kind = chance.randrange(8)
    if kind > 4 and level < 5:
        inner = [random_value(chance, level + 1) for _ in range(chance.randrange(5))]
        return (
            inner if kind == 5 else {f'n"{at}[,' * chance.randrange(3) + str(at): one for at, one in enumerate(inner)}
        )
    return chance.choice([True, None, -1.5e3, 17, "", '"', "\\", '\\"[{', ",:", "熊🐼"])


def test_values_names_and_levels_are_counted_as_who_walks_through_the_parsed_value_counts_them() -> None:
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    for _ in range(500):
        value = [random_value(chance, 0) for _ in range(3)]
        text = json.dumps(value, ensure_ascii=chance.random() < 0.5, indent=chance.choice([None, 1]))
        values, depth = counted(value), deep(value)
        assert json_over(text, Budget(len(text), values, depth)) is None
        assert "values and names" in str(json_over(text, Budget(len(text), values - 1, depth)))
        assert "nested deeper" in str(json_over(text, Budget(len(text), values, depth - 1)))
        assert "characters" in str(json_over(text, Budget(len(text) - 1, values, depth)))


BOMBS = {
    "empty lists": lambda size: "[" + "[]," * (size // 3) + "0]",
    "empty objects": lambda size: "[" + "{}," * (size // 3) + "0]",
    "objects of one": lambda size: "[" + '{"":0},' * (size // 7) + "0]",
    "numbers": lambda size: "[" + "7," * (size // 2) + "0]",
    "texts": lambda size: "[" + '"",' * (size // 3) + "0]",
    "names": lambda size: "{" + ",".join(f'"{at:x}":0' for at in range(size // 9)) + "}",
    "a list that is not closed": lambda size: "[" + "[]," * (size // 3),
}
"""Texts of some bytes that make many times as many in memory."""


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_text_of_many_values_is_refused_before_it_takes_memory(bomb: str) -> None:
    text = BOMBS[bomb](3 * MB)
    with PeakBelow(MOST_MB), pytest.raises(BadJson, match="values and names"):
        read_json(text)


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_line_of_many_values_is_refused_before_it_is_read_whole(bomb: str) -> None:
    stream = io.BytesIO(b"1\n" + BOMBS[bomb](8 * MB).encode())
    lines = json_lines(stream)
    assert next(lines) == (1, 1)
    with PeakBelow(8), pytest.raises(BadText, match="a line is longer than 1,048,576 bytes"):
        next(lines)
    assert stream.tell() <= 2 + LINE.size


def test_lines_that_an_object_goes_on_in_are_parsed_once_and_have_one_budget() -> None:
    parts = b"{\n" + b' "a": [],\n' * 20 + b' "b": {}\n}\n7\n'
    assert [type(found) for _, found in json_lines(io.BytesIO(parts))] == [BadJson, int]  # "a" is given twice
    long = b"{\n" + b" " * (LINE.size // 4) + b"\n" + (b" " * (LINE.size // 2) + b"\n") * 3 + b"}\n8\n"
    found = list(json_lines(io.BytesIO(long)))
    assert [number for number, _ in found] == [1, 7]
    assert "it is longer than 1,048,576 characters" in str(found[0][1])
    assert found[1][1] == 8


def test_utf_16_beyond_the_budget_is_refused_and_not_cut() -> None:
    stream = io.BytesIO(("1\n" * LINE.size).encode("utf-16"))
    with pytest.raises(BadText, match="in UTF-16 it may have 1,048,576 bytes; save it as UTF-8"):
        list(json_lines(stream))


def dotted(parts: int) -> str:
    return ".".join("a" * parts)


SLOW = {
    "a heading of many parts": lambda size: f"[{dotted(size // 2)}]\n",
    "a heading of tables of many parts": lambda size: f"[[{dotted(size // 2)}]]\n",
    "a name of many parts": lambda size: f"{dotted(size // 2)} = 1\n",
    "a name of many quoted parts": lambda size: " . ".join(["'.'", '"\\"."'] * (size // 14)) + " = 1\n",
    "a name within a table": lambda size: f"a = {{{dotted(size // 2)} = 1}}\n",
    "lists": lambda size: "a = " + "[" * size,
    "tables within tables": lambda size: "a = " + "{a = " * (size // 5),
    "a number": lambda size: "a = " + "1" * size,
    "a number of sixteen": lambda size: "a = 0x" + "f" * size,
    "a name": lambda size: "a" * size + " = 1",
}
"""TOML texts of some characters that take a parser the square of them, or their depth."""


@pytest.mark.parametrize("slow", SLOW)
def test_toml_that_takes_a_parser_long_is_refused_with_its_line(slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("the parser was asked"))
    text = "# 'a\nb = '''\n''' # [\n" + SLOW[slow](TOML_SIZE - 100)
    with pytest.raises(BadText, match=r"^line 4: (lists are nested|a name has more|a name or number is longer)"):
        toml_table(text)
    with pytest.raises(BadText, match="longer than 262,144 bytes"):
        toml_table(SLOW[slow](400_000) + "\n" * 300_000)


def test_toml_of_unclosed_quotes_is_looked_through_once() -> None:
    for quoted in ('"\\"' * 60_000, "'\"" * 60_000, '"""\\"' * 40_000, '""" "" ' * 30_000, "'''''''" * 30_000):
        toml_over(quoted)  # the square of these would take longer than a test may


def shipped() -> Iterator[Path]:
    found = [*(ROOT / "host").rglob("*.toml"), *(ROOT / "docs").rglob("*.toml"), ROOT / "pyproject.toml"]
    assert len(found) > 10
    yield from found


def test_what_people_write_is_within_its_budget() -> None:
    for path in shipped():
        assert toml_table(path.read_bytes()) == tomllib.loads(path.read_text(encoding="utf-8")), path
    most = dotted(TOML_DEPTH)
    text = f'[{most}]\n{most} = [1.5, -2.25e3, 1979-05-27T07:32:00.999Z, "a.b.c", \'[[[\', {{x.y = "["}}]\n'
    text += 's = """\n[[[[[ " "" \\""" \' """\nt = \'\'\'a\n"\'\'\'\n' + "floats = [" + "1.0, " * 100 + "]\n"
    assert toml_table(text) == tomllib.loads(text)


class PeakBelow:
    """What is done within takes less memory, in MB."""

    def __init__(self, most_mb: int) -> None:
        self._most = most_mb * MB

    def __enter__(self) -> None:
        tracemalloc.start()

    def __exit__(self, *_: object) -> None:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < self._most, f"{peak / MB:.1f} MB"


def test_the_budget_of_a_file_is_what_a_value_of_it_may_take() -> None:
    text = "[" + '{"":0},' * (FILE.values // 3 - 1) + "0]"
    with PeakBelow(MOST_MB):
        read_json(text)


LISTS = {
    "empty lines": b"name\n" * 2 + b"\n" * 300_000,
    "lines": b"name\n" + b"n\n" * 250_000,
    "cells": b"number,name,club,id\n" + (b"1,Ann,A,M1" + b"," * 997 + b"\n") * 401,
    "empty cells": b"number,name,club,id\n" + b"1,Ann,A,M1\n" * 9_000 + (b"," * 999 + b"\n") * 401,
}


@pytest.mark.parametrize("given", LISTS)
def test_a_list_of_players_has_so_many_lines_and_cells(given: str) -> None:
    with PeakBelow(MOST_MB), pytest.raises(BadPlayers, match="more than 200,000 lines or 400,000 cells; leave out"):
        read_players(LISTS[given], "a list")


def test_a_list_of_players_may_end_with_many_empty_lines() -> None:
    found = read_players(b"name,club\n" + b"Ann,A\nBea,B\n" + b",\n" * 50_000, "a list")
    assert [one.name for one in found.roster.players] == ["Ann", "Bea"]


def test_a_batch_of_a_study_that_unpacks_to_more_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "_LONGEST", MB)
    path = tmp_path / "batch.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in walls.NAMES[walls.BUILT]:
            archive.writestr(f"{name}.npy", bytes(20 * MB if name == "map" else 0))
    with PeakBelow(5), pytest.raises(BadInput, match="is damaged; delete it"):
        walls._kept(path, walls.BUILT)


def test_a_line_with_a_password_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a" * 10_000 + "\n"))
    assert read_password(None) == "a" * 10_000
    monkeypatch.setattr(sys, "stdin", io.StringIO("a" * 10_001))
    with pytest.raises(BadInput, match="longer than 10,000 characters"):
        read_password(None)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_no_certificate_is_looked_for_without_end(tmp_path: Path) -> None:
    endless = tmp_path / "endless.pem"
    endless.symlink_to("/dev/zero")
    with pytest.raises(BadInput, match="no certificate can be read from it"):
        trusting(endless)
    with pytest.raises(BadInput, match="this is no certificate and no key"):
        Listening("127.0.0.1", 0, endless, endless).check()


def test_a_witness_s_file_has_lines(tmp_path: Path) -> None:
    path = tmp_path / "hall.witness"
    path.write_bytes(b"W" * 20_000_000)
    with PeakBelow(2), pytest.raises(BadCheckpoint, match="a line is longer than 10,000 bytes"):
        read_witness(path)
