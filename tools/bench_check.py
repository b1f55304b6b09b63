"""Compare this tree's processor time with the last release's, in one run: `make bench-check`.

Both trees run the same works with the same packages, in turns, each in a process of its own; what counts is the
processor's time of that process and of those that it started. A work is slower when the least time and the median of
the ratios of neighbours both are more than 5 % above the release's. Works in doubt are run again, so that another
program on the machine fails nothing. The commit of the release stands in benchmarks/last-release.

`.venv-dev/bin/python -m tools.bench_check [--with FOLDER]`: FOLDER is compared, in the place of this tree.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
RELEASE = ROOT / "benchmarks" / "last-release"
PARTS = ("protocol", "firmware", "simulator", "host")
MOST = 1.05
PAIRS = 5
AGAIN = 3
"""Rounds in which the works in doubt are run again."""

BUILD = """
from wallwright_simulator.places import Mixing
from wallwright_simulator.simulation import Simulation
for seed in range({builds}):
    simulation = Simulation(seed, 108, mixing={mixing}, wash_s={wash_s})
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY":
        simulation.run_until(simulation.next_ms())
"""
HOSTED = """
from wallwright.link.connection import Connection
from wallwright.link.transport import open_transport
from wallwright.table.table import Table
from wallwright_simulator.simulation import Simulation, attach
for seed in range(40):
    with Table(Connection(open_transport(attach("builds", Simulation(seed, 108))))) as table:
        table.start_build()
        table.wait_state("ready", 180_000)
"""
CODEC = """
from wallwright_protocol.frame import Decoder, encode
decoder = Decoder()
for number in range(200_000):
    decoder.feed(encode(bytes(range(number % 60 + 4))))
"""
COMMAND = ("-m", "wallwright")
WORKS = {
    "40 builds, ideal drum": ("-c", BUILD.format(builds=40, mixing=None, wash_s=0)),
    "40 builds, a host's session": ("-c", HOSTED),
    "20 builds, drum of places, wash 60 s": ("-c", BUILD.format(builds=20, mixing="Mixing()", wash_s=60)),
    "200,000 frames": ("-c", CODEC),
    "demo --help": (*COMMAND, "demo", "--help"),
    "10 deals, Sichuan": (*COMMAND, "demo"),
    "3 deals, Hong Kong": (*COMMAND, "demo", "--game", "hong-kong", "--deals", "3"),
    "3 deals, Cumberland": (*COMMAND, "demo", "--game", "cumberland", "--deals", "3"),
    "3 deals, Balsall": (*COMMAND, "demo", "--game", "balsall", "--deals", "3"),
    "rehearsed day, 8 players": (*COMMAND, "event", "rehearse", "--players", "8", "--sessions", "1"),
}


def spent(tree: Path, words: tuple[str, ...]) -> float:
    """Seconds of the processor's time that a work takes with the code of that tree."""
    path = os.pathsep.join(str(tree / part) for part in PARTS)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": path, "XDG_DATA_HOME": folder, "PYTHONHASHSEED": "0"},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Comparison:
    """The times of one work, in turns."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words
        self._pairs: list[tuple[float, float]] = []

    def run(self, old: Path, new: Path) -> None:
        """Take more pairs; every other one begins with the new tree."""
        for _ in range(PAIRS):
            if len(self._pairs) % 2:
                later = spent(new, self._words)
                self._pairs.append((spent(old, self._words), later))
            else:
                self._pairs.append((spent(old, self._words), spent(new, self._words)))

    def least(self) -> tuple[float, float]:
        """The least time of either tree."""
        return min(old for old, _ in self._pairs), min(new for _, new in self._pairs)

    def ratios(self) -> tuple[float, float]:
        """New over old: of the least times, and the median of the pairs."""
        old, new = self.least()
        return new / old, median(new / old for old, new in self._pairs)

    def is_slower(self) -> bool:
        """Whether both ratios say so."""
        return min(self.ratios()) > MOST

    def is_in_doubt(self) -> bool:
        """Whether one of them says so."""
        return max(self.ratios()) > MOST


def unpacked(folder: Path) -> Path:
    """The release's files, in that folder."""
    commit = RELEASE.read_text(encoding="utf-8").strip()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        sys.exit(f"This clone has no commit {commit}, the last release. Fetch the whole history: git fetch --unshallow")
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return folder


def main(words: list[str]) -> int:
    """Print the table; return 1 when a work is slower than the release's."""
    new = Path(words[1]).resolve() if words[:1] == ["--with"] else ROOT
    found = {name: Comparison(work) for name, work in WORKS.items()}
    with tempfile.TemporaryDirectory() as folder:
        old = unpacked(Path(folder))
        for tree in (old, new):
            subprocess.run([sys.executable, "-m", "compileall", "-q", *(tree / part for part in PARTS)], check=False)
        for name, comparison in found.items():
            print(f"   {name}", flush=True)
            comparison.run(old, new)
        for _ in range(AGAIN):
            for comparison in found.values():
                if comparison.is_in_doubt():
                    comparison.run(old, new)
    print(f"{'seconds of processor time':<38}{'release':>9}{'now':>9}{'ratio':>8}{'of pairs':>10}")
    for name, comparison in found.items():
        least, ratios = comparison.least(), comparison.ratios()
        told = "  slower" if comparison.is_slower() else ""
        print(f"{name:<38}{least[0]:9.2f}{least[1]:9.2f}{ratios[0]:8.2f}{ratios[1]:10.2f}{told}")
    slower = [name for name, comparison in found.items() if comparison.is_slower()]
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
