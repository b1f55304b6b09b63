"""`wallwright trace`: the traffic of a link, live, recorded, shown and replayed."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import BoardReset
from ..link.frames import decode
from ..link.trace import Block, Splitter
from ..link.trace_file import Piece, Recorder, pieces_in, read_recording
from ..link.trace_replay import replay
from ..table.table import Table, open_table
from .groups import group

STEP_MS = 250

HELP = """Show every frame between host and table: time in ms, direction and meaning.

\b
Examples:
  wallwright trace --port /dev/ttyACM0
  wallwright trace --port sim://?seed=1 --seconds 10 --record session.trace
  wallwright trace show session.trace

-> is to the table, <- from it. The table continues as with any host that listens, and keeps its events. Ctrl-C ends the
trace. With --json a line is {"t_ms": 12, "dir": "->", "kind": "request", "message": "get_info", ...}.
"""
SHOW_HELP = """Print a recording, decoded, a frame a line.

Example: wallwright trace show session.trace
"""
REPLAY_HELP = """Play a recording to the firmware in the simulator, and compare what it answers frame by frame.

Example: wallwright trace replay session.trace

The table is fresh from power-up, and only the wire is replayed: no keys, no hands. Of a simulated port's recording
every frame must be the same. Of a real port's only which requests are accepted or refused, and why. The exit code is
1 when something differs; the first difference is shown.
"""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
File = Annotated[Path, typer.Argument(help="The recording.", show_default=False)]

app = group("trace", HELP, invoke_without_command=True)


@app.callback()
def trace(
    context: typer.Context,
    port: Annotated[
        str | None, typer.Option("--port", help="Where the table is: /dev/ttyACM0, socket://HOST:PORT, sim://?seed=1.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write the traffic to this new file as well.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="End after this time, on the table's clock when it is simulated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Follow a port."""
    if context.invoked_subcommand is not None:
        if port is not None:
            raise typer.BadParameter(f"a file is for {context.invoked_subcommand}, a port for live traffic: give one")
        return
    if port is None:
        raise typer.BadParameter("name a port, or a command and a recording: show FILE, replay FILE")
    with ExitStack() as stack:
        recorder = None if record is None else stack.enter_context(Recorder(record, port))
        splitter = Splitter()

        def tap(time_ms: int, direction: str, data: bytes) -> None:
            if recorder is not None:
                recorder.add(time_ms, direction, data)
            for block in splitter.add(time_ms, direction, data):
                print_block(block, as_json)

        try:
            table = stack.enter_context(open_table(port, tap=tap))
            _follow(table, None if seconds is None else table.now_ms() + int(seconds * 1000))
        except KeyboardInterrupt:
            return  # the usual end


@app.command("show", help=SHOW_HELP)
def show(path: File, as_json: AsJson = False) -> None:
    """Print a recording."""
    for block in blocks(pieces_in(path)):
        print_block(block, as_json)


@app.command("replay", help=REPLAY_HELP)
def replay_file(path: File, as_json: AsJson = False) -> None:
    """Replay a recording; exit with 1 when it differs."""
    result = replay(read_recording(path))
    difference = result.difference
    if as_json:
        record: dict[str, Any] = {"same": difference is None, "sent": result.sent, "compared": result.compared}
        if difference is not None:
            record["recorded"] = _record(difference.recorded)
            record["replayed"] = _record(difference.replayed)
        print(json.dumps(record))
    elif difference is None:
        print(f"The same: {result.compared} frames from the board, to {result.sent} from the host.")
    else:
        print(f"Frame {difference.number} from the board differs.")
        print(f"recorded {_line(difference.recorded)}")
        print(f"replayed {_line(difference.replayed)}")
    if difference is not None:
        raise typer.Exit(1)


def blocks(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Go through the frames in pieces of traffic, and the noise between them, in the order in which they ended."""
    splitter = Splitter()
    for piece in pieces:
        yield from splitter.add(*piece)


def print_block(block: Block, as_json: bool) -> None:
    """Print one line."""
    print(json.dumps(_record(block)) if as_json else block.line(), flush=True)


def _follow(table: Table, until_ms: int | None) -> None:
    while until_ms is None or table.now_ms() < until_ms:
        try:
            table.pump(STEP_MS if until_ms is None else min(STEP_MS, until_ms - table.now_ms()))
        except BoardReset as reset:
            # What a board does after a reset is what a trace is wanted for.
            print(f"note: {reset}", file=sys.stderr)
            table.reconnect()


def _record(block: Block | None) -> dict[str, Any] | None:
    return (
        None if block is None else {"t_ms": block.time_ms, "dir": block.direction, **decode(block.data, block.catalog)}
    )


def _line(block: Block | None) -> str:
    return "         no frame" if block is None else block.line()
