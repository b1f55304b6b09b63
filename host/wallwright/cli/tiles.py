"""`wallwright tiles ...`: which tag is in which tile of a table."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from wallwright_protocol.hardware import SETS

from ..tiles.enrol import Ask, Enrolled, Known, Said, Skipped, Together, enrol
from ..tiles.enrolment import Enrolment, enrolment_path
from .groups import group
from .one_table import AsJson, Port, Trace, opened, print_json

ENROL_HELP = """Read the tags of both tile sets, tile by tile, and keep them for this table.

Example: wallwright tiles enrol --port /dev/ttyACM0

The command names the next tile. Hold it to any of the four stacking heads until the tile is confirmed, then take it
away. A tile that is not read in time is passed over. The list keeps what was enrolled before: stop the command at any
time, and give it again for the missing tiles. Exit code 1: tiles without a tag are left.

With --json: a line for all that is said, {"said": "ask", "set": 0, "face": "1m", "left": 108}; at last {"said": "done",
"path": "...", "hash": "...", "gaps": [[], ["9s"]]}.
"""

app = group("tiles", "Enrol the tags in a table's tiles.")


@app.callback()
def tiles() -> None:
    """Make `tiles` a group."""


@app.command("enrol", help=ENROL_HELP)
def enrol_tiles(
    port: Port,
    seconds: Annotated[float, typer.Option(min=1, help="Wait for each tile for so long at the most.")] = 60,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Ask for tile after tile; exit with 1 when some have no tag."""

    def tell(said: Said) -> None:
        if as_json:
            print_json(_record(said))
        else:
            print(_line(said), flush=True)

    with opened(port, trace) as table:
        done = enrol(table, tell, int(seconds * 1000))
    if as_json:
        print_json(_summary(done))
    else:
        print("\n".join(_summary_lines(done)))
    if any(done.gaps(number) for number in range(SETS)):
        raise typer.Exit(1)


def _record(said: Said) -> dict[str, Any]:
    return {"said": type(said).__name__.lower(), **{name: getattr(said, name) for name in said.__slots__}}


def _line(said: Said) -> str:
    match said:
        case Ask(number, face, left):
            return f"Set {number}, {left} to go: hold a {face} to a stacking head."
        case Enrolled(_, face, tag):
            return f"  {face} has tag {tag}. Take it away."
        case Known(number, face, tag):
            return f"  This is tag {tag}, of a {face} of set {number} already. Take it away and hold another tile."
        case Together(tags):
            return f"  {len(tags)} tags at once. Take all away and hold one tile alone."
        case Skipped(_, face):
            return f"  Nothing was read; this {face} stays without a tag."


def _gaps(done: Enrolment) -> list[Mapping[str, int]]:
    return [Counter(done.gaps(number)) for number in range(SETS)]


def _summary(done: Enrolment) -> dict[str, Any]:
    gaps = [list(done.gaps(number)) for number in range(SETS)]
    return {"said": "done", "path": str(enrolment_path(done.unit)), "hash": done.digest().hex(), "gaps": gaps}


def _summary_lines(done: Enrolment) -> list[str]:
    lines = []
    for number, gaps in enumerate(_gaps(done)):
        missing = ", ".join(f"{count} of {face}" for face, count in gaps.items())
        lines.append(
            f"Set {number}: {len(done.sets[number])} of {done.tiles} tiles"
            + (f"; without a tag: {missing}" if gaps else ".")
        )
    return [*lines, f"Kept in {enrolment_path(done.unit)}."]
