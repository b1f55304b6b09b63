"""`wallwright doctor ...`: what a technician does with one table, by its port."""

import dataclasses
import sys
from typing import Annotated, Any

import typer

from .doctor.bench import Bench, Jog
from .table_cli import AsJson, Port, Trace, opened, print_json

app = typer.Typer(
    name="doctor",
    help="Look after a table: live inputs, single drives, self-test, counters, service file.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

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


@app.callback()
def doctor() -> None:
    """Make `doctor` a group."""


@app.command("watch", help=WATCH_HELP)
def watch(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Follow all inputs and outputs until Ctrl-C."""
    from .doctor.watch import Changes, picture, records

    with opened(port, trace) as table:
        looks = Bench(table).follow()
        try:
            if as_json:
                for record in records(looks):
                    print_json(record)
            else:
                from rich.console import Console
                from rich.live import Live

                changes = Changes()
                with Live(console=Console(), auto_refresh=False) as live:
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
