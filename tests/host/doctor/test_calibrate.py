"""Calibration as a technician does it: what is measured is what the machine is, and nothing is stored without a yes."""

import json
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.campaign.machines import BREAKS, NEVER_FOUND, Report, try_machine
from tests.host.doctor.conftest import Result
from tests.host.doctor.people import Helper
from wallwright.doctor import calibrate as calibrate_module
from wallwright.doctor.bench import Bench
from wallwright.doctor.calibrate import Effort, calibrate, store
from wallwright.doctor.limits import Unhealthy
from wallwright.doctor.profiles import Figure, Profile, load_profile
from wallwright.doctor.upkeep import read_settings
from wallwright.errors import PortGone, TableFault
from wallwright.table.table import open_table
from wallwright_firmware.settings import defaults
from wallwright_protocol.settings import SET_TILES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.timing import USUAL, Timing, drawn

NAMES = count()
FEW = Effort(strokes=3, ways=1, builds=1)
SLACK_MS = 8
"""The board's steps: a debounce, a poll."""


def table_with(timing: Timing = USUAL, faults: str = "", seed: int = 3) -> tuple[Simulation, str]:
    simulation = Simulation(seed, timing=timing, faults=parse_faults(faults))
    return simulation, attach(f"calibrated-{next(NAMES)}", simulation)


def in_force(port: str) -> list[int]:
    with open_table(port) as table:
        return [setting.value for setting in read_settings(table)]


def stored(simulation: Simulation) -> list[int]:
    """What the board has after a power loss."""
    simulation.cut_power(500)
    simulation.run_until(simulation.now_ms + 2_000)
    return list(simulation.app.settings.values)  # type: ignore[attr-defined]


def quiet(_: str) -> None:
    """Nobody reads along."""


def test_what_is_measured_is_what_the_mechanics_are() -> None:
    simulation, port = table_with(drawn(5), seed=5)
    with open_table(port) as table:
        found = calibrate(Bench(table), Helper(simulation), quiet, FEW).found
    world = simulation.world
    for side in range(4):
        part = f"side {side}"
        lift, head, belt = world.lifts[side], world.heads[side], world.belts[side]
        assert all(0 <= ms - lift._out_ms <= SLACK_MS for ms in found["lift_up_ms"].parts[part])
        assert all(0 <= ms - lift._back_ms <= SLACK_MS for ms in found["lift_down_ms"].parts[part])
        assert all(abs(ms - head.cycle_ms) <= SLACK_MS for ms in found["stroke_ms"].parts[part])
        assert len(found["stroke_ms"].parts[part]) > 13, "those of the build too"
        assert set(found["eye_dark_ms"].parts[part]) == {world.timing.eye_dark_ms}
        assert all(ms >= belt.travel_ms for ms in found["belt_ms"].parts[part])
    assert set(found["disc_turn_ms"].parts["the disc"]) == {world.disc._marks_ms[1]}
    assert set(found["ring_turn_ms"].parts["the ring"]) == {world.ring._marks_ms[1]}
    assert set(found) <= set(load_profile("modelled").figures)


def test_a_machine_that_faults_by_the_usual_limits_is_fit_after_calibration_and_what_breaks_is_found() -> None:
    reports: list[Report] = [try_machine(seed, BREAKS[:2] if seed == 1 else BREAKS[3:4]) for seed in (1, 4)]
    assert all(report.before for report in reports)
    assert [report.after for report in reports] == ["", ""]
    for report in reports:
        for name, (before, after) in report.found_ms.items():
            assert after != NEVER_FOUND, name
            assert before == NEVER_FOUND or after <= before + 20, name


def test_nothing_is_stored_before_somebody_says_yes(run: Callable[[str], Result], tmp_path: Path) -> None:
    simulation, port = table_with(drawn(1), seed=1)
    done = run(f"doctor calibrate {tmp_path}/a.json --port {port}")
    assert done.code == 4
    assert "nothing was measured" in done.err
    assert in_force(port) == stored(simulation) == defaults(wash_s=0)
    assert list(tmp_path.iterdir()) == []


def test_limits_are_stored_and_one_command_brings_the_old_ones_back(
    run: Callable[[str], Result], tmp_path: Path
) -> None:
    simulation, port = table_with(drawn(1), seed=1)
    path = tmp_path / "a.json"
    done = run(f"doctor calibrate {path} --port {port} --yes --strokes 3 --ways 1 --profile modelled --json")
    assert done.code == 0, done.err
    report = json.loads(path.read_text())
    (said,) = done.records
    assert said == report | {"stored": said["stored"]}
    changed = [row["setting"] for row in report["limits"] if row["value"] != row["before"]]
    assert said["stored"] == changed
    assert stored(simulation)[:SET_TILES] == [row["value"] for row in report["limits"]]
    usual = defaults()[:SET_TILES]
    assert [row["before"] for row in report["limits"]] == usual
    assert [row["profile"] for row in report["limits"]] == usual
    picture = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    words = " ".join(text for text in picture.itertext())
    for row in report["limits"]:
        if row["quantity"] and row["setting"] not in ("starved_limit_ms", "check_ms"):
            assert f"{row['value']} ms (before {row['before']})" in words
    back = run(f"doctor calibrate {path} --restore --yes --port {port} --json")
    assert back.records == [{"restored": sorted(changed)}]
    assert stored(simulation) == defaults(wash_s=0)
    assert run(f"doctor calibrate {path} --restore --yes --port {port}").out == "The table has these limits already.\n"
    again = run(f"doctor calibrate {path} --port {port} --yes")
    assert (again.code, "left as it is" in again.err) == (2, True), "a report is never overwritten"


def test_a_report_of_another_table_is_refused(run: Callable[[str], Result], tmp_path: Path) -> None:
    _, port = table_with(seed=8)
    path = tmp_path / "a.json"
    row = {"setting": "lid_limit_ms", "before": 2000}
    path.write_text(json.dumps({"wallwright_calibration": 1, "unit": "SIM-1", "limits": [row]}))
    done = run(f"doctor calibrate {path} --restore --yes --port {port}")
    assert (done.code, "report of table SIM-1; this is SIM-8" in done.err) == (2, True)
    for bad in (
        "[]",
        "{}",
        '{"wallwright_calibration": 1, "unit": "SIM-8", "limits": [{"setting": "x", "before": 1}]}',
    ):
        path.write_text(bad)
        assert run(f"doctor calibrate {path} --restore --yes --port {port}").code == 2
    assert in_force(port) == defaults(wash_s=0)


class Interrupts(Helper):
    """A person who presses Ctrl-C when the walls are to be pushed in: between two builds."""

    def does(self, task: str) -> bool | None:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "faults", ["jam head 2 at 60 s frees 0 %", "stall disc at 55 s", "eye 1 count blocked at 60 s"]
)
def test_a_fault_while_it_measures_leaves_the_limits_as_they_were(faults: str) -> None:
    simulation, port = table_with(faults=faults)
    with open_table(port) as table, pytest.raises((TableFault, Unhealthy)):
        calibrate(Bench(table), Helper(simulation), quiet, Effort(strokes=3, ways=1, builds=3))
    assert simulation.app.settings.values == defaults(wash_s=0)  # type: ignore[attr-defined]
    assert simulation.world._mask == 0
    assert stored(simulation) == defaults(wash_s=0)


def test_ctrl_c_between_builds_leaves_table_and_limits_sound() -> None:
    simulation, port = table_with()
    with open_table(port) as table:
        with pytest.raises(KeyboardInterrupt):
            calibrate(Bench(table), Interrupts(simulation), quiet, Effort(strokes=3, ways=1, builds=2))
        assert table.status().state == "ready"
    assert simulation.app.settings.values == defaults(wash_s=0)  # type: ignore[attr-defined]


@pytest.mark.parametrize("at_ms", [1_500, 9_000, 50_000])
def test_ctrl_c_in_service_and_in_a_build_stops_all_that_moves(at_ms: int) -> None:
    simulation, port = table_with()
    simulation.later(at_ms, lambda: signal.raise_signal(signal.SIGINT))
    with open_table(port) as table, pytest.raises(KeyboardInterrupt):
        calibrate(Bench(table), Helper(simulation), quiet, FEW)
    assert simulation.world._mask == 0
    assert simulation.app.settings.values == defaults(wash_s=0)  # type: ignore[attr-defined]


def test_a_cable_that_is_cut_takes_nothing_with_it() -> None:
    simulation, port = table_with()
    simulation.later(50_000, lambda: simulation.silence(True))
    with open_table(port) as table, pytest.raises(Exception, match="answer"):
        calibrate(Bench(table), Helper(simulation), quiet, FEW)
    simulation.run_until(simulation.now_ms + 30_000)
    assert simulation.app.settings.values == defaults(wash_s=0)  # type: ignore[attr-defined]


def test_settings_are_all_new_or_all_old(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation, port = table_with(drawn(1), seed=1)
    with open_table(port) as table:
        limits = calibrate(Bench(table), Helper(simulation), quiet, FEW).limits
        request = table.request
        asked = count()

        def cut(name: str, *values: int | bytes) -> bytes:
            if name == "set_setting" and next(asked) == 3:
                raise PortGone("a", "unplugged")
            return request(name, *values)

        monkeypatch.setattr(table, "request", cut)
        with pytest.raises(PortGone):
            store(table, limits)
    assert stored(simulation) == defaults(wash_s=0)


def test_stacks_in_the_carriers_are_named(run: Callable[[str], Result], tmp_path: Path) -> None:
    _, port = table_with()
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", 120_000)
        table.pump(9_000)
    done = run(f"doctor calibrate {tmp_path}/a.json --port {port} --yes")
    assert (done.code, "raise the walls first" in done.err) == (4, True)


def test_without_builds_eyes_and_belts_have_the_profile_s_limits() -> None:
    simulation, port = table_with(drawn(5), seed=5)
    profile = load_profile("modelled")
    changed = dict(profile.limits) | {"longest_dark_ms": Figure(value=99, grade="measured", source="here")}
    other = Profile("other", "x", profile.figures, changed)
    with open_table(port) as table:
        found = calibrate(Bench(table), Helper(simulation), quiet, Effort(3, 1, 0), other)
    by_name = {limit.setting: limit for limit in found.limits}
    assert (by_name["longest_dark_ms"].value, by_name["longest_dark_ms"].quantity) == (99, None)
    assert by_name["least_lid_ms"].quantity == "lid_ms"
    assert found.builds == 0


def test_a_build_is_said_with_its_seconds_to_a_tenth() -> None:
    built: Any = SimpleNamespace(number=3, duration_ms=35_060, stacks=(13, 14, 13, 14))
    assert calibrate_module._words(built) == "build 3: 35.1 s, 13, 14, 13, 14 stacks"
