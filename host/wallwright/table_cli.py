"""`wallwright status | watch | build`: one table, by its port."""

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from wallwright_protocol.hardware import SIDES

from .errors import BadPlan, TableFault, WallwrightError
from .table import Table, open_table
from .values import Event, Status

BUILD_LIMIT_MS = 120_000
"""A build takes 18 to 35 s; the table itself gives up after 80 s."""
REFRESH_MS = 250

Port = Annotated[
    str, typer.Option("--port", help="Where the table is: /dev/ttyACM0, socket://HOST:PORT, sim://?seed=1.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Trace = Annotated[bool, typer.Option("--trace", help="After an error, print the last frames of the link, decoded.")]

STATUS_HELP = """Show what a table is doing.

Example: wallwright status --port /dev/ttyACM0
"""
WATCH_HELP = """Show a table live, until Ctrl-C. Faults are shown and do not end it.

Example: wallwright watch --port /dev/ttyACM0

With --json: a line for every event, {"event": "side_done", "seq": 7, "side": 2, ...}, and a line for every status,
{"status": "building", "stacks": [3, 3, 2, 3], ...}, about one a second. {"strange": "a status says state 200, ..."}
tells what the table should not have said.
"""
BUILD_HELP = """Build the walls, and show how they grow.

Example: wallwright build --port /dev/ttyACM0 --plan 14,13,14,13 --dealer 0

The stacks are those of sides 0 to 3, counter-clockwise. Without a plan the table builds by the one that it has. Ctrl-C
ends the display; the table goes on building.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("status", help=STATUS_HELP)(status)
    app.command("watch", help=WATCH_HELP)(watch)
    app.command("build", help=BUILD_HELP)(build)


def status(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Print one status."""
    with opened(port, trace) as table:
        if as_json:
            print_json(dataclasses.asdict(table.info) | dataclasses.asdict(table.status()))
        else:
            print("\n".join(status_lines(table, table.status())))


def watch(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Follow a table until Ctrl-C."""
    with opened(port, trace) as table:
        try:
            if as_json:
                _watch_lines(table)
            else:
                from .live import watch_table

                watch_table(table)
        except KeyboardInterrupt:
            return  # the usual end


def build(
    port: Port,
    plan: Annotated[str | None, typer.Option(help="Stacks of sides 0 to 3, as in 14,13,14,13.")] = None,
    dealer: Annotated[int, typer.Option(min=0, max=SIDES - 1, help="Seat of the dealer, for a plan.")] = 0,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Build the walls and wait for them."""
    stacks = None if plan is None else parse_plan(plan)
    with opened(port, trace) as table:
        now = table.status()
        if now.fault is not None:
            fault = TableFault(now.fault, now.fault_side, 0, 0)
            fault.trace = table.trace()
            raise fault
        if stacks is not None:
            table.set_plan(stacks, dealer)
        table.start_build()
        try:
            done = _wait_for_walls(table, quiet=as_json)
        except KeyboardInterrupt:
            print("The table goes on building.", file=sys.stderr)
            raise typer.Exit(130) from None
        if as_json:
            print_json(event_record(done))
        else:
            built = " ".join(str(count) for count in done.fields["stacks"])
            print(f"Built {built} stacks in {done.fields['duration_ms'] / 1000:.1f} s.")


@contextmanager
def opened(port: str, trace: bool) -> Iterator[Table]:
    """Open the table; print the trace of an error that has one, if that is wanted."""
    try:
        with open_table(port) as table:
            yield table
    except WallwrightError as error:
        if trace and error.trace:
            print(error.trace, file=sys.stderr)
        raise


def print_json(record: Any) -> None:
    """Print `record` as one line of JSON."""
    print(json.dumps(record), flush=True)


def parse_plan(text: str) -> tuple[int, ...]:
    """Read "14,13,14,13"; BadPlan when these are no numbers. Whether they can be built is for the table to say."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadPlan(f"the plan {text!r} is no list of numbers; write it as in 14,13,14,13") from None


def event_record(event: Event) -> dict[str, Any]:
    """Return an event as plain values, its fields beside its name."""
    record = {"event": event.name, "seq": event.seq, "boot_id": event.boot_id, "time_ms": event.time_ms}
    return record | dict(event.fields) | ({"lost": event.lost} if event.lost else {})


def status_lines(table: Table, now: Status) -> Sequence[str]:
    """Return a status as text for a person."""
    info = table.info
    lines = [
        f"table     {info.unit}, firmware {info.firmware}, {info.sets} sets of {info.tiles} tiles",
        f"state     {now.state}, {now.uptime_ms / 1000:.0f} s after power-up",
    ]
    if now.fault is not None:
        lines.append(f"fault     {TableFault(now.fault, now.fault_side, 0, 0)}")
    below = "built" if now.set_whole else "not built"
    lines += [
        f"sets      {now.set_above} in play, {1 - now.set_above} below and {below}",
        "stacks    " + "  ".join(f"{have}/{want}" for have, want in zip(now.stacks, now.plan, strict=True)),
        f"deal      {now.deal}, dealer {now.dealer}, dice {'not rolled' if now.dice is None else now.dice}",
        f"drives    {' '.join(now.drives) or 'all off'}",
        f"events    {now.newest_event}, of which {now.stored_event} are stored by a host",
        f"wiring    {'nothing is connected' if now.wiring is None else f'map {now.wiring}'}",
        f"link      {now.frame_errors} bad frames received by the board",
    ]
    return lines


def _watch_lines(table: Table) -> None:
    shown: Status | None = None
    while True:
        if table.last_status is not shown:
            shown = table.last_status
            record = dataclasses.asdict(shown)
            print_json({"status": record.pop("state"), **record})
        for event in table.events():
            if not event.is_secret:
                print_json(event_record(event))
        for text in table.strange():
            print_json({"strange": text})
        table.pump(REFRESH_MS)


def _wait_for_walls(table: Table, *, quiet: bool) -> Event:
    if quiet or not sys.stdout.isatty():
        return table.wait_for("build_done", BUILD_LIMIT_MS)
    from .live import watch_build

    return watch_build(table, BUILD_LIMIT_MS)
