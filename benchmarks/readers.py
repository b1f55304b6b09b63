"""A table with all tile readers: frames of a deal, their share of the serial line, and the firmware's memory.

    .venv-dev/bin/python -m benchmarks.readers

Bots play deals at a table whose readers err as stated; what the board sends is counted by kind. Then the firmware runs
in the 32-bit MicroPython through deals in which every tile is drawn, discarded and swept off, with a host that is away
for a whole deal. Needs `make micropython-32`.
"""

import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table as Grid

from benchmarks.firmware_memory import MOST_BEYOND, MOST_CODE, Kept, compiled, kib, verdict
from wallwright.link.connection import Connection
from wallwright.link.frames import decode
from wallwright.link.reports import SECRET_EVENTS
from wallwright.link.simulator import register_simulated_ports
from wallwright.link.trace import RECEIVED, Splitter, Trace
from wallwright.link.transport import open_transport
from wallwright.play.bots_at_table import PlayedTable
from wallwright.play.panel import Panel
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.table.operated import Operated
from wallwright.table.table import Table
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.runtimes import find_micropython
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.vm import VmApp, VmMemory

DEALS = 6
SEED = 1
ERRORS = "readers miss 1 %; readers ghost 1 %; readers late 1 %; readers double 1 %"
BITS_PER_BYTE = 10
BAUD = 115_200


def traffic(script: str) -> tuple[Counter[str], Counter[str], int]:
    """Frames and bytes by kind that the board has sent in DEALS deals, and how long these took in ms."""
    frames: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    splitter = Splitter()

    def tap(time_ms: int, direction: str, data: bytes) -> None:
        for block in splitter.add(time_ms, direction, data):
            if direction == RECEIVED:
                record = decode(block.data)
                name = record.get("message", record["kind"]) if record["kind"] == "event" else record["kind"]
                kind = "tags" if name in SECRET_EVENTS | {"tag_unread"} else name
                kind = "sealed wall" if name.startswith("wall_") else kind
                kind = kind if kind in ("tags", "sealed wall", "status") else "all else"
                frames[kind] += 1
                sizes[kind] += len(block.data) + 1

    simulation = Simulation(SEED, readers=ALL_READERS, faults=parse_faults(script))
    port = attach(f"readers {script}", simulation)
    with Table(Connection(open_transport(port), Trace(tap)), Kept(), lambda: bytes(16)) as table:
        bot = SmartBot()
        operated = Operated(table, lambda: None)
        panel = Panel(simulation, operated.run, operated.check)
        ruleset = load_ruleset("sichuan")
        bots = PlayedTable(
            simulation, panel, Kept(), table.wall_ms, ruleset, (bot, bot, bot, bot), Random(SEED), lambda _: None
        )
        for _ in bots.play(DEALS):
            pass
        return frames, sizes, table.now_ms()


def heaviest(simulation: Simulation) -> None:
    """A deal of keys alone in which every tile is taken, discarded by its seat and swept off."""
    players, world = simulation.players, simulation.world
    players.press_lift(0)
    simulation.run_until(simulation.now_ms + 3_000)
    players.push_in()
    players.press_lift(0)
    simulation.run_until(simulation.now_ms + 5_000)
    players.draw_in()
    players.press_dice(0)
    for side in range(4):
        for stack in range(len(world.walls[side])):
            for layer in (1, 0):
                (tile,) = players.take(side, [(side, stack, layer)])
                simulation.run_until(simulation.now_ms + 600)
                players.discard(side, tile)
    simulation.run_until(simulation.now_ms + 5_000)


def memory(path: list[Path]) -> list[tuple[str, VmMemory]]:
    """The heap after the start, after deals with and without a host, and when the host has come back."""
    simulation = Simulation(
        SEED, readers=ALL_READERS, firmware=partial(VmApp, runtime=find_micropython("B"), path=path)
    )
    app = simulation.app
    assert isinstance(app, VmApp)
    found = []
    with app:
        found.append(("started", app.memory()))
        simulation.players.press_lift(0)
        simulation.run_until(40_000)
        port = attach("readers memory", simulation)
        for number in (1, 2):
            with Table(Connection(open_transport(port)), Kept()) as table:
                table.pump(5_000)
            heaviest(simulation)
            found.append((f"deal {number} without a host: all its events held", app.memory()))
        with Table(Connection(open_transport(port)), Kept()) as table:
            table.pump(60_000)
            lost = sum(event.lost for event in table.events())
        found.append((f"the host is back; events lost: {lost}", app.memory()))
    return found


def main() -> None:
    register_simulated_ports()
    console = Console()
    for script in ("", ERRORS):
        frames, sizes, took_ms = traffic(script)
        grid = Grid(title=f"What the board sends in a deal, {script or 'no errors'}")
        for column in ("what", "frames", "bytes", f"share of {BAUD} baud"):
            grid.add_column(column, justify="left" if column == "what" else "right")
        for kind in ("tags", "sealed wall", "all else", "status"):
            share = sizes[kind] * BITS_PER_BYTE * 1000 / BAUD / took_ms
            grid.add_row(kind, f"{frames[kind] / DEALS:.0f}", f"{sizes[kind] / DEALS:.0f}", f"{100 * share:.3f} %")
        console.print(grid, f"a deal takes {took_ms / DEALS / 1000:.0f} s")

    with tempfile.TemporaryDirectory() as folder:
        figures = memory(compiled(Path(folder)))
    code = figures[0][1].code
    heap = Grid(title="Heap of the 32-bit MicroPython with all readers, beyond code")
    for column in ("when", "in use", "peak until then", ""):
        heap.add_column(column, justify="left" if column in ("when", "") else "right")
    heap.add_row("code from .mpy", kib(code), "", verdict(code, MOST_CODE))
    for when, figure in figures:
        peak = figure.peak - code
        heap.add_row(when, kib(figure.now - code), kib(peak), verdict(peak, MOST_BEYOND))
    console.print(heap)


if __name__ == "__main__":
    main()
