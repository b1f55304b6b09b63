"""`wallwright users`: who may use the console."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ..clocks import wall_ms
from ..errors import AccountError
from .event.common import By, who
from .groups import group
from .passwords import read_password

HELP = """Manage the accounts of the console: names, roles, passwords. The server may run meanwhile.

The hall's journal records every change and the person who made it, once the server runs.

\b
Roles:
  director   everything
  referee    tables, calls, penalties
  scorer     results; may stop a table
  operator   tables
  screen     looks on, for a screen in the hall

Example: wallwright users add hall.users ann --role referee
"""

app = group("users", HELP)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file of accounts, beside the hall's: hall.users.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the person is called.")]
Role = Annotated[str, typer.Option(help="director, referee, scorer, operator or screen.")]


@app.command("add")
def add(
    file: File,
    name: Name,
    role: Role,
    link: Annotated[bool, typer.Option("--link", help="Let the person choose the password, by a link.")] = False,
    by: By = "",
) -> None:
    """Make an account. The command asks for its password, or reads it as one line when the input is no terminal.

    Example: wallwright users add hall.users ann --role referee

    With --link it prints the path of a link instead, by which the person chooses the password, once, within a day.
    """
    from ..console.people.accounts import Accounts

    accounts = Accounts(file, by=who(by))
    if link:
        print(f"/welcome/{accounts.open(name, role, wall_ms())}")
        return
    person = accounts.add(name, role, read_password(None, again=True))
    print(f"{person.name} may sign in, as {person.role}.")


@app.command("password")
def password(file: File, name: Name, by: By = "") -> None:
    """Give an account another password; its sign-ins end.

    Example: wallwright users password hall.users ann
    """
    from ..console.people.accounts import Accounts

    Accounts(_existing(file), by=who(by)).set_password(name, read_password(None, again=True))
    print(f"{name} has another password, and has to sign in again.")


@app.command("link")
def link(file: File, name: Name, by: By = "") -> None:
    """End an account's password; print the path of a link by which its person chooses another one, once, within a day.

    Example: wallwright users link hall.users ann
    """
    from ..console.people.accounts import Accounts

    print(f"/welcome/{Accounts(_existing(file), by=who(by)).hand_over(name, wall_ms())}")


@app.command("code")
def code(file: File, name: Name, by: By = "") -> None:
    """Print a code by which somebody signs in on a new device while too many wrong passwords hold it up.

    Example: wallwright users code hall.users ann

    It is good once, within ten minutes, and with the password alone; all sign-ins and the password stay.
    """
    from ..console.people.accounts import Accounts

    given = Accounts(_existing(file), by=who(by)).give_code(name, wall_ms())
    print(f"{given.text}\n{name} types this code beside the password on the new device, within ten minutes.")


@app.command("role")
def role(file: File, name: Name, role: Annotated[str, typer.Argument(metavar="ROLE")], by: By = "") -> None:
    """Give an account another role.

    Example: wallwright users role hall.users ann director
    """
    from ..console.people.accounts import Accounts

    Accounts(_existing(file), by=who(by)).set_role(name, role)
    print(f"{name} is {role} from now on.")


@app.command("remove")
def remove(file: File, name: Name, by: By = "") -> None:
    """Remove an account; people who use it now are signed out.

    Example: wallwright users remove hall.users ann
    """
    from ..console.people.accounts import Accounts

    Accounts(_existing(file), by=who(by)).remove(name)
    print(f"{name} may not sign in any more.")


@app.command("list")
def show(file: File, as_json: Annotated[bool, typer.Option("--json", help="One JSON line each.")] = False) -> None:
    """Show all accounts.

    Example: wallwright users list hall.users
    """
    from ..console.people.accounts import Accounts

    people = Accounts(_existing(file)).people()
    for person in people:
        if as_json:
            print(json.dumps({"name": person.name, "role": person.role}))
        else:
            print(f"{person.role:<10}{person.name}")
    if not people and not as_json:
        print("There are no accounts yet; `wallwright serve` prints a link that makes the first.")


@app.command("invite")
def invite(file: File, by: By = "") -> None:
    """Print the path of a link that makes one director's account, once, within a day.

    Example: wallwright users invite hall.users
    """
    from ..console.people.accounts import Accounts

    token = Accounts(_existing(file), by=who(by)).invite(wall_ms())
    print(f"/first/{token}")


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise AccountError(f"there is no file {file}; it is beside the hall's file, and `wallwright serve` makes it")
    return file
