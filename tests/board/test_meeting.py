"""A host that knows nothing of the board's release, at the port of 115,200 baud that the emulated chip has."""

from tests.board.conftest import SETTLED_MS
from wallwright.doctor.upkeep import read_settings
from wallwright.link import dictionaries
from wallwright.link.frames import decode
from wallwright.link.trace import SENT, Block, Splitter
from wallwright.table.table import open_table
from wallwright_simulator.simulation import attach

MOST_MS = 1_500
"""Time that `wallwright status` may take at the port, so that the whole program ends within 3 s on a slow machine."""


def test_a_status_with_the_boards_dictionary_takes_less_than_three_seconds(chip, monkeypatch):
    simulation = chip(21)
    simulation.run_until(SETTLED_MS)
    splitter = Splitter()
    sent: list[Block] = []
    before_ms = simulation.now_ms

    def tap(*piece):
        sent.extend(block for block in splitter.add(*piece) if block.direction == SENT)

    with monkeypatch.context() as nobody_knows:
        nobody_knows.setattr(dictionaries, "_bound", {})
        nobody_knows.setattr(dictionaries, "_released", dict)
        with open_table(attach("not-known", simulation), tap=tap) as table:
            table.status()
            read_settings(table)
            took_ms = table.now_ms() - before_ms
    # The number of that request is the same in every release.
    asked = [decode(block.data).get("message") for block in sent]
    assert asked.count("get_dictionary") >= 15
    assert took_ms <= MOST_MS
