"""A ring that sorts, on the emulated board: the map says that there is one, and the nodes have its parts."""

import pytest

from tests.firmware.prescribing import RING_18, Director
from wallwright_protocol.hardware import RING_SORTER, SCRAPER, sorter_bit
from wallwright_simulator.mechanics import LINE_LEAD_MS
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.sorters import read_hardware

RING_ON_LINE = RING_18._replace(lead_ms=LINE_LEAD_MS)
SETTLED_MS = 3000
REAL = 1
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
