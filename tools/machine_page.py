"""docs/machines.md: the machines as diagrams and lists, from the tables at the top of their modules."""

import ast
import inspect
from itertools import pairwise
from types import ModuleType
from typing import NamedTuple

from wallwright.fleet import keeper
from wallwright_firmware import build, dice, setup, wash
from wallwright_firmware.drivers import belt, drum, head, passage, travel
from wallwright_firmware.sorting import eddies, flaps, mouth, prescribed, tides
from wallwright_protocol import link, requester
from wallwright_protocol.machine import Machine
from wallwright_protocol.names import FAULTS


class Shown(NamedTuple):
    """A machine of the page: its heading, the module with its table and the words for its states, its class."""

    title: str
    module: ModuleType
    machine: type[Machine]


BOARD = (
    Shown("A build", build, build.Build),
    Shown("The wash before a build", wash, wash.Wash),
    Shown("A rotor of the drum", drum, drum.Rotor),
    Shown("The belt of a lane", belt, belt.Belt),
    Shown("The stacking head of a lane", head, head.Head),
    Shown("A lift, or the lid", travel, travel.Travel),
    Shown("The dice", dice, dice.Dice),
    Shown("The game, set at a panel", setup, setup.Setup),
    Shown("A prescription", prescribed, prescribed.Prescribed),
    Shown("A mouth of a wall sorter with solenoids", mouth, mouth.Mouth),
    Shown("A holding place of a lane with a flap", flaps, flaps.Place),
    Shown("The mouth of a wall sorter with readers alone", tides, tides.Tide),
    Shown("Its belt, once its side is whole", eddies, eddies.Eddy),
)
LINK = (
    Shown("The board's end of the link", link, link.Responder),
    Shown("The host's end of the link", requester, requester.Requester),
)
HOST = (Shown("The thread of a table", keeper, keeper.Keeper),)
FOLDERS = {
    "wallwright_firmware": "firmware",
    "wallwright_protocol": "protocol",
    "wallwright": "host",
}


class State(NamedTuple):
    """A state as the page calls it, and the sentence about it."""

    name: str
    meaning: str


def states_of(module: ModuleType) -> dict[int, State]:
    """Return what the states of a module's table are called and mean: the constants at its top, with the words below
    them."""
    found: dict[int, State] = {}
    for statement, below in pairwise(ast.parse(inspect.getsource(module)).body):
        match statement, below:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="const"))),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                found.setdefault(getattr(module, name), State(name.lower(), " ".join(words.split())))
    return found


def diagram(shown: Shown) -> list[str]:
    """Return the table of a machine as a diagram in mermaid; the first state is the one that it begins in."""
    table = shown.machine.table
    names = {state: words.name for state, words in states_of(shown.module).items()}
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {names[next(iter(table))]}"]
    for state, rows in table.items():
        joined: dict[int, list[str]] = {}
        for event, (following, _) in rows.items():
            joined.setdefault(following, []).append(event)
        lines += [
            f"    {names[state]} --> {names[following]}: {', '.join(events)}" for following, events in joined.items()
        ]
    return [*lines, "```"]


def lists(shown: Shown) -> list[str]:
    """Return the states of a machine with their meanings, and its table as a list."""
    states = states_of(shown.module)
    table = shown.machine.table
    return [
        "| state | meaning |",
        "|---|---|",
        *(f"| {states[state].name} | {states[state].meaning} |" for state in table),
        "",
        "| in | when | then | and does |",
        "|---|---|---|---|",
        *(
            f"| {states[state].name} | `{event}` | {states[following].name} | {f'`{act}`' if act else ''} |"
            for state, rows in table.items()
            for event, (following, act) in rows.items()
        ),
    ]


def passages() -> list[str]:
    """Return the values of a tile's passage, what becomes of them, and how they are judged."""
    states = states_of(passage)
    lines = [
        "| value | meaning | the belt has stood | it has run back | people freed the lane | goes back at a start |",
        "|---|---|---|---|---|---|",
    ]
    for value, row in passage.PASSAGES.items():
        becomes = (states[int(row[at])].name for at in (passage.IF_STOPPED, passage.IF_JOGGED, passage.IF_FREED))
        back = "yes" if row[passage.GOES_BACK] else ""
        lines.append(f"| {states[value].name} | {states[value].meaning} | {' | '.join(becomes)} | {back} |")
    lines += ["", "| value | too short | fits | too long | longer than any tile |", "|---|---|---|---|---|"]
    for value, row in passage.PASSAGES.items():
        if value != passage.SURPLUS:
            verdicts = [f"`{FAULTS[int(fault)]}`" if fault else "a tile" for fault in row[passage.TOO_SHORT :]]
            lines.append(f"| {states[value].name} | {' | '.join(verdicts)} |")
    return lines


def machines_page() -> str:
    """Return the text of docs/machines.md below its first line."""
    lines = [
        "# Machines\n",
        "What moves, or waits for something, is a machine with a table. The table stands at the top of its module;",
        "`protocol/wallwright_protocol/machine.py` says how it is followed. An arrow carries the events that lead",
        "along it. The event `time` comes by itself, when the state has lasted as long as it may.",
        "[The table's cycle](table-cycle.md) and [the life of a session](session-life.md) have pages of their own.",
    ]
    for shown in (*BOARD, *LINK, *HOST):
        name = shown.module.__name__
        path = f"{FOLDERS[name.partition('.')[0]]}/{name.replace('.', '/')}.py"
        lines += ["", f"## {shown.title}\n", f"`{path}`\n"]
        lines += [*diagram(shown), "", *lists(shown)]
    lines += [
        "",
        "## The passage of a tile through the counting eye\n",
        "`firmware/wallwright_firmware/drivers/passage.py`\n",
        "What a darkness of the eye was follows from how it began and what the belt has done meanwhile, which is this",
        "value, and from how long it took: `shortest_dark_ms` to `longest_dark_ms` is a tile of the set. It is judged",
        "when the eye is light again while the belt takes tiles.\n",
        *passages(),
    ]
    return "\n".join(lines) + "\n"
