"""What was done with accounts comes into the hall's journal, each act once, whatever fails in between."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.host.console.hall import PASSWORD, QUICK, START_MS, Place
from tests.host.fleet.served import until
from wallwright.cli import users
from wallwright.console.people.accounts import Accounts
from wallwright.console.people.outbox import BATCH, Outbox
from wallwright.errors import AccountError, JournalFull, JournalSlow
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import Journal, read_journal


class Noted:
    """A journal, the accounts beside it, and what takes acts from these to that; `before` and `after` are faults."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "hall.journal"
        self.journal = SharedJournal(self.path)
        self.accounts = Accounts(folder / "hall.users", QUICK)
        self.before: Exception | None = None
        self.after: Exception | None = None
        self.outbox = self.restarted()

    def restarted(self) -> Outbox:
        self.outbox = Outbox(self.accounts, self.path, self.turn)
        return self.outbox

    def turn(self, action: Callable[[Journal], None]) -> None:
        if self.before is not None:
            raise self.before
        self.journal.turn(action)
        if self.after is not None:
            raise self.after

    def acts(self) -> list[dict[str, Any]]:
        return [dict(entry.body) for entry in read_journal(self.path, kinds=("console_act",))]


@pytest.fixture
def noted(tmp_path: Path) -> Iterator[Noted]:
    found = Noted(tmp_path)
    yield found
    found.journal.close()
    found.accounts.close()


def bare(act: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in act.items() if name != "id"}


def test_who_comes_and_goes_is_on_record_with_name_and_address_and_without_a_password(tmp_path: Path) -> None:
    place = Place(tmp_path)
    noted = Noted(tmp_path)
    place.accounts.add("ann", "referee", PASSWORD)
    wrong, ann = place.client(), place.signed_in("referee", "ann")
    for name in ("ann", PASSWORD):
        assert wrong.post("/api/v1/session", json={"name": name, "password": "a wrong one"}).status_code == 401
    assert ann.delete("/api/v1/session").status_code == 204
    assert ann.delete("/api/v1/session").status_code in (204, 401, 403), "there is no session to end any more"
    noted.outbox.drain()
    came, *failed, left = [bare(act) for act in noted.acts()[1:]]
    assert came == {"person": "ann", "role": "referee", "act": "sign_in", "address": "testclient"}
    assert failed == [
        {"person": "ann", "role": "public", "act": "failed_sign_in", "address": "testclient"},
        {"person": "", "role": "public", "act": "failed_sign_in", "address": "testclient"},
    ]
    assert left == {"person": "ann", "role": "referee", "act": "sign_out", "address": "testclient"}
    assert PASSWORD not in str(noted.acts())
    noted.journal.close()
    noted.accounts.close()
    place.accounts.close()


def test_the_first_account_is_on_record_with_who_was_invited(noted: Noted) -> None:
    token = noted.accounts.invite(START_MS)
    assert noted.accounts.person(noted.accounts.accept(token, "dan", PASSWORD, START_MS, "10.0.0.7"), START_MS)
    noted.outbox.drain()
    assert [bare(act) for act in noted.acts()] == [
        {"person": "the server", "role": "command line", "act": "invite"},
        {"person": "dan", "role": "director", "act": "first_account", "account": "dan", "address": "10.0.0.7"},
        {"person": "dan", "role": "director", "act": "sign_in", "address": "10.0.0.7"},
    ]
    assert {entry.at_ms for entry in read_journal(noted.path)} == {START_MS}


def test_what_the_command_line_changes_is_on_record_with_who_changed_it(noted: Noted) -> None:
    file = str(noted.accounts.path)
    for arguments, typed in (
        (("add", file, "ann", "--role", "referee", "--by", "dan"), f"{PASSWORD}\n"),
        (("role", file, "ann", "director", "--by", "dan"), ""),
        (("password", file, "ann", "--by", "eve"), "quite another one\n"),
        (("invite", file, "--by", "dan"), ""),
        (("remove", file, "ann", "--by", "dan"), ""),
        (("remove", file, "ann", "--by", "dan"), ""),
    ):
        CliRunner().invoke(users.app, arguments, input=typed)
    noted.outbox.drain()
    by = {"person": "dan", "role": "command line"}
    assert [bare(act) for act in noted.acts()] == [
        {**by, "act": "add_account", "account": "ann", "account_role": "referee"},
        {**by, "act": "change_role", "account": "ann", "account_role": "director"},
        {**by, "person": "eve", "act": "change_password", "account": "ann"},
        {**by, "act": "invite"},
        {**by, "act": "remove_account", "account": "ann"},
    ]


def test_a_journal_that_takes_nothing_keeps_nobody_out_and_gets_everything_later(noted: Noted) -> None:
    noted.accounts.add("ann", "scorer", PASSWORD)
    noted.before = JournalFull("hall.journal", "the disk is full")
    with pytest.raises(JournalFull):
        noted.outbox.drain()
    assert noted.accounts.sign_in("ann", PASSWORD, START_MS) is not None
    assert noted.acts() == []
    noted.before = None
    noted.outbox.drain()
    assert [act["act"] for act in noted.acts()] == ["add_account", "sign_in"]


def test_a_journal_that_took_the_acts_and_did_not_say_so_gets_them_once(noted: Noted) -> None:
    noted.accounts.add("ann", "scorer", PASSWORD)
    noted.outbox.drain()
    noted.accounts.sign_in("ann", PASSWORD, START_MS)
    noted.after = JournalSlow("hall.journal", "it has taken nothing for 3 s")
    with pytest.raises(JournalSlow):
        noted.outbox.drain()
    noted.after = None
    noted.outbox.drain()
    assert [act["act"] for act in noted.acts()] == ["add_account", "sign_in"]


def test_acts_that_a_crash_left_in_both_files_come_in_once(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    noted.accounts.add("ann", "scorer", PASSWORD)
    with monkeypatch.context() as patched:
        patched.setattr(Accounts, "forget", lambda accounts, acts: (_ for _ in ()).throw(AccountError("the disk")))
        with pytest.raises(AccountError):
            noted.outbox.drain()
    noted.accounts.sign_in("ann", PASSWORD, START_MS)
    assert [act["act"] for act in noted.acts()] == ["add_account"]
    noted.restarted().drain()
    assert [act["act"] for act in noted.acts()] == ["add_account", "sign_in"]
    assert noted.accounts.acts(BATCH) == ()


def test_acts_without_end_come_in_by_parts_in_their_order(noted: Noted) -> None:
    noted.accounts.add("ann", "scorer", PASSWORD)
    for number in range(BATCH + 5):
        noted.accounts.sign_in("ann", "a wrong one", START_MS, f"10.0.0.{number}")
    noted.outbox.drain()
    assert [act.get("address") for act in noted.acts()[1:]] == [f"10.0.0.{number}" for number in range(BATCH + 5)]


def test_the_thread_takes_what_another_program_has_left(noted: Noted) -> None:
    noted.outbox.start()
    Accounts(noted.accounts.path, QUICK, "dan").add("ann", "scorer", PASSWORD)
    until(lambda: [act["person"] for act in noted.acts()] == ["dan"])
    noted.accounts.sign_in("ann", PASSWORD, START_MS)
    noted.outbox.close()
    assert [act["act"] for act in noted.acts()] == ["add_account", "sign_in"], "what is there at the end comes in"
