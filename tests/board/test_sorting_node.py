"""A node that sorts: its own image, on an emulated chip beside the board's."""

from tests.board.test_sorter import ALL_SCRAPERS, REAL, RING_ON_LINE, SETTLED_MS
from tests.firmware.prescribing import Director
from wallwright_protocol import line
from wallwright_protocol.hardware import KNOCK_OFF, SCRAPER, sorter_bit
from wallwright_simulator.readers import ALL_READERS

LOOKS_MS = 20
"""A node looks at its clock, and the emulator at its node, within so long."""


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
