"""Requests and replies that get lost, with a whole table behind the wire: what its motors did is counted."""

import random
from collections.abc import Callable

import pytest

from tests.link_failures.wire import WALLS_MS, all_events, body, logged_world, spoilt_table, starts
from wallwright.errors import BoardReset
from wallwright.table.table import Table
from wallwright_protocol import link
from wallwright_protocol.hardware import LID_CLOSE, LID_OPEN, LIFT_LOWER, LIFT_RAISE, SIDES, drive_bit
from wallwright_simulator.simulation import Simulation

SETTLED_MS = 15_000
OFF_MS = 300


def a_round(table: Table, simulation: Simulation) -> None:
    """From idle to walls that were played and the next build under way, by commands; people do the rest."""
    table.set_plan((14, 13, 14, 13))
    table.start_build()
    table.wait_for("build_done", WALLS_MS)
    table.open_lid()
    table.wait_state("lid_open", WALLS_MS)
    simulation.players.push_in()
    table.raise_walls()
    table.wait_for("walls_up", WALLS_MS)
    simulation.players.draw_in()
    table.lower_lifts()
    table.wait_state("building", WALLS_MS)
    table.stop()


def a_round_and_a_rest(table: Table, simulation: Simulation) -> None:
    """And time in which a lost board is noticed, should the round end before."""
    a_round(table, simulation)
    table.pump(SETTLED_MS)


COMMANDS = ["set_plan", "start_build", "open_lid", "raise_walls", "lower_lifts", "stop"]


@pytest.mark.parametrize("way", ["up", "down"])
def test_row_05_each_first_reply_is_lost_and_every_motor_has_started_once(way: str, seed: int) -> None:
    """With the requests lost instead ("up") the board has done nothing before it is asked again."""
    simulation = Simulation(seed, world=logged_world(seed))
    table, wire = spoilt_table(simulation)
    seen = set()
    lost = 0

    def lose_the_first(frame: bytes) -> bytes:
        nonlocal lost
        kind = body(frame)[0]
        if kind not in (link.REPLY, link.REQUEST) or frame in seen:
            return frame
        seen.add(frame)
        lost += 1
        return b""

    setattr(wire, way, lose_the_first)
    a_round(table, simulation)
    setattr(wire, way, bytes)
    table.pump(1000)
    assert lost >= len(COMMANDS)
    world = simulation.world
    assert [starts(world, drive) for drive in (LID_OPEN, LID_CLOSE)] == [1, 1]
    for side in range(SIDES):
        assert starts(world, drive_bit(side, LIFT_RAISE)) == starts(world, drive_bit(side, LIFT_LOWER)) == 1
    events = all_events(table)
    assert [event.fields["message"] for event in events if event.name == "command_accepted"] == COMMANDS
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def frames_of_a_round(seed: int) -> list[int]:
    """The kinds of all frames that the host sends in a round without failures."""
    simulation = Simulation(seed)
    table, wire = spoilt_table(simulation)
    kinds: list[int] = []

    def note(frame: bytes) -> bytes:
        kinds.append(body(frame)[0])
        return frame

    wire.up = note
    a_round(table, simulation)
    return kinds


def at_frame(number: int, act: Callable[[], None]) -> Callable[[bytes], bytes]:
    """A way that calls `act` just before frame `number`, from 0, goes on the wire."""
    left = number

    def count_down(frame: bytes) -> bytes:
        nonlocal left
        left -= 1
        if left == -1:
            act()
        return frame

    return count_down


@pytest.mark.slow
def test_row_08_a_reset_at_every_message_ends_in_rest_and_a_state_read_anew(seed: int) -> None:
    kinds = frames_of_a_round(seed)
    requests = [number for number, kind in enumerate(kinds) if kind == link.REQUEST]
    others = [number for number, kind in enumerate(kinds) if kind != link.REQUEST]
    assert len(requests) >= len(COMMANDS)
    resets = whole = 0
    for number in requests + random.Random(seed).sample(others, 12):
        simulation = Simulation(seed, world=logged_world(seed))
        table, wire = spoilt_table(simulation)
        boot_id = table.boot_id
        wire.up = at_frame(number, lambda simulation=simulation: simulation.cut_power(OFF_MS))  # type: ignore[misc]
        with pytest.raises(BoardReset) as caught:
            a_round_and_a_rest(table, simulation)
        assert caught.value.old_boot_id == boot_id
        resets += 1
        rest_since = simulation.now_ms
        with pytest.raises(BoardReset):
            table.start_build()
        table.reconnect()
        assert table.boot_id == caught.value.new_boot_id != boot_id
        table.pump(SETTLED_MS)
        moved = [(at, mask) for at, mask in simulation.world.drive_log if at >= rest_since and mask]
        assert moved == [], f"frame {number}: {moved}"
        status = table.status()
        assert (status.state, status.drives) == (table.state, ())
        standing = tuple(len(head.carrier) for head in simulation.world.heads)
        assert status.stacks == standing or not status.set_whole, f"frame {number}: {status}"
        whole += status.set_whole
    assert resets == len(requests) + 12
    assert 0 < whole < resets


def test_row_08_after_a_reset_the_table_works_on_when_it_is_told_to(seed: int) -> None:
    simulation = Simulation(seed)
    table, _ = spoilt_table(simulation)
    simulation.cut_power(OFF_MS)
    with pytest.raises(BoardReset):
        table.start_build()
    table.reconnect()
    a_round(table, simulation)
