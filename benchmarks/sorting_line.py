"""Prescribed walls whose sorter is on the line of nodes, beside the same walls without a line: seconds, simulated.

python benchmarks/sorting_line.py [WALLS]
"""

import sys
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table as Grid

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.firmware.prescribing import RING_18, Director
from tests.firmware.test_line_sorter import LoopOnTheLine
from wallwright_firmware.app import App

WALLS = 6
WAYS = (("without a line", App), ("over the line", LoopOnTheLine))


def seconds(seed: int, firmware: object) -> float:
    """Build one wall on a ring of 18 magnets; return how long that took."""
    table = Director(seed, RING_18, firmware=firmware)
    table.run(1_000)
    table.equip()
    one = table.drawn()
    told = table.build(one)
    assert told["match"]
    assert table.is_built(one)
    return float(table.named("build_done")[-1]["duration_ms"]) / 1_000


def main() -> None:
    walls = int(sys.argv[1]) if sys.argv[1:] else WALLS
    grid = Grid(title=f"Ring of 18 magnets, 108 tiles, strict, seeds 0 to {walls - 1}")
    for column in ("", "mean, s", "longest, s"):
        grid.add_column(column, justify="right" if column else "left")
    for what, firmware in WAYS:
        found = [seconds(seed, firmware) for seed in range(walls)]
        grid.add_row(what, f"{mean(found):.1f}", f"{max(found):.1f}")
    Console().print(grid)


if __name__ == "__main__":
    main()
