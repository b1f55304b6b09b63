"""Counters, hints and settings: against the log of the mechanics' motors, the events, and a power loss."""

from dataclasses import replace
from itertools import count, pairwise

import pytest

from wallwright.doctor.upkeep import (
    CARE,
    MIN_BUILDS,
    MOTOR_HOURS,
    ONCE_IS_ENOUGH,
    Counters,
    change_settings,
    clear_counters,
    hints,
    read_counters,
    read_settings,
)
from wallwright.errors import BadName, BadSetting, BoardReset, Refused, TableFault
from wallwright.table.table import Table, open_table
from wallwright_protocol.names import DRIVES, FAULTS, SETTINGS
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World

NAMES = count()
HEALTHY = Counters(3, 200, 190, 100, (0, 0, 0, 0), {}, dict.fromkeys(DRIVES, 0.0))


def table_with(faults: str) -> tuple[Simulation, str]:
    simulation = Simulation(11, world=World(11, log_drives=True), faults=parse_faults(faults))
    return simulation, attach(f"upkeep-{next(NAMES)}", simulation)


def reconnected(table: Table) -> Table:
    """The table after its board was reset."""
    with pytest.raises(BoardReset):
        table.pump(10_000)
    table.reconnect()
    return table


def test_what_is_counted_is_what_happened() -> None:
    simulation, port = table_with("jam lane 2 at 5 s frees 100 %")
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", 120_000)
        table.pump(8000)
        counters = read_counters(table)
    log = simulation.world.drive_log
    assert log[-1][1] == 0
    for drive, name in enumerate(DRIVES):
        on_ms = sum(later - earlier for (earlier, mask), (later, _) in pairwise(log) if mask >> drive & 1)
        assert counters.motor_s[name] == pytest.approx(on_ms / 1000, abs=0.15), name
    assert counters.motor_s["ring"] > 15
    assert (counters.builds, counters.builds_since_clearing, counters.boots) == (1, 1, 1)
    assert counters.jams[2] >= 1
    assert counters.jams[:2] + counters.jams[3:] == (0, 0, 0)
    assert sum(counters.jams) == sum(
        counters.told[name] for name in ("lane_jam", "head_jam", "eye_blocked") if name in counters.told
    )


def test_counts_agree_with_the_events() -> None:
    _, port = table_with("jam lane 2 at 5 s frees 0 %")
    with open_table(port) as table:
        table.start_build()
        with pytest.raises(TableFault) as caught:
            table.wait_for("build_done", 120_000)
        fault = caught.value.fault
        assert fault in ("lane_jam", "eye_blocked")
    with open_table(port) as table:
        table.pump(3000)
        told = [event.fields["fault"] for event in table.events() if event.name in ("fault", "notice")]
        told.remove("host_silent") if "host_silent" in told else None
        counters = read_counters(table)
    assert dict(counters.told) == {name: told.count(name) for name in told}
    assert counters.jams == (0, 0, told.count(fault), 0)


def test_counters_and_settings_outlast_the_power() -> None:
    simulation, port = table_with("jam lane 2 at 5 s frees 100 %")
    with open_table(port) as table:
        change_settings(table, {"lift_limit_ms": 4100, "debounce_ms": 7})
        table.start_build()
        table.wait_for("build_done", 120_000)
        table.pump(8000)
        before = read_counters(table)
        simulation.cut_power(2000)
        after = read_counters(reconnected(table))
        assert {s.name: s.value for s in read_settings(table) if s.value != s.default} == {
            "lift_limit_ms": 4100,
            "debounce_ms": 7,
            "wash_s": 0,
        }
    assert after.boots == before.boots + 1
    assert (after.jams, after.builds) == (before.jams, 1)
    # Counted up to the last write, when the walls were whole and the drum still ran empty for a while.
    assert before.motor_s["ring"] - 10 < after.motor_s["ring"] <= before.motor_s["ring"]


def test_a_board_that_its_watchdog_has_reset_is_to_be_reported() -> None:
    _, port = table_with("watchdog resets board at 5 s")
    with open_table(port) as table:
        table.start_build()
        again = reconnected(table)
        assert again.wait_for("notice", 10_000).fields["fault"] == "watchdog_reset"
        assert list(hints(read_counters(again))) == [
            "watchdog_reset: 1 times: keep the service file and report it: the board's program had stopped"
        ]


def test_clearing_belongs_to_the_end_of_a_maintenance() -> None:
    _, port = table_with("jam lane 2 at 5 s frees 100 %")
    with open_table(port) as table:
        table.start_build()
        with pytest.raises(Refused, match="clear_counters"):
            clear_counters(table)
        table.wait_for("build_done", 120_000)
        table.pump(8000)
        before = read_counters(table)
        assert sum(before.jams) > 0
        clear_counters(table)
        after = read_counters(table)
    assert after == replace(before, jams=(0, 0, 0, 0), told={}, builds_since_clearing=0)


def test_a_healthy_table_needs_nothing() -> None:
    assert list(hints(HEALTHY)) == []
    assert list(hints(replace(HEALTHY, builds=0, builds_since_clearing=0))) == []
    assert list(hints(replace(HEALTHY, jams=(1, 1, 1, 4), told={"lane_jam": 7, "side_short": 90}))) == []


def test_a_lane_that_jams_too_often_is_named_with_its_figures() -> None:
    found = list(hints(replace(HEALTHY, jams=(0, 2, 7, 5))))
    assert found == [
        "lane 2: 7 jams in 100 builds: clean its belt, gate and stacking head",
        "lane 3: 5 jams in 100 builds: clean its belt, gate and stacking head",
    ]


def test_one_jam_is_no_habit_and_two_in_a_few_builds_are() -> None:
    few = replace(HEALTHY, builds_since_clearing=3)
    assert list(hints(replace(few, jams=(1, 0, 0, 0)))) == []
    assert len(list(hints(replace(few, jams=(2, 0, 0, 0))))) == 1
    assert MIN_BUILDS == 40


@pytest.mark.parametrize("names", [names for names, _ in CARE])
def test_faults_that_tell_of_one_cause_are_added_up(names: tuple[str, ...]) -> None:
    each = -(-5 // len(names))
    found = list(hints(replace(HEALTHY, told=dict.fromkeys(names, each))))
    assert len(found) == 1
    assert found[0].startswith(f"{', '.join(names)}: {each * len(names)} in 100 builds: ")
    assert list(hints(replace(HEALTHY, told={names[0]: 4}))) == []


def test_some_faults_are_serious_at_once() -> None:
    for name, advice in ONCE_IS_ENOUGH:
        assert list(hints(replace(HEALTHY, told={name: 1}))) == [f"{name}: 1 times: {advice}"]
    known = {name for names, _ in CARE for name in names} | {name for name, _ in ONCE_IS_ENOUGH}
    assert known <= set(FAULTS)


def test_a_motor_that_has_run_for_long_is_named() -> None:
    old = dict.fromkeys(DRIVES, 0.0) | {"disc": MOTOR_HOURS * 3600.0, "ring": MOTOR_HOURS * 3600.0 - 1}
    assert list(hints(replace(HEALTHY, motor_s=old))) == [
        "disc: 500 hours: have its motor's brushes and gear looked at"
    ]


def test_a_shorter_limit_is_in_force() -> None:
    simulation, port = table_with("stall lid at 0 s")
    with open_table(port) as table:
        change_settings(table, {"lid_limit_ms": 1600})
        table.open_lid()
        with pytest.raises(TableFault, match="lid_obstructed"):
            table.wait_state("lid_open", 20_000)
    log = simulation.world.drive_log
    opening = 1 << DRIVES.index("lid_open")
    spans = [later - earlier for (earlier, mask), (later, _) in pairwise(log) if mask == opening]
    assert spans == [1600, 1600]


def test_a_value_that_could_do_harm_is_refused_by_name_and_nothing_is_changed() -> None:
    simulation, port = table_with("")
    with open_table(port) as table:
        with pytest.raises(BadSetting, match=r"lid_limit_ms cannot be 5000 ms; the board takes 1200 to 3800"):
            change_settings(table, {"debounce_ms": 8, "lid_limit_ms": 5000})
        with pytest.raises(BadName, match=r"'lid_limit'; there are debounce_ms, "):
            change_settings(table, {"debounce_ms": 8, "lid_limit": 2000})
        with pytest.raises(BadSetting, match=r"wash_s cannot be 241 s; the board takes 0 to 240"):
            change_settings(table, {"debounce_ms": 8, "wash_s": 241})
        assert all(setting.value == setting.default for setting in read_settings(table) if setting.name != "wash_s")
        table.start_build()
        with pytest.raises(Refused, match="wrong_state"):
            change_settings(table, {"debounce_ms": 8})
        assert tuple(setting.name for setting in read_settings(table)) == SETTINGS
    assert simulation.world.drive_log


def test_the_commands(run) -> None:
    _, port = table_with("")
    (record,) = run(f"doctor counters --port {port} --json").records
    assert (record["boots"], record["jams"], record["hints"]) == (1, [0, 0, 0, 0], [])
    assert record["noise"] == {"windows": 0, "most_common": None, "same": None}
    text = run(f"doctor counters --port {port} --clear")
    assert text.code == 0
    assert "nothing: all is well" in text.out
    assert "random    no bits tested yet" in text.out
    assert run(f"doctor jog --port {port} --drive disc --ms 9000").code == 0
    assert "disc" in run(f"doctor counters --port {port}").out
    shown = run(f"doctor settings --port {port} --set debounce_ms=8 --set lift_limit_ms=4000")
    assert shown.code == 0
    assert "debounce_ms              8 ms     (2 to 20, usually 5)" in shown.out
    assert "a level of an input counts once it has been steady for so long" in shown.out
    records = run(f"doctor settings --port {port} --json").records
    assert records[0] == {
        "name": "debounce_ms",
        "kind": "timing",
        "unit": "ms",
        "value": 8,
        "default": 5,
        "lowest": 2,
        "highest": 20,
        "meaning": "a level of an input counts once it has been steady for so long",
    }
    assert "settings  debounce_ms 8 (usually 5), lift_limit_ms 4000 (usually 4500)" in run(f"status --port {port}").out
    assert run(f"status --port {port} --json").records[0]["settings"]["lift_limit_ms"] == 4000
    assert [record["value"] for record in records if record["name"] == "lift_limit_ms"] == [4000]
    for wrong in ("debounce_ms", "debounce_ms=x", "debounce_ms=99", "bounce=8", "debounce_ms=-1"):
        result = run(f"doctor settings --port {port} --set {wrong}")
        assert (result.code, result.out) == (2, "")
