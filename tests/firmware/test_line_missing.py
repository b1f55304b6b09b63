"""Nodes of the line that were there at the board's last start, and are not at this one."""

from tests.firmware.test_line import Table, four
from wallwright_firmware.line import MISSING_MS, Line
from wallwright_simulator.line import ModelNode


def test_a_node_that_is_missing_since_the_start_is_named_once_and_then_no_longer_looked_for():
    before = four()
    before.run(100)
    assert before.line.known == 0b1111
    table = Table(*[ModelNode(address) for address in range(4)])
    table.line = Line(table.wire, before.line.known)
    table.nodes[2].dead = True
    table.run(MISSING_MS - 10)
    assert table.faults == []
    table.run(600)
    assert table.faults == [("node_silent", 2)]
    assert table.line.known == 0b1011
    table.run(2000)
    table.nodes[2].restart()
    table.run(600)
    assert table.line.known == 0b1111
    table.nodes[2].dead = True
    table.run(600)
    assert table.faults == [("node_silent", 2)] * 2, "and one that dies later is named as ever"


def test_a_node_that_was_never_there_is_not_missed():
    table = Table(ModelNode(0))
    table.run(2 * MISSING_MS)
    assert (table.faults, table.line.known) == ([], 1)
