"""`wallwright build`: a table builds its walls."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from wallwright_protocol.codes import MOST_WASH_S
from wallwright_protocol.hardware import SIDES

from ..errors import BadPlan, TableFault
from .one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ..link.reports import Event
    from ..table.table import Table

BUILD_LIMIT_MS = 120_000 + MOST_WASH_S * 1000
"""A build takes 18 to 35 s, after the wash; the table itself gives up after 80 s."""
CHECK_LIMIT_MS = 30_000
"""The table looks for a tile left over for some 5 s; a drum that is stuck makes it longer."""

HELP = """Build the walls, and show how they grow.

Example: wallwright build --port /dev/ttyACM0 --plan 14,13,14,13 --dealer 0

--plan gives the stacks of sides 0 to 3, counter-clockwise. Without it the table builds by its present plan. First the
disc mixes the tiles, for as long as --wash or else the table's setting wash_s says. In the end the table looks for some
5 s whether a tile is left over. Ctrl-C ends the display; the table goes on building.
"""


def build(
    port: Port,
    plan: Annotated[str | None, typer.Option(help="Stacks of sides 0 to 3, as in 14,13,14,13.")] = None,
    dealer: Annotated[int, typer.Option(min=0, max=SIDES - 1, help="Seat of the dealer, for a plan.")] = 0,
    wash: Annotated[
        int | None, typer.Option(min=0, max=MOST_WASH_S, help="Seconds for which the tiles are mixed first.")
    ] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Build the walls and wait for them."""
    from ..link.reports import event_record

    stacks = None if plan is None else parse_plan(plan)
    with opened(port, trace) as table:
        now = table.status()
        if now.fault is not None:
            fault = TableFault(now.fault, now.fault_side, 0, 0)
            fault.trace = table.trace()
            raise fault
        if stacks is not None:
            table.set_plan(stacks, dealer, wash_s=wash)
        elif wash is not None:
            table.set_plan(now.plan, now.dealer, "turned", wash)
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
            took_s = done.fields["duration_ms"] / 1000
            print(f"Built {built} stacks in {took_s:.1f} s, after a wash of {done.fields['wash_s']} s.")


def parse_plan(text: str) -> tuple[int, ...]:
    """Read "14,13,14,13"; BadPlan when these are no numbers. Whether they can be built is for the table to say."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadPlan(f"the plan {text!r} is no list of numbers; write it as in 14,13,14,13") from None


def _wait_for_walls(table: "Table", *, quiet: bool) -> "Event":
    if quiet or not sys.stdout.isatty():
        done = table.wait_for("build_done", BUILD_LIMIT_MS)
    else:
        from ..table.live import watch_build

        done = watch_build(table, BUILD_LIMIT_MS)
    table.status()
    table.run_until(lambda table: not table.last_status.unchecked, CHECK_LIMIT_MS)
    return done
