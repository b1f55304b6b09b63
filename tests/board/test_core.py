"""The core against the one of rp2040js, which shares no code with it.

Where rp2040js departs from the architecture (ARM DDI 0419E) it is not asked: flags after a shift by a register that
holds 0 or more than 32, overflow of ADC and SBC at the ends of the range, STM with its base in the list, the cycles of
PUSH and POP with LR or PC, and SEV. The firmware itself passes through all of these.
"""

import json
import os
import subprocess
from pathlib import Path

from wallwright_simulator.chip.process import find_emulator

ROUNDS, BATCHES = 200_000, 500
"""Instructions one by one, and 64 traces each."""


def test_both_cores_do_the_same(seed):
    package = find_emulator() / "node_modules" / "rp2040js"
    lines = subprocess.run(
        ["node", str(Path(__file__).with_name("core_oracle.mjs")), str(seed), str(ROUNDS), str(BATCHES)],
        env=os.environ | {"WALLWRIGHT_RP2040JS": str(package)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    *wrong, last = [json.loads(line) for line in lines]
    assert wrong == []
    assert last["asks"] > ROUNDS / 2
    assert last["traced"] > 64 * BATCHES / 2
