"""Backups that earlier versions have made come back as they were."""

from pathlib import Path

import pytest

from wallwright.backup.checking import check_backup
from wallwright.backup.hall import restore_hall
from wallwright.console.people.accounts import Accounts
from wallwright.event.store import read_event
from wallwright.journal import verify_journal

KEPT = sorted((Path(__file__).parents[2] / "data" / "backups").glob("*.backup"))


@pytest.mark.parametrize("source", KEPT, ids=lambda path: path.stem)
def test_a_backup_of_an_earlier_version_comes_back_as_it_was(source: Path, tmp_path: Path) -> None:
    check_backup(source)
    back = restore_hall(source, tmp_path / "again")
    assert (back["entries"], back["event"]) == (11, "Chengdu Grand-Prix")
    assert back["files"] == ["hall.toml", "hall.users"]
    journal = tmp_path / "again" / "inner" / "day.journal"
    assert back["journal"] == str(journal)
    assert verify_journal(journal).is_whole
    assert list(read_event(str(journal)).sessions) == [1, 2, 3, 4, 5]
    accounts = Accounts(tmp_path / "again" / "hall.users")
    assert [person.name for person in accounts.people()] == ["ann"]
    accounts.close()


def test_there_is_one_of_each_form() -> None:
    assert [path.stem for path in KEPT] == ["without-sizes"]
