"""The commands of the program `wallwright`, and what a person sees when something cannot be done.

A failure is one line on the standard error. Each command is in the module of its name beside this one, and is imported
when it is called.
"""

import errno
import importlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import typer

from ..errors import AccountsFailed, BadInput, EventError, JournalError, TableError, WallwrightError
from ..system.startup import STARTUP
from .groups import Group, group
from .texts import fold_texts

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

Commands find a table by its port: /dev/ttyACM0, socket://HOST:PORT, or sim://?seed=1 for a simulated one.

\b
Exit codes:
  2  wrong usage: an option, a plan, a seat
  3  port or link: no such port, in use, not a table, unplugged, no answer
  4  the table refused, stopped with a fault, or did not do it in time
  5  journal: not a journal, in use; its disk, or that of the accounts, is full
  6  event: no tournament there, or it does not fit what has happened so far
  7  log verify: the journal is whole, and something else knows of more entries, or of others
141  nobody reads the output any more
"""

SUMMARIES: Final = {
    "demo": "Play a session of deals on a simulated table, from the shuffle to the score.",
    "status": "Show what a table is doing.",
    "watch": "Show a table live, until Ctrl-C.",
    "build": "Build the walls, and show how they grow.",
    "run": "Operate all tables of a hall in one process, and keep their journal, until Ctrl-C or SIGTERM.",
    "serve": "Show a hall of tables in a browser, and operate them like `wallwright run`, until Ctrl-C or SIGTERM.",
    "simulate": "Run a simulated table in real time behind a port that any program can open.",
    "faults": "List every fault of a table: what it means and what to do.",
    "track": "Work out a finished deal from the reads of its tile readers.",
    "backup": "Back up a running hall, check a backup, and restore one.",
    "board": "Flash boards, update them, and back up what they store.",
    "deals": "Draw deals for duplicate mahjong: the same walls at every table. Print, exchange and check them.",
    "dice": "Roll a table's dice, or verify rolls.",
    "doctor": "Look after a table: live inputs, single drives, self-test, counters, calibration, service file.",
    "entropy": "Capture raw samples of a board's random source, and assess them by SP 800-90B.",
    "event": "Run a tournament: players, draw, sessions, results, standings.",
    "log": "Read, check, sign, copy and export journals.",
    "rehearse": "Rehearse failures of a hall on simulated tables, or a day of an event by its format.",
    "rules": "Score hands, find waits, settle and play deals, break walls.",
    "season": "Add up days of many halls: who is who, what counts, who qualifies; all of it proved.",
    "service": "Let systemd start a hall with the machine, and restart it when it ends or hangs.",
    "study": "Study how well a table shuffles, by many walls.",
    "table": "Set a table to a game: its sets, its dice, the sides that build.",
    "tiles": "Enrol the tags in a table's tiles.",
    "trace": "Show every frame between host and table: time in ms, direction and meaning.",
    "users": "Manage the accounts of the console: names, roles, passwords.",
    "wall": "Verify that the played wall is the wall that was built.",
}
"""Every command in the order of the help, with its module's first sentence, so that the help imports none of them."""


class _Commands(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for.

    The module of a command has its name. A group is the module's `app`; a single command is the function of that name,
    with the module's `HELP`.
    """

    def __getitem__(self, name: str) -> Any:
        if name not in SUMMARIES:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


@cache
def _load(name: str) -> Any:
    module = importlib.import_module(f".{name}", __package__)
    command: Any
    if hasattr(module, "app"):
        command = typer.main.get_group(module.app)
    else:
        single = typer.Typer(rich_markup_mode=None)
        single.command(name, help=module.HELP)(getattr(module, name))
        command = typer.main.get_command(single)
    fold_texts(command)
    return command


class _Program(Group):
    """The group of all commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings | {"commands": {}})
        self.commands = _Commands()  # type: ignore[assignment]

    def format_commands(self, _context: Any, formatter: Any) -> None:
        """Write the names and summaries, without importing a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


app = group("wallwright", HELP, cls=_Program, pretty_exceptions_enable=False, add_completion=False)


@app.callback()
def _wallwright() -> None:
    """Make `app` a group; its help is HELP."""


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


def _ports_here() -> str:
    from .ports_here import ports_here

    lines = ports_here()
    return "".join(("; at USB there are", *(f"\n  {line}" for line in lines))) if lines else "; nothing is at USB here"


def _explain_usage(error: Any) -> int:
    text: str = error.format_message()
    if "\n" in text:
        # The help of a group that was called without a command.
        print(text, file=sys.stderr)
    else:
        command = "wallwright" if error.ctx is None else error.ctx.command_path
        param = getattr(error, "param", None)
        lacks_port = param is not None and "--port" in param.opts and type(error).__name__ == "MissingParameter"
        return _explain(f"{text.rstrip('.')} (see {command} --help){_ports_here() if lacks_port else ''}", _USAGE)
    return _USAGE
