"""The wash: the disc alone, for as long as it is set to, told with the walls; and whatever cuts into it."""

import pytest

from tests.scenarios.scenarios import plan_of
from tests.scenarios.table import Host, Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import DISC, RING
from wallwright_protocol.names import FAULTS
from wallwright_protocol.settings import WASH
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection

SLACK_MS = 100
"""From a key, by its debounce and what is stored, to a drive."""


def washing(seed: int, wash_s: int = 60, script: str = "") -> tuple[Table, Host]:
    """A table whose disc washes the first set, after a lift key at 3 s."""
    table = Table(seed, wash_s=wash_s)
    table.sim.injection = Injection(table.world, parse_faults(script), table.sim)
    host = table.connect()
    table.run(3_000 - table.now_ms)
    table.press_lift()
    table.until("WASH", 100)
    return table, host


def discs(table: Table) -> list[tuple[int, int]]:
    """Each time for which the disc was on and the ring was not: when it began, and how long it was, in ms."""
    found = []
    began = None
    for at_ms, mask in [*table.world.drive_log, (table.now_ms, 0)]:
        alone = mask & (DISC | RING) == DISC
        if alone and began is None:
            began = at_ms
        elif not alone and began is not None:
            found.append((began, at_ms - began))
            began = None
    return found


def washed(host: Host) -> list[tuple[str, int]]:
    """What the builds say of their wash."""
    return [(event.name, event.values["wash_s"]) for event in host.events if "wash_s" in event.values]


def noticed(host: Host) -> list[str]:
    return [FAULTS[event.values["fault"]] for event in host.named("notice")]


@pytest.mark.parametrize("wash_s", [1, 60, 240])
def test_the_disc_turns_alone_for_as_long_as_it_is_set_to_and_the_walls_say_so(wash_s: int, seed: int) -> None:
    table, host = washing(seed, wash_s)
    assert table.world.mask in (0, DISC)
    table.until("READY", (wash_s + 60) * 1000)
    ((_, took_ms),) = discs(table)
    assert wash_s * 1000 <= took_ms <= wash_s * 1000 + SLACK_MS
    assert washed(host) == [("build_started", wash_s), ("build_done", wash_s)]
    assert noticed(host) == []
    assert host.named("build_done")[0].values["duration_ms"] < 60_000, "the wash is no part of the build"


def test_the_other_set_is_washed_while_people_play_and_a_plan_says_for_how_long(seed: int) -> None:
    table, host = washing(seed, 5)
    table.until("READY", 90_000)
    host.do("set_plan", *plan_of(0), 0, codes.FIXED, 17)
    table.raise_walls()
    host.do("lower_lifts")
    before = len(discs(table))
    table.until("READY", 90_000)
    ((_, took_ms),) = discs(table)[before:]
    assert 17_000 <= took_ms <= 17_000 + SLACK_MS
    assert washed(host)[2:] == [("build_started", 17), ("build_done", 17)]


def test_no_wash_is_told_as_none(seed: int) -> None:
    table = Table(seed)
    host = table.connect()
    table.build()
    assert discs(table) == []
    assert washed(host) == [("build_started", 0), ("build_done", 0)]


@pytest.mark.parametrize("by", ["lift key", "hurry", "start_build"])
def test_whoever_does_not_want_to_wait_cuts_it_short_and_that_is_told(by: str, seed: int) -> None:
    table, host = washing(seed)
    table.run(22_500)
    if by == "lift key":
        table.press_lift(2)
    else:
        host.do(by)
    table.until_building(200)
    table.until("READY", 60_000)
    assert washed(host) == [("build_started", 22), ("build_done", 22)]
    assert noticed(host) == ["wash_cut"]
    assert host.request("hurry")[0] == codes.WRONG_STATE


def test_the_plan_is_held_after_a_wash_as_without_one_and_a_host_that_starts_a_build_wants_it_whole(seed: int) -> None:
    table = Table(seed, wash_s=5)
    host = table.connect()
    host.do("set_plan", *plan_of(0), 0, codes.HELD, codes.AS_SET)
    table.press_lift()
    assert table.run(60_000, lambda: host.do("get_status")["state"] == codes.HOLDING)
    assert washed(host) == [], "its plan is not latched"
    host.do("start_build")
    table.until("READY", 60_000)
    assert washed(host) == [("build_started", 5), ("build_done", 5)]
    table = Table(seed, wash_s=5)
    host = table.connect()
    host.do("set_plan", *plan_of(0), 0, codes.HELD, codes.AS_SET)
    host.do("start_build")
    table.until("READY", 60_000)


@pytest.mark.parametrize("by", ["two keys", "open_lid"])
def test_a_forgotten_tile_is_pushed_in_and_the_wash_begins_anew(by: str, seed: int) -> None:
    table, host = washing(seed, 20)
    table.run(12_000)
    if by == "open_lid":
        host.do("open_lid")
    else:
        # The first key cuts the wash short, and the second pauses the build that it has begun.
        table.press_lift(0)
        table.press_lift(3)
    table.until("DROP" if by == "open_lid" else "TILE?", 6_000)
    assert table.world.mask == 0
    table.run(2_000)
    before = len(discs(table))
    table.press_lift()
    if by == "open_lid":
        table.until("READY", 90_000)
        ((_, took_ms),) = discs(table)[before:]
        assert 20_000 <= took_ms <= 20_000 + SLACK_MS
        assert washed(host) == [("build_started", 20), ("build_done", 20)]
        assert noticed(host) == []
    else:
        table.until("READY", 90_000)
        assert discs(table)[before:] == []
        assert washed(host) == [("build_started", 12), ("build_done", 12)]
        assert noticed(host) == ["wash_cut"]


@pytest.mark.parametrize("by", ["emergency stop", "stop", "power"])
def test_what_stops_the_table_loses_the_wash_and_the_next_one_begins_anew(by: str, seed: int) -> None:
    table, host = washing(seed, 20)
    table.run(15_000)
    if by == "power":
        table.disconnect()
        table.sim.cut_power(2_000)
        table.until("START?", 4_000)
        host = table.connect(8)
    elif by == "stop":
        host.do("stop")
    else:
        table.world.emergency_stop(True)
        table.until_fault(100)
        table.world.emergency_stop(False)
    assert table.world.mask == 0
    table.run(300)
    if by != "power":
        table.press_lift()
        table.until("START?", 1_000)
    table.run(5_000)
    assert table.world.mask == 0, "nothing moves by itself"
    before = len(discs(table))
    table.press_lift()
    table.until("READY", 90_000)
    ((_, took_ms),) = discs(table)[before:]
    assert 20_000 <= took_ms <= 20_000 + SLACK_MS
    assert washed(host)[-2:] == [("build_started", 20), ("build_done", 20)]


def test_what_was_washed_outlasts_the_power_with_the_walls_that_it_belongs_to(seed: int) -> None:
    table, host = washing(seed, 20)
    table.run(30_000)
    host.do("stop")
    table.disconnect()
    table.sim.cut_power(2_000)
    host = table.connect(8)
    table.run(3_000)
    table.press_lift()
    table.until("START?", 1_000)
    before = len(discs(table))
    table.press_lift()
    table.until("READY", 90_000)
    assert discs(table)[before:] == [], "a build that goes on is not washed again"
    assert washed(host)[-1] == ("build_done", 20)


def test_a_lid_that_is_not_closed_stops_the_disc(seed: int) -> None:
    table, host = washing(seed, 20, "switch lid closed stuck off at 10 s")
    assert table.until_fault(9_000) == f"E{codes.LID_LIMITS:02d}"
    assert not host.named("build_started")


def test_a_disc_that_sticks_is_started_again_and_the_wash_lasts_longer_by_that(seed: int) -> None:
    table, host = washing(seed, 20, "stall disc at 10 s for 7 s")
    table.until("READY", 90_000)
    assert noticed(host) == ["disc_stalled"]
    whole_ms = sum(ms for _, ms in discs(table))
    assert 20_000 + 6_000 <= whole_ms <= 20_000 + 6_000 + SLACK_MS
    assert washed(host) == [("build_started", 20), ("build_done", 20)]


def test_a_disc_that_stands_for_good_is_named(seed: int) -> None:
    table, host = washing(seed, 60, "stall disc at 10 s")
    assert table.until_fault(20_000) == f"E{codes.DISC_STALLED:02d}"
    assert not host.named("build_started")


def test_a_disc_that_nobody_switches_off_runs_into_its_limit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wallwright_firmware.drivers.drum.Drum.alone_until", lambda *_: 1 << 62)
    table, _ = washing(seed, 60)
    assert table.until_fault(300_000) == f"E{codes.RUN_LIMIT:02d}"


def test_no_drive_is_jogged_and_no_setting_changed_while_the_disc_turns(seed: int) -> None:
    table, host = washing(seed, 20)
    assert host.request("begin_service")[0] == codes.WRONG_STATE
    assert host.request("jog", 0, 100)[0] == codes.WRONG_STATE
    assert host.request("set_setting", WASH, 0)[0] == codes.WRONG_STATE
    host.do("set_plan", *plan_of(0), 0, codes.FIXED, 0)
    table.until("READY", 90_000)
    assert washed(host) == [("build_started", 20), ("build_done", 20)], "it was latched"


def test_a_host_that_falls_silent_changes_nothing(seed: int) -> None:
    table, _ = washing(seed, 30)
    table.disconnect()
    table.until("READY", 90_000)
    table.connect(8)
    table.run(1_000)
    ((_, took_ms),) = discs(table)
    assert 30_000 <= took_ms <= 30_000 + SLACK_MS
