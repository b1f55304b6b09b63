"""The verifiers of proofs, in Python and in Node, by cases that share no code with them."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import wallwright.console
from tests import needs
from tests.proofs import all_cases
from wallwright.season.verdict import verify

STATIC = Path(wallwright.console.__file__).parent / "static"
ASKING = Path(__file__).with_name("verdicts.js")
REMEMBER = Path(__file__).with_name("remember.js")


def differences(verdicts: list[Any]) -> list[str]:
    """Name each case whose verdict is another one in a field that the case says."""
    cases = all_cases()
    assert len(verdicts) == len(cases) > 300
    return [
        f"{case['name']}: {name} is {verdict[name]!r}, not {wanted!r}"
        for case, verdict in zip(cases, verdicts, strict=True)
        for name, wanted in case["verdict"].items()
        if verdict[name] != wanted
    ]


def in_node() -> list[Any]:
    """The verdicts of static/verdict.js, run by node."""
    node = needs.program("node")
    lines = "".join(json.dumps(case["case"]) + "\n" for case in all_cases())
    told = subprocess.run([node, str(ASKING), str(STATIC)], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in told.stdout.split("\n") if line]


@cache
def in_python() -> list[Any]:
    """The verdicts of season/verdict.py."""
    return [verify(case["case"]) for case in all_cases()]


def test_the_cases_are_true_and_false_of_pages_and_days() -> None:
    kinds = [(case["case"].get("about"), case["verdict"]["accepted"]) for case in all_cases() if _is_named(case)]
    assert all(kinds.count((about, accepted)) > 20 for about in ("results", "day") for accepted in (True, False))
    names = [case["name"] for case in all_cases()]
    assert len(set(names)) == len(names)


def test_python_gives_the_verdicts_of_the_document() -> None:
    assert differences(in_python()) == []


def test_javascript_gives_the_verdicts_of_the_document_and_those_of_python() -> None:
    found = in_node()
    assert differences(found) == []
    for case, verdict, python in zip(all_cases(), found, in_python(), strict=True):
        if {verdict["why"], python["why"]} != {"form", "text"}:  # which of both, the document leaves open
            assert verdict == python, case["name"]


def _is_named(case: Any) -> bool:
    return isinstance(case["case"], dict)
