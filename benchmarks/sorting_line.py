"""Prescribed walls whose sorter is on the line of nodes, beside the same walls without a line: seconds, simulated.

.venv-dev/bin/python -m benchmarks.sorting_line [WALLS]
"""

import sys
from statistics import mean

from rich.console import Console
from rich.table import Table as Grid

from tests.firmware.prescribing import FLAP_2, RING_18, Director
from tests.firmware.test_line_sorter import FLAP_ON_LINE, RING_ON_LINE, LoopOnTheLine
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_simulator.sorter import Hardware

WALLS = 6
SORTERS = (("ring, 18 magnets", RING_18, RING_ON_LINE), ("flap, 2 places", FLAP_2, FLAP_ON_LINE))
MODES = (("strict", codes.STRICT_WALL), ("hands", codes.HANDS_WALL))


def seconds(seed: int, firmware: object, hardware: Hardware, mode: int) -> float:
    """Build one wall; return how long that took. Any wall that is not told to match, and to be right, ends this."""
    table = Director(seed, hardware, firmware=firmware)
    table.run(1_000)
    table.equip()
    one = table.drawn(mode)
    match, built = table.build(one)["match"], table.is_built(one)
    if not match or not built:
        raise SystemExit(f"table {seed}: the wall is told to match: {match}, and stands as drawn: {built}")
    return float(table.named("build_done")[-1]["duration_ms"]) / 1_000


def main() -> None:
    walls = int(sys.argv[1]) if sys.argv[1:] else WALLS
    grid = Grid("sorter", "mode", "without a line", "over the line")
    grid.title = f"108 tiles, seeds 0 to {walls - 1}: seconds, mean (longest)"
    for name, near, far in SORTERS:
        for words, mode in MODES:
            cells = []
            for firmware, hardware in ((App, near), (LoopOnTheLine, far)):
                found = [seconds(seed, firmware, hardware, mode) for seed in range(walls)]
                cells.append(f"{mean(found):.1f} ({max(found):.1f})")
            grid.add_row(name, words, *cells)
    Console().print(grid)


if __name__ == "__main__":
    main()
