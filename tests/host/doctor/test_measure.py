"""`doctor measure`: what is printed, what is written, and that a simulated table's figures are called so."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from wallwright.doctor.bench import Edge, Look
from wallwright.doctor.chip_figures import Report, compare, emulated_report, read_report, what_to_bridge
from wallwright.doctor.measure import no_samples, take_build
from wallwright.errors import BadPath


def test_a_simulated_table_says_what_it_has_and_that_it_is_simulated(run, port):
    done = run(f"doctor measure --port {port}")
    assert done.code == 0, done.err
    lines = {line[:36].strip(): line[36:].split() for line in done.out.splitlines()}
    assert lines[""] == ["simulated", "emulated"]
    assert lines["random bits"] == ["8,192", "8,192"]
    assert lines["collection, longest"][0] == "–"
    assert "bridge" not in done.out
    assert "1 kOhm" not in done.out
    assert run(f"status --port {port} --json").records[0]["state"] != "service"


def test_the_file_holds_what_json_prints_and_is_no_other_file(run, port, tmp_path):
    path = tmp_path / "figures.json"
    done = run(f"doctor measure --port {port} --out {path} --json")
    assert done.code == 0, done.err
    assert done.err == ""
    (record,) = done.records
    assert json.loads(path.read_text()) == record
    assert read_report(path.read_bytes(), "x").kind == "simulated"
    before = path.read_bytes()
    again = run(f"doctor measure --port {port} --out {path}")
    assert again.code == 2
    assert "choose another path" in again.err
    assert path.read_bytes() == before


def test_the_emulated_figures_come_with_the_command_that_made_them():
    report = emulated_report()
    assert report.kind == "emulated"
    assert report.command.startswith("wallwright doctor measure --port 'sim://?board=rp2040")
    assert list(report.figures) == ["collections", "flash", "noise", "inputs", "outputs", "polls"]
    assert report.figures["collections"]["samples_lost"] == report.figures["flash"]["samples_lost"] == 0


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"format": 2}', b"\xff"])
def test_another_file_is_no_report(data):
    with pytest.raises(BadPath, match="measure again"):
        read_report(data, "other.json")


def test_a_bridge_is_asked_for_only_where_one_is_missing():
    emulated = emulated_report()
    board = emulated.model_copy(update={"kind": "measured"})
    assert "GP22 (pin 29)" in what_to_bridge(board)
    seen = {"count": 20, "least_us": 210, "mean_us": 700, "most_us": 1300, "pulses": 20}
    bridged = board.model_copy(update={"figures": board.figures | {"inputs": seen}})
    assert what_to_bridge(bridged) == ""
    rows = {row.what: row.here for row in compare(bridged, emulated)}
    assert rows["input seen, longest"] == "1,300"
    assert isinstance(bridged, Report)


@pytest.mark.parametrize(
    ("back_ms", "is_taken"),
    [(0, True), (900, True), (901, False), (1000, False), (1099, False), (1179, False), (1180, True), (2000, True)],
)
def test_a_tile_that_passed_the_eye_near_a_belt_s_run_back_is_no_sample(back_ms: int, is_taken: bool) -> None:
    dark = tuple(Edge(time_ms, "count_eye_2", level) for time_ms, level in ((1000, 1), (1080, 0)))
    looks = [
        Look(back_ms, frozenset(), ("conveyor_reverse_2",), (), (), 0),
        Look(back_ms, frozenset(), ("conveyor_reverse_1",), (), dark, 0),
        Look(1000, frozenset(), ("conveyor_reverse_1", "conveyor_2"), (), (), 0),
    ]
    events: Any = [SimpleNamespace(name="build_started", time_ms=10), SimpleNamespace(name="build_done", time_ms=1080)]
    samples = no_samples()
    assert take_build(looks, events, samples)
    assert samples["eye_dark_ms"]["side 2"] == ([80] if is_taken else [])
    assert samples["belt_ms"]["side 2"] == [990]


def test_a_tile_that_passes_after_the_walls_are_whole_is_no_sample_and_lost_changes_make_none() -> None:
    dark = tuple(Edge(time_ms, "count_eye_0", level) for time_ms, level in ((1000, 1), (1080, 0)))
    events: Any = [SimpleNamespace(name="build_started", time_ms=0), SimpleNamespace(name="build_done", time_ms=1079)]
    samples = no_samples()
    assert take_build([Look(1000, frozenset(), (), (), dark, 0)], events, samples)
    assert samples["eye_dark_ms"]["side 0"] == []
    assert not take_build([Look(1000, frozenset(), (), (), dark, 1)], events, no_samples())
