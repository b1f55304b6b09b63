"""`wallwright status`: what a table is doing."""

import dataclasses
from collections.abc import Sequence

from ..errors import TableFault
from ..link.reports import Status
from ..table.table import Table
from .one_table import AsJson, Port, Trace, opened, print_json

HELP = """Show what a table is doing.

Example: wallwright status --port /dev/ttyACM0
"""


def status(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Print one status."""
    with opened(port, trace) as table:
        if as_json:
            print_json(dataclasses.asdict(table.info) | dataclasses.asdict(table.status()))
        else:
            print("\n".join(status_lines(table, table.status())))


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
