"""`wallwright study walls`: many simulated walls, here or on the workers of a scheduler."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from ...study.cells import Plan, cells_of, numbers
from .. import INTERRUPTED
from .extra import need_extra
from .game import stacks_of

WALLS_HELP = """Build many simulated walls, and say what their order tells of the order in which tiles fell.

\b
Examples:
  wallwright study walls --builds 1000 --out fair
  wallwright study walls --drum places --D 2,5,10 --wash 0,20,60 --builds 2000 --jobs 2 --out mixing
  wallwright study walls --drum places --D 1,5 --play 400 --out gains

Each combination of drum, D and wash is a cell with so many walls. The folder gets report.html with plots (each an SVG
file too), report.json, and builds.npz with what was measured of every wall. A study that was stopped goes on with the
same options. The same options give the same files, whatever --jobs says: a number of processes, or the address of a
scheduler.

With --play, bots of Sichuan also play so many walls of each cell, once with each seat remembering what lay in the
middle when that set was played before: the report begins with what that is worth in points a deal.

The drum `ideal` is fair by assumption, `places` is a model (docs/fairness.md): no real table has been measured.
"""
SCHEDULER_HELP = """Run a scheduler of Dask, whose workers share a study.

Example: wallwright study scheduler --host 127.0.0.1 --port 8786

Whoever reaches its port can run programs on the workers: keep it to machines and networks that you trust.
"""
WORKER_HELP = """Run a worker of a scheduler.

Example: wallwright study worker tcp://127.0.0.1:8786
"""


def walls(
    out: Annotated[Path, typer.Option(help="The folder of the study; a new one, or that of the same study.")],
    builds: Annotated[int, typer.Option(min=1, max=10_000_000, help="Walls of each cell.")] = 1000,
    drum: Annotated[str, typer.Option(help="Drums, with commas: ideal, places.")] = "ideal",
    d: Annotated[str, typer.Option("--D", help="Constants of mixing of `places` in cm2/s, with commas.")] = "5",
    wash: Annotated[str, typer.Option(help="Seconds that the disc turns before the build, with commas.")] = "0",
    game: Annotated[
        str, typer.Option(help="The ruleset whose set and walls are built: sichuan, hong-kong, ...")
    ] = "sichuan",
    play: Annotated[int, typer.Option(min=0, max=1_000_000, help="Walls of each cell that bots play besides.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Everything follows from this number.")] = 1,
    jobs: Annotated[str, typer.Option(help="Processes, or the address of a scheduler: tcp://HOST:8786.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json.")] = False,
) -> None:
    """Make a study; the command's help is WALLS_HELP."""
    need_extra()
    washes = numbers(wash, "--wash")
    if any(one != int(one) for one in washes):
        raise BadInput(f"--wash {wash}: give whole seconds")
    if play:
        _check_play(game)
    cells = cells_of(drum.split(","), numbers(d, "--D"), [int(one) for one in washes])
    plan = Plan(cells, builds, stacks_of(game), game, seed, play)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ...study.jobs import check_jobs
    from ...study.walls import open_study, run
    from ...system.terminal import drawing_console

    check_jobs(jobs)
    open_study(out, plan)
    try:
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=drawing_console(stderr=True),
            transient=True,
        ) as bar:
            task = bar.add_task("batches", total=None)
            run(out, plan, jobs, lambda done, of: bar.update(task, completed=done, total=of))
    except KeyboardInterrupt:
        typer.echo(f"Stopped. {out} keeps what is done; the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    # What draws and tests takes a second to import: whoever mistypes an option need not wait for it.
    from ...study.report import write_report

    record = write_report(out, plan)
    if as_json:
        typer.echo(json.dumps(record))
        return
    for one in record["cells"]:
        if one["memory"]:
            typer.echo(f"{one['name']}: {one['memory']['verdict']}")
    for one in record["cells"]:
        typer.echo(f"{one['name']}: {one['verdict']}")
    typer.echo(f"Plots and all tests: {out / 'report.html'}")


def _check_play(game: str) -> None:
    from ...study.memory import GAME

    if game != GAME:
        raise BadInput(
            f"--play: {game} takes replacements from the tail of its walls, where the bot that remembers cannot say "
            f"what comes next; it plays {GAME} alone, so leave --play out"
        )


def scheduler(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8786,
) -> None:
    """Run a scheduler until Ctrl-C."""
    need_extra()
    _dask("dask_scheduler", "--host", host, "--port", str(port), "--no-dashboard")


def worker(
    address: Annotated[str, typer.Argument(help="The scheduler's: tcp://HOST:8786.")],
    processes: Annotated[int, typer.Option(min=1, max=1024, help="How many processes.")] = 1,
) -> None:
    """Run workers until Ctrl-C."""
    need_extra()
    _dask("dask_worker", address, "--nworkers", str(processes), "--nthreads", "1", "--no-dashboard")


def _dask(command: str, *options: str) -> None:
    done = subprocess.run([sys.executable, "-m", f"distributed.cli.{command}", *options], check=False)
    raise typer.Exit(done.returncode)
