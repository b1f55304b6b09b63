"""The live view: against the mechanics' own levels and the log of its motors."""

import io
from collections import Counter
from itertools import takewhile

import pytest
from rich.console import Console

from wallwright.doctor.bench import Bench, Look
from wallwright.doctor.watch import Changes, picture, records
from wallwright.table.table import Table, open_table
from wallwright_protocol.hardware import DISC, LIFT_KEY, RING, input_number
from wallwright_protocol.names import DRIVES, INPUTS
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World

BUILD_MS = 25_000


def watched(bench: Bench, until_ms: int) -> list[Look]:
    return list(takewhile(lambda look: look.time_ms < until_ms, bench.follow()))


def raw_edges(simulation: Simulation) -> list[tuple[int, int, int]]:
    """The list that gets every edge which the board hands to the firmware from now on."""
    board = simulation.board
    next_edge = board.next_edge
    edges: list[tuple[int, int, int]] = []

    def noted() -> bool:
        found = next_edge()
        if found:
            edges.append((board.edge_ms, board.edge_input, board.edge_level))
        return found

    board.next_edge = noted  # type: ignore[method-assign]
    return edges


def test_a_whole_build_is_seen_edge_by_edge(simulation: Simulation, bench: Bench) -> None:
    raw = raw_edges(simulation)
    bench.look()
    simulation.players.press_lift(1)
    looks = watched(bench, BUILD_MS)
    assert sum(look.lost for look in looks) == 0
    seen = [(edge.time_ms, edge.input, edge.level) for look in looks for edge in look.edges]
    # Eyes and vanes change cleanly, so each of their raw edges is a change. The key chatters before it is steady.
    key = INPUTS[input_number(1, LIFT_KEY)]
    until_ms = looks[-1].time_ms - 10
    clean = [(at_ms, INPUTS[number], level) for at_ms, number, level in raw if INPUTS[number] != key]
    assert len(clean) > 400
    assert [edge for edge in sorted(seen) if edge[1] != key and edge[0] < until_ms] == [
        edge for edge in sorted(clean) if edge[0] < until_ms
    ]
    assert [level for _, name, level in seen if name == key] == [1, 0]
    pushed = Counter(name for _, name, level in seen if level and name.startswith("head_pushed"))
    assert [pushed[f"head_pushed_{side}"] for side in range(4)] == [
        len(head.carrier) for head in simulation.world.heads
    ]


def test_looking_changes_nothing(bench: Bench, simulation: Simulation) -> None:
    bench.table.wait_for("dice_committed", 10_000)  # the table is gathering random numbers at first
    before = bench.table.status()
    watched(bench, bench.table.now_ms() + 5000)
    after = bench.table.status()
    assert (after.state, after.newest_event) == (before.state, before.newest_event)
    assert simulation.world.next_ms > 10**9


def test_drives_and_lamps_are_named() -> None:
    world = World(3, log_drives=True)
    port = attach("drives", Simulation(3, world=world))
    with open_table(port) as table:
        table.start_build()
        looks = watched(Bench(table), 3000)
        mask = world.drive_log[-1][1]
        assert looks[-1].drives == tuple(name for bit, name in enumerate(DRIVES) if mask >> bit & 1)
        assert mask & DISC
        assert mask & RING
        assert set(looks[-1].inputs) >= {"lid_is_closed", "lift_down_0"}


def test_changes_that_were_too_many_are_counted_as_missed(bench: Bench, simulation: Simulation) -> None:
    bench.look()
    simulation.players.press_lift(1)
    bench.table.pump(10_000)
    look = bench.look()
    assert len(look.edges) == 16
    assert look.lost > 50
    changes = Changes()
    changes.take(look)
    assert changes.lost == look.lost
    assert {"time_ms": look.time_ms, "lost": look.lost} in list(records([look]))


def test_records_begin_with_everything_and_then_tell_changes(bench: Bench, simulation: Simulation) -> None:
    looks = [bench.look()]
    bench.table.open_lid()
    looks += watched(bench, 2500)
    first, *rest = records(looks)
    assert set(first) == {"time_ms", "inputs", "drives", "lamps"}
    changes = [(record["input"], record["level"]) for record in rest if "input" in record]
    assert changes == [("lid_is_closed", 0), ("lid_is_open", 1)]
    assert [record["drives"] for record in rest if "drives" in record][:1] == [("lid_open",)]
    assert [record["drives"] for record in rest if "drives" in record][-1] == ()


def test_the_picture_shows_all_names_once_a_kind_and_counts(bench: Bench, simulation: Simulation) -> None:
    changes = Changes()
    for look in [bench.look()]:
        changes.take(look)
    simulation.world.press(input_number(2, LIFT_KEY))
    for look in watched(bench, 400):
        changes.take(look)
    out = io.StringIO()
    Console(file=out, width=100).print(picture(look, changes))
    text = out.getvalue()
    for name in (*INPUTS, *DRIVES):
        assert name.rstrip("0123").rstrip("_") in text
    assert changes.counts == {"lift_key_2": 2}
    (row,) = [line for line in text.splitlines() if line.strip().startswith("lift_key")]
    assert row.split()[1:] == ["·", "0", "·", "0", "·", "2", "·", "0"]
    assert len(text.splitlines()) <= 23


def test_the_command_ends_with_ctrl_c(run, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pump = Table.pump
    looks = 0

    def pump_a_few_times(table: Table, timeout_ms: int) -> None:
        nonlocal looks
        looks += 1
        if looks % 5 == 0:
            raise KeyboardInterrupt
        pump(table, timeout_ms)

    monkeypatch.setattr(Table, "pump", pump_a_few_times)
    result = run(f"doctor watch --port {port} --json")
    assert (result.code, result.err) == (0, "")
    assert result.records[0]["inputs"]
    result = run(f"doctor watch --port {port}")
    assert (result.code, result.err) == (0, "")
    assert "head_home" in result.out
