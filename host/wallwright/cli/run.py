"""`wallwright run`: all tables of a hall, operated until Ctrl-C or SIGTERM."""

import json
import sys
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..system.heartbeat import Heartbeat
from ..system.open_files import allow_files
from ..system.signals import handling
from .one_table import AsJson
from .reporting import ReportTo, SeasonCertificate, SeasonKey, find_season, season_server, signing

if TYPE_CHECKING:
    from ..event.followed import FollowedEvent
    from ..fleet import Change, News

LOOK_S = 0.5
"""No wait is longer: Ctrl-C ends none on Windows."""

HELP = """Operate all tables of a hall in one process, and keep their journal, until Ctrl-C or SIGTERM.

Example: wallwright run --config hall.toml

A hall's file names its journal and its tables; docs/operating.md describes it. The command looks for an absent table
until it is back; the other tables do not notice. It sends a signed checkpoint of the journal every two minutes to the
witnesses in the file. It moves nothing but the last stacks of walls that wait for the next dealer.

A season that is named in the file, or by --report-to, is sent each checkpoint of the tournament in the hall's journal,
and the day's extract when all sessions are published (docs/season.md).

With --json: a line for every change, such as {"at_ms": 1763679600123, "table": "A1", "change": "event", "event":
"key_pressed", "seq": 7, "side": 0, "key": "lift", ...}. The changes are connected, searching, event, gap, strange,
report, journal, ended, overrun, walls, tracked, question, disputed, to_declare and untracked; most have a
sentence under "text".
"""


def run(
    config: Annotated[Path, typer.Option(help="The hall's file, in TOML.")],
    as_json: AsJson = False,
    report_to: ReportTo = None,
    season_key: SeasonKey = None,
    season_certificate: SeasonCertificate = None,
) -> None:
    """Operate until a signal says that it is enough."""
    from ..backup.schedule import backing_up
    from ..fleet import Fleet, News, load_hall
    from ..fleet.screen import change_line, show_hall
    from ..journal.addresses import reach

    hall = load_hall(config)
    season = find_season(report_to, season_key, season_certificate)
    hall = hall if season is None else replace(hall, season=season)
    reach(hall.journal)
    server = season_server(hall, str(hall.journal))
    allow_files(len(hall.tables))
    news = News()
    with ExitStack() as stack:
        stack.enter_context(handling(lambda *_: news.end()))
        fleet = stack.enter_context(Fleet(hall, news))
        if hall.witnesses or server is not None:
            over = partial(_when_over, fleet.event)
            stack.enter_context(signing(hall, str(hall.journal), fleet.turn, server, over))
        stack.enter_context(backing_up(hall, (hall.journal,), hall.files))
        heart = Heartbeat(fleet.keeps_journal)
        if as_json:
            _print_changes(news, lambda change: json.dumps(change_record(change)), heart)
        elif sys.stdout.isatty():
            show_hall(fleet, heart)
        else:
            _print_changes(news, change_line, heart)
        heart.end()


def _when_over(event: "FollowedEvent") -> Hashable | None:
    from ..event.disclosure import when_over

    event.look()
    with event.lock:
        return when_over(event.state)


def change_record(change: "Change") -> dict[str, Any]:
    """Return a change as plain values."""
    head = {"at_ms": change.at_ms, "table": change.table, "change": change.kind}
    from ..link.reports import event_record

    return head | (dict(change.body) if change.event is None else event_record(change.event))


def _print_changes(news: "News", line: Callable[["Change"], str], heart: Heartbeat) -> None:
    while (changes := news.take(LOOK_S)) is not None:
        heart.beat()
        for change in changes:
            print(line(change), flush=True)
