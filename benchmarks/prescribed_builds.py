"""Prescribed walls through the real firmware, its wire and a simulated table that sorts: how long they take.

    python benchmarks/prescribed_builds.py [WALLS]

Wall n is that of table n and of deal n. A wall counts when it is whole, told to match, and stands as it was drawn;
anything else ends the program. A table that has not ended after eight minutes says so, and people let it go on. All
figures are simulated; a build's time is that of its `build_done`.
"""

import sys
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table as Grid

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from wallwright_protocol import codes
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware

WALLS = 24
CASES = ((108, codes.STRICT_WALL), (108, codes.HANDS_WALL), (136, codes.STRICT_WALL))
LOST = "readers miss 2%"
ROWS = (
    ("mouth", MOUTH, "", ((400, None), (300, None), (None, None))),
    ("flap, 2 places", FLAP_2, "", ((220, None), (180, None), (360, None))),
    ("ring, 9 magnets", read_hardware("ring", magnets=9), "", ((120, 145), (100, None), (200, None))),
    ("ring, 18 magnets", RING_18, "", ((62, 75), (55, None), (95, None))),
    ("the same, 2 % of reads lost", RING_18, LOST, ((None, None),) * 3),
)
"""What sorts, faults, and what the builds are to keep to: mean and p95 in s for each case."""


def built_s(seed: int, hardware: Hardware, tiles: int, mode: int, script: str) -> float:
    """Build one wall; return how long it took, in s."""
    table = Director(seed, hardware, tiles, script)
    table.equip()
    one = table.drawn(mode)
    match, built = table.build(one)["match"], table.is_built(one)
    if not match or not built:
        raise SystemExit(f"table {seed}: the wall is told to match: {match}, and stands as drawn: {built}")
    return float(table.named("build_done")[0]["duration_ms"]) / 1000


def main() -> None:
    """Print a table."""
    walls = int(sys.argv[1]) if len(sys.argv) > 1 else WALLS
    grid = Grid("sorter", *(f"{tiles} {'hands' if mode == codes.HANDS_WALL else 'strict'}" for tiles, mode in CASES))
    grid.title = f"Seconds, mean (p95) of {walls} walls; behind the slash what is aimed at"
    for name, hardware, script, aims in ROWS:
        cells = []
        for (tiles, mode), (most, late) in zip(CASES, aims, strict=True):
            times = sorted(built_s(seed, hardware, tiles, mode, script) for seed in range(walls))
            cell = f"{mean(times):.0f} ({times[min(walls - 1, walls * 95 // 100)]:.0f})"
            if most:
                cell += f" / {most}" + (f" ({late})" if late else "")
            cells.append(cell)
        grid.add_row(name, *cells)
    Console().print(grid)


if __name__ == "__main__":
    main()
