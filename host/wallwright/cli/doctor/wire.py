"""`wallwright doctor map | wire`: which wire of a table is what, and how to find out."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ...doctor.wiring.wire_map import WireMap

NOT_WIRED_EXIT = 4
"""The exit code of errors of the table."""

SORTS_LATER = "What sorts its tiles changes with its next start: take its power away, and give it back."

MAP_HELP = """Show which wire is which input and which output drives what, as a file; or put such a file on a board.

Example: wallwright doctor map --port /dev/ttyACM0 > table-7.toml

Example: wallwright doctor map --port /dev/ttyACM0 --set table-7.toml

Example: wallwright doctor map --port /dev/ttyACM0 --standard

A board drives nothing before it has a map. --standard gives it that of the reference carrier: only for a table every
wire of which is where the tables of docs/hardware.md say; any other has its wires found by `wallwright doctor wire`.

The file holds the timings of the table too, and they are set with it. The board takes a map only while nothing moves;
it stores it before it answers, and shows the map's hash in its status from then on. A map without an emergency stop,
with two meanings for one wire, or with a drive whose end switch has no wire is refused. Exit code 4 while the board has
no map that it can read.

`carrier` in the file says which parts of the reference carrier yours has, and the lines above it what the board cannot
see without the others; a carrier built before there were such parts has none, as in carrier = [].

With --json: {"hash": "341b3c5e", "lanes": [0, 1, 2, 3], "carrier": ["reads_back", "sensed", "pumped"],
"inputs": {"belt_full_0": {"wire": 0, "on": 1}, ...}, "outputs": {"disc": 0, ...}, "timings": {"debounce_ms": 5, ...},
"sorter": null}; with a map that was put on the board also "restart_due", true where it sorts by the new map from its
next start on. A fault that the new map shows, such as a wire with the wrong sense, is the error, exit code 4; the map
is on the board then.
"""


WIRE_HELP = """Find out how a table is wired, with a person at it, and write the map.

Example: wallwright doctor wire --port /dev/ttyACM0 --map table-7.toml

Wires may be connected in any order. First the inputs: you are asked for one act at a time, such as "press the dice key
of side 0", and the wire that answers is that input. Nothing moves meanwhile. While an act is waited for, type s to skip
it, b to go back, q to quit. Then the outputs: the emergency stop is tried, and one output at a time is on for the
shortest time that shows something. Any key of the table, the emergency stop and Ctrl-C end that at once; it ends by
itself after 1.5 s at the most when this program or the cable fails.

What contradicts is refused with the reason. What was found is kept beside the map, in FILE.draft, and a search that was
cut off goes on from there. Nothing is written on the board before the end. Beside the map a report is written,
FILE-report.json; --json prints it too. Exit code 4 when there is no map.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("map", help=MAP_HELP)(show_map)
    app.command("wire", help=WIRE_HELP)(wire)


def wire(
    port: Port,
    path: Annotated[Path, typer.Option("--map", metavar="FILE", help="Where the map is written.")],
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Search, write map and report, and put the map on the board."""
    from ...doctor.person import Terminal
    from ...doctor.wiring.draft import Draft, draft_path, load_draft, save_draft
    from ...doctor.wiring.finish import put_on_board
    from ...doctor.wiring.on_board import read_map
    from ...doctor.wiring.search import Search
    from ...system.disk import write_named

    def say(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    with opened(port, trace) as table:
        kept = load_draft(path, table.info.unit)
        before = None if kept else read_map(table)
        draft = kept or Draft(table.info.unit)
        if before is not None:
            draft.sorter, draft.carrier = before.sorter, before.carrier
        save_draft(path, draft)
        person = Terminal(sys.stdin.fileno(), say, table.pump)
        if kept is not None:
            person.tell(f"Going on with {len(kept.inputs)} inputs and {len(kept.outputs)} outputs found before.")
        try:
            found = Search(table, person, draft, lambda draft: save_draft(path, draft)).run()
        except KeyboardInterrupt:
            say("Everything is stopped; the same command goes on from here.\n")
            raise typer.Exit(130) from None
        report = found.record()
        write_named(path.with_name(f"{path.stem}-report.json"), (json.dumps(report, indent=1) + "\n").encode())
        if as_json:
            print_json(report)
        for problem in found.problems:
            person.tell(f"{problem.part}: {problem.text}")
        if found.wire_map is None:
            say("No map: mend that, then give the same command again.\n" if found.problems else "Left unfinished.\n")
            raise typer.Exit(NOT_WIRED_EXIT)
        write_named(path, found.wire_map.to_toml().encode())
        draft_path(path).unlink(missing_ok=True)
        say(f"The map {found.wire_map.hash} is in {path}.\n")
        if not put_on_board(table, person, found.wire_map):
            say(f"`wallwright doctor map --set {path}` puts it on the board.\n")
            raise typer.Exit(NOT_WIRED_EXIT)
    say("The board goes by it now. `wallwright doctor test` tries every motor and switch by it.\n")


def show_map(
    port: Port,
    path: Annotated[Path | None, typer.Option("--set", metavar="FILE", help="Put this map on the board.")] = None,
    standard: Annotated[
        bool, typer.Option("--standard", help="Put the map of the reference carrier on the board.")
    ] = False,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Show the map, after it was changed if that is wanted."""
    from ...doctor.wiring.on_board import read_map, sorts_from_next_start, write_map
    from ...doctor.wiring.wire_map import load_map, standard_map
    from ...errors import TableFault

    if standard and path is not None:
        raise typer.BadParameter("give a file or --standard, not both", param_hint="--set / --standard")
    wanted = standard_map() if standard else None if path is None else load_map(path)
    with opened(port, trace) as table:
        before = found = read_map(table)
        if wanted is not None:
            try:
                write_map(table, wanted)
            except TableFault:
                if sorts_from_next_start(table, before, wanted):
                    typer.echo(SORTS_LATER, err=True)
                raise
            found = read_map(table)
        sorts_later = wanted is not None and found is not None and sorts_from_next_start(table, before, found)
    if found is None:
        typer.echo(
            "The board goes by no map, so that nothing is connected and nothing is driven. `wallwright doctor wire` "
            "finds one, --set FILE puts one there, --standard that of the reference carrier.",
            err=True,
        )
        raise typer.Exit(NOT_WIRED_EXIT)
    if as_json:
        print_json(map_record(found) | ({} if wanted is None else {"restart_due": sorts_later}))
    elif wanted is None:
        print(found.to_toml(), end="")
    else:
        print(f"The board goes by the map {found.hash} now.")
        if sorts_later:
            print(SORTS_LATER)


def map_record(found: "WireMap") -> dict[str, Any]:
    """Return a map as plain values."""
    return {
        "hash": found.hash,
        "lanes": list(found.lanes),
        "carrier": list(found.carrier),
        "inputs": {name: {"wire": wire.number, "on": wire.on} for name, wire in found.inputs.items()},
        "outputs": dict(found.outputs),
        "timings": dict(found.timings),
        "sorter": asdict(found.sorter) if found.sorter else None,
    }
