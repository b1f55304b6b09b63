"""Accounts: who has the file can sign in as nobody, and two programs may use it at once."""

import sqlite3
from contextlib import closing
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.host.console.hall import PASSWORD, QUICK, START_MS
from tests.host.programs import RUNNER
from wallwright.console.people.accounts import Accounts
from wallwright.console.problems import status_of
from wallwright.errors import AccountError, AccountsFailed, BadName
from wallwright.journal import Journal


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return Accounts(tmp_path / "hall.users", QUICK)


def test_the_file_has_neither_passwords_nor_tokens_and_is_its_owners(accounts: Accounts) -> None:
    accounts.add("ann", "director", PASSWORD)
    token = accounts.sign_in("ann", PASSWORD, START_MS)
    invitation = accounts.invite(START_MS)
    assert token is not None
    accounts.close()
    content = b"".join(path.read_bytes() for path in accounts.path.parent.iterdir())
    assert b"$argon2id$" in content
    for secret in (PASSWORD, token, invitation):
        assert secret.encode() not in content
    assert accounts.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "wrong one, sorry"), ("Ann", PASSWORD), ("bob", PASSWORD), ("", ""), ("' OR 1=1 --", "x")],
)
def test_nothing_else_signs_in(accounts: Accounts, name: str, password: str) -> None:
    accounts.add("ann", "director", PASSWORD)
    assert accounts.sign_in(name, password, START_MS) is None
    assert accounts.sign_in("ann", PASSWORD, START_MS) is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "visible characters"),
        (" \u3000 \u200b", "visible characters"),
        ("x" * 65, "visible characters"),
        ("two\nlines", "character 4 is LINE FEED"),
        ("null\0", "character 5 is NULL"),
    ],
)
def test_a_name_is_one_short_line(accounts: Accounts, name: str, said: str) -> None:
    with pytest.raises(AccountError, match=said):
        accounts.add(name, "scorer", PASSWORD)


def test_an_account_is_known_by_its_name_however_it_is_typed(accounts: Accounts) -> None:
    accounts.add(" Zoe\u0308\u3000Lee", "director", PASSWORD)
    accounts.add("ann", "director", PASSWORD)
    assert {one.name for one in accounts.people()} == {"Zoë Lee", "ann"}
    with pytest.raises(AccountError, match="there is an account 'ＺＯË lee' already"):
        accounts.add("ＺＯË  lee", "scorer", PASSWORD)
    assert accounts.called("zoë\u00a0LEE") == "Zoë Lee"
    assert accounts.called("zoe lee") == "zoe lee"
    accounts.set_role("zoë lee", "scorer")
    accounts.remove("ANN")
    assert [(one.name, one.role) for one in accounts.people()] == [("Zoë Lee", "scorer")]


def test_an_account_is_made_once_with_a_role_that_there_is(accounts: Accounts) -> None:
    accounts.add("ann", "scorer", PASSWORD)
    with pytest.raises(AccountError, match="already"):
        accounts.add("ann", "director", PASSWORD)
    with pytest.raises(BadName, match="root"):
        accounts.add("bob", "root", PASSWORD)
    assert [person.role for person in accounts.people()] == ["scorer"]


@pytest.mark.parametrize(("length", "is_taken"), [(9, False), (10, True), (1000, True), (1001, False)])
def test_a_password_has_ten_to_a_thousand_characters(accounts: Accounts, length: int, is_taken: bool) -> None:
    password = "é" * length
    if is_taken:
        accounts.add("ann", "scorer", password)
    else:
        with pytest.raises(AccountError, match="a password has 10 to 1000 characters"):
            accounts.add("ann", "scorer", password)
    assert (accounts.sign_in("ann", password, START_MS) is not None) == is_taken


def test_what_another_program_changes_counts_at_once(accounts: Accounts) -> None:
    other = Accounts(accounts.path)
    other.add("ann", "scorer", PASSWORD)
    token = accounts.sign_in("ann", PASSWORD, START_MS)
    assert token is not None
    other.set_role("ann", "referee")
    person = accounts.person(token, START_MS)
    assert person is not None
    assert person.role == "referee"
    other.set_password("ann", "another one, longer")
    assert accounts.person(token, START_MS) is None


@pytest.mark.parametrize("change", ["set_role", "set_password", "remove"])
def test_nobody_is_changed_who_is_not_there(accounts: Accounts, change: str) -> None:
    values = {"set_role": ("eve", "scorer"), "set_password": ("eve", PASSWORD), "remove": ("eve",)}[change]
    with pytest.raises(AccountError, match="no account 'eve'"):
        getattr(accounts, change)(*values)


def test_a_link_is_good_for_one_day_and_the_newest_alone(accounts: Accounts) -> None:
    old = accounts.invite(START_MS)
    new = accounts.invite(START_MS)
    assert not accounts.is_invited(old, START_MS)
    assert accounts.is_invited(new, START_MS + 24 * 3_600_000 - 1)
    assert not accounts.is_invited(new, START_MS + 24 * 3_600_000)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, but long enough to be taken for one" * 20)
    with pytest.raises(AccountError, match="text"):
        Accounts(tmp_path / "text")
    with pytest.raises(AccountError, match="nowhere"):
        Accounts(tmp_path / "nowhere" / "hall.users")


@pytest.mark.parametrize("command", ["users add {users} bob --role scorer", "serve --config {hall} --users {users}"])
def test_a_full_disk_is_nobodys_wrong_option(accounts: Accounts, tmp_path: Path, command: str) -> None:
    """A service manager tries again after such an end, and never after a wrong option, which is 2."""
    accounts.add("ann", "director", PASSWORD)
    accounts.close()
    hall = tmp_path / "hall.toml"
    hall.write_text('journal = "hall.journal"\n[[table]]\nname = "A1"\nport = "/dev/there-is-no-such-port"\n')
    Journal(tmp_path / "hall.journal").close()
    words = command.format(users=accounts.path, hall=hall).split()
    run = RUNNER.start(*words, stdin=PIPE, limit=4096)
    assert run.stdin is not None
    run.stdin.write(f"{PASSWORD}\n")
    _, errors = run.communicate()
    assert (run.returncode, errors.count("\n")) == (5, 1), errors
    assert "the disk is full" in errors
    assert [person.name for person in Accounts(accounts.path, QUICK).people()] == ["ann"]


def test_a_file_that_another_program_keeps_is_no_mistake_of_who_asks(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wallwright.console.people.file.BUSY_LIMIT_S", 0.05)
    with closing(sqlite3.connect(accounts.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(AccountsFailed, match="end that program") as caught:
            Accounts(accounts.path, QUICK).add("bob", "scorer", PASSWORD)
        other.execute("ROLLBACK")
    assert status_of(caught.value) == 503
