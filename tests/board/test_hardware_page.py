"""docs/hardware.md from a blank chip: its own commands, in their order, until drives have moved one by one.

campaign.py goes on to walls and a first deal: each second of the table's time takes some seconds on an emulated chip.
"""

from pathlib import Path

from tests.host.hardware_page import to_a_first_build, to_a_map
from wallwright_simulator.chip.image import find_image
from wallwright_simulator.simulation import attach


def test_the_page_leads_from_a_blank_chip_to_drives_that_move(chip, run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    simulation = chip(5, blank=True)
    port = attach("page-on-a-chip", simulation)
    to_a_map(run, simulation, port, f"--image {find_image()}", monkeypatch)
    to_a_first_build(run, simulation, port, monkeypatch, leave=("doctor calibrate", "doctor test"))
    assert simulation.resets == 0
