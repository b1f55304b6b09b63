"""A fault is whole when it has words, a translation, a program that tells it, and something that brings it about.

What a new fault lacks fails here. Its number, its lists and its place in the documents follow from its line in
`codes.py`.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.campaign.causes import CAUSES
from wallwright.console import texts
from wallwright_protocol import codes
from wallwright_protocol.faults import WORDS
from wallwright_protocol.names import FAULTS

ROOT = Path(__file__).parents[1]
LINES = re.findall(
    r'^(\w+) = fault\("(\w+)"', (ROOT / "protocol/wallwright_protocol/codes.py").read_text(), re.MULTILINE
)
"""(constant of `codes.py`, name of the fault)."""
CAUSED = frozenset().union(*(each.names | each.guesses | each.tells for each in CAUSES))
WITHOUT_A_CAUSE = {
    "side_over": "firmware/test_lane.py",
    "slow_build": "firmware/test_build.py",
    "stopped": "scenarios/test_stop_and_go_on.py",
    "run_limit": "firmware/test_safety.py",
    "plan_impossible": "firmware/test_build.py",
    "store_corrupt": "firmware/test_store.py",
    "store_failed": "firmware/test_store.py",
    "reader_silent": "firmware/test_seal.py",
    "crash_loop": "scenarios/test_crash.py",
    "node_silent": "firmware/test_line.py",
    "node_doubled": "firmware/test_line_doubled.py",
    "line_disturbed": "firmware/test_line.py",
    "wiring_unknown": "firmware/test_no_map.py",
    "wash_cut": "scenarios/test_wash.py",
    "foreign_tag": "firmware/test_prescribed.py",
    "sorter_stuck": "firmware/test_prescribed.py",
    "wall_differs": "firmware/test_prescribed.py",
    "prescribed_late": "firmware/test_prescribed.py",
    "drum_unchecked": "firmware/test_unchecked.py",
    "walls_undrawn": "scenarios/test_what_people_did.py",
    "two_sets": "scenarios/test_what_people_did.py",
    "drive_runs": "firmware/test_drive_runs.py",
    "drive_dead": "firmware/test_drive_runs.py",
    "no_supply": "firmware/test_drive_runs.py",
    "lid_switches": "firmware/test_lid_switches.py",
    "output_flipped": "firmware/test_drive_runs.py",
    "input_stuck": "firmware/test_drive_runs.py",
    "self_test_failed": "firmware/test_self_tests.py",
}
"""What no evening of the campaign brings about: broken boards, nodes, programs, and what a host asks for. Fault -> the
file of the test that does."""


def names_used(source: str) -> set[str]:
    """Every name and attribute that a source refers to."""
    nodes = list(ast.walk(ast.parse(source)))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }


def test_a_constant_is_called_as_its_fault() -> None:
    assert [name for _, name in LINES] == list(FAULTS)
    for constant, name in LINES:
        assert constant == ("NO_FAULT" if name == "none" else name.upper())
        assert getattr(codes, constant) == FAULTS.index(name)


@pytest.mark.parametrize("name", FAULTS[1:])
def test_the_firmware_tells_it(name: str) -> None:
    used = [names_used(path.read_text()) for path in (ROOT / "firmware/wallwright_firmware").rglob("*.py")]
    assert any(name.upper() in names for names in used), "nothing in the firmware raises it"


@pytest.mark.parametrize("name", FAULTS[1:])
def test_it_has_words_and_their_translations(name: str) -> None:
    assert name in WORDS, "give it its words in wallwright_protocol/faults.py"
    for language in set(texts.LANGUAGES) - {"en"}:
        translate = texts.translator(language)
        for text, context in (
            (WORDS[name][0], f"fault.{name}"),
            (WORDS[name][1], f"fault.{name}"),
            (texts.words(name), ""),
        ):
            assert translate(text, context=context) != text, f"{language} lacks {text!r}"


@pytest.mark.parametrize("name", FAULTS[1:])
def test_something_brings_it_about(name: str) -> None:
    assert (name in CAUSED) != (name in WITHOUT_A_CAUSE), "give it a cause, or name the file of its test"
    if name in WITHOUT_A_CAUSE:
        said = (ROOT / "tests" / WITHOUT_A_CAUSE[name]).read_text()
        assert re.search(rf"assert .*({name.upper()}\b|\"{name}\")", said), f"no assertion in that file names {name}"
