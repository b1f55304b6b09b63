"""Whole builds of simulated walls: how many a second, where the time goes, and how close they come to the lower bound.

    .venv-dev/bin/python -m benchmarks.builds

Every build is the real firmware on the full mechanics, from the key press to ready walls, on one core; the first two
rows and the lower bound are of tables with the ideal drum that wash nothing.
"""

import time
from collections.abc import Callable, Sequence
from statistics import median

from rich.console import Console
from rich.table import Table as Grid

from wallwright.link.connection import Connection
from wallwright.link.transport import open_transport
from wallwright.table.table import Table
from wallwright_firmware.app import App
from wallwright_protocol.codec import EVENTS, NUMBER_OF
from wallwright_protocol.hardware import DEFAULT_PLANS
from wallwright_simulator import world
from wallwright_simulator.ideal import ideal_build_ms
from wallwright_simulator.places import Mixing
from wallwright_simulator.simulation import Simulation, attach

BUILDS = 200
TILES = 108
LONGEST_MS = 180_000
LEAST_BUILDS_PER_S = 20
LEAST_WITH_PLACES = 12
WASH_S = 60
MOST_OVERHEAD = 1.10
BUILD_DONE = NUMBER_OF["build_done"]


def build_ms(simulation: Simulation) -> int:
    """The duration of the build that has just ended, as the firmware reports it."""
    assert isinstance(simulation.app, App)
    record = simulation.app.events.after(0)
    while record is not None and record[3] != BUILD_DONE:
        record = simulation.app.events.after(record[0])
    assert record is not None, "the walls are not ready"
    duration = EVENTS[BUILD_DONE].unpack_named(record[4])["duration_ms"]
    assert isinstance(duration, int)
    return duration


def build_alone(simulation: Simulation) -> None:
    """By key; time runs until the panel says that the walls are ready."""
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY" and simulation.now_ms < LONGEST_MS:
        simulation.run_until(simulation.next_ms())


def build_with_host(simulation: Simulation) -> None:
    """By command, with the host's whole session on the port."""
    with Table(Connection(open_transport(attach("builds", simulation)))) as table:
        table.start_build()
        table.wait_state("ready", LONGEST_MS)


def timed(
    build: Callable[[Simulation], None], seeds: Sequence[int], mixing: Mixing | None = None, wash_s: int = 0
) -> tuple[list[float], list[int]]:
    """Wall seconds, and virtual ms without the wash, of each build."""
    spent = []
    durations = []
    for seed in seeds:
        start = time.perf_counter()
        simulation = Simulation(seed, TILES, mixing=mixing, wash_s=wash_s)
        build(simulation)
        spent.append(time.perf_counter() - start)
        durations.append(build_ms(simulation))
    return spent, durations


class Meter:
    """Adds up the time within a method of one object."""

    def __init__(self, of: object, method: str) -> None:
        self.spent = 0.0
        call = getattr(of, method)

        def metered(*args: object) -> object:
            start = time.perf_counter()
            try:
                return call(*args)
            finally:
                self.spent += time.perf_counter() - start

        setattr(of, method, metered)


def shares(seeds: Sequence[int]) -> dict[str, float]:
    """The share of time in mechanics, firmware and the rest, which is the clock between them."""
    total = mechanics = firmware = 0.0
    for seed in seeds:
        start = time.perf_counter()
        simulation = Simulation(seed, TILES)
        advance = Meter(simulation.world, "advance")
        drive = Meter(simulation.world, "drive")
        poll = Meter(simulation.app, "poll")
        build_alone(simulation)
        total += time.perf_counter() - start
        mechanics += advance.spent + drive.spent
        firmware += poll.spent - drive.spent
    return {
        "mechanics": mechanics / total,
        "firmware": firmware / total,
        "clock and set-up": 1 - (mechanics + firmware) / total,
    }


def quantiles(values: Sequence[float], unit: str) -> str:
    """Least, 5 %, half, 95 % and most."""
    ordered = sorted(values)
    marks = [ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in (0, 5, 50, 95, 100)]
    return "  ".join(f"{mark:.2f}" for mark in marks) + f" {unit}"


def main() -> None:
    console = Console()
    seeds = range(BUILDS)
    timed(build_alone, range(5))
    alone, durations = timed(build_alone, seeds)
    hosted, _ = timed(build_with_host, seeds)
    grid = Grid(title=f"{BUILDS} builds of {TILES} tiles on one core", show_header=False)
    for name, spent in (("without a host", alone), ("with a host's session", hosted)):
        virtual_s = sum(durations) / 1000
        grid.add_row(
            name,
            f"{len(spent) / sum(spent):.0f} builds a second (target {LEAST_BUILDS_PER_S}), "
            f"{virtual_s / sum(spent):.0f} × real time, {1000 * median(spent):.1f} ms each in the median",
        )
    for drum, mixing, least in (("ideal", None, LEAST_BUILDS_PER_S), ("places", Mixing(), LEAST_WITH_PLACES)):
        for wash_s in (0, WASH_S):
            spent, _ = timed(build_alone, range(BUILDS // 4), mixing, wash_s)
            grid.add_row(
                f"drum {drum}, wash {wash_s} s", f"{len(spent) / sum(spent):.0f} builds a second (target {least})"
            )
    # The methods of compiled objects cannot be replaced.
    if world.__file__.endswith(".py"):
        for name, share in shares(range(40)).items():
            grid.add_row(f"time in {name}", f"{100 * share:.0f} %")
    console.print(grid)

    ratios = []
    for seed, duration in zip(seeds, durations, strict=True):
        ratios.append(duration / ideal_build_ms(Simulation(seed, TILES).world, DEFAULT_PLANS[TILES]))
    grid = Grid(title="Least, 5 %, median, 95 %, most", show_header=False)
    grid.add_row("build time", quantiles([duration / 1000 for duration in durations], "s"))
    met = "met" if median(ratios) <= MOST_OVERHEAD else "[red]missed[/red]"
    grid.add_row("over its lower bound", f"{quantiles(ratios, '')} (target {MOST_OVERHEAD:.2f} in the median: {met})")
    console.print(grid)


if __name__ == "__main__":
    main()
