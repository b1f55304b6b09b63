"""JSON that others wrote: what can be kept is read as any reader reads it, the rest is refused with the reason."""

import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from wallwright.budgets import DEPTH, Budget
from wallwright.system.strict_json import BadJson, json_lines, read_json, read_json_file

MANY = 100_000


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("[" * MANY, "nested deeper than 64", id="lists that never end"),
        pytest.param('{"a":' * MANY, "nested deeper than 64", id="objects that never end"),
        pytest.param(nested(MANY), "nested deeper than 64", id="lists"),
        pytest.param(nested(DEPTH + 1), "nested deeper than 64", id="one too deep"),
        pytest.param('["\\"", ' + "[" * MANY, "nested deeper than 64", id="behind a quotation mark in a string"),
        pytest.param("1e400", "the number 1e400, which is too large", id="1e400"),
        pytest.param('{"a": [-1.5E+999]}', "the number -1.5E+999, which is too large", id="-1.5E+999"),
        pytest.param("[NaN]", "NaN in it, which is no number", id="NaN"),
        pytest.param("Infinity", "Infinity in it, which is no number", id="Infinity"),
        pytest.param("-Infinity", "-Infinity in it, which is no number", id="-Infinity"),
        pytest.param(str(2**63), "the number 9223372036854775808, which is beyond 64 bits", id="65 bits"),
        pytest.param("9" * MANY, "the number 99999999999999999999…, which is beyond 64 bits", id="digits"),
        pytest.param("1" * 5 + "." + "0" * MANY + "e999", "too large", id="long and too large"),
        pytest.param('"\\ud800"', "half a character in it (the lone surrogate d800)", id="escaped surrogate"),
        pytest.param('{"\\uDFFF": 1}', "half a character in it (the lone surrogate dfff)", id="surrogate in a key"),
        pytest.param('"\udc80"', "half a character in it (the lone surrogate dc80)", id="surrogate as it is"),
        pytest.param(b"\xff\xfe1", "begins as UTF-16 and does not go on so", id="half of UTF-16"),
        pytest.param(b'"\xed\xa0\x80"', "line 1 is no UTF-8 (byte 2)", id="surrogate in bytes"),
        pytest.param("", "no JSON (it is empty, line 1, character 1)", id="nothing"),
        pytest.param("{'a': 1}", "(names and texts stand in double quotes, line 1", id="Python"),
        pytest.param('{"a": 1} x', "no JSON (something stands behind the value, line 1, character 10)", id="behind"),
        pytest.param('{"a": 1}\n{"b": 1}', "(a second value begins here, and one is wanted, line 2", id="two objects"),
        pytest.param('{"a": 1, "b": 2, "a": 3}', "'a' is given twice; leave one of them out", id="a name twice"),
        pytest.param('[{"x": {"y": 1, "y": 1}}]', "'y' is given twice", id="a name twice within"),
        pytest.param('{"a": 1} // c', "(JSON has no comments; take this one out, line 1, character 10)", id="comment"),
        pytest.param('# c\n{"a": 1}', "(JSON has no comments", id="comment as in Python"),
        pytest.param('{"a": /* c */ 1}', "(JSON has no comments", id="comment within"),
        pytest.param('{"a": 1,\n}', "(a comma stands behind the last entry; take it out", id="comma in an object"),
        pytest.param("[1, ]", "(a comma stands behind the last entry; take it out", id="comma in a list"),
        pytest.param("{“a”: 1}", '(“ is a quotation mark of word processors; write " in its place', id="quotes"),
        pytest.param('{"a": „b“}', "(„ is a quotation mark of word processors", id="quotes of a value"),
        pytest.param('{"a": "C:\\Users"}', "(a backslash within quotes begins an escape", id="a path of Windows"),
        pytest.param('{"a": [1', "(it ends within a value, line 1, character 9)", id="cut"),
        pytest.param('{"a": "b', "(it ends within a value", id="cut in a text"),
        pytest.param('{"a": 1 "b": 2}', "(a comma is missing", id="comma missing"),
        pytest.param('{"a" 1}', "(a colon is missing", id="colon missing"),
        pytest.param('{"a": True}', "(a value is missing", id="a word"),
        pytest.param('["a\nb"]', "(a line ends within quotes", id="line end in a text"),
        pytest.param(b"PK\3\4", "a workbook, or another packed file, and no text", id="workbook"),
        pytest.param("\0", "no JSON", id="zero byte"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_reason(text: str | bytes, why: str) -> None:
    with pytest.raises(BadJson) as refused:
        read_json(text)
    assert why in str(refused.value)
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "text",
    [
        nested(DEPTH),
        json.dumps("[" * MANY + '"\\'),
        "[" + ",".join(["[]", "{}"] * 100) + "]",
        str(2**63 - 1),
        str(1 - 2**63),
        "1e308",
        "5e-999",
        '"\\ud83c\\udc04"',
        '"🀄 \\u4e2d \\\\ud800"',
    ],
)
def test_what_any_reader_can_keep_is_read_as_it_is(text: str) -> None:
    assert read_json(text) == read_json(text.encode()) == json.loads(text)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read_json(b"\xef\xbb\xbf[1]") == [1]


def random_value(chance: random.Random, depth: int) -> Any:
    """A value that JSON can carry, seldom deeper than five."""
    kind = chance.randrange(7 if depth < 5 else 5)
    if kind == 0:
        return chance.choice([None, True, False])
    if kind == 1:
        return chance.randrange(-(2**63) + 1, 2**63) >> chance.randrange(64)
    if kind == 2:
        return chance.uniform(-1, 1) * 10.0 ** chance.randrange(-300, 300)
    if kind in (3, 4):
        return "".join(chance.choice('a\\"[{}]\n\té中🀄\0\u2028') for _ in range(chance.randrange(9)))
    values = [random_value(chance, depth + 1) for _ in range(chance.randrange(5))]
    return values if kind == 5 else {f"{number}[": value for number, value in enumerate(values)}


def test_every_value_comes_back_however_it_was_written(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(500):
        value = random_value(chance, 0)
        for ascii_only in (True, False):
            text = json.dumps(value, ensure_ascii=ascii_only, indent=chance.choice([None, 1]))
            assert read_json(text) == value


def test_of_a_file_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text("[1, 2]")
    assert read_json_file(file, Budget(6, 3)) == [1, 2]
    with pytest.raises(OSError, match="longer than 5 bytes"):
        read_json_file(file, Budget(5, 3))
    with pytest.raises(OSError, match="longer than 1,000 bytes"):
        read_json_file(Path("/dev/zero"), Budget(1000, 3))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_is_read_in_any_encoding_that_says_so_and_with_any_end_of_line(encoding: str, end: str) -> None:
    data = f'{{{end} "name": "Zoë 熊猫",{end} "n": 1{end}}}{end}'.encode(encoding)
    assert read_json(data) == {"name": "Zoë 熊猫", "n": 1}
    assert list(json_lines(io.BytesIO(data))) == [(1, {"name": "Zoë 熊猫", "n": 1})]


def test_lines_are_read_one_after_the_other_and_a_bad_one_stands_in_its_place() -> None:
    stream = '{"a": 1}\n\n{\n "b": {\n  "c": [\n  {"d": 1}\n ]}\n}\n{"e": 1\n{"f":\n 1 2\n}\n [3]\n[4]\n'
    found = list(json_lines(io.BytesIO(stream.encode() + b"\xff\n5\n")))
    told = [(number, str(one) if isinstance(one, Exception) else one) for number, one in found]
    assert told == [
        (1, {"a": 1}),
        (3, {"b": {"c": [{"d": 1}]}}),
        (9, "it is no JSON (it ends within a value, line 9, character 8)"),
        (10, "it is no JSON (a comma is missing, line 11, character 4)"),
        (14, [4]),
        (15, "line 15 is no UTF-8 (byte 1); save the file as UTF-8"),
        (16, 5),
    ]


def test_values_come_as_they_are_written_and_nothing_waits_for_the_end() -> None:
    out, into = os.pipe()
    with os.fdopen(out, "rb") as stream, os.fdopen(into, "wb", buffering=0) as writer:
        lines = json_lines(stream)
        for number in (1, 2):
            writer.write(b'{"a": 1}\n')
            assert next(lines) == (number, {"a": 1})
