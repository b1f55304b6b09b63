"""Whatever stands in a TOML file instead of what belongs there, the error is one line that names file and key."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from wallwright.doctor.profiles import read_profile
from wallwright.doctor.wiring.wire_map import STOP, parse_map, standard_map
from wallwright.errors import BadConfig
from wallwright.event.format import EventFormat
from wallwright.event.format_file import parse_format
from wallwright.fleet import load_hall
from wallwright.rules.core.errors import RulesetError
from wallwright.rules.hong_kong.ruleset import BOOK
from wallwright.rules.sichuan.ruleset import parse_ruleset
from wallwright.season.format import SeasonFormat
from wallwright.season.format_file import parse_format as parse_season
from wallwright.system.toml_file import Form, _wanted

ODD = (
    "-1",
    "true",
    "0.5",
    "inf",
    "07:32:00",
    '""',
    '"a\\nb"',
    '"\\u202e"',
    "[[]]",
    "[1, {}]",
    "{}",
    "{ x = { y = 1 } }",
)
FORMAT = [field.name for field in fields(EventFormat)]
SEASON = [field.name for field in fields(SeasonFormat)]
HALL = ["journal", "rules", "ports", "witnesses", "backup", "backup_every_min", "table"]
MAP = [
    "version",
    "hash",
    "lanes",
    "inputs",
    "outputs",
    "timings",
    "inputs.disc",
    "inputs.emergency_stop",
    "outputs.disc",
]
PROFILE = ["title", "figures", "limits", "figures.lid_ms", "figures.lid_ms.value", "limits.lid_ms", "x"]


def hall(text: str, name: str, folder: Path) -> object:
    (folder / name).write_text(text, encoding="utf-8")
    return load_hall(folder / name)


READERS: dict[str, tuple[list[str], Callable[[str, str, Path], object], dict[str, str]]] = {
    "format": (FORMAT, lambda text, name, _: parse_format(text, name), {"base": '"mil-2025"'}),
    "hall": (HALL, hall, {"journal": '"j"'}),
    "map": (MAP, lambda text, name, _: parse_map(text, name), {"version": "1", "lanes": "[0]"}),
    "season": (SEASON, lambda text, name, _: parse_season(text, name), {"base": '"league"'}),
    "profile": (PROFILE, lambda text, name, _: read_profile(name, text), {"title": '"x"'}),
}
"""Of each kind of file: keys, its reader, and what it has at least."""


def test_no_file_of_such_a_form_is_forgotten() -> None:
    forms = [one for one in Form.__subclasses__() if one.__module__.startswith("wallwright.")]
    used = {form["$ref"].rpartition("/")[2] for one in forms for form in _references(one.model_json_schema())}
    assert len(READERS) == len({(one.__module__, one.__name__) for one in forms if one.__name__ not in used})


def test_no_key_that_takes_one_value_is_said_to_take_a_table() -> None:
    for one in Form.__subclasses__():
        for key, taken in one.model_json_schema()["properties"].items():
            if taken.get("type") in ("string", "integer", "number", "boolean", "array"):
                assert _wanted(taken) != "a table", (one, key)


def _references(value: object) -> Iterator[dict[str, str]]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value
        for one in value.values():
            yield from _references(one)
    elif isinstance(value, list):
        for one in value:
            yield from _references(one)


@pytest.mark.parametrize("reader", READERS)
def test_an_odd_value_is_told_in_one_line_that_names_file_and_key(reader: str, tmp_path: Path) -> None:
    keys, read, least = READERS[reader]
    refused = 0
    for key in keys:
        for odd in ODD:
            text = "".join(f"{one} = {value}\n" for one, value in (least | {key: odd}).items())
            try:
                read(text, "its.toml", tmp_path)
            except BadConfig as error:
                said = str(error)
                assert "its.toml: " in said
                assert said.isprintable(), said
                assert key.rpartition(".")[2] in said or STOP in said, (key, odd, said)
                refused += 1
    assert refused >= len(keys) * (len(ODD) - 4)


def ruleset(text: str, name: str, folder: Path) -> object:
    (folder / name).write_text(text, encoding="utf-8")
    return BOOK.load(str(folder / name))


LONG: dict[str, Callable[[str, str, Path], object]] = {name: read for name, (_, read, _) in READERS.items()} | {
    "sichuan": lambda text, name, _: parse_ruleset(text, name),
    "hong kong": ruleset,
}


@pytest.mark.parametrize("reader", LONG)
def test_a_wrong_value_of_any_length_is_told_in_a_short_line(reader: str, tmp_path: Path) -> None:
    said = []
    for key in ("base", "seats", "result", "version", "title", "journal", "fan_limit", "lanes"):
        for value in (f'"{"x" * 100_000}"', f"[{'1, ' * 20_000}]"):
            try:
                LONG[reader](f"{key} = {value}", "its.toml", tmp_path)
            except (BadConfig, RulesetError) as error:
                said.append(str(error))
    assert said
    assert max(map(len, said)) < 900


def test_the_standard_map_is_read_as_it_is_written() -> None:
    assert parse_map(standard_map().to_toml()) == standard_map()
