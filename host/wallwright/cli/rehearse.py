"""`wallwright rehearse`: what can fail in a hall, tried on simulated tables before the day."""

import json
import secrets
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from . import INTERRUPTED
from .groups import group

if TYPE_CHECKING:
    from ..chaos.rehearsal import Report

HELP = """Rehearse failures of a hall on simulated tables, or a day of an event by its format.

\b
Examples:
  wallwright rehearse chaos --tables 12 --minutes 10
  wallwright rehearse --format mil-2025-pairs --tables 16

With --format it plays all sessions, as `wallwright event rehearse` does, which says more."""

CHAOS_HELP = """Make everything fail at once in a simulated hall, and check that its journal has what really happened.

\b
Examples:
  wallwright rehearse chaos --tables 12 --minutes 10
  wallwright rehearse chaos --tables 3 --minutes 1 --pace 4 --postgresql --json

The tables run the real firmware, people play at them and declare their deals, and `wallwright serve` operates them in
processes of its own, over TCP. In waves boards lose their power, links are reset, lose bytes or lead nowhere, hosts are
killed, stopped and replaced, the disk is full, the clock jumps; with --postgresql the journal is on a server that
crashes as well. After each wave the time is taken until every table is back in play.

In the end what boards and people know is compared with the journal: nothing that was acknowledged is lost, doubled or
changed, every gap is told, each deal is scored once. The exit code is 1 when a promise is broken. Ctrl-C ends it early,
and compares what there is. It needs Linux; docs/fault-injection.md says more.
"""
LAPTOP_HELP = """Let the hall's laptop die in the middle of play, and have another one take over from the last backup.

\b
Examples:
  wallwright rehearse laptop
  wallwright rehearse laptop --tables 12 --minutes 5

Simulated tables play, `wallwright serve` operates them, a backup is made. Later the laptop is killed and its disk
erased; the backup is restored in another folder, with another key, and tables and people go on there. In the end the
journal is compared with what the boards know: what the backup had or a board still held is there, and what is gone is
told for each table. The time counts from the beginning of the restoration until every table is in play again.

The exit code is 1 when a promise is broken or it took more than two minutes. It needs Linux; docs/operating.md has the
steps for people.
"""
FRESH_SEEDS = 10_000

app = group("rehearse", HELP)


@app.callback(invoke_without_command=True)
def rehearse(
    context: typer.Context,
    chosen: Annotated[str, typer.Option("--format", help="Play a day of this format: a preset or a TOML file.")] = "",
    tables: Annotated[int, typer.Option(min=1, max=128, help="With --format: how many tables.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="With --format: everything follows from this number.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """See HELP."""
    if context.invoked_subcommand is not None:
        named = context.invoked_subcommand
        if chosen:
            raise BadInput(f"--format plays a day; leave out {named}")
        for parameter in context.command.params:
            source = context.get_parameter_source(parameter.name or "")
            if source is not None and source.name == "COMMANDLINE":
                raise BadInput(f"write {parameter.opts[0]} behind {named}: before it, it is for a day by --format")
        return
    if not chosen:
        raise BadInput("say what to rehearse: chaos, laptop, or --format NAME")
    from ..event.format_file import load_format
    from .event.rehearse import rehearse as play_a_day

    sessions = load_format(chosen).sessions
    play_a_day(None, players=4 * tables, sessions=sessions, chosen=chosen, seed=seed, as_json=as_json)


@app.command("chaos", help=CHAOS_HELP)
def chaos(
    tables: Annotated[int, typer.Option(min=1, max=99, help="How many tables.")] = 12,
    minutes: Annotated[float, typer.Option(min=0.01, max=600, help="For how long faults begin.")] = 10.0,
    seed: Annotated[
        int | None, typer.Option(min=0, max=999_999, help="The same number, the same faults; another one each time.")
    ] = None,
    pace: Annotated[
        float, typer.Option(min=1.0, max=4.0, help="1 is a real table's; beyond 4 a host cannot keep up.")
    ] = 1.0,
    postgresql: Annotated[
        bool,
        typer.Option("--postgresql", help="Keep the journal on a PostgreSQL server of its own, which crashes too."),
    ] = False,
    back_within: Annotated[
        float, typer.Option(min=0.1, help="The s in which 99 of 100 tables have to be back in play after a fault.")
    ] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """Rehearse it."""
    from ..chaos.hosts import can_break_hosts
    from ..chaos.rehearsal import Chaos, Plan
    from ..chaos.server import running_server

    if not can_break_hosts():
        raise BadInput("this rehearsal stops and starves processes, which needs Linux; run it on a Linux machine")
    chosen = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
    plan = Plan(tables, minutes * 60, chosen, pace, back_within)

    def say(text: str) -> None:
        if not as_json:
            print(text, flush=True)

    say(f"{tables} tables for {minutes:g} min, seed {chosen} (repeat with --seed {chosen})")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="wallwright-")))
        server = stack.enter_context(running_server(is_durable=True)) if postgresql else None
        report = Chaos(plan, folder, server, say).run()
    if as_json:
        print(json.dumps(report.record(), ensure_ascii=False))
    else:
        _show(report)
    if report.problems:
        raise typer.Exit(1)
    if report.is_cut_short:
        raise typer.Exit(INTERRUPTED)


@app.command("laptop", help=LAPTOP_HELP)
def laptop(
    tables: Annotated[int, typer.Option(min=1, max=99, help="How many tables.")] = 4,
    minutes: Annotated[float, typer.Option(min=0.01, max=60, help="How old the backup is when the laptop dies.")] = 1.0,
    seed: Annotated[
        int | None, typer.Option(min=0, max=999_999, help="The same number, the same tables; another one each time.")
    ] = None,
    pace: Annotated[
        float, typer.Option(min=1.0, max=4.0, help="1 is a real table's; beyond 4 a host cannot keep up.")
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object at the end.")] = False,
) -> None:
    """Rehearse it."""
    from ..chaos.hosts import can_break_hosts
    from ..chaos.laptop_drill import Drill, Plan

    if not can_break_hosts():
        raise BadInput("this rehearsal kills processes, which needs Linux; run it on a Linux machine")
    chosen = secrets.randbelow(FRESH_SEEDS) if seed is None else seed
    plan = Plan(tables, chosen, pace, minutes * 60, minutes * 60)

    def say(text: str) -> None:
        if not as_json:
            print(text, flush=True)

    say(f"{tables} tables, seed {chosen} (repeat with --seed {chosen})")
    with TemporaryDirectory(prefix="wallwright-") as name:
        report = Drill(plan, Path(name), say).run()
    if as_json:
        print(json.dumps(report.record(), ensure_ascii=False))
    else:
        print(
            f"{report.events} events: {report.in_backup} were in the backup, {report.held} came from the boards, "
            f"{report.lost} are gone with the laptop, of which {report.told} are told.\n"
            f"Restored after {report.restored_s:.1f} s, in play again after {report.back_s:.1f} s."
        )
        print("\n".join(report.problems) or "Every promise was kept.")
    if report.problems:
        raise typer.Exit(1)


def _show(report: "Report") -> None:
    """Print the closing table, and what was broken."""
    from rich.table import Table as Grid

    from ..chaos.schedule import BOARD, GROUPS
    from ..system.terminal import drawing_console

    found = report.compared
    grid = Grid(title="What came of it", show_header=False)
    grid.add_column("what")
    grid.add_column("figure", justify="right")
    rows: list[tuple[str, object]] = [
        (f"faults of the {name}" if kinds is not BOARD else "boards that lost their power", report.of(kinds))
        for name, kinds in GROUPS.items()
    ]
    rows += [
        ("events that happened", found.events),
        ("of them acknowledged, and compared", found.acknowledged),
        ("acknowledged and lost", found.lost),
        ("doubled", found.doubled),
        ("changed", found.changed),
        ("never happened", found.invented),
        ("gaps told", f"{found.gaps_told} of {found.gaps_told + found.gaps_untold}"),
        ("deals declared", found.declared),
        ("not scored once as declared", found.scored_wrong),
        ("rolls of dice verified", report.rolls),
        ("times a table was back in play", len(report.back_s)),
        ("after the last fault, median", _seconds(report.back(0.5))),
        ("p99", _seconds(report.back(0.99))),
        ("longest", _seconds(report.back(1.0))),
    ]
    for name, value in rows:
        grid.add_row(name, str(value))
    drawing_console().print(grid)
    if report.is_cut_short:
        print("It was ended early; this is what had happened until then.")
    print("\n".join(report.problems) or "Every promise was kept.")


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} s"
