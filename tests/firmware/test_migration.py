"""Boards come from every release: what each one's own program has stored is understood by this one.

tests/data/store/released.json holds the slots as simulated tables of those releases left them, at moments of a deal,
and what their programs knew then. It was made by their own code, and grows by a release whenever the layout changes.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware import store
from wallwright_firmware.app import App
from wallwright_firmware.settings import defaults
from wallwright_protocol.names import CARRIERS, PLAN_MODES

RELEASED: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data/store/released.json").read_text()
)
CASES = [(release, row) for release, rows in RELEASED.items() for row in rows]


def started(slots: list[str]) -> App:
    board = FakeBoard()
    board.slots[:2] = [bytes.fromhex(slot) for slot in slots]
    return run(App(board, b"unit", 108))


def run(app: App) -> App:
    """Poll it until nothing is due."""
    app.poll(0, b"")
    while app.due <= 0:
        app.poll(0, b"")
    return app


@pytest.mark.parametrize(("release", "row"), CASES, ids=[f"{release}: {row['what']}" for release, row in CASES])
def test_what_a_release_has_stored_is_there_after_the_update(release: str, row: dict[str, Any]) -> None:
    app = started(row["slots"])
    cycle, build = app.cycle, app.build
    assert not app._store_is_corrupt
    kept = row["kept"]
    if kept is None:
        assert cycle.walls_unknown, "nobody knew what the carriers hold, and nobody knows it now"
        return
    carriers = CARRIERS[store.held(cycle, build)]
    # Walls that stand on the lifts of a table are not seen by this board's switches.
    assert carriers == kept["carriers"]
    assert (cycle.boots, cycle.builds, cycle.set_above) == (kept["boots"] + 1, kept["builds"], kept["set_above"])
    assert (cycle.deal, cycle.dealer, list(cycle.dice)) == (kept["deal"], kept["dealer"], [*kept["dice"], 0])
    assert (list(cycle.plan), cycle.plan_dealer) == (kept["plan"], kept["plan_dealer"])
    assert list(build.stacks()) == kept["stacks"]
    assert PLAN_MODES[cycle.plan_mode] == kept["mode"]
    known = kept.get("settings", [])
    assert app.settings.values == known + defaults()[len(known) :]
    if "counters" in kept:
        stored = bytes.fromhex(kept["counters"])
        assert app.counters.data == stored[:92] + bytes(len(app.counters.data) - len(stored)) + stored[92:]
    else:
        assert not any(app.counters.data)


@pytest.mark.parametrize("release", RELEASED)
def test_what_is_stored_after_the_update_has_this_release_s_layout(release: str) -> None:
    for row in RELEASED[release]:
        board = FakeBoard()
        board.slots[:2] = [bytes.fromhex(slot) for slot in row["slots"]]
        first = run(App(board, b"unit", 108))
        assert board.saved[-1][1][2] == store.VERSION
        second = App(board, b"unit", 108)
        assert (second.settings.values, second.counters.data) == (first.settings.values, first.counters.data)


@pytest.mark.parametrize("release", RELEASED)
def test_a_slot_of_a_release_that_was_damaged_is_not_read(release: str) -> None:
    record = bytes.fromhex(RELEASED[release][-1]["slots"][0])
    assert store.fields_of(record)
    for at in range(len(record)):
        assert not store.fields_of(record[:at] + bytes([record[at] ^ 1]) + record[at + 1 :]), at
        assert not store.fields_of(record[:at])


def test_a_layout_of_a_later_release_is_not_guessed_at() -> None:
    board = FakeBoard()
    record = bytearray(bytes.fromhex(RELEASED["version 1"][0]["slots"][0]))
    record[2] = store.VERSION + 1
    from zlib import crc32

    record[-4:] = crc32(record[:-4]).to_bytes(4, "little")
    board.slots[:2] = [bytes(record)] * 2
    assert App(board, b"unit", 108)._store_is_corrupt
