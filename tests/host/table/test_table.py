"""The typed table, against the simulated one: commands, waits, faults, the journal before the acknowledgement."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import pytest

from tests.host.line import Board, Line
from wallwright.errors import (
    BadName,
    BadPlan,
    BadSeat,
    BoardReset,
    JournalFull,
    NotInTime,
    PortGone,
    Refused,
    TableFault,
    WallwrightError,
)
from wallwright.journal import Journal, read_journal
from wallwright.link.connection import Connection
from wallwright.link.reports import Event
from wallwright.link.transport import open_transport
from wallwright.table.deal_orders import hurry
from wallwright.table.table import Table, open_table
from wallwright_protocol import codes
from wallwright_simulator.simulation import Simulation, attach

BUILD_MS = 90_000
NAMES = count()


@pytest.fixture
def simulation() -> Simulation:
    return Simulation(11)


@pytest.fixture
def port(simulation: Simulation) -> str:
    return attach(f"table-{next(NAMES)}", simulation)


@pytest.fixture
def table(port: str) -> Iterator[Table]:
    with open_table(port) as table:
        yield table


class Log:
    """A journal in memory, with a disk that can be full."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.records: list[tuple[str, int, dict[str, Any]]] = []
        self.room = 10**9

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
        if len(self.events) >= self.room:
            raise JournalFull("memory", "the disk is full")
        assert unit == "SIM-11"
        assert at_ms >= 0
        self.events.append(event)
        return True

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        self.records.append((kind, len(self.events), dict(body)))
        return len(self.records)


def test_it_says_who_and_how_it_is(table: Table) -> None:
    assert (table.info.unit, table.info.tiles, table.info.sets) == ("SIM-11", 108, 2)
    status = table.status()
    assert status.state == table.state == "idle"
    assert status.stacks == (0, 0, 0, 0)
    assert table.boot_id != 0


def test_a_whole_round(table: Table, simulation: Simulation) -> None:
    table.set_plan((13, 14, 13, 14), dealer=1, mode="held")
    table.start_build()
    done = table.wait_for("build_done", BUILD_MS)
    assert done.fields["stacks"] == (13, 14, 13, 14)
    assert tuple(len(head.carrier) for head in simulation.world.heads) == (13, 14, 13, 14)
    table.open_lid()
    table.wait_state("lid_open", 10_000)
    simulation.players.push_in()
    table.raise_walls()
    assert table.wait_for("walls_up", 10_000).fields["deal"] == 1
    simulation.players.draw_in()
    dice = table.roll_dice(1)
    assert all(1 <= die <= 6 for die in dice)
    assert table.status().dice == dice
    table.set_plan((14, 13, 14, 13), wash_s=10)
    table.lower_lifts()
    table.wait_state("shuffling", 5000)
    hurry(table)
    table.wait_state("ready", BUILD_MS)
    assert table.notes == ()
    assert table.last_status.deal == 1


def test_a_table_journals_every_event_before_it_may_forget_it(port: str, simulation: Simulation) -> None:
    log = Log()
    with open_table(port, journal=log) as table:
        table.start_build()
        stored: list[tuple[int, int]] = []

        def is_ready(table: Table) -> bool:
            stored.append((table.status().stored_event, len(log.events)))
            return table.state == "ready"

        table.run_until(is_ready, BUILD_MS)
        table.pump(1000)
        newest = table.status().newest_event
        assert table.status().stored_event == newest
    assert all(on_the_board <= in_the_log for on_the_board, in_the_log in stored)
    assert [event.seq for event in log.events] == list(range(1, newest + 1))


def test_without_a_journal_the_events_stay_for_the_host_that_has_one(port: str) -> None:
    with open_table(port) as table:
        table.start_build()
        table.wait_for("build_done", BUILD_MS)
        newest = table.status().newest_event
        assert table.status().stored_event == 0
    log = Log()
    with open_table(port, journal=log) as table:
        table.pump(2000)
    assert [event.seq for event in log.events][:newest] == list(range(1, newest + 1))


def test_a_full_disk_stops_the_acknowledgements_and_loses_nothing(port: str) -> None:
    log = Log()
    log.room = 5
    with open_table(port, journal=log) as table:
        table.start_build()
        with pytest.raises(JournalFull):
            table.wait_for("build_done", BUILD_MS)
        log.room = 10**9
        table.wait_for("build_done", BUILD_MS)
        table.pump(1000)
        assert [event.seq for event in log.events] == list(range(1, table.last_status.newest_event + 1))


def test_the_real_journal_holds_what_happened(port: str, tmp_path: object) -> None:
    path = f"{tmp_path}/session.journal"
    with Journal(path) as journal, open_table(port, journal=journal) as table:
        table.start_build()
        table.wait_for("build_done", BUILD_MS)
        table.pump(500)
        newest = table.status().newest_event
    entries = list(read_journal(path))
    assert [entry.seq for entry in entries if entry.seq is not None] == list(range(1, newest + 1))
    assert "build_done" in [entry.kind for entry in entries]
    assert {(entry.unit, entry.boot_id) for entry in entries if entry.seq is not None} == {("SIM-11", table.boot_id)}
    assert [entry.at_ms for entry in entries] == sorted(entry.at_ms for entry in entries)


@pytest.mark.parametrize(
    "plan",
    [
        (),
        (54,),
        (14, 13, 14),
        (14, 13, 14, 13, 0),
        (14, 14, 14, 14),
        (20, 14, 10, 10),
        (0, 18, 18, 18),
        (-1, 19, 18, 18),
    ],
)
def test_a_plan_that_cannot_be_built_is_refused_before_it_is_sent(table: Table, plan: tuple[int, ...]) -> None:
    before = table.trace()
    with pytest.raises(BadPlan, match=r"14,13,14,13|carrier|54"):
        table.set_plan(plan)
    assert table.trace() == before


def test_every_plan_that_passes_is_one_that_the_firmware_takes(table: Table) -> None:
    for plan in [(14, 13, 14, 13), (19, 19, 15, 1), (1, 15, 19, 19), (13, 14, 13, 14)]:
        table.set_plan(plan, 3, mode="held")
        assert table.status().plan == plan
        assert table.status().dealer == 3


def test_seats_that_do_not_exist_are_refused(table: Table) -> None:
    with pytest.raises(BadSeat, match="0 to 3"):
        table.roll_dice(4)
    with pytest.raises(BadSeat):
        table.set_plan((14, 13, 14, 13), dealer=-1)


def test_a_refusal_names_command_reason_and_state(table: Table) -> None:
    with pytest.raises(Refused) as caught:
        table.raise_walls()
    assert (caught.value.request, caught.value.refusal, caught.value.state) == ("raise_walls", "wrong_state", "idle")
    assert "raise_walls refused: wrong_state" in caught.value.trace


def test_a_fault_ends_a_wait_after_it_was_journalled(port: str, simulation: Simulation) -> None:
    log = Log()
    with open_table(port, journal=log) as table:
        table.start_build()
        table.pump(5000)
        simulation.world.emergency_stop(True)
        with pytest.raises(TableFault) as caught:
            table.wait_for("build_done", BUILD_MS)
        assert [event.name for event in log.events].count("fault") == 1
        fault = caught.value
        assert (fault.fault, fault.side) == ("emergency_stop", None)
        assert "release the emergency stop" in str(fault)
        assert "fault=emergency_stop" in fault.trace
        assert table.status().fault == "emergency_stop"
        assert table.state == "fault"
        with pytest.raises(Refused, match="fault_active"):
            table.start_build()
        with pytest.raises(Refused):
            table.clear_fault()
        simulation.world.emergency_stop(False)
        table.pump(100)
        table.clear_fault()
        assert table.wait_for("fault_cleared", 1000).fields["source"] == "host"
        table.wait_state("idle", 1000)
        assert table.status().drives == ()
        table.start_build()
        assert table.wait_for("build_done", BUILD_MS).fields["stacks"] == (14, 13, 14, 13)
        assert table.notes == ()


def test_a_missing_tile_is_a_fault_with_counts(port: str, simulation: Simulation) -> None:
    world = simulation.world
    world.remove_tile(next(tile for tile in range(108) if tile not in world.pile))
    with open_table(port) as table:
        table.start_build()
        with pytest.raises(TableFault) as caught:
            table.wait_for("build_done", 4 * BUILD_MS)
    assert caught.value.fault in {"side_short", "tile_missing"}
    assert caught.value.side in range(4)
    assert caught.value.found < caught.value.wanted
    assert f"{caught.value.found} tiles found, {caught.value.wanted} wanted" in str(caught.value)


def test_a_fault_can_be_waited_for(table: Table) -> None:
    table.stop()
    assert table.wait_for("fault", 1000).fields["fault"] == "stopped"
    table.wait_state("fault", 1000)
    table.clear_fault()
    table.wait_state("idle", 1000)


def test_a_fault_of_the_past_ends_no_wait(port: str) -> None:
    with open_table(port) as table:
        table.stop()
    with open_table(port) as table:
        table.pump(500)
        assert "fault" in [event.name for event in table.events()]
        with pytest.raises(NotInTime):
            table.wait_for("build_done", 500)
        table.clear_fault()
        table.start_build()
        table.wait_for("build_done", BUILD_MS)


def test_events_of_the_past_are_not_what_is_waited_for(port: str) -> None:
    with open_table(port) as table:
        table.roll_dice(0)
    with open_table(port) as table:
        with pytest.raises(NotInTime, match="dice_rolled"):
            table.wait_for("dice_rolled", 3000)
        table.roll_dice(3)
        assert table.wait_for("dice_rolled", 3000).fields["seat"] == 3


@pytest.mark.slow
def test_events_are_read_once_and_in_order(table: Table) -> None:
    for seat in (2, 0, 1):
        table.roll_dice(seat)
    assert table.wait_for("dice_rolled", 1000).fields["seat"] == 2
    table.pump(200)
    assert [event.fields["seat"] for event in table.events() if event.name == "dice_rolled"] == [0, 1]
    assert table.events() == ()


def test_what_does_not_happen_ends_in_time(table: Table) -> None:
    before = table.now_ms()
    with pytest.raises(NotInTime, match=r"no walls_up within 2\.5 s \(the table's state is idle\)"):
        table.wait_for("walls_up", 2500)
    assert table.now_ms() - before == 2500
    with pytest.raises(NotInTime, match="state ready"):
        table.wait_state("ready", 100)


@pytest.mark.parametrize("name", ["built", "ready", ""])
def test_a_name_that_no_event_has_is_refused_with_those_there_are(table: Table, name: str) -> None:
    with pytest.raises(BadName, match="wait_state" if name == "ready" else "build_done"):
        table.wait_for(name, 100)
    with pytest.raises(BadName, match="walls_up"):
        table.wait_state("dice_rolled", 100)


def test_listening_takes_the_time_it_was_given_and_keeps_the_host_present(table: Table) -> None:
    before = table.now_ms()
    table.pump(60_000)
    assert table.now_ms() - before == 60_000
    assert "hello" not in table.trace().splitlines()[-1]
    assert table.last_status.uptime_ms > 59_000


def test_a_host_that_was_away_takes_the_table_up_again(table: Table, simulation: Simulation) -> None:
    table.start_build()
    simulation.run_until(simulation.now_ms + 60_000)
    assert table.wait_for("build_done", 1000).fields["stacks"] == (14, 13, 14, 13)
    table.wait_state("ready", 1000)
    assert table.notes == ()


def test_after_a_reset_the_table_is_met_anew() -> None:
    line = Line(Board(7))
    line.board.enter(0, codes.BUILDING)
    table = Table(Connection(line))
    assert table.state == "building"
    line.board = Board(8)
    line.board.enter(0, codes.IDLE)
    with pytest.raises(BoardReset):
        table.wait_for("build_done", 10_000)
    table.reconnect()
    assert (table.state, table.boot_id) == ("idle", 8)
    table.start_build()
    assert line.board.done.count("start_build") == 1


def test_what_was_unsaved_before_a_reset_is_journalled_and_not_acknowledged_to_the_new_boot() -> None:
    class Slow:
        def __init__(self) -> None:
            self.seen: list[tuple[int, int]] = []
            self.is_full = True

        def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
            if self.is_full:
                raise JournalFull("memory", "the disk is full")
            self.seen.append((event.boot_id, event.seq))
            return True

        def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
            raise AssertionError("this board rolls no dice")

    log = Slow()
    line = Line(Board(7))
    table = Table(Connection(line), log)
    for _ in range(3):
        line.board.ring.add(1, "referee_called", 1)
    with pytest.raises(JournalFull):
        table.pump(100)
    line.board = Board(8)
    for _ in range(3):
        line.board.ring.add(1, "referee_called", 2)
    with pytest.raises(WallwrightError):
        table.pump(5000)
    log.is_full = False
    while not log.seen or log.seen[-1] != (8, 3):
        try:
            table.pump(100)
        except BoardReset:
            assert line.board.ring.stored() == 0
            table.reconnect()
    assert log.seen == [(7, 1), (7, 2), (7, 3), (8, 1), (8, 2), (8, 3)]


def test_a_port_that_went_is_opened_again_and_missed_events_come(port: str, simulation: Simulation) -> None:
    with open_table(port) as table:
        table.start_build()
        transport = table._connection.transport
        read = transport.read

        def unplugged(timeout_ms: int) -> bytes:
            raise PortGone(port, "unplugged")

        transport.read = unplugged  # type: ignore[method-assign]
        with pytest.raises(PortGone) as caught:
            table.wait_for("build_done", BUILD_MS)
        assert "start_build" in caught.value.trace
        simulation.run_until(simulation.now_ms + 60_000)
        transport.read = read  # type: ignore[method-assign]
        table.reconnect()
        assert table._connection.transport is not transport
        assert table.wait_for("build_done", 1000).fields["stacks"] == (14, 13, 14, 13)


def test_a_table_that_cannot_be_met_leaves_its_port_free(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("wallwright.table.table.read_info", broken)
    with pytest.raises(RuntimeError):
        open_table(port)
    open_transport(port).close()
