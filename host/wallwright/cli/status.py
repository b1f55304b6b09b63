"""`wallwright status`: what a table is doing."""

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import NotOnBoard, TableFault
from .one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ..doctor.upkeep import Setting
    from ..link.reports import Status
    from ..table.table import Table

WINDS = ("east", "south", "west", "north")
"""By their number in a status."""
HELP = """Show what a table is doing.

Example: wallwright status --port /dev/ttyACM0
"""


def status(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Print one status."""
    from ..doctor.upkeep import read_settings

    with opened(port, trace) as table:
        now = table.status()
        try:
            settings = read_settings(table)
        except NotOnBoard:
            settings = []
        if as_json:
            adjusted = {"settings": {setting.name: setting.value for setting in settings}}
            print_json(dataclasses.asdict(table.info) | dataclasses.asdict(now) | adjusted)
        else:
            print("\n".join(status_lines(table, now, settings)))


def status_lines(table: "Table", now: "Status", settings: "Sequence[Setting]") -> Sequence[str]:
    """Return a status as text for a person."""
    others = [f"{one.name} {one.value} (usually {one.default})" for one in settings if one.value != one.default]
    adjusted = ", ".join(others) or ("all as usual" if settings else "this board's firmware does not tell them")
    info = table.info
    lines = [
        f"table     {info.unit}, firmware {info.firmware}, {info.sets} sets of {now.tiles} tiles, {_dice_count(now)}",
        f"state     {now.state}, {now.uptime_ms / 1000:.0f} s after power-up",
    ]
    if now.fault is not None:
        lines.append(f"fault     {TableFault(now.fault, now.fault_side, 0, 0)}")
    below = "built" if now.set_whole else "not built"
    lines += [
        f"sets      {now.set_above} in play, {1 - now.set_above} below and {below}",
        "stacks    " + "  ".join(_stacks(now)),
        f"deal      {now.deal}, dealer {now.dealer}, dice {_dice(now)}",
        f"game      East {now.east}, {WINDS[now.round_wind]} round, {now.deal_kind} deal, {now.pot} chips in the pot",
        f"drives    {' '.join(now.drives) or 'all off'}",
        f"events    {now.newest_event}, of which {now.stored_event} are stored by a host",
        f"wiring    {'nothing is connected' if now.wiring is None else f'map {now.wiring}'}",
        f"link      {now.frame_errors} bad frames received by the board",
        f"settings  {adjusted}",
    ]
    return lines


def _stacks(now: "Status") -> list[str]:
    both = enumerate(zip(now.stacks, now.plan, strict=True))
    return ["out" if side in now.sides_out else f"{have}/{want}" for side, (have, want) in both]


def _dice(now: "Status") -> str:
    thrown = "not rolled" if now.dice is None else " + ".join(map(str, now.dice))
    return thrown if now.purpose == "cut" else f"{thrown}; its dice keys throw for {now.purpose.replace('_', ' ')}"


def _dice_count(now: "Status") -> str:
    return "1 die" if now.dice_count == 1 else f"{now.dice_count} dice"
