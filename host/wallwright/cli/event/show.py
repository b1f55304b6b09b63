"""`wallwright event standings | explain | check | export | backup | restore`: what comes out of an event."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import BadInput, BadPath
from ...system.disk import write_named
from ...system.streams import write_exactly
from .common import AsJson, OneDeal, OneSession, OneTable, Place, print_done, print_lines, print_rows

STANDINGS_HELP = """Print the standings, computed from the journal.

Example: wallwright event standings day.journal --for everybody

--for everybody: published sessions only, nothing of those whose tables are not all done. --for staff: also sessions of
which all tables have signed. --for live: everything so far.
"""
EXPLAIN_HELP = """Say where a number comes from: a total, a session's points, a deal's payments.

\b
Examples:
  wallwright event explain day.journal "Ann Lee"
  wallwright event explain day.journal "Ann Lee" --session 2
  wallwright event explain day.journal --session 2 --table 7 --deal 3
"""
CHECK_HELP = """Look for what a referee should see: deals that do not sum to zero, contradictions in the journal.

Example: wallwright event check day.journal

The exit code is 1 when there is something.
"""
EXPORT_HELP = """Write a paper of the event (standings, seats, results, penalties, appeals) as CSV, XLSX or JSON.

Example: wallwright event export day.journal standings --format xlsx --to standings.xlsx

Without --to it is printed, but for a workbook. A file that is there is replaced at once or not at all. What a
spreadsheet would take for a formula gets an apostrophe.
"""
BACKUP_HELP = """Copy the event into one new file, also while it runs.

Example: wallwright event backup day.journal day.backup

Every entry is checked on the way. The file holds the journal and what it must add up to. Without a name it is called as
the event and the time are, in this folder.
"""
RESTORE_HELP = """Make a new journal of a backup, on this machine or another.

Example: wallwright event restore day.journal day.backup
"""


class Audience(StrEnum):
    """Who is to see it."""

    EVERYBODY = "everybody"
    STAFF = "staff"
    LIVE = "live"


class Paper(StrEnum):
    """What is exported."""

    STANDINGS = "standings"
    SEATS = "seats"
    RESULTS = "results"
    PENALTIES = "penalties"
    APPEALS = "appeals"


class Form(StrEnum):
    """How it is written."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"


For = Annotated[Audience, typer.Option("--for", help="Who is to see it.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("standings", help=STANDINGS_HELP)(standings)
    app.command("explain", help=EXPLAIN_HELP)(explain)
    app.command("check", help=CHECK_HELP)(check)
    app.command("export", help=EXPORT_HELP)(export)
    app.command("backup", help=BACKUP_HELP)(backup)
    app.command("restore", help=RESTORE_HELP)(restore)


def standings(place: Place, audience: For = Audience.STAFF, as_json: AsJson = False) -> None:
    """Print the standings."""
    from ...event.lifecycle import state_words
    from ...event.sheets import standings_rows
    from ...event.standings import standings as compute
    from ...event.store import read_event

    state = read_event(place)
    table = compute(state, audience)
    rows = standings_rows(state, audience)
    if as_json:
        print_rows(rows, as_json)
        return
    shown = [_screen_row(row, table.sessions) for row in rows]
    waiting = f"; sessions {', '.join(map(str, table.waiting))} are not shown yet" if table.waiting else ""
    print_rows(shown, as_json, f"Standings, {state_words(table.status)}{waiting}")


def explain(
    place: Place,
    player: Annotated[str | None, typer.Argument(metavar="[PLAYER]", help="Name or number.")] = None,
    number: OneSession = None,
    table: OneTable = None,
    deal: OneDeal = None,
    as_json: AsJson = False,
) -> None:
    """Explain a number."""
    from ...clocks import wall_ms
    from ...event import score_origins as explained
    from ...event.desk import Desk
    from ...event.standings import standings as compute
    from ...event.store import read_event, read_result

    state = read_event(place)
    desk = Desk.to_read(state, wall_ms)
    if player is None:
        if number is None or table is None or deal is None:
            raise BadInput("name a player, or give --session, --table and --deal")
        lines = explained.explain_deal(state, desk.sheet(number, table), deal, partial(read_result, place))
    elif number is None:
        lines = tuple(map(str, explained.explain_total(state, desk.player(player), compute(state))))
    else:
        lines = tuple(map(str, explained.explain_session(state, desk.player(player), number)))
    print_lines(lines, as_json, "lines")


def check(place: Place, as_json: AsJson = False) -> None:
    """Report what is not as it should be."""
    from ...clocks import wall_ms
    from ...event.desk import Desk
    from ...event.results import unbalanced
    from ...event.seat_findings import seat_findings
    from ...event.settling import sums_to_zero
    from ...event.store import read_event

    state = read_event(place)
    desk = Desk.to_read(state, wall_ms)
    found = [
        f"session {sheet.session}, {state.table_name(sheet.table)}, deal {deal.deal}: "
        f"{sum(deal.points) + deal.fines:+d} points came from nowhere, "
        f"entry {deal.entry} ({deal.reason or 'without a reason'})"
        for sheet, deal in unbalanced(desk)
    ]
    found += [str(one) for one in seat_findings(state, wall_ms())]
    found += state.notes
    clocks = [*state.times.notices, *desk.untold_clocks()]
    found += [str(one) for one in clocks if one.is_finding]
    deals = sum(len(sheet.counted()) for session in state.sessions.values() for sheet in session.tables)
    text = f"All {deals} deals sum to zero, fines aside; nothing contradicts itself."
    if not sums_to_zero(desk.format):
        text = "By these rules points need not sum to zero; nothing contradicts itself."
    lines = [*(found or [text]), *(str(one) for one in clocks if not one.is_finding)]
    print_done(as_json, lines, deals=deals, findings=found, clocks=list(map(str, clocks)))
    if found:
        raise typer.Exit(1)


def export(
    place: Place,
    paper: Annotated[Paper, typer.Argument(help="Which paper.")],
    form: Annotated[Form, typer.Option("--format", help="How it is written.")] = Form.CSV,
    to: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
    audience: For = Audience.EVERYBODY,
    as_json: AsJson = False,
) -> None:
    """Export a paper."""
    from ...event.sheets import FILES, PAPERS, to_csv, to_json
    from ...event.store import read_event

    if form is Form.XLSX and to is None:
        raise BadInput("a workbook goes to a file; name it with --to")
    rows = PAPERS[paper](read_event(place), audience)
    if to is None:
        if as_json:
            raise BadInput("--json says what was written to a file; for the rows themselves give --format json")
        write_exactly(to_csv(rows) if form is Form.CSV else to_json(rows))
        return
    write_named(to, FILES[form](paper, rows))
    print_done(as_json, f"{len(rows)} rows are in {to}.", rows=len(rows), file=str(to))


def backup(
    place: Place,
    target: Annotated[Path | None, typer.Argument(metavar="[BACKUP]", help="The new file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Back up."""
    from ...backup.archive import back_up, backup_name
    from ...clocks import wall_ms
    from ...event.store import read_event

    if target is None:
        event_format = read_event(place).format
        assert event_format is not None
        target = Path(backup_name(event_format.name, wall_ms()))
    try:
        made = back_up(place, target)
    except OSError as error:
        raise BadPath(f"{target} cannot be written ({error.strerror}); choose another path") from error
    print_done(as_json, f"{target}: {made.event}, {made.entries} entries.", **made.record(), file=str(target))


def restore(
    place: Place,
    source: Annotated[Path, typer.Argument(metavar="BACKUP", help="The backup.")],
    as_json: AsJson = False,
) -> None:
    """Restore."""
    from ...backup.archive import restore as bring_back

    made = bring_back(source, place)
    print_done(as_json, f"{place}: {made.event}, {made.entries} entries.", **made.record())


def _screen_row(row: dict[str, Any], sessions: tuple[int, ...]) -> dict[str, Any]:
    """What fits on a screen: dropped sessions stand in brackets."""
    shown = {"rank": row["rank"], "player": row["player"], "name": row["name"], "total": row["total"]}
    for session in sessions:
        points = f"{row[f'session_{session}']:+d}"
        shown[f"s{session}"] = points if row[f"session_{session}_counts"] else f"({points})"
    by_table = "percent" if "percent" in row else "table_points"
    return shown | {by_table: row[by_table], "note": row["note"]}
