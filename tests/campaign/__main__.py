"""The campaign at full length: `.venv-dev/bin/python -m tests.campaign --runs 5000`, or `make campaign`.

Tries every cause in every stage, with a host, without and with one that gets lost, as often as the number of runs
allows; shows how far it is, a table at the end, and a line for each run that went wrong, with all that repeats it.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from tests.campaign.causes import CAUSES
from tests.campaign.runs import BROKEN, MISSED, QUIET, RIGHT, WRONG, Outcome, draw_runs, play, well

RESULTS = (RIGHT, QUIET, MISSED, WRONG, BROKEN)
BAD = (MISSED, WRONG, BROKEN)
REPORT_WIDTH = 140
SHOWN = 60
"""So many bad runs are listed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; return 1 when a run was missed, wrong or broken."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign", description=__doc__)
    parser.add_argument("--runs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--only", default="", help="try the causes that have this in their line, such as 'jam lane'")
    parser.add_argument("--tiles", type=int, default=108, help="how many tiles a set has, 108 to 152")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    console = Console()
    if not console.is_terminal:
        console.width = REPORT_WIDTH
    console.print(f"{given.runs} runs, {given.tiles} tiles, seed {given.seed} (repeat with --seed {given.seed})")
    runs = draw_runs(given.runs, given.seed, given.only, given.tiles)
    with ProcessPoolExecutor(given.workers) as pool:
        outcomes = list(track(pool.map(play, runs, chunksize=8), "Trying", len(runs), console=console))
    show(outcomes, console)
    return int(any(outcome.result in BAD for outcome in outcomes))


def show(outcomes: Sequence[Outcome], console: Console) -> None:
    """Print what came of all runs."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        counts[outcome.run.cause.line][outcome.result] += 1
        counts[outcome.run.cause.line]["again"] += bool(outcome.again)
    grid = Grid(title="Causes")
    for column in ("cause", "runs", *RESULTS, "faults again"):
        grid.add_column(column, justify="left" if column == "cause" else "right", no_wrap=True)
    total: Counter[str] = Counter()
    for cause in CAUSES:
        if row := counts[cause.line]:
            total += row
            grid.add_row(cause.line, *_figures(row))
    grid.add_row("all", *_figures(total), style="bold")
    console.print(grid)
    bad = sorted(outcome.line() for outcome in outcomes if outcome.result in BAD)
    for line in bad[:SHOWN]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if len(bad) > SHOWN:
        console.print(f"and {len(bad) - SHOWN} more")
    _show_jams([outcome for outcome in outcomes if outcome.run.cause.line.startswith("jam")], console)
    judged = total[RIGHT] + total[MISSED] + total[WRONG]
    console.print(f"wrong diagnoses: {total[WRONG]}, missed: {total[MISSED]}, of {judged} faults that were to be named")


def _show_jams(outcomes: Sequence[Outcome], console: Console) -> None:
    """Print what came of the jams that can be freed, of those among them that got into a tile's or a stroke's way."""
    jams = []
    for outcome in outcomes:
        added_ms = outcome.took_ms - well(outcome.run.seed, outcome.run.host, outcome.run.tiles).took_ms
        if outcome.run.cause.quiet and (outcome.jams or outcome.result != QUIET or added_ms > 0):
            jams.append((outcome.result, added_ms))
    added = sorted(added_ms for result, added_ms in jams if result == QUIET)
    if added:
        console.print(
            f"{len(added)} of {len(jams)} jams that can be freed were cleared without a person; "
            f"added time: median {median(added) / 1000:.1f} s, 95 % below {added[len(added) * 95 // 100] / 1000:.1f} s"
        )


def _figures(row: Counter[str]) -> list[str]:
    runs = sum(row[result] for result in RESULTS)
    return [str(figure or "") for figure in (runs, *(row[result] for result in RESULTS), row["again"])]


if __name__ == "__main__":
    sys.exit(main())
