"""How long an assessment by SP 800-90B takes, by estimator; and whether it agrees with NIST's published results.

    .venv-dev/bin/python -m benchmarks.entropy
    .venv-dev/bin/python -m benchmarks.entropy SP800-90B_EntropyAssessment

The argument is a checkout of NIST's program: each file of its `bin/` is assessed, and compared with what `refdata/` of
its self-test says. Times are of the process, of 1,000,000 samples of eight bits from a good simulated source.
"""

import re
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from wallwright.entropy.assessment import AS_BITS, AS_SAMPLES, NEEDED, assess
from wallwright_simulator import noise

MOST_APART = 1e-6
"""What NIST's own self-test takes for equal."""
NAMES = {
    "Most Common Value": "most common value",
    "Collision": "collision",
    "Markov": "Markov",
    "Compression": "compression",
    "t-Tuple": "t-tuple",
    "LRS": "longest repeated substring",
    "MultiMCW Prediction": "most common in window",
    "Lag Prediction": "lag",
    "MultiMMC Prediction": "multi-MMC",
    "LZ78Y Prediction": "LZ78Y",
}
_LINE = re.compile(r"(Literal|Bitstring) (.*) Estimate: min entropy = (.*)")


def times() -> Table:
    began: dict[str, float] = {}
    assess(
        np.frombuffer(noise.good(1)(0, NEEDED), np.uint8), 8, lambda what, *_: began.update({what: time.process_time()})
    )
    grid = Table(title=f"{NEEDED:,} samples of eight bits, s of one core")
    grid.add_column("estimator")
    grid.add_column("time", justify="right")
    starts = list(began.items())
    for (what, start), (_, end) in pairwise(starts):
        grid.add_row(what, f"{end - start:.1f}")
    grid.add_row("all", f"{starts[-1][1] - starts[0][1]:.1f}")
    return grid


def published(path: Path) -> dict[tuple[str, str], float]:
    found = {}
    for line in path.read_text().splitlines():
        if match := _LINE.fullmatch(line):
            found[AS_SAMPLES if match[1] == "Literal" else AS_BITS, NAMES[match[2]]] = float(match[3])
    return found


def agreement(folder: Path) -> tuple[Table, bool]:
    grid = Table(title="Against NIST's published results")
    for column in ("file", "samples", "estimates", "farthest apart"):
        grid.add_column(column, justify="left" if column == "file" else "right")
    agrees = True
    for path in sorted(folder.glob("bin/*.bin")):
        samples = np.fromfile(path, np.uint8)
        width = max(1, int(samples.max()).bit_length())
        wanted = published(folder / "cpp" / "selftest" / "refdata" / f"{path.stem}.res")
        found = {(each.of, each.name): each.bits for each in assess(samples, width).estimates if each.bits is not None}
        assert found.keys() == wanted.keys(), path
        apart = max(abs(found[key] - wanted[key]) for key in wanted)
        agrees = agrees and apart <= MOST_APART
        grid.add_row(path.name, f"{len(samples):,}", str(len(wanted)), f"{apart:.1e}")
    return grid, agrees


def main() -> int:
    console = Console()
    if len(sys.argv) < 2:
        console.print(times())
        return 0
    grid, agrees = agreement(Path(sys.argv[1]))
    console.print(grid)
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
