"""A board that cannot read its file system any more says so until it has its map again; a new one has lost nothing."""

import random
from pathlib import Path

from tests.board.conftest import SETTLED_MS
from tests.board.cuts import SETTING, setting_of, started, told
from wallwright.doctor.upkeep import change_settings
from wallwright_protocol import codes
from wallwright_simulator.chip.files import BLOCK, FLASH_OFFSET
from wallwright_simulator.simulation import attach


def test_a_board_that_has_lost_its_files_says_so_until_they_are_brought_back(chip, operate, run, seed, tmp_path: Path):
    simulation = chip(1)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    change_settings(table, {SETTING: 3140})
    table.close()
    backup = tmp_path / "table.json"
    done = run(f"board backup {backup} --port {attach('before', simulation)}")
    assert done.code == 0, done
    # The root of the file system lies in its first two blocks, one of which is older.
    files = simulation.chip.flash()[FLASH_OFFSET:]
    spoilt = random.Random(seed).randbytes(2 * BLOCK) + files[2 * BLOCK :]
    with started(simulation, spoilt) as table:
        assert [fault["fault"] for fault in told(table, "fault", "notice")] == ["store_corrupt", "wiring_unknown"]
        assert simulation.board.displays[0] == "NO MAP"
    new = simulation.chip.flash()[FLASH_OFFSET:]
    with started(simulation, new) as table:
        assert "store_corrupt" in [notice["fault"] for notice in told(table, "notice")], "nobody has seen to it yet"
    port = attach("spoilt", simulation)
    assert "wiring: brought back" in run(f"board restore {backup} --port {port}").out
    # What the carriers hold is lost as well: somebody has to look, and say so with a lift key.
    assert simulation.board.displays == [f"E{codes.WALLS_UNKNOWN}"] * 4
    simulation.run_until(simulation.now_ms + 1000)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + 1000)
    done = run(f"board restore {backup} --port {port}")
    assert done.code == 0, done
    restored = simulation.chip.flash()[FLASH_OFFSET:]
    with started(simulation, restored) as table:
        assert told(table, "notice") == []
        assert setting_of(table) == 3140
        assert table.state == "idle"


def test_a_new_board_has_lost_nothing(chip):
    simulation = chip(1, flash=(), power=False)
    with started(simulation, b"") as table:
        assert [fault["fault"] for fault in told(table, "fault", "notice")] == ["wiring_unknown"]
