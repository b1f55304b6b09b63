"""Prescribed walls through the real firmware, its wire and a simulated ring that sorts: how long they take.

    python benchmarks/prescribed_builds.py [WALLS]

Wall n is that of table n and of deal n. A wall counts when it is whole, told to match, and stands as it was drawn;
anything else ends the program. All figures are simulated; a build's time is that of its `build_done`.
"""

import sys
from statistics import mean

from rich.console import Console
from rich.table import Table as Grid

from tests.firmware.prescribing import Director
from wallwright_protocol import codes
from wallwright_simulator.sorters import read_hardware

WALLS = 24
LONGEST_MS = 500_000
CASES = ((108, codes.STRICT_WALL), (108, codes.HANDS_WALL), (136, codes.STRICT_WALL))
LOST = "readers miss 2%"
ROWS = ((9, "", ((120, 145), (100, None), (200, None))), (18, "", ((62, 75), (55, None), (95, None))), (18, LOST, ()))
"""Magnets, faults, and what the builds are to keep to: mean and p95 in s for each case."""


def built_s(seed: int, magnets: int, tiles: int, mode: int, script: str) -> float:
    """Build one wall; return how long it took, in s."""
    table = Director(seed, read_hardware("ring", magnets=magnets), tiles, script)
    table.equip()
    one = table.drawn(mode)
    assert table.prescribe(one) == "ok"
    assert table.request("start_build")[0] == "ok"
    table.run(LONGEST_MS, "wall_prescribed")
    ((match, built),) = [(row["match"], table.is_built(one)) for row in table.named("wall_prescribed")]
    if not match or not built:
        raise SystemExit(f"table {seed}: the wall is told to match: {match}, and stands as drawn: {built}")
    return float(table.named("build_done")[0]["duration_ms"]) / 1000


def main() -> None:
    """Print a table."""
    walls = int(sys.argv[1]) if len(sys.argv) > 1 else WALLS
    grid = Grid("magnets", *(f"{tiles} {'hands' if mode == codes.HANDS_WALL else 'strict'}" for tiles, mode in CASES))
    grid.title = f"Seconds, mean (p95) of {walls} walls; behind the slash what is aimed at"
    for magnets, script, aims in ROWS:
        cells = []
        for number, (tiles, mode) in enumerate(CASES):
            times = sorted(built_s(seed, magnets, tiles, mode, script) for seed in range(walls))
            cell = f"{mean(times):.0f} ({times[min(walls - 1, walls * 95 // 100)]:.0f})"
            if aims:
                most, late = aims[number]
                cell += f" / {most}" + (f" ({late})" if late else "")
            cells.append(cell)
        grid.add_row(f"{magnets}{', 2 % of reads lost' if script else ''}", *cells)
    Console().print(grid)


if __name__ == "__main__":
    main()
