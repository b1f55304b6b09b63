"""A clock that is turned back at rest: every time that the firmware keeps goes with it, and nothing else changes."""

from functools import partial
from typing import Any

import pytest

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from tests.scenarios.boards import ahead
from tests.scenarios.power import app_of
from tests.scenarios.scenarios import SCENARIOS
from tests.scenarios.stamps import Stamp, places, stamped
from tests.scenarios.table import Table
from wallwright_firmware import weeks
from wallwright_firmware.app import _LATE_MS as LATE_MS
from wallwright_firmware.app import App
from wallwright_firmware.weeks import OF_APP, TURN_MS, turn_times
from wallwright_protocol.hardware import SIDES
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.vm import VmApp

DAY_MS = 86_400_000
SMALL = 2**30
TOLD = 2**32
LEFT = {
    ("Counters", "_on_ms"): "of a drive that is on",
    ("Outputs", "_off_at"): "of a drive that is on",
    ("Outputs", "_past_at"): "of a drive that is on",
    ("Inputs", "edge_times"): "told modulo 2^16, and nothing else",
    ("EventRing", "_records"): "a record has the count of turns beside its time",
    ("Wiring", "edge_ms"): "the edge that was stepped to, taken at once",
    ("Worth", "_now_ms"): "of one reckoning",
}


@pytest.fixture
def turns(monkeypatch):
    """Look, whenever an app turns its clock back, at every time that it keeps; the list has one entry a turn."""
    found: list[set[tuple[str, str]]] = []

    def watched(app: App, table: tuple[Any, ...]) -> None:
        if table is not OF_APP:  # of a part
            turn_times(app, table)
            return
        before = list(places(app))
        turn_times(app, table)
        after = list(places(app))
        assert [place for place, _ in after] == [place for place, _ in before]
        for (place, was), (_, now) in zip(before, after, strict=True):
            if place not in LEFT:
                by_ms = TURN_MS * (SIDES if place[0].endswith("Sorter") and place[1] == "_seen_ms" else 1)
                expected = was - by_ms if was >= 0 else was
                assert now == expected, f"{'.'.join(place)} was {was} and is {now}"
        found.append({place for place, _ in before})

    monkeypatch.setattr(weeks, "turn_times", watched)
    return found


def test_a_stamp_is_a_time_and_the_difference_of_two_is_none():
    assert type(Stamp(7) + 3) is type(3 + Stamp(7)) is type(Stamp(7) - 3) is Stamp
    assert type(Stamp(7) - Stamp(3)) is int


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_clock_that_is_turned_back_changes_nothing(name, seed, turns):
    """At the first rest, and at the first one behind the middle."""
    fresh = Table(seed, readers=ALL_READERS)
    SCENARIOS[name](fresh)
    for before_ms in (2, fresh.now_ms // 2):
        late = Table(seed, readers=ALL_READERS, firmware=ahead(stamped(App), LATE_MS - before_ms))
        SCENARIOS[name](late)
        assert late.world.drive_log == fresh.world.drive_log
        assert late.sim.board.displays == fresh.sim.board.displays
    assert turns


@pytest.mark.parametrize("name", ["cycle alone", "cycle with host"])
def test_so_it_is_in_micropython(name, seed, micropython_runtime):
    ahead_ms = LATE_MS - 30_000
    outside = Table(seed, firmware=ahead(App, ahead_ms))
    SCENARIOS[name](outside)
    assert outside.sim.board.started_ms == TURN_MS
    with Table(seed, firmware=ahead(partial(VmApp, runtime=micropython_runtime), ahead_ms)) as inside:
        SCENARIOS[name](inside)
        assert inside.polls == outside.polls
        assert inside.world.drive_log == outside.world.drive_log


@pytest.mark.parametrize("hardware", [RING_18, FLAP_2, MOUTH], ids=["ring", "flap", "mouth"])
def test_a_table_that_sorts_goes_on_after_a_rest(hardware, seed, turns):
    """Its clock is turned back while people look for a tile, the wall half built."""
    built: list[Any] = []
    for ahead_ms in (0, LATE_MS - 30_000):
        table = Director(seed, hardware, firmware=ahead(stamped(App), ahead_ms))
        table.equip()
        assert table.prescribe(table.drawn()) == "ok"
        table.request("start_build")
        table.run(25_000)
        table.sim.players.press_lift(0)
        table.sim.players.press_lift(1)
        table.run(30_000)
        table.sim.players.press_lift(2)
        if not table.run(600_000, until="build_done"):
            # Lanes with a reader at the mouth alone may take longer than eight minutes; people let them go on.
            table.request("clear_fault")
            table.request("start_build")
            assert table.run(600_000, until="build_done")
        built.append([head.carrier for head in table.sim.world.heads])
    assert len(turns) == 1
    assert built[0] == built[1]


@pytest.mark.parametrize("days", [12.4, 24.8, 49.7, 60])
def test_the_wire_tells_the_time_since_the_start(days):
    """Of events as they were, stored late or not, and of the status."""
    table = Table(1)
    table.build()
    table.run(int(days * DAY_MS))
    table.raise_walls()
    assert table.polls[-1].now_ms < 2 * LATE_MS
    host = table.connect()
    assert table.run(5_000, lambda: bool(host.named("walls_up")))
    assert abs(host.do("get_status")["uptime_ms"] - table.now_ms % TOLD) <= 3
    started, built, up = (host.named(name)[0].time_ms for name in ("build_started", "build_done", "walls_up"))
    assert 0 < started < built < 60_000
    assert 0 < (table.now_ms - up) % TOLD < 1_000


@pytest.mark.parametrize("days", [12, 13, 49, 50])
def test_a_table_that_has_run_for_weeks_is_not_polled_while_it_rests(days):
    table = Table(1)
    table.build()
    table.run(days * DAY_MS)
    app = app_of(table)
    assert table.run(700_000, lambda: app.self_tests.due - app.cycle.now_ms > 500_000), "no round of self-tests ends"
    polls = len(table.polls)
    table.run(500_000)
    assert len(table.polls) == polls
    table.raise_walls()


def test_all_times_are_small_for_sixty_days(turns):
    """A build a day; what the app keeps is small, and every poll's time and deadline."""
    table = Table(1, firmware=stamped(App), readers=ALL_READERS)
    table.build()
    for _ in range(60):
        table.run(DAY_MS)
        table.raise_walls()
        table.press_dice(0)
        table.until_building()
        table.until("READY")
        kept = [value for place, value in places(app_of(table))]
        assert all(-SMALL <= value < SMALL for value in kept)
    assert len(turns) == 60 * DAY_MS // TURN_MS
    assert max(poll.now_ms for poll in table.polls) < 2 * LATE_MS
