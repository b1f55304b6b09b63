"""The campaign of single faults: it covers what there is, it finds danger where nobody looks, and none here."""

import random

import pytest

from tests.campaign.single_faults import PLACES, Case, cases, run, scripts
from tests.length import length
from tools.safety_table import load_rows
from wallwright_firmware.watch import Watch
from wallwright_protocol.hardware import OUTPUTS
from wallwright_protocol.names import DRIVES, INPUTS, STATES

CASES = length(24, 200)
LONGEST_MS = 250
UNTRIED = {"starting", "pausing", "service", "holding", "asking", "stopped_raising", "stopped_lowering"}
"""A start, strokes that end before the lid opens, a technician's service, a build that a host holds, and lifts stopped
on their way."""


def test_every_drive_input_output_and_sense_has_its_rows():
    found = [script for row in load_rows() for script in scripts(row)]
    for name in (drive.replace("_", " ") for drive in DRIVES):
        for what in ("drive", "sense"):
            for how in ("on", "off"):
                assert f"{what} {name} stuck {how} at AT" in found
    for number in range(len(INPUTS)):
        for how in ("on", "off"):
            assert f"input {number} stuck {how} at AT" in found
    assert {f"output {place} flips at AT" for place in range(OUTPUTS)} <= {*found}
    assert set(STATES) - {*PLACES} == UNTRIED


def test_nothing_is_dangerous_and_unseen(seed):
    chosen = random.Random(seed).sample(list(cases(seed)), CASES)
    for outcome in map(run, chosen):
        assert outcome.told or not outcome.danger_ms, outcome
        assert outcome.danger_ms <= LONGEST_MS, outcome


@pytest.mark.parametrize("script", ["drive conveyor 0 stuck on at AT", "drive lid open stuck on at AT"])
def test_it_finds_danger_where_nobody_judges_the_senses(script, seed, monkeypatch):
    monkeypatch.setattr(Watch, "_runs", lambda *_: None)
    outcome = run(Case(0, script, "ready", seed))
    assert outcome.danger_ms > LONGEST_MS
    assert "drive_runs" not in outcome.told
