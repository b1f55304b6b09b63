"""Clocks that are set, machines that sleep and are started anew: a session lasts as long as it lasts, by every command.

The oracle is a machine that knows how much time has really passed.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.host.journal.conftest import Answer
from tests.host.set_clock import Machine
from wallwright import cli
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import running
from wallwright.journal import read_journal

LIMIT_S = 3600
Run = Callable[..., Answer]


class Day:
    """An event whose session 1 plays, and the commands that one gives it."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.place = folder / "day.journal"
        self._patch = patch
        self._capsys = capsys
        players = folder / "players.csv"
        players.write_text("Name\nAnn\nBo\nCy\nDi\n")
        self.run("new", self.place)
        self.run("players", "import", self.place, players)
        self.run("draw", "commit", self.place)
        self.run("draw", "reveal", self.place)
        assert self.run("start", self.place, 1).code == 0

    def run(self, *arguments: object) -> Answer:
        self._patch.setattr("sys.argv", ["wallwright", "event", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return Answer(int(caught.value.code or 0), *self._capsys.readouterr())

    def left_s(self) -> int:
        minutes, seconds = self.session()["time_left"].split(":")
        return int(minutes) * 60 + int(seconds)

    def session(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run("sessions", self.place, "--json").out.splitlines()[0])
        return found

    def act(self) -> None:
        answer = self.run("add-time", self.place, 1, 1, "--reason", "x")
        assert answer.code == 0, answer.error

    def check(self) -> Answer:
        return self.run("check", self.place)

    def kinds(self) -> list[str]:
        return [entry.kind for entry in read_journal(self.place)]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


@pytest.fixture
def day(machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Day:
    return Day(monkeypatch, capsys, tmp_path)


@pytest.mark.parametrize(("by_s", "told"), [(-7200, "put back by 2 h 0 min"), (5400, "put forward by 1 h 30 min")])
def test_a_clock_that_is_set_changes_no_session_and_is_told(day: Day, machine: Machine, by_s: int, told: str) -> None:
    machine.passes(600)
    machine.wall_s += by_s
    assert day.left_s() == LIMIT_S - 600
    assert f"not written down yet: the machine's clock was {told}" in day.check().out
    machine.passes(60)
    day.act()
    assert day.left_s() == LIMIT_S - 660 + 60
    assert day.kinds()[-2:] == ["clock_read", "clock_changed"]
    answer = day.check()
    assert answer.code == 1
    number = len(day.kinds()) - 1
    assert f"entry {number}: the machine's clock was {told}; sessions run on as if it had not been" in answer.out
    machine.passes(60)
    day.act()
    assert day.kinds().count("clock_read") == 2
    assert day.left_s() == LIMIT_S - 720 + 120


def test_a_clock_that_nobody_sets_is_told_once_and_is_no_finding(day: Day, machine: Machine) -> None:
    machine.passes(600)
    day.act()
    assert day.kinds().count("clock_read") == 1
    assert (day.check().code, "clock" in day.check().out) == (0, False)


def test_time_is_held_by_the_hall_s_pauses_and_by_appeals_too(day: Day, machine: Machine) -> None:
    day.run("pause", day.place, 1, "--reason", "lunch")
    machine.passes(300)
    machine.wall_s -= 7200
    machine.passes(300)
    day.run("pause", day.place, 1, "--end")
    assert day.left_s() == LIMIT_S
    machine.passes(LIMIT_S)
    assert day.run("stop", day.place, 1).code == 0
    assert day.run("sign-off", day.place, 1, 1).code == 0
    assert day.run("publish", day.place, 1).code == 0
    machine.wall_s += 86_400
    answer = day.run("finalise", day.place, 1)
    assert (answer.code, "30 more minutes" in answer.error) == (6, True)
    machine.passes(30 * 60)
    assert day.run("finalise", day.place, 1).code == 0


def test_a_machine_that_slept_is_told_and_the_session_has_run_on(day: Day, machine: Machine) -> None:
    machine.sleeps(900)
    assert day.left_s() == LIMIT_S - 900
    day.act()
    assert "the machine slept for 15 min 0 s while session 1 ran" in day.check().out


@pytest.mark.parametrize(("off_s", "counted_s"), [(600, 600), (-40_000_000, 0)])
def test_a_machine_that_was_started_anew_goes_on_by_the_wall_clock(
    day: Day, machine: Machine, off_s: int, counted_s: int
) -> None:
    """A clock without a battery is years behind: no time has passed then, as far as anybody can say."""
    machine.passes(300)
    day.act()
    machine.start_anew(off_s)
    assert day.left_s() == LIMIT_S + 60 - 300 - counted_s
    day.act()
    assert day.left_s() == LIMIT_S + 120 - 300 - counted_s
    answer = day.check()
    assert answer.code == 1
    assert "started again, or another goes on, in session 1" in answer.out
    assert ("put back" in answer.out) == (off_s < 0)
    machine.passes(100)
    machine.wall_s += 3600
    day.act()
    assert day.left_s() == LIMIT_S + 180 - 300 - counted_s - 100


def test_another_time_zone_is_an_entry_and_no_finding(
    day: Day, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "XXX-5:30")
    time.tzset()
    try:
        machine.passes(60)
        day.act()
        answer = day.check()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert day.kinds().count("clock_read") == 2
    assert (answer.code, "UTC+05:30 now" in answer.out) == (0, True)


def test_where_a_system_has_no_such_clock_the_wall_clock_is_believed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("wallwright.clocks._BOOT_ID", tmp_path / "none")
    day = Day(monkeypatch, capsys, tmp_path)
    machine.passes(600)
    day.act()
    assert day.left_s() == LIMIT_S - 600 + 60
    assert "clock_read" not in day.kinds()


STEPS = st.lists(
    st.tuples(st.sampled_from(["passes", "sleeps", "set", "act"]), st.integers(-8000, 8000)), min_size=1, max_size=8
)


def test_whatever_happens_to_clocks_a_session_has_run_as_long_as_it_has(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @settings(max_examples=25)
    @given(STEPS)
    def holds(steps: list[tuple[str, int]]) -> None:
        folder = tmp_path_factory.mktemp("day")
        machine = Machine(monkeypatch, folder)
        day = Day(monkeypatch, capsys, folder)
        left_s = LIMIT_S
        for step, seconds in steps:
            if step == "set":
                machine.wall_s += seconds
            elif step == "act":
                day.act()
                left_s += 60
            else:
                getattr(machine, step)(abs(seconds) // 8)
                left_s -= abs(seconds) // 8
        assert day.left_s() == max(0, left_s)

    holds()


def test_the_console_notices_writes_it_down_and_says_it(day: Day, machine: Machine) -> None:
    book = Book(str(day.place))
    machine.passes(600)
    book.follow()
    assert (book.view.clocks, day.kinds().count("clock_read")) == ((), 1)
    machine.wall_s -= 7200
    machine.passes(60)
    book.follow()
    assert day.kinds()[-1] == "clock_read"
    (told,) = book.view.clocks
    assert "put back by 2 h 0 min" in str(told)
    assert book.view.sessions[0].left_ms == (LIMIT_S - 660) * 1000
    book.follow()
    assert day.kinds().count("clock_read") == 2
    person = Person("Ann", "director")
    book.do(person, lambda desk: running.add_time(desk, 1, 1, "x"))
    assert book.view.sessions[0].left_ms == (LIMIT_S - 600) * 1000
