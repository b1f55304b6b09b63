"""A sample of the campaign, and whether it would see what it looks for."""

import pytest

from tests.campaign import person
from tests.campaign.causes import CAUSES, Cause, named
from tests.campaign.runs import (
    BROKEN,
    FROM_START,
    HOSTS,
    MISSED,
    QUIET,
    RIGHT,
    STAGES,
    WRONG,
    Run,
    draw_runs,
    play,
    well,
)
from tests.length import length
from wallwright_firmware import cycle, safety
from wallwright_firmware.drivers import lane
from wallwright_protocol import codes, transitions
from wallwright_protocol.link import NEVER
from wallwright_protocol.names import FAULTS
from wallwright_simulator.faults import (
    CLASSES,
    ELECTRIC,
    OF_READERS,
    OF_SORTERS,
    OF_SUPPLY,
    ProgramHang,
    parse_faults,
)

NAMES = set(FAULTS)
RUNS = length(16, 150)


def cause(line: str) -> Cause:
    """The cause of that line."""
    (found,) = (each for each in CAUSES if each.line == line)
    return found


def test_a_sample_ends_well_or_in_a_fault_that_says_what_is_wrong(seed):
    outcomes = map(play, draw_runs(RUNS, seed))
    bad = [outcome.line() for outcome in outcomes if outcome.result in (MISSED, WRONG, BROKEN)]
    assert bad == []


def test_the_causes_use_every_fault_of_the_language_and_name_faults_of_the_catalogue():
    used = set()
    for each in CAUSES:
        used |= set(map(type, parse_faults(each.line.format(side=1, tile=2, size=136, at="3.5", later="6.5"))))
        assert each.names | each.guesses | each.tells <= NAMES
        assert each.names or each.quiet
        assert not each.names & each.guesses
    assert used == set(CLASSES) - {*OF_READERS, *OF_SORTERS, *OF_SUPPLY, *ELECTRIC, ProgramHang}


@pytest.mark.parametrize("each", [each for each in CAUSES if each.tells], ids=lambda each: each.line)
def test_a_cause_that_brings_a_notice_brings_it(each, seed):
    assert each.tells <= play(Run(each, "build", "with host", seed % 100)).told


def test_every_cause_meets_every_stage_and_host_before_any_does_again(seed):
    staged = sum(each.has_stages for each in CAUSES)
    every = (staged * len(STAGES) + len(CAUSES) - staged) * len(HOSTS)
    runs = draw_runs(2 * every, seed)
    for half in (runs[:every], runs[every:]):
        assert len({(run.cause, run.stage, run.host) for run in half}) == every


@pytest.mark.parametrize("host", HOSTS)
def test_with_nothing_wrong_every_stage_is_there_and_no_fault_is_shown(host, seed):
    times = well(seed % 100, host, 108)
    assert tuple(times.stages) == STAGES
    marks = [mark for stage in times.stages.values() for mark in stage]
    assert marks == sorted(marks)
    assert all(begin < end for begin, end in times.stages.values())
    assert marks[-1] < times.took_ms


def test_a_run_can_be_repeated():
    run = Run(cause("jam lane {side} at {at} s"), "build", "with host", 5)
    assert play(run) == play(run)


def test_outcomes_are_told_apart():
    missing = cause("tile {tile} missing")
    assert play(Run(missing, FROM_START, HOSTS[0], 3)).result == RIGHT
    assert play(Run(missing._replace(names=frozenset({"slow_build"})), FROM_START, HOSTS[0], 3)).result == WRONG
    assert play(Run(named("eye {side} belt dead at {at} s", "eye_dead"), "idle", HOSTS[0], 3)).result == MISSED
    assert play(Run(cause("eye {side} belt dead at {at} s"), "idle", HOSTS[0], 3)).result == QUIET


@pytest.fixture
def harmless() -> Run:
    """A run whose cause does nothing, timed before a test takes the firmware apart."""
    well(3, HOSTS[0], 108)
    return Run(cause("eye {side} belt dead at {at} s"), "idle", HOSTS[0], 3)


def test_a_firmware_that_raises_walls_under_an_open_lid_is_caught(harmless, monkeypatch):
    monkeypatch.setitem(transitions.TRANSITIONS, (codes.LID_OPEN, "lift_key"), (codes.LIFTING, "raise_lifts"))
    stopped = play(harmless)
    assert "'interlock', 0" in stopped.said
    assert "against an interlock" not in stopped.said
    monkeypatch.setattr(safety, "interlocks", list)
    caught = play(harmless)
    assert caught.result == BROKEN
    assert "against an interlock" in caught.said


def test_a_firmware_that_raises_walls_that_are_not_whole_is_caught(harmless, monkeypatch):
    monkeypatch.setattr(lane.Lane, "missing", lambda self: self.wanted * 2 - 2 * (self.side == 1) - self.tiles())
    caught = play(harmless)
    assert caught.result == BROKEN
    assert "stacks rise, planned were" in caught.said


def test_a_firmware_that_goes_on_by_itself_after_a_fault_is_caught(harmless, monkeypatch):
    fail = cycle.Cycle.fail

    def fail_and_wait(self, *fault):
        fail(self, *fault)
        self.due = self.now_ms + 3_000

    def go_on(self, now_ms):
        self.due = NEVER
        self.clear(0)
        self.trigger("start_build")

    monkeypatch.setattr(cycle.Cycle, "fail", fail_and_wait)
    monkeypatch.setattr(cycle.Cycle, "poll", go_on)
    monkeypatch.setattr(person, "FAULT_WAIT_MS", 10_000)
    caught = play(harmless._replace(cause=cause("jam head {side} at {at} s frees 0 %"), stage="build"))
    assert caught.result == BROKEN
    assert "after the last act" in caught.said
