"""The commands of the program `wallwright`, and what a person sees when something cannot be done.

A failure is one line on the standard error. The commands themselves are in `table_cli`, `log_cli`, `simulate_cli` and
their neighbours; what a command needs is imported when it runs.
"""

import errno
import sys
from typing import Any

import typer

from . import (
    demo,
    dice_cli,
    doctor_cli,
    event_cli,
    faults_cli,
    log_cli,
    rehearse_cli,
    rules_cli,
    run_cli,
    serve_cli,
    service_cli,
    simulate_cli,
    table_cli,
    tiles_cli,
    trace_cli,
    users_cli,
    wall_cli,
)
from .backup import cli as backup_cli
from .board import cli as board_cli
from .errors import AccountsFailed, BadInput, EventError, JournalError, TableError, WallwrightError
from .journal.startup import STARTUP
from .tracking import cli as track_cli

EXIT_CODES: tuple[tuple[type[WallwrightError], int], ...] = (
    (BadInput, 2),
    (TableError, 4),
    (JournalError, 5),
    (AccountsFailed, 5),
    (EventError, 6),
    (WallwrightError, 3),
)
"""The first row that fits the error gives the exit code; 0 is success, 1 a bug or what a command says of 1."""

HELP = """Operate automatic mahjong tables, log what happens, and apply the rules.

A table is named by its port: /dev/ttyACM0, socket://HOST:PORT, or sim://?seed=1 for a simulated one.

\b
Exit codes:
  2  wrong usage: an option, a plan, a seat
  3  port or link: no such port, in use, not a table, unplugged, no answer
  4  the table refused, stopped with a fault, or did not do it in time
  5  journal: not a journal, in use; its disk, or that of the accounts, is full
  6  event: no tournament there, or it does not fit what has happened so far
141  nobody reads the output any more
"""

app = typer.Typer(
    name="wallwright",
    help=HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("demo", help=demo.HELP)(demo.demo)
table_cli.add_commands(app)
run_cli.add_commands(app)
serve_cli.add_commands(app)
simulate_cli.add_commands(app)
app.command("faults", help=faults_cli.HELP)(faults_cli.faults)
app.add_typer(backup_cli.app, name="backup")
app.add_typer(board_cli.app, name="board")
app.add_typer(dice_cli.app, name="dice")
app.add_typer(doctor_cli.app, name="doctor")
app.add_typer(event_cli.app, name="event")
app.add_typer(log_cli.app, name="log")
app.add_typer(rehearse_cli.app, name="rehearse")
app.add_typer(rules_cli.app, name="rules")
app.add_typer(service_cli.app, name="service")
app.add_typer(tiles_cli.app, name="tiles")
app.add_typer(trace_cli.app, name="trace")
app.command("track", help=track_cli.HELP)(track_cli.track)
app.add_typer(users_cli.app, name="users")
app.add_typer(wall_cli.app, name="wall")


_USAGE = 2
_LONGEST = 4000
"""Characters of what is said to be wrong; somebody may have given a page as a name."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# UsageError, the base of all complaints about options; typer's versions keep it in different places.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def run() -> None:
    """Run the command line and exit with its code. Raises KeyboardInterrupt when a question is answered by Ctrl-C."""
    STARTUP.begin(lambda text: print(text, file=sys.stderr, flush=True))
    try:
        _refuse_unreadable_arguments()
        sys.exit(app(standalone_mode=False))
    except _UsageError as error:
        sys.exit(_explain_usage(error))
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except WallwrightError as error:
        sys.exit(_explain(str(error), next(code for kind, code in EXIT_CODES if isinstance(error, kind))))
    except OSError as error:
        if error.filename is None and error.errno not in _FULL:
            raise
        where = f"{error.filename}: " if error.filename is not None else ""
        mend = "make room on the disk" if error.errno in _FULL else "check the path"
        sys.exit(_explain(f"{where}{error.strerror}; {mend}", _USAGE))
    finally:
        STARTUP.end()


def _refuse_unreadable_arguments() -> None:
    """Neither a journal nor a page can keep a name whose bytes are no text, and few systems can show it."""
    for argument in sys.argv[1:]:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            shown = argument.encode(errors="backslashreplace").decode()
            raise BadInput(f"{shown} is no text in UTF-8; rename the file, or type the name in UTF-8") from error


def _explain(text: str, code: int) -> int:
    """Say in one line, or a line and a list, what could not be done, whatever names are in it; return the exit code."""
    # What to do stands at the end.
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
    lines = short.split("\n  ")  # a list of what there is
    shown = (
        "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line) for line in lines
    )
    print("error: " + "\n  ".join(shown), file=sys.stderr)
    return code


def _explain_usage(error: Any) -> int:
    text: str = error.format_message()
    if "\n" in text:
        # The help of a group that was called without a command.
        print(text, file=sys.stderr)
    else:
        command = "wallwright" if error.ctx is None else error.ctx.command_path
        return _explain(f"{text.rstrip('.')} (see {command} --help)", _USAGE)
    return _USAGE
