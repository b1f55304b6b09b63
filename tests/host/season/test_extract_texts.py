"""Texts in an extract that its hall has signed, and that no form of ours would have taken."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from tests.host.season.test_extract import write
from wallwright.cli.program import app
from wallwright.journal.entry import row_text, to_json
from wallwright.journal.leaves import WholeOpening
from wallwright.season.errors import BadExtract
from wallwright.season.extract import make_extract
from wallwright.season.extract_check import check_extract
from wallwright.season.extract_file import Extract, Said, pack, read, sign, unpack

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
HOSTILE = {
    "ESC": "A\x1b]0;x\x07",
    "CSI": "A\x9b2J",
    "NUL": "A\0",
    "DEL": "A\x7f",
    "LF": "A\nB",
    "CR": "A\rB",
    "a line's end at the end": "A\n",
    "LS": "A\u2028B",
    "RLO": "A\u202eB",
    "a tag": "A\U000e0041",
    "private use": "A\ue000",
    "unassigned": "A\U0004ffff",
    "lost": "A\ufffd",
    "100,000 characters": "A" * 100_000,
}
NAMELESS = {"blanks": " \u3000", "nothing": "", "a zero width space": "\u200b"}


@dataclass(frozen=True)
class Told:
    """An extract all of whose entries are told by the hall's word, so that any of them may say anything."""

    extract: Extract

    def changed(self, at: int, place: tuple[Any, ...], text: str) -> bytes:
        """The signed file in which another text stands at a place of a told entry."""
        body = msgspec.to_builtins(self.extract.stated[at].body)
        body = json.loads(json.dumps(body))
        inner = body
        for step in place[:-1]:
            inner = inner[step]
        if place[-1] == "a field's name":
            inner[text] = ""
        else:
            inner[place[-1]] = text
        one = self.extract.stated[at]
        stated = list(self.extract.stated)
        stated[at] = Said(one.entry, one.at_ms, one.unit, one.kind, body)
        return sign(msgspec.structs.replace(self.extract, stated=tuple(stated)), KEY)


COMPARED: dict[tuple[str, ...], str] = {
    ("table_bound", "unit"): "is not what its entry says",
    ("deal_annulled", "rule"): "stands beside entry",
}
"""Texts that are compared with results before anything else is read, each with the words of that refusal."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    place = write(tmp_path_factory.mktemp("day") / "day.journal")
    found = read(make_extract(str(place), KEY), "x").extract
    keys = unpack(found.keys, 32, "keys", "x")
    own = {
        one.entry: WholeOpening(
            key, row_text((one.entry, one.at_ms, one.unit, None, None, one.kind, to_json(one.body)))
        ).leaf
        for one, key in zip(found.entries, keys, strict=True)
    }
    leaves = own | dict(zip((one.entry for one in found.stated), unpack(found.leaves, 32, "leaves", "x"), strict=True))
    stated = tuple(sorted((*found.entries, *found.stated), key=lambda one: one.entry))
    order = tuple(leaves[one.entry] for one in stated)
    return Told(msgspec.structs.replace(found, entries=(), keys="", stated=stated, leaves=pack(order)))


def texts(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, str):
        yield place
    elif isinstance(value, dict):
        yield (*place, "a field's name")
        for key, one in value.items():
            yield from texts(one, (*place, key))
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield from texts(one, (*place, number))


def refusal(data: bytes) -> str:
    with pytest.raises(BadExtract) as refused:
        check_extract(data, "day.extract")
    said = str(refused.value)
    assert said.isprintable()
    assert len(said) < 1000
    return said


def test_no_text_of_any_told_entry_is_one_that_no_form_would_take(told: Told) -> None:
    check_extract(sign(told.extract, KEY), "x")
    places: dict[tuple[Any, ...], tuple[int, tuple[Any, ...]]] = {}
    for at, one in enumerate(told.extract.stated):
        for place in texts(one.body):
            kind = (one.kind, *(step for step in place if isinstance(step, str)))
            places.setdefault(kind, (at, place))
    assert len({kind for kind, *_ in places}) > 10
    seed = Random().randrange(1 << 32)
    drawn = Random(seed)
    for kind, (at, place) in places.items():
        name = drawn.choice([*HOSTILE])
        said = refusal(told.changed(at, place, HOSTILE[name]))
        where = f"seed {seed}: {kind}, {name}: {said}"
        assert COMPARED.get(kind, f"entry {told.extract.stated[at].entry} ({kind[0]})") in said, where


def test_whatever_is_wrong_with_a_name_is_said_with_its_place(told: Told, tmp_path: Path) -> None:
    at = next(at for at, one in enumerate(told.extract.stated) if one.kind == "players_imported")
    place = ("roster", "players", 1, "name")
    for name, text in (HOSTILE | NAMELESS).items():
        file = tmp_path / "day.extract"
        file.write_bytes(told.changed(at, place, text))
        ended = CliRunner().invoke(app, ["season", "check", str(file)])
        assert ended.exit_code != 0, name
        assert "roster.players.1.name: " in str(ended.exception), name
        assert ("100000 characters, and may have 64" in str(ended.exception)) == (name == "100,000 characters")
    # Rare letters, joiners that a script needs, and a long name are names.
    for text in ("𠮷野", "می‌خواهم", "क्‍ष", "A" * 64, "O'Neill-Müller"):
        check_extract(told.changed(at, place, text), "x")


def test_the_unit_and_the_reason_of_a_result_are_held_to_the_same(told: Told) -> None:
    one = told.extract.results[0]
    for text in HOSTILE.values():
        results = (msgspec.structs.replace(one, reason=text), *told.extract.results[1:])
        assert "reason" in refusal(sign(msgspec.structs.replace(told.extract, results=results), KEY))
        said = told.extract.stated[-1]
        stated = (*told.extract.stated[:-1], Said(said.entry, said.at_ms, text, said.kind, said.body))
        assert "unit" in refusal(sign(msgspec.structs.replace(told.extract, stated=stated), KEY))
