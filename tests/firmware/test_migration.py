"""Boards come from every release: what each one's own program has stored is understood by this one.

tests/data/store/released.json holds the slots as simulated tables of those releases left them, at moments of a deal,
and what their programs knew then. It was made by their own code, and grows by a release whenever the layout changes.
Up to version 8 settings, faults and drives were stored by their places; names.json has the names that they had.
"""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.fake_board import FakeBoard
from tests.firmware.stored import parts
from tests.firmware.torn import Memory, Torn
from wallwright_firmware import old_records, store
from wallwright_firmware.app import App
from wallwright_firmware.settings import defaults
from wallwright_firmware.store import Store
from wallwright_protocol.names import CARRIERS, DRIVES, FAULTS, PLAN_MODES, SETTINGS

FOLDER = Path(__file__).parents[1] / "data/store"
RELEASED: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "released.json").read_text())
NAMES: dict[str, list[str]] = json.loads((FOLDER / "names.json").read_text())
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
    known = dict(zip(NAMES["settings"], kept.get("settings", []), strict=False))
    assert app.settings.values == [known.get(name, usual) for name, usual in zip(SETTINGS, defaults(), strict=True)]
    assert [FAULTS[lane.fault] for lane in build.lanes] == kept.get("blocked", ["none"] * 4)
    counted = app.counters.values()
    if "counters" in kept:
        head, told, ran = counts(bytes.fromhex(kept["counters"]))
        assert counted[:5] == head
        assert counted[5 : 5 + len(FAULTS)] == tuple(told.get(name, 0) for name in FAULTS)
        assert counted[5 + len(FAULTS) :] == tuple(ran.get(name, 0) for name in DRIVES)
    else:
        assert not any(counted)


def counts(stored: bytes) -> tuple[tuple[int, ...], dict[str, int], dict[str, int]]:
    """Builds at the last clearing and jams, what was told and what ran, as the versions before 9 stored them."""
    drives = len(NAMES["ran"])
    kinds = (len(stored) - 12 - 4 * drives) // 2
    values = struct.unpack(f"<I4H{kinds}H{drives}I", stored)
    told = dict(zip(NAMES["told"][:kinds], values[5 : 5 + kinds], strict=True))
    return values[:5], told, dict(zip(NAMES["ran"], values[5 + kinds :], strict=True))


@pytest.mark.parametrize("rest", ["lost", "kept", "erased"])
@pytest.mark.parametrize("release", RELEASED)
def test_the_first_write_after_an_update_may_be_cut_at_any_byte(release: str, rest: str) -> None:
    slots = [bytes.fromhex(slot) for slot in RELEASED[release][-1]["slots"]]
    memory = Memory()
    memory.slots[:2] = slots
    old = Store(memory)
    before = old.load()
    assert before
    fields = bytearray(before)
    fields[0] ^= 1
    lasting, counted = parts(bytes(fields))
    written = old.record(lasting, counted)
    for cut in range(len(written) + 1):
        memory.slots[:2] = slots
        updated = Store(memory)
        assert updated.load() == before
        memory.cut, memory.rest = cut, rest
        with pytest.raises(Torn):
            updated.write(written, lasting)
        after = Store(memory).load()
        assert after == before or (after == bytes(fields) and cut >= len(written) - 4), cut
        if cut == len(written) and rest == "lost":
            assert after == bytes(fields)


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


def test_the_names_of_the_releases_are_those_that_they_had() -> None:
    assert (list(old_records.SETTINGS), list(old_records.FAULTS)) == (NAMES["settings"], NAMES["told"])
