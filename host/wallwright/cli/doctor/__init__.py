"""`wallwright doctor ...`: what a technician does with one table, by its port."""

import dataclasses
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...doctor.bench import Bench, Jog
from ...errors import TableFault
from ..groups import group
from ..one_table import AsJson, Port, Trace, opened, print_json
from . import calibrate, measure, selftest, upkeep
from . import wire as wiring_cli

if TYPE_CHECKING:
    from ...doctor.builds import Built
    from ...doctor.selftest import Result
    from ...doctor.steps import Step

FAILED_EXIT = 4
"""The exit code of errors of the table."""

app = group("doctor", "Look after a table: live inputs, single drives, self-test, counters, calibration, service file.")

WATCH_HELP = """Show every input and output live, until Ctrl-C. It disturbs nothing and works while the table plays.

Example: wallwright doctor watch --port /dev/ttyACM0

An input shows how often it has changed since the start; what has changed within the last second is highlighted.

With --json: first how everything stands, {"time_ms": 812, "inputs": ["head_home_0", ...], "drives": [...], "lamps":
[...]}, then a line for every change, {"time_ms": 915, "input": "count_eye_2", "level": 1}, or {"time_ms": 915,
"drives": [...], "lamps": [...]}. Times are ms since power-up.
"""
JOG_HELP = """Run one drive for a bounded time while the table stands still.

Example: wallwright doctor jog --port /dev/ttyACM0 --drive conveyor_2 --ms 500

The drives: disc, ring, lid_open, lid_close, and for each side, 0 to 3, conveyor_0, conveyor_reverse_0, head_0,
lift_raise_0, lift_lower_0.

The table keeps its interlocks and its limits, and refuses what they forbid. A drive stops by itself when its time is
over, at its end switch or vane, at any key, at the emergency stop, when this program falls silent, and at Ctrl-C.
"""

TEST_HELP = """Test every motor, switch, vane, eye and key in turn, and judge each by what the inputs answer.

Example: wallwright doctor test --port /dev/ttyACM0

Every step says first what will move and what should be seen. Take everything off the lid first; with --no-ask the
command asks nobody about it, and leaves out belts, keys, lamps and covered eyes. You can skip steps that need a person
one by one. Ctrl-C stops the motion. Exit code 4 when something has failed.

With --json: a line a step, {"step": "lift 2 rises", "verdict": "failed", "found": "...", "look_for": "..."}; the
verdict is passed, failed or not tested.
"""

TEST_BUILD_HELP = """Build walls again and again, count everything, and stop at the first error.

Example: wallwright doctor test-build --port /dev/ttyACM0 --times 10

Stacks leave the carriers upwards only, so every build takes one of the two sets. Between two builds the command asks
you to push the tiles on the table into the drum and to draw the raised walls in. The table counts tiles and stacks;
this program counts the pulses of its eyes and the strokes of its heads, and compares. Exit code 4 at an error.

With --json: a line a build, {"number": 1, "duration_ms": 23401, "stacks": [14, 13, 14, 13], "after_ms": [...], ...}.
"""


@app.callback()
def doctor() -> None:
    """Make `doctor` a group."""


@app.command("watch", help=WATCH_HELP)
def watch(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Follow all inputs and outputs until Ctrl-C."""
    from ...doctor.watch import Changes, picture, records

    with opened(port, trace) as table:
        looks = Bench(table).follow()
        try:
            if as_json:
                for record in records(looks):
                    print_json(record)
            else:
                from rich.live import Live

                from ...system.terminal import drawing_console

                changes = Changes()
                with Live(console=drawing_console(), auto_refresh=False) as live:
                    for look in looks:
                        changes.take(look)
                        live.update(picture(look, changes), refresh=True)
        except KeyboardInterrupt:
            return  # the usual end


@app.command("jog", help=JOG_HELP)
def jog(
    port: Port,
    drive: Annotated[str, typer.Option(help="Which drive, such as conveyor_2.")],
    ms: Annotated[int, typer.Option("--ms", min=1, help="For how long at the most.")],
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Run one drive."""
    with opened(port, trace) as table:
        bench = Bench(table)
        longest_ms = bench.longest_jog_ms(drive)
        if ms > longest_ms:
            raise typer.BadParameter(f"{drive} may run for {longest_ms} ms at a time", param_hint="--ms")
        try:
            with bench.in_service():
                done = bench.jog(drive, ms)
        except KeyboardInterrupt:
            print(f"{drive} is stopped.", file=sys.stderr)
            raise typer.Exit(130) from None
        if as_json:
            print_json(jog_record(done))
        else:
            print("\n".join(jog_lines(done)))


@app.command("test", help=TEST_HELP)
def self_test(
    port: Port,
    ask: Annotated[bool, typer.Option("--ask/--no-ask", help="Have a person press, cover and watch.")] = True,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Run the self-test."""
    from contextlib import closing

    from ...doctor.person import Terminal
    from ...doctor.selftest import FAILED, run_self_test

    def announce(step: "Step") -> None:
        _prompt(f"{step.name}: {step.moves}; look for: {step.look_for}\n")

    with opened(port, trace) as table:
        person = Terminal(sys.stdin.fileno(), _prompt, table.pump) if ask else None
        results = []
        try:
            with closing(run_self_test(Bench(table), person, announce)) as running:
                for result in running:
                    results.append(result)
                    if as_json:
                        print_json(dataclasses.asdict(result))
                    else:
                        _prompt(f"  {result.verdict}: {result.found}\n")
        except KeyboardInterrupt:
            _prompt("Everything is stopped.\n")
            raise typer.Exit(130) from None
        if not as_json:
            _print_results(results)
        if any(result.verdict == FAILED for result in results):
            raise typer.Exit(FAILED_EXIT)


@app.command("test-build", help=TEST_BUILD_HELP)
def build_walls(
    port: Port,
    times: Annotated[int, typer.Option(min=1, help="How many builds.")] = 1,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Run test builds."""
    from contextlib import closing

    from ...doctor.builds import run_builds
    from ...doctor.person import Terminal

    done = 0
    with opened(port, trace) as table:
        person = Terminal(sys.stdin.fileno(), _prompt, table.pump)
        try:
            with closing(run_builds(Bench(table), person, times)) as builds:
                for built in builds:
                    done += 1
                    if as_json:
                        print_json(dataclasses.asdict(built))
                    else:
                        print("\n".join(_build_lines(built)), flush=True)
        except KeyboardInterrupt:
            _prompt("The table goes on building.\n")
            raise typer.Exit(130) from None
        except TableFault:
            now = table.status()
            sides = (f"{have} of {want}" for have, want in zip(now.stacks, now.plan, strict=True))
            _prompt(f"Build {done + 1} has ended with {', '.join(sides)} stacks.\n")
            raise
    _prompt(f"{done} of {times} builds, no error.\n")


def _build_lines(built: "Built") -> list[str]:
    columns = zip(built.stacks, built.after_ms, built.pulses, built.pushes, strict=True)
    return [
        f"build {built.number}: {built.duration_ms / 1000:.1f} s",
        *(
            f"  side {side}: {stacks} stacks after {after_ms / 1000:.1f} s, {pulses} tiles seen, {pushes} strokes"
            for side, (stacks, after_ms, pulses, pushes) in enumerate(columns)
        ),
        *(f"  got over {fault}{'' if side is None else f' at side {side}'}" for fault, side, _ in built.notices),
        *(
            [f"  {built.missed} changes of inputs missed, so tiles and strokes are not complete"]
            if built.missed
            else []
        ),
    ]


def _prompt(text: str) -> None:
    """Talk to the person; the standard output is for results."""
    sys.stderr.write(text)
    sys.stderr.flush()


def _print_results(results: "Sequence[Result]") -> None:
    from rich.table import Table as Grid
    from rich.text import Text

    from ...system.terminal import drawing_console

    grid = Grid("step", "verdict", "found")
    for result in results:
        style = {"passed": "green", "failed": "bold red"}.get(result.verdict, "yellow")
        grid.add_row(result.step, f"[{style}]{result.verdict}[/]", Text(result.found))
    counts = Counter(result.verdict for result in results)
    drawing_console().print(grid, ", ".join(f"{count} {verdict}" for verdict, count in counts.items()), sep="\n")


_WHY = {
    "time": "its time was over",
    "switch": "it is at its end",
    "key": "a key was pressed",
    "host": "the host fell silent",
    "stop": "the service was ended",
}


def jog_record(done: Jog) -> dict[str, Any]:
    """Return a jog as plain values, times since the drive started."""
    record = dataclasses.asdict(done)
    edges = [{"after_ms": e.time_ms - done.started_ms, "input": e.input, "level": e.level} for e in done.edges]
    del record["started_ms"]
    return record | {"edges": edges}


def jog_lines(done: Jog) -> list[str]:
    """Return a jog as text for a person."""
    return [
        f"{done.drive} ran for {done.ran_ms} ms and stopped: {_WHY.get(done.end, done.end)}.",
        *(f"{e.time_ms - done.started_ms:7d} ms  {e.input} {'on' if e.level else 'off'}" for e in done.edges),
    ]


upkeep.add_commands(app)
selftest.add_commands(app)
app.command("measure", help=measure.MEASURE_HELP)(measure.measure)
wiring_cli.add_commands(app)
calibrate.add_commands(app)
