"""A ring that sorts, on the emulated board: the map says that there is one, and the nodes have its parts."""

import pytest

from tests.firmware.prescribing import RING_18, Director
from wallwright_protocol import line
from wallwright_protocol.hardware import KNOCK_OFF, RING_SORTER, SCRAPER, sorter_bit
from wallwright_simulator.mechanics import LINE_LEAD_MS
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.sorters import read_hardware

RING_ON_LINE = RING_18._replace(lead_ms=LINE_LEAD_MS)
SETTLED_MS = 3000
REAL = 1
LOOKS_MS = 20
"""A node looks at its clock, and the emulator at its node, within so long."""
ALL_SCRAPERS = sum(sorter_bit(side, SCRAPER) for side in range(4))


def test_a_board_whose_map_has_a_ring_builds_the_wall_that_a_director_has_signed(chip):
    simulation = chip(1, readers=ALL_READERS, hardware=RING_ON_LINE, wash_s=0)
    simulation.run_until(SETTLED_MS)
    table = Director(1, RING_ON_LINE, sim=simulation)
    code, told = table.request("get_sorter")
    assert (code, told["sorter"], told["sorter_places"]) == ("ok", RING_SORTER, 18)
    table.equip()
    one = table.drawn()
    told = table.build(one)
    assert (told["match"], table.is_built(one)) == (1, True)
    assert not table.named("fault")


def test_a_board_whose_map_has_none_refuses_prescriptions(chip):
    simulation = chip(1, readers=ALL_READERS, hardware=read_hardware("plain"))
    simulation.run_until(SETTLED_MS)
    table = Director(1, sim=simulation)
    assert table.request("get_sorter")[1]["sorter"] == 0
    assert table.request("prescribe", 300, 0, bytes(200))[0] == "no_sorter"


def test_a_real_node_moves_its_solenoids_reads_its_mouth_and_lets_go_without_its_board(chip):
    """The node's own image, on a chip of its own: registers and a fifth front end on its bus."""
    simulation = chip(1, readers=ALL_READERS, hardware=RING_ON_LINE, wash_s=0, real_node=REAL)
    simulation.run_until(SETTLED_MS)
    table = Director(1, RING_ON_LINE, sim=simulation)
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    assert table.request("start_build")[0] == "ok"
    sorter = simulation.world.sorter
    table.run(500)
    assert sorter._mask & ALL_SCRAPERS == ALL_SCRAPERS
    strokes = sorter.solenoids[REAL, SCRAPER].strokes
    table.run(8000)
    assert not table.named("fault"), "the board sees the end switches of every side"
    # It goes out for a tile that its own antenna has read, and the table has counted it.
    assert sorter.solenoids[REAL, SCRAPER].strokes > strokes
    assert simulation.world.heads[REAL].tiles or simulation.world.heads[REAL].carrier
    simulation.chip.do("power", on=False)
    simulation.run_until(simulation.now_ms + line.WORK_MS + LOOKS_MS)
    assert not sorter._mask & sum(sorter_bit(REAL, kind) for kind in (SCRAPER, KNOCK_OFF))


@pytest.mark.parametrize("lost", ["board", "node"])
def test_springs_bring_all_back_when_board_or_node_loses_its_power(chip, lost):
    simulation = chip(1, readers=ALL_READERS, hardware=RING_ON_LINE, wash_s=0)
    simulation.run_until(SETTLED_MS)
    table = Director(1, RING_ON_LINE, sim=simulation)
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    assert table.request("start_build")[0] == "ok"
    simulation.run_until(simulation.now_ms + 500)
    sorter = simulation.world.sorter
    assert sorter._mask & ALL_SCRAPERS == ALL_SCRAPERS
    if lost == "board":
        simulation.power_off()
    else:
        simulation.nodes.nodes[2].lose_power()
    simulation.run_until(simulation.now_ms + 200)
    assert sorter._mask & ALL_SCRAPERS == (0 if lost == "board" else ALL_SCRAPERS & ~sorter_bit(2, SCRAPER))
