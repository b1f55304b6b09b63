"""`wallwright run`: all tables of a hall, operated until Ctrl-C or SIGTERM."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .open_files import allow_files
from .table_cli import AsJson, event_record

if TYPE_CHECKING:
    from .fleet import Change, News

RUN_HELP = """Operate all tables of a hall in one process, and keep their journal, until Ctrl-C or SIGTERM.

Example: wallwright run --config hall.toml

A hall's file names its journal and its tables; docs/operating.md describes it. A table that is not there, or goes, is
looked for until it is back; the others do not notice. Nothing is ever moved by this command.

With --json: a line for every change, such as {"at_ms": 1763679600123, "table": "A1", "change": "event", "event":
"key_pressed", "seq": 7, "side": 0, "key": "lift", ...}. The changes are connected, searching, event, gap, report,
journal, ended, overrun, tracked, question, disputed, to_declare and untracked; most have a
sentence under "text".
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("run", help=RUN_HELP)(run)


def run(
    config: Annotated[Path, typer.Option(help="The hall's file, in TOML.")],
    as_json: AsJson = False,
) -> None:
    """Operate until a signal says that it is enough."""
    from .fleet import Fleet, News, load_hall
    from .fleet.screen import change_line, show_hall

    hall = load_hall(config)
    allow_files(len(hall.tables))
    news = News()
    with _signals(news.end), Fleet(hall, news) as fleet:
        if as_json:
            _print_changes(news, lambda change: json.dumps(change_record(change)))
        elif sys.stdout.isatty():
            show_hall(fleet)
        else:
            _print_changes(news, change_line)


def change_record(change: "Change") -> dict[str, Any]:
    """Return a change as plain values."""
    head = {"at_ms": change.at_ms, "table": change.table, "change": change.kind}
    return head | (event_record(change.body["event"]) if change.kind == "event" else dict(change.body))


def _print_changes(news: "News", line: Callable[["Change"], str]) -> None:
    while (changes := news.take()) is not None:
        for change in changes:
            print(line(change), flush=True)


@contextmanager
def _signals(end: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM call `end`, however often they come."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: end()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
