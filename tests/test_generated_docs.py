"""Documents that come from the code are as the code has it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.journal.golden import rows
from tests.needs import group
from tools.draw_current import draw as draw_current
from tools.draw_layout import draw
from tools.generate_docs import DOCS, PAGES, PARTS, with_parts, with_tables
from tools.spec_tables import SPEC
from wallwright_firmware.cycle import _ACTIONS
from wallwright_protocol.faults import WORDS, catalogue, pattern
from wallwright_protocol.names import FAULTS, STATES
from wallwright_protocol.transitions import TRANSITIONS

ROOT = DOCS.parent
COPIED = ("protocol", "firmware", "simulator", "host", "tools", "docs", "tests/protocol")
WITHOUT = shutil.ignore_patterns("__pycache__", "*.png", "locale")


def without_meaning(spec: str) -> list[str]:
    """Return the rows of SPEC.md's lists of numbers whose last cell is empty."""
    (numbers,) = re.findall(r"^## 10\. Numbers\n(.*?)^## 11\.", spec, re.DOTALL | re.MULTILINE)
    return re.findall(r"^\|.*\| +\|$", numbers, re.MULTILINE)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose pages may be spoiled."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=WITHOUT)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.parametrize(
    ("words", "spoilt"),
    [
        (
            ["-m", "tools.generate_docs"],
            [("docs/faults.md", "E01"), ("docs/line.md", r"\bCALL\b"), ("docs/carrier-power.svg", "<path")],
        ),
        (["-m", "tools.draw_layout"], [("docs/layout.svg", "<circle")]),
        (["-m", "tools.draw_current"], [("docs/current-of-a-build.svg", "<polyline")]),
        (["-m", "tests.protocol.spec"], [("protocol/wallwright_protocol/SPEC.md", "^(?:[0-9a-f]{2} ){8}")]),
    ],
    ids=lambda value: value[-1] if "-m" in value else "",
)
def test_the_command_that_a_stale_page_names_mends_it(
    copy: Path, words: list[str], spoilt: list[tuple[str, str]]
) -> None:
    if "tools.generate_docs" in words:
        group("carrier")  # it draws the carrier's pictures too
    for page, right in spoilt:
        text = (ROOT / page).read_text()
        (copy / page).write_text(re.sub(right, "ff ", text, count=1, flags=re.MULTILINE))
        assert (copy / page).read_text() != text
    folders = os.pathsep.join(map(str, [copy, *map(copy.joinpath, COPIED[:4])]))
    done = subprocess.run(
        [sys.executable, *words], cwd=copy, env=os.environ | {"PYTHONPATH": folders}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for page, _ in spoilt:
        assert (done.stdout or (copy / page).read_text()) == (ROOT / page).read_text(), page


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_not_stale(name: str) -> None:
    assert (DOCS / name).read_text() == PAGES[name](), "run: .venv-dev/bin/python -m tools.generate_docs"


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_a_generated_part_is_there_and_not_stale(path: Path) -> None:
    text = path.read_text()
    for name, part in PARTS[path].items():
        assert part() in text, name
    assert text == with_parts(text, PARTS[path]), "run: .venv-dev/bin/python -m tools.generate_docs"


def test_the_tables_of_the_protocol_are_not_stale_and_every_number_has_a_meaning() -> None:
    text = SPEC.read_text()
    assert text == with_tables(text), "run: .venv-dev/bin/python -m tools.generate_docs"
    assert without_meaning(text) == []


def test_a_number_without_a_meaning_is_found() -> None:
    text = SPEC.read_text().replace(f"| 1 | {STATES[1]} |", "| 1 | another |")
    assert without_meaning(with_tables(text)) == [f"| 1 | {STATES[1]} | |"]


def test_every_fault_has_words_and_no_words_lack_a_fault() -> None:
    assert tuple(WORDS) == FAULTS
    assert all(meaning.endswith(".") and what_to_do.endswith(".") for meaning, what_to_do in WORDS.values())
    assert [row["code"] for row in catalogue()] == list(range(1, len(FAULTS)))


def test_a_pattern_reads_from_its_lowest_bit() -> None:
    assert pattern(0b00000101) == "*.*....."


def test_every_transition_names_states_and_an_action_that_exist() -> None:
    for (state, _), (following, action) in TRANSITIONS.items():
        assert 0 <= state < len(STATES)
        assert 0 <= following < len(STATES)
        assert action in {*_ACTIONS, "rest"}


def test_the_picture_of_the_layout_is_not_stale_and_nothing_imports_from_above() -> None:
    picture = draw()
    assert (DOCS / "layout.svg").read_text() == picture, (
        "run: .venv-dev/bin/python -m tools.draw_layout >docs/layout.svg"
    )
    assert picture.count("<circle") > 50
    assert "#c0392b" not in picture


def test_the_picture_of_a_builds_current_is_not_stale() -> None:
    picture = draw_current()
    assert (DOCS / "current-of-a-build.svg").read_text() == picture, (
        "run: .venv-dev/bin/python -m tools.draw_current >docs/current-of-a-build.svg"
    )
    assert picture.count("<polyline") == 2


def test_the_schema_takes_every_body_that_was_written_and_no_other_shape() -> None:
    from jsonschema import Draft202012Validator  # here, since it takes 2 s, and every process of a run collects this

    schema = json.loads((DOCS / "journal-records.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    for row in rows("golden-shapes"):
        kind, body = row[5], json.loads(row[6])
        judge = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]})
        judge.validate(body)
        for name in schema["$defs"][kind]["required"]:
            assert not judge.is_valid({key: value for key, value in body.items() if key != name})
        if kind != "declared":
            assert not judge.is_valid({**body, "surplus": 1})
