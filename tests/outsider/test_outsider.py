"""A second client, in another language, from SPEC.md and its header, against the real firmware behind a TCP port.

The link, the dice and what hostile frames do are worked out from the document's text, and so is whether the header says
what the document says: what one of them lacks or has wrong fails here. Time is virtual but in one test: the client says
how long it would wait.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs
from tests.link_failures.bad_line import BadLine
from tests.outsider.stepped import HEADER, LIMIT_S, clean, running, stepped
from tests.protocol.spec import PATH as SPEC
from wallwright_protocol.messages import CATALOG_HASH
from wallwright_simulator.simulation import Simulation

READER = Path(__file__).parent / "spec.js"
DEALS = 5
BAD_DEALS = 20
HOSTILE = 50_000
PACE = 4


@pytest.mark.timeout(LIMIT_S)
def test_five_deals_and_fifty_thousand_hostile_frames_on_a_clean_line(seed: int) -> None:
    simulation = Simulation(seed % 1000)
    result = stepped(simulation, clean, clean, DEALS, HOSTILE, seed)
    assert result["unit"] == simulation.unit
    assert result["catalog"] == CATALOG_HASH
    assert result["deals"] == len(result["rolls"]) == DEALS
    assert [roll["roll"] for roll in result["rolls"]] == list(range(1, DEALS + 1))
    assert (result["lost"], result["dropped"]) == (0, 0)
    assert result["frame_errors"] > 0
    assert result["answers"] > HOSTILE / 2


@pytest.mark.timeout(LIMIT_S)
def test_deals_on_a_bad_line(seed: int) -> None:
    simulation = Simulation(seed % 1000)
    rng = random.Random(seed)
    up, down = BadLine(rng), BadLine(rng)
    result = stepped(simulation, up.carry, down.carry, BAD_DEALS, 0, seed)
    assert result["deals"] == len(result["rolls"]) == BAD_DEALS
    assert result["lost"] == 0
    fates = up.fates + down.fates
    assert min(fates[fate] for fate in ("lost", "damaged", "doubled", "late")) > 0, fates
    assert result["frame_errors"] + result["dropped"] > 0
    board = simulation.app.events  # type: ignore[attr-defined]
    assert board.stored() <= result["events"] <= board.newest()


@pytest.mark.timeout(LIMIT_S)
def test_it_talks_to_the_table_that_the_program_simulates() -> None:
    """The way of somebody who has the program and the document, in real time; a deal would take too long."""
    command = [sys.executable, "-m", "wallwright", "simulate", "--tcp", "0", "--pace", str(PACE), "--seed", "5"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as table:
        assert table.stdout is not None
        port = next(line for line in table.stdout if line.startswith("port: ")).split()[1]
        try:
            with running(port, str(PACE), "0", "0", "0") as client:
                assert client.stdout is not None
                result = json.loads(client.stdout.read())["result"]
        finally:
            table.communicate("q\n", timeout=LIMIT_S)
    assert (result["unit"], result["catalog"], result["deals"]) == ("SIM-5", CATALOG_HASH, 0)


def differences(header: Path) -> list[str]:
    """Differences of a header from SPEC.md, by the reading of it in JavaScript."""
    command = [needs.program("node"), str(READER), str(SPEC), str(header)]
    return list(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def test_the_header_says_what_the_document_says() -> None:
    assert differences(HEADER) == []


@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        ('"set_throw": Row(0x1B', '"set_throw": Row(0x1A', "/REQUESTS/set_throw/id: 26, not 27"),
        ('Field("roll", 3, "I"', 'Field("roll", 4, "I"', "/REPLIES/roll_dice/fields/1/at: 4, not 3"),
        (
            'Field("after_ms", 2, "I", "ms")',
            'Field("after_ms", 2, "I", "s")',
            "/EVENTS/side_done/fields/2/unit: s, not ms",
        ),
        ('"claim_key_2", "claim_key_3",', '"claim_key_2"', "/INPUTS/44: undefined, not claim_key_3"),
        ('"wash_cut": 43', '"wash_cut": 44', "/LISTS/faults/wash_cut: 44, not 43"),
        ('"timing", "ms", 5, 2', '"timing", "ms", 5, 1', "/SETTINGS/debounce_ms/lowest: 1, not 2"),
    ],
)
def test_a_header_that_says_something_else_is_found(tmp_path: Path, right: str, wrong: str, where: str) -> None:
    text = HEADER.read_text()
    assert text.count(right) == 1
    (tmp_path / "spoilt.mjs").write_text(text.replace(right, wrong))
    assert differences(tmp_path / "spoilt.mjs") == [where]
