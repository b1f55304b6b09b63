"""`wallwright service install | uninstall`: a hall that systemd starts with the machine, watches, and starts again."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput, BadPath
from ..system.private import make_folder
from .groups import group

if TYPE_CHECKING:
    from ..system.systemd_unit import Service

HELP = """Let systemd start a hall with the machine, and restart it when it ends or hangs."""
INSTALL_HELP = """Write the unit of a hall.

\b
Example:
  wallwright service install --config /srv/hall/hall.toml -- --host 0.0.0.0
  wallwright service install --config hall.toml --without-console --dry-run

The service is `wallwright serve --config FILE`, with what follows `--` as its options, or with --without-console
`wallwright run --config FILE`. It runs as the owner of the hall's folder, or as --as USER, may write that folder and
nothing else, and use serial ports. The command starts nothing: it prints the two commands that do.
"""
UNINSTALL_HELP = """Remove the unit of a hall that `wallwright service install` has written.

Example: wallwright service uninstall

The hall's files stay. The command prints what stops the service first.
"""
SYSTEM_UNITS = Path("/etc/systemd/system")
SERIAL_GROUPS = ("dialout", "uucp")
"""Debian's name of the group that may use serial ports, and others'."""

Name = Annotated[str, typer.Option(help="The unit's name, without .service.")]
OfUser = Annotated[bool, typer.Option("--user", help="A service of this user's own, while this user is signed in.")]
Units = Annotated[Path | None, typer.Option("--to", help="The folder of units, if it is not systemd's own.")]

app = group("service", HELP)


@app.command("install", help=INSTALL_HELP)
def install(
    config: Annotated[Path, typer.Option(help="The hall's file, in TOML.")],
    options: Annotated[
        list[str] | None, typer.Argument(metavar="[-- OPTIONS]", help="Options of `wallwright serve` for the service.")
    ] = None,
    without_console: Annotated[bool, typer.Option("--without-console", help="Operate the tables alone.")] = False,
    run_as: Annotated[str, typer.Option("--as", metavar="USER", help="The user; the folder's owner by default.")] = "",
    of_user: OfUser = False,
    name: Name = "wallwright",
    to: Units = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the unit, and write nothing.")] = False,
) -> None:
    """Write or print the unit."""
    from ..system.disk import write_whole
    from ..system.systemd_unit import unit_text

    text = unit_text(_service(config, options or [], without_console, run_as, of_user, _checked(name)))
    if dry_run:
        print(text, end="")
        return
    path = _path(name, of_user, to)
    _refuse_foreign(path)
    try:
        make_folder(path.parent)
        write_whole(path, text.encode())
        # There is nothing secret in it, and systemd shows it to everybody.
        path.chmod(0o644)
    except OSError as error:
        raise BadPath(f"{path}: it cannot be written ({error.strerror}); run this as root, or with --user") from error
    manager = "systemctl --user" if of_user else "systemctl"
    print(f"{path} is written. Start it, now and with the machine:")
    print(f"  {manager} daemon-reload")
    print(f"  {manager} enable --now {name}.service")


@app.command("uninstall", help=UNINSTALL_HELP)
def uninstall(name: Name = "wallwright", of_user: OfUser = False, to: Units = None) -> None:
    """Remove the unit."""
    path = _path(_checked(name), of_user, to)
    if not path.exists():
        raise BadPath(f"{path}: there is no such unit; give its --name, and --user if it is this user's own")
    _refuse_foreign(path)
    try:
        path.unlink()
    except OSError as error:
        raise BadPath(f"{path}: it cannot be removed ({error.strerror}); run this as root, or with --user") from error
    manager = "systemctl --user" if of_user else "systemctl"
    print(f"{path} is removed. Stop what still runs:")
    print(f"  {manager} disable --now {name}.service")
    print(f"  {manager} daemon-reload")


def _service(
    config: Path, options: list[str], without_console: bool, run_as: str, of_user: bool, name: str
) -> "Service":
    from ..fleet import load_hall
    from ..journal.witness_places import WitnessFile, find_witness
    from ..system.systemd_unit import Service

    hall = load_hall(config)
    file = config.resolve()
    if re.search(r"[\x00-\x1f]", str(file)):
        raise BadInput("the hall's path has characters that a unit cannot hold; move it")
    command = ["run", "--config", str(file)] if without_console else ["serve", "--config", str(file), *options]
    given = _parsed(command) if options else {}
    if of_user:
        return Service(file, command, name)
    owner = run_as or _owner(file.parent)
    if owner == "root" and not run_as:
        raise BadInput(
            f"{file.parent} belongs to root, as whom no hall should run; give --as USER, who may write there"
        )
    files = (path.resolve().parent for path in (hall.journal, given.get("users")) if isinstance(path, Path))
    backup = given.get("backup") or hall.backup
    places = (*hall.witnesses, *(find_witness(place, file.parent) for place in given.get("witness") or ()))
    witnesses = (Path(one.name).resolve().parent for one in places if isinstance(one, WitnessFile))
    folders = (*files, *(() if backup is None else (backup.resolve(),)), *witnesses)
    written = {path: None for path in folders if not path.is_relative_to(file.parent)}
    return Service(file, command, name, _user(owner), _serial_group(), given.get("port"), tuple(written))


def _parsed(command: list[str]) -> dict[str, Any]:
    """Read the options as `wallwright serve` will. Raises what the command line does."""
    from .program import app as program

    group: Any = typer.main.get_command(program)
    serve = group.commands["serve"]
    if command[0] != "serve":
        raise typer.BadParameter("these are for `wallwright serve`; leave out --without-console", param_hint="OPTIONS")
    parsed: dict[str, Any] = serve.make_context("wallwright serve", command[1:]).params
    for key in ("users", "certificate", "key", "backup", "season_certificate"):
        if parsed.get(key) is not None and not Path(parsed[key]).is_absolute():
            raise typer.BadParameter("a service has another working folder; give the whole path", param_hint=f"--{key}")
    return parsed


def _checked(name: str) -> str:
    from ..system.systemd_unit import NAME

    if not NAME.fullmatch(name):
        raise typer.BadParameter("use letters, digits, and . _ -", param_hint="--name")
    return name


def _no_systemd() -> BadInput:
    return BadInput("there is no systemd on Windows; start `wallwright serve` as the services of that system are")


def _owner(folder: Path) -> str:
    if sys.platform == "win32":
        raise _no_systemd()
    try:
        return folder.owner()
    except KeyError as error:
        raise BadInput(f"{folder} belongs to no user of this machine; give --as USER") from error


def _user(name: str) -> str:
    if sys.platform == "win32":
        raise _no_systemd()
    import pwd

    try:
        return pwd.getpwnam(name).pw_name
    except KeyError as error:
        raise BadInput(f"no user of this machine is called {name}; make one, such as with `adduser`") from error


def _serial_group() -> str | None:
    if sys.platform == "win32":
        raise _no_systemd()
    import grp

    known = {group.gr_name for group in grp.getgrall()}
    return next((name for name in SERIAL_GROUPS if name in known), None)


def _path(name: str, of_user: bool, to: Path | None) -> Path:
    if to is None and of_user:
        from platformdirs import user_config_path

        try:
            to = user_config_path() / "systemd" / "user"
        except RuntimeError as error:
            raise BadPath("this user has no home folder; set XDG_CONFIG_HOME, or give the folder with --to") from error
    return (to or SYSTEM_UNITS) / f"{name}.service"


def _refuse_foreign(path: Path) -> None:
    from ..system.disk import read_whole
    from ..system.systemd_unit import MARK

    try:
        is_ours = not path.exists() or read_whole(path).startswith(MARK.encode())
    except OSError as error:
        raise BadPath(f"{path}: it cannot be read ({error.strerror}); choose another --name") from error
    if not is_ours:
        raise BadPath(f"{path}: this unit is not Wallwright's and was left alone; choose another --name")
