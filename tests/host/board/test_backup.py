"""`board backup` and `restore`: what comes back onto the board, onto its successor, and what never does."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.board.boards import AT, LATER, Bench, of_another_release
from tests.host.board.test_update import kept, settle
from wallwright.board.backup import Backup, read_backup, restore_board, save_board, write_backup
from wallwright.board.errors import BadBackup
from wallwright.board.link import open_board
from wallwright.doctor.upkeep import change_settings
from wallwright.doctor.wiring.on_board import read_map, write_map
from wallwright.doctor.wiring.wire_map import WireMap
from wallwright.errors import BadPath, Refused
from wallwright.table.table import open_table
from wallwright.tiles.enrolment import Enrolment, enrolment_path, load_enrolment, read_readers, save_enrolment
from wallwright_protocol.settings import LID_LIMIT
from wallwright_simulator.readers import KINDS


def saved(bench: Bench) -> Backup:
    with open_board(bench.port) as board:
        return save_board(board, AT)


def restored(bench: Bench, backup: Backup, **options: Any) -> list[str]:
    told: list[str] = []
    with open_board(bench.port) as board:
        restore_board(board, backup, told.append, **options)
    return told


def test_settings_and_counters_come_back_onto_a_board_that_has_lost_them(bench: Bench, tmp_path: Path) -> None:
    settle(bench)
    before = kept(bench)
    write_backup(tmp_path / "table.json", saved(bench))
    bench.sim.board.slots.data = [b""] * len(bench.sim.board.slots.data)
    bench.sim.cut_power(500)
    bench.wait(3000)
    lost = kept(bench)
    assert lost["settings"] != before["settings"]
    told = ["wiring: brought back", "state: brought back"]
    assert restored(bench, read_backup(tmp_path / "table.json")) == told, "without its map nothing else can come back"
    after = kept(bench)
    for name in ("settings", "builds", "motor_s"):
        assert after[name] == before[name]
    assert (after["set_whole"], after["stacks"]) == (lost["set_whole"], lost["stacks"]), "the table knows its tiles"


def test_another_unit_s_backup_wants_a_word(bench: Bench, tmp_path: Path) -> None:
    settle(bench)
    backup = saved(bench)
    successor = Bench(tmp_path / "other", "successor", seed=8)
    with pytest.raises(BadBackup, match="is of unit SIM-7 and SIM-8 answers"):
        restored(successor, backup)
    assert kept(successor)["builds"] == 0
    assert restored(successor, backup, other_unit=True) == ["state: brought back", "wiring: brought back"]
    assert kept(successor)["settings"] == kept(bench)["settings"]


def test_a_table_in_play_is_neither_saved_nor_restored(bench: Bench) -> None:
    backup = saved(bench)
    with open_table(bench.port) as table:
        table.start_build()
    with pytest.raises(Refused):
        saved(bench)
    with pytest.raises(Refused):
        restored(bench, backup)


def test_a_board_of_another_release_is_saved_and_restored(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(bench)
    here = saved(bench)
    of_another_release(monkeypatch)
    bench.sim.cut_power(500)
    bench.wait(3000)
    backup = saved(bench)
    assert backup.catalog == LATER.catalog
    assert backup.records[0][45:77] == here.records[0][45:77], "the settings, as the board stores them"
    assert restored(bench, here) == ["state: brought back", "wiring: brought back"]


def test_the_list_of_tags_goes_along_and_to_the_successor_too(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "with-readers", readers=KINDS["all"])
    tags = Enrolment("SIM-7", 108).with_tag(0, "e004000000000001", "1m")
    save_enrolment(enrolment_path("SIM-7"), tags)
    with open_table(bench.port) as table:
        table.request("begin_service")
        table.request("set_enrolment", tags.digest())
        table.request("end_service")
    backup = saved(bench)
    successor = Bench(tmp_path / "other", "successor-with-readers", seed=8, readers=KINDS["all"])
    told = restored(successor, backup, other_unit=True)
    moved = load_enrolment(enrolment_path("SIM-8"))
    assert moved is not None
    assert moved.sets == tags.sets
    with open_table(successor.port) as table:
        assert read_readers(table).digest == moved.digest()
    tags_told = f"tags: brought back, in {enrolment_path('SIM-8')}"
    assert told == ["state: brought back", tags_told, "wiring: brought back"]
    save_enrolment(enrolment_path("SIM-7"), tags.with_tag(0, "e004000000000002", "2m"))
    assert any("left as they are" in text for text in restored(bench, backup))
    blind = Bench(tmp_path / "blind", "blind-successor", seed=9)
    assert any("has no readers" in text for text in restored(blind, backup, other_unit=True))


def test_a_record_that_the_board_cannot_read_is_told_and_the_others_come_back(bench: Bench) -> None:
    backup = saved(bench)
    with open_table(bench.port) as table:
        change_settings(table, {"lid_limit_ms": 3333})
    strange = Backup(backup.unit, "9.9.9", 1, AT, (*backup.records, b"a record of a later release"), None)
    told = restored(bench, strange)
    strange_told = "record 3: not brought back, the board cannot read it"
    assert told == ["state: brought back", strange_told, "wiring: brought back"]
    assert kept(bench)["settings"][LID_LIMIT] == 3500


def test_the_map_of_the_wires_comes_back_last_and_the_table_is_at_rest_then(bench: Bench, tmp_path: Path) -> None:
    """Its hash shows by which map a board goes."""
    with open_table(bench.port) as table:
        standard = table.status().wiring
        known = read_map(table)
        assert known is not None
        write_map(table, with_keys_swapped(known))
        other_map = table.status().wiring
    assert other_map != standard
    backup = saved(bench)
    assert restored(bench, backup) == ["state: brought back", "wiring: brought back"], "the same map changes nothing"
    successor = Bench(tmp_path / "other", "successor-with-a-map", seed=8)
    assert restored(successor, backup, other_unit=True)[-1] == "wiring: brought back"
    with open_table(successor.port) as table:
        assert (table.status().wiring, table.status().state, table.status().fault) == (other_map, "idle", None)
    with open_board(successor.port) as board:
        assert board.info.wiring == other_map


def test_a_file_that_is_there_is_left_alone(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text("mine")
    with pytest.raises(BadPath):
        write_backup(path, saved(bench))
    assert path.read_text() == "mine"


def with_keys_swapped(known: WireMap) -> WireMap:
    keys = ("dice_key_0", "referee_key_0")
    return replace(
        known, inputs={**known.inputs, **dict(zip(keys, (known.inputs[key] for key in keys[::-1]), strict=True))}
    )


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.__setitem__(name, value)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (change("unit", "SIM-8"), "it was changed after it was made"),
        (change("records", []), "it was changed after it was made"),
        (change("wallwright_board", 2), "it is of another version of Wallwright"),
        (lambda record: record.pop("sha256"), "this is no file of `wallwright board backup`"),
        (lambda record: record.clear(), "this is no file of `wallwright board backup`"),
    ],
)
def test_a_file_that_was_changed_is_not_believed(
    bench: Bench, tmp_path: Path, spoil: Callable[[dict[str, Any]], None], problem: str
) -> None:
    record = json.loads(saved(bench).to_bytes())
    spoil(record)
    path = tmp_path / "table.json"
    path.write_text(json.dumps(record))
    with pytest.raises(BadBackup, match=problem):
        read_backup(path)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"wallwright_board": 1}', "\0\0"])
def test_what_is_no_backup_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(BadBackup, match="take another backup"):
        read_backup(path)
