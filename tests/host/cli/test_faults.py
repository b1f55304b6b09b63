"""`wallwright faults`."""

import json

import pytest
import typer

from wallwright.cli.faults import faults
from wallwright_protocol.codes import HEAD_JAM
from wallwright_protocol.names import FAULTS


def test_all_faults_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    faults(as_json=True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == list(FAULTS[1:])
    assert all(list(row) == ["code", "name", "severity", "lamps", "meaning", "what_to_do"] for row in rows)


@pytest.mark.parametrize("asked", ["head_jam", str(HEAD_JAM), f"E{HEAD_JAM:02d}", f"e{HEAD_JAM}"])
def test_one_fault_by_name_or_by_what_the_display_shows(capsys: pytest.CaptureFixture[str], asked: str) -> None:
    faults(asked)
    printed = capsys.readouterr().out
    assert "head_jam" in printed
    assert "lane_jam" not in printed


def test_an_unknown_fault_is_refused_by_name() -> None:
    with pytest.raises(typer.BadParameter, match="'coffee'"):
        faults("coffee")
