"""`.venv-dev/bin/python -m pytest -p tests.board.rp2350.port` has a table with an emulated RP2350.

Its port is `sim://?name=rp2350`.
"""

from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.simulation import attach

from .emulator import Rp2350

SEED = 21

attach("rp2350", ChipSimulation(SEED, emulator=Rp2350))
