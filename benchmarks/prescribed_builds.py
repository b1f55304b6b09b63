"""Prescribed walls through the real firmware, its wire and a simulated table that sorts: how long they take.

    .venv-dev/bin/python -m benchmarks.prescribed_builds [WALLS]

Wall n is that of table n and of deal n. A wall counts when it is whole, told to match, and stands as it was drawn;
anything else ends the program. A table that has not ended after eight minutes says so, and people let it go on. All
figures are simulated; a build's time is that of its `build_done`, without the wash.

The last two rows have a drum in which tiles have places (`drum=places`): one table builds what lies there as it fell,
the other one has washed it for a minute before its prescription comes.
"""

import sys
from statistics import mean
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table as Grid

from tests.firmware.prescribing import FLAP_2, LONGEST_MS, MOUTH, RING_18, Director
from wallwright_protocol import codes
from wallwright_protocol.prescribing import Prescription
from wallwright_simulator.places import Mixing
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware

WALLS = 24
CASES = ((108, codes.STRICT_WALL), (108, codes.HANDS_WALL), (136, codes.STRICT_WALL))
LOST = "readers miss 2%"
NO_AIMS = ((None, None),) * 3
WASH_S = 60
PLACES = Mixing()


class Row(NamedTuple):
    """What sorts, and what the builds are to keep to: mean and p95 in s for each case."""

    name: str
    hardware: Hardware
    aims: tuple[tuple[int | None, int | None], ...] = NO_AIMS
    script: str = ""
    mixing: Mixing | None = None
    is_washed: bool = False


ROWS = (
    Row("mouth", MOUTH, ((400, None), (300, None), (None, None))),
    Row("flap, 2 places", FLAP_2, ((220, None), (180, None), (360, None))),
    Row("ring, 9 magnets", read_hardware("ring", magnets=9), ((120, 145), (100, None), (200, None))),
    Row("ring, 18 magnets", RING_18, ((62, 75), (55, None), (95, None))),
    Row("the same, 2 % of reads lost", RING_18, script=LOST),
    Row("18 magnets, tiles have places", RING_18, mixing=PLACES),
    Row("the same, washed", RING_18, mixing=PLACES, is_washed=True),
)


def built_s(seed: int, row: Row, tiles: int, mode: int) -> float:
    """Build one wall; return how long it took, in s."""
    table = Director(seed, row.hardware, tiles, row.script, wash_s=WASH_S, mixing=row.mixing)
    table.equip()
    one = table.drawn(mode)
    match = (_after_wash(table, one) if row.is_washed else table.build(one))["match"]
    washed_s = table.named("build_done")[0]["wash_s"]
    if not match or not table.is_built(one) or (washed_s >= WASH_S - 1) != row.is_washed:
        raise SystemExit(f"table {seed}: match {match}, stands as drawn {table.is_built(one)}, washed for {washed_s} s")
    return float(table.named("build_done")[0]["duration_ms"]) / 1000


def _after_wash(table: Director, one: Prescription) -> dict[str, Any]:
    """Have the set washed, and the wall prescribed with the wash's end; return what the board tells of the wall."""
    table.request("start_build")
    table.run(WASH_S * 1000 - 200)
    if table.prescribe(one) != "ok" or not table.run(LONGEST_MS, "wall_prescribed"):
        raise SystemExit("the wall does not become whole")
    return table.named("wall_prescribed")[-1]


def main() -> None:
    """Print a table."""
    walls = int(sys.argv[1]) if len(sys.argv) > 1 else WALLS
    grid = Grid("sorter", *(f"{tiles} {'hands' if mode == codes.HANDS_WALL else 'strict'}" for tiles, mode in CASES))
    grid.title = f"Seconds, mean (p95) of {walls} walls; behind the slash what is aimed at"
    for row in ROWS:
        cells = []
        for (tiles, mode), (most, late) in zip(CASES, row.aims, strict=True):
            times = sorted(built_s(seed, row, tiles, mode) for seed in range(walls))
            cell = f"{mean(times):.0f} ({times[min(walls - 1, walls * 95 // 100)]:.0f})"
            if most:
                cell += f" / {most}" + (f" ({late})" if late else "")
            cells.append(cell)
        grid.add_row(row.name, *cells)
    Console().print(grid)


if __name__ == "__main__":
    main()
