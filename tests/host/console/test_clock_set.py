"""What a hall waits for while it runs lasts as long when somebody sets the machine's clock."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.host.console.hall import PaperFleet
from tests.host.set_clock import Machine
from wallwright.backup.kept import Kept
from wallwright.backup.schedule import Backups, Plan
from wallwright.clocks import wall_ms
from wallwright.console.guard import Site, one_try
from wallwright.console.hall.calls import Waiting
from wallwright.console.hall.desk import Desk
from wallwright.console.hall.model import NoProgress
from wallwright.console.people.limits import WINDOW_MS, Limiter, Tally
from wallwright.console.problems import TooMany, WrongPassword
from wallwright.journal import Journal
from wallwright.journal.witness import EVERY_MS, RETRY_MS, Witnessing

HOURS_S = 3600
SETS = [-2 * HOURS_S, 26 * HOURS_S]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


@pytest.mark.parametrize("set_s", SETS)
def test_a_checkpoint_is_signed_when_its_time_has_come(machine: Machine, tmp_path: Path, set_s: int) -> None:
    place = tmp_path / "hall.journal"

    def turn(action: Callable[[Journal], Any]) -> Any:
        with Journal(place) as journal, journal.batch():
            return action(journal)

    turn(lambda journal: journal.append("deal", {}, at_ms=1))
    witnessing = Witnessing(place, turn, wall_ms)
    witnessing.look()
    assert witnessing.newest is not None
    first = witnessing.newest.checkpoint.entry
    turn(lambda journal: journal.append("deal", {}, at_ms=1))
    machine.wall_s += set_s
    witnessing.look()
    assert witnessing.newest.checkpoint.entry == first
    machine.passes(EVERY_MS // 1000)
    witnessing.look()
    assert witnessing.newest.checkpoint.entry > first


def test_a_journal_that_could_not_be_signed_is_tried_again_soon(machine: Machine, tmp_path: Path) -> None:
    told: list[str] = []
    witnessing = Witnessing(tmp_path / "hall.journal", cast(Any, None), wall_ms, tell=told.append)
    witnessing.look()
    with Journal(tmp_path / "hall.journal") as journal:
        journal.append("witnessed", {"salt": "00" * 32}, at_ms=1)
        machine.wall_s -= 2 * HOURS_S
        machine.passes(RETRY_MS // 1000)
        witnessing._turn = lambda action: action(journal)
        witnessing.look()
    assert (len(told), witnessing.problem) == (2, "")


@pytest.mark.parametrize("set_s", SETS)
def test_a_backup_is_as_old_as_it_is(machine: Machine, tmp_path: Path, set_s: int) -> None:
    (tmp_path / "stick").mkdir()
    Kept(tmp_path / "stick", "hall").path(wall_ms()).touch()
    backups = Backups(Plan(tmp_path / "hall.journal", tmp_path / "stick", 10), lambda _: None)
    backups.start()
    try:
        machine.wall_s += set_s
        machine.passes(9 * 60)
        assert backups.problem() is None
        machine.passes(11 * 60)
        assert "is 20 min old" in (backups.problem() or "")
    finally:
        backups.close()


@pytest.mark.parametrize("set_s", SETS)
def test_who_has_tried_too_often_waits_as_long(machine: Machine, set_s: int) -> None:
    site = cast(Site, SimpleNamespace(limiter=Limiter(), now_ms=wall_ms))

    def ends_in(error: type[Exception]) -> None:
        with pytest.raises(error), one_try(site, Tally(("ann",), 1)):
            raise WrongPassword

    ends_in(WrongPassword)
    machine.wall_s += set_s
    machine.passes(WINDOW_MS // 1000 - 1)
    ends_in(TooMany)
    machine.passes(1)
    ends_in(WrongPassword)


@pytest.mark.parametrize("set_s", SETS)
def test_a_call_has_waited_as_long_and_so_has_a_table(machine: Machine, set_s: int) -> None:
    fleet, waiting = PaperFleet("A1"), Waiting()
    waiting.called("1:2", "A1", 0, wall_ms())
    desk = Desk(cast(Any, fleet), NoProgress(), waiting=waiting)
    machine.wall_s += set_s
    machine.passes(60)
    view = desk._look()
    assert [view.at_ms - call.since_ms for call in view.calls] == [60_000]
    assert [view.at_ms - table.heard_ms for table in view.tables] == [60_000]
