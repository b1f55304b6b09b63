"""One clock for world and firmware: repeatable, fast where nothing happens, in real time when asked."""

import random
import time
from statistics import quantiles

import pytest

from wallwright_firmware.app import App
from wallwright_firmware.self_tests import ROUND_MS
from wallwright_protocol.link import NEVER
from wallwright_simulator.simulation import WIRE_MS, Simulation
from wallwright_simulator.world import World

BUILDS = 300
PLAN = [14, 13, 14, 13]
DAY_MS = 86_400_000
POLLS_OF_A_ROUND = 150
"""No more than so many are made of the self-tests at rest."""


class Scribe(App):
    """The firmware, with every poll written down."""

    def __init__(self, board, unit, tiles):
        super().__init__(board, unit, tiles)
        self.polls = []

    def poll(self, now_ms, rx):
        tx = super().poll(now_ms, rx)
        self.polls.append((now_ms, rx, tx))
        return tx


def polls_of(simulation):
    assert isinstance(simulation.app, Scribe)
    return simulation.app.polls


def until_ready(simulation, limit_ms=90_000):
    while simulation.board.displays[0] != "READY" and simulation.now_ms < limit_ms:
        simulation.run_until(simulation.next_ms())
    return simulation.now_ms


def play(seed):
    """A build by key, with bytes from a host that makes no sense; everything that can be seen of it."""
    simulation = Simulation(seed, world=World(seed, log_drives=True), firmware=Scribe)
    simulation.run_until(100)
    simulation.players.press_lift(1)
    for _ in range(20):
        simulation.write(b"\x00hello\x00")
        simulation.run_until(simulation.now_ms + 777)
    until_ready(simulation)
    return polls_of(simulation), simulation.world.drive_log, simulation.world.locations(), simulation.board.displays


def test_the_same_seed_gives_the_same_polls_and_another_seed_others(seed):
    first, second, other = play(seed), play(seed), play(seed + 1)
    assert first == second
    assert first[1] != other[1]


def test_how_far_one_runs_at_once_changes_nothing(seed):
    chance = random.Random(seed)
    whole = Simulation(seed, firmware=Scribe)
    parts = Simulation(seed, firmware=Scribe)
    for simulation in (whole, parts):
        simulation.players.press_lift(0)
    whole.run_until(30_000)
    while parts.now_ms < 30_000:
        parts.run_until(min(30_000, parts.now_ms + chance.choice((0, 1, 5, 40, 3_000))))
    assert whole.now_ms == parts.now_ms == 30_000
    assert polls_of(whole) == polls_of(parts)


def test_time_jumps_where_nothing_happens():
    simulation = Simulation(1)
    simulation.run_until(70_000)  # after 30 s keys are looked at that were pressed from the start; a self-test is over
    polls = simulation.polls
    simulation.run_until(ROUND_MS)
    assert simulation.polls == polls
    simulation.run_until(10 * DAY_MS)
    assert simulation.now_ms == 10 * DAY_MS
    assert simulation.polls < polls + 10 * DAY_MS // ROUND_MS * POLLS_OF_A_ROUND


def test_a_build_takes_three_or_four_polls_for_each_edge():
    """A poll does one thing: it takes the edge, finds that the input is steady, reports that, lets a device go on."""
    simulation = Simulation(1, firmware=Scribe)
    simulation.players.press_lift(0)
    until_ready(simulation)
    times = {now_ms for now_ms, _, _ in polls_of(simulation)}
    assert 500 < len(times) < simulation.now_ms / 10
    assert 3 * len(times) < len(polls_of(simulation)) < 4 * len(times)


def test_bytes_reach_the_firmware_after_the_wire_and_its_answer_the_host(seed):
    heard = []

    class Echo:
        due = NEVER

        def poll(self, now_ms, rx):
            heard.append((now_ms, rx))
            return rx[::-1]

    simulation = Simulation(seed, firmware=lambda *_: Echo())
    simulation.run_until(50)
    simulation.write(b"abc")
    assert simulation.waiting() == 0
    assert simulation.run_until_output(5_000)
    assert simulation.now_ms == 50 + WIRE_MS
    assert heard == [(51, b"abc")]
    assert (simulation.read(2), simulation.waiting(), simulation.read(), simulation.read()) == (b"cb", 1, b"a", b"")
    assert not simulation.run_until_output(6_000)
    assert simulation.now_ms == 6_000


def longest_wait_s(until_ms):
    """For how long nothing happens at the most after the press of a lift key: some 1.2 s while one tile is left."""
    simulation = Simulation(1)
    simulation.players.press_lift(0)
    longest_ms = 0
    while simulation.next_ms() <= until_ms:
        longest_ms = max(longest_ms, simulation.next_ms() - simulation.now_ms)
        simulation.run_until(simulation.next_ms())
    return longest_ms / 1000


@pytest.mark.parametrize("pace", [1.0, 4.0])
def test_a_paced_table_keeps_step_with_the_real_clock(pace, monkeypatch):
    real_s = 500.0
    slept = []

    def sleep(seconds):
        nonlocal real_s
        assert seconds > 0
        slept.append(seconds)
        real_s += seconds

    monkeypatch.setattr(time, "monotonic", lambda: real_s)
    monkeypatch.setattr(time, "sleep", sleep)
    simulation = Simulation(1, pace=pace)
    simulation.players.press_lift(0)
    simulation.run_until(20_000)
    assert real_s - 500.0 == pytest.approx(20 / pace, abs=0.001)
    assert max(slept) <= longest_wait_s(20_000) / pace + 1e-9, "the table does not sleep through what happens"
    real_s += 3.0
    before = len(slept)
    simulation.run_until(20_000 + round(2_500 * pace))
    assert len(slept) == before, "a table that is late does not sleep"


@pytest.mark.slow
def test_builds_take_18_to_35_s_and_end_as_planned(capsys):
    # Fixed seeds; one build in two thousand is outside, so one of these may be.
    times = []
    for seed in range(BUILDS):
        simulation = Simulation(seed)
        simulation.players.press_lift(0)
        times.append(until_ready(simulation) / 1000)
        assert [len(head.carrier) for head in simulation.world.heads] == PLAN
    with capsys.disabled():
        marks = quantiles(times, n=20)
        print(
            f"\n{BUILDS} builds: {min(times):.1f} s least, {marks[0]:.1f} s 5 %, {marks[9]:.1f} s half, "
            f"{marks[18]:.1f} s 95 %, {max(times):.1f} s most"
        )
    assert min(times) >= 18
    assert sorted(times)[-2] <= 35
    assert 22 < marks[9] < 26
