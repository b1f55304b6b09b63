"""`wallwright users`: accounts from the command line, for a server that may be running."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.host.console.hall import PASSWORD, START_MS
from wallwright.cli import users
from wallwright.clocks import wall_ms
from wallwright.console.people.accounts import Accounts
from wallwright.console.people.person import Person
from wallwright.errors import AccountError, BadName


def run(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(users.app, arguments, input=typed, catch_exceptions=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_life_of_an_account(tmp_path: Path) -> None:
    file = str(tmp_path / "hall.users")
    run("add", file, "ann", "--role", "referee", typed=f"{PASSWORD}\n")
    run("add", file, "bob", "--role", "scorer", typed=f"{PASSWORD}\n")
    accounts = Accounts(Path(file))
    token = accounts.sign_in("ann", PASSWORD, START_MS)
    assert token is not None
    run("role", file, "ann", "director")
    person = accounts.person(token, START_MS)
    assert person is not None
    assert person.role == "director"
    run("password", file, "ann", typed="quite another one\n")
    assert accounts.sign_in("ann", PASSWORD, START_MS) is None
    assert accounts.sign_in("ann", "quite another one", START_MS) is not None
    run("remove", file, "bob")
    assert [json.loads(line) for line in run("list", file, "--json").splitlines()] == [
        {"name": "ann", "role": "director"}
    ]
    link = run("invite", file).strip()
    assert accounts.is_invited(link.removeprefix("/first/"), START_MS)
    accounts.close()


def test_an_account_is_handed_over_by_a_link(tmp_path: Path) -> None:
    file = str(tmp_path / "hall.users")
    first = run("add", file, "ann", "--role", "referee", "--link").strip().removeprefix("/welcome/")
    accounts = Accounts(Path(file))
    now_ms = wall_ms()
    assert accounts.without_password() == {"ann"}
    assert accounts.sign_in("ann", "", now_ms) is None, "an account without a password lets nobody in"
    token = accounts.take_over(first, PASSWORD, now_ms)
    assert accounts.person(token, now_ms) == Person("ann", "referee")
    second = run("link", file, "ann").strip().removeprefix("/welcome/")
    assert accounts.person(token, now_ms) is None
    assert accounts.sign_in("ann", PASSWORD, now_ms) is None
    with pytest.raises(AccountError, match="used or is too old"):
        accounts.take_over(first, PASSWORD, now_ms)
    with pytest.raises(AccountError, match="used or is too old"):
        accounts.take_over(second, PASSWORD, wall_ms() + 24 * 3_600_000)
    assert accounts.take_over(second, "another one, longer", now_ms)
    with pytest.raises(AccountError, match="no account 'bob'"):
        run("link", file, "bob")
    accounts.close()


@pytest.mark.parametrize(
    ("arguments", "typed", "error"),
    [
        (("add", "{}", "ann", "--role", "king"), f"{PASSWORD}\n", BadName),
        (("add", "{}", "ann", "--role", "scorer"), "short\n", AccountError),
        (("add", "{}", "ann", "--role", "scorer"), "", AccountError),
        (("remove", "{}", "ann"), "", AccountError),
        (("list", "{}"), "", AccountError),
    ],
)
def test_what_cannot_be_is_told(tmp_path: Path, arguments, typed, error) -> None:
    with pytest.raises(error):
        run(*(part.format(tmp_path / "hall.users") for part in arguments), typed=typed)
