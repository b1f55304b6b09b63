"""Are the dice even, is the good source left in peace, when are faulty ones found, and what does it cost the board?

    .venv-dev/bin/python -m benchmarks.dice [SEED]

Every run takes another seed and prints it. The last table needs a MicroPython, of 32 bits if there is one.
"""

import math
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from random import Random, SystemRandom
from typing import Any

from rich.console import Console
from rich.table import Table

from wallwright_firmware.entropy import REPETITIONS, WINDOW, WINDOW_LIMIT_MS, Entropy
from wallwright_firmware.hal import Hal
from wallwright_protocol.dice import dice_of
from wallwright_simulator import noise
from wallwright_simulator.noise import Noise
from wallwright_simulator.runtimes import NoRuntime, find_micropython
from wallwright_simulator.vm.app import source_path

ROLLS = 1_000_000
SAMPLES = 10_000_000
SEEDS = 300
FACES = range(1, 7)
IN_THE_VM = """
import gc, hashlib, time
from wallwright_firmware.entropy import Entropy, WINDOW, CHUNK
from wallwright_firmware.hal import Hal
from wallwright_protocol.dice import commitment, dice_of

class Board(Hal):
    state = 1
    def noise(self, count):
        samples = bytearray(count)
        for at in range(count):
            self.state = (self.state * 1103 + 12345) % 1048573
            samples[at] = self.state >> 8 & 255
        return bytes(samples)

def report(name, work):
    spent = []
    for _ in range(50):
        start = time.ticks_us()
        for _ in range(100):
            work()
        spent.append(time.ticks_diff(time.ticks_us(), start))
    print(name + ":%.2f us:%.2f us" % (min(spent) / 100, sorted(spent)[25] / 100))

def window():
    entropy._filled = WINDOW
    entropy._end_window(0)

data = bytes(1024)
report("SHA-256 of 1,024 bytes", lambda: hashlib.sha256(data).digest())
gc.collect()
before = gc.mem_alloc()
board = Board()
entropy = Entropy(board)
gc.collect()
print("heap of the tested source:%d bytes:" % (gc.mem_alloc() - before))
chunk = bytes(range(CHUNK))
report("repetition count of one poll", lambda: entropy._repeats(chunk))
while not entropy.seed:
    entropy.poll(0)
report("a window's end: two tests and a seed", window)
seed = entropy.seed
report("a commitment", lambda: commitment(1, seed))
report("two dice", lambda: dice_of(1, seed, seed[:16]))
"""


def p_value(chi_square: float, freedom: int) -> float:
    """The chance of a chi-square at least that large, for an odd number of degrees of freedom, in closed form."""
    half = chi_square / 2
    series = sum(half ** (i - 0.5) / math.gamma(i + 0.5) for i in range(1, (freedom + 1) // 2))
    return math.erfc(math.sqrt(half)) + math.exp(-half) * series


def chi_square(seen: Counter[Any], cells: int) -> tuple[float, int, float]:
    """Statistic, degrees of freedom and p-value against equal frequencies in `cells` cells."""
    expected = sum(seen.values()) / cells
    statistic = sum((number - expected) ** 2 / expected for number in seen.values())
    statistic += (cells - len(seen)) * expected
    return statistic, cells - 1, p_value(statistic, cells - 1)


class Board(Hal):
    """A board that is nothing but its noise."""

    def __init__(self, source: Noise) -> None:
        self.now_ms = 0
        self.drawn = 0
        self._source = source

    def noise(self, count: int) -> bytes:
        data = self._source(self.now_ms, count)
        self.drawn += len(data)
        return data


def seeds_of(source: Noise, samples: int) -> Iterator[tuple[bytes, Board, bool]]:
    """Go through the seeds of that many samples, up to the failure; each with the board and whether it failed."""
    board = Board(source)
    entropy = Entropy(board)
    while board.drawn < samples:
        board.now_ms = entropy.due
        entropy.poll(board.now_ms)
        if entropy.failed:
            yield b"", board, True
            return
        if entropy.seed:
            yield entropy.seed, board, False
            entropy.gather(board.now_ms)


def evenness(rng: Random, table: Table, from_noise: Sequence[bytes]) -> None:
    start = time.perf_counter()
    rolls = [dice_of(roll, rng.randbytes(32), rng.randbytes(16)) for roll in range(1, ROLLS + 1)]
    spent = time.perf_counter() - start
    rows: list[tuple[str, tuple[float, int, float]]] = [
        ("faces of both dice", chi_square(Counter(die for roll in rolls for die in roll), 6)),
        ("the 36 pairs", chi_square(Counter(rolls), 36)),
    ]
    for lag in (1, 2, 4):
        serial = Counter((one[0], other[0]) for one, other in zip(rolls[:-lag], rolls[lag:], strict=True))
        rows.append((f"first die and that of {lag} rolls later", chi_square(serial, 36)))
    crossed = Counter((one[1], other[0]) for one, other in pairwise(rolls))
    rows.append(("second die and the first of the next roll", chi_square(crossed, 36)))
    alone = [dice_of(roll, seed, b"") for roll, seed in enumerate(from_noise, 1)]
    rows.append((f"the 36 pairs, {len(alone):,} rolls of tested noise", chi_square(Counter(alone), 36)))
    assert set(rolls) == set(product(FACES, repeat=2))
    for name, (statistic, freedom, p) in rows:
        table.add_row(name, f"{statistic:.1f}", str(freedom), f"{p:.3f}")
    print(f"{ROLLS:,} rolls in {spent:.1f} s")


def quiet(seed: int) -> list[bytes]:
    start = time.perf_counter()
    found = list(seeds_of(noise.good(seed), SAMPLES))
    alarms = sum(failed for _, _, failed in found)
    seeds = [one for one, _, failed in found if not failed]
    assert len(set(seeds)) == len(seeds)
    print(f"{found[-1][1].drawn:,} good samples: {alarms} alarms ({time.perf_counter() - start:.1f} s)")
    return seeds


FAULTY: dict[str, tuple[Callable[[int], Noise], str]] = {
    "stuck": (lambda _: noise.stuck(), f"{REPETITIONS} samples, to the end of the poll"),
    "repeating after 64": (noise.repeating, f"{WINDOW} samples"),
    "repeating after 2": (lambda seed: noise.repeating(seed, 2), f"{WINDOW} samples"),
    "one value in 75 %": (noise.biased, f"{16 * WINDOW} samples but for 2^-32"),
    "bits of 96.5 % ones": (lambda seed: noise.skewed(seed, 0.965), f"{16 * WINDOW} samples but for 2^-32"),
    "dead": (lambda _: noise.dead(), f"{WINDOW_LIMIT_MS} ms"),
    "dying after 5 s": (lambda seed: noise.dying(noise.good(seed), 5000), f"5000 + {WINDOW_LIMIT_MS} ms"),
}


def faulty(rng: Random, table: Table) -> None:
    for name, (make, bound) in FAULTY.items():
        samples: list[int] = []
        times: list[int] = []
        for _ in range(SEEDS):
            *_, (_, board, failed) = seeds_of(make(rng.randrange(2**32)), 100_000)
            assert failed, name
            samples.append(board.drawn)
            times.append(board.now_ms)
        table.add_row(name, f"{statistics.median(samples):.0f}", str(max(samples)), f"{max(times)}", bound)


def board_costs(table: Table) -> str:
    try:
        runtime = find_micropython()
    except NoRuntime as error:
        return str(error)
    path = ":".join(map(str, source_path()))
    finished = subprocess.run(
        [*runtime.with_heap(), "-c", IN_THE_VM], env={"MICROPYPATH": path}, capture_output=True, text=True, check=True
    )
    for line in finished.stdout.splitlines():
        name, least, median = line.rsplit(":", 2)
        table.add_row(name, least, median)
    return f"lane {runtime.lane}, {runtime.word_bits} bit, on this machine"


def columns(title: str, first: str, *others: str) -> Table:
    table = Table(first, title=title)
    for name in others:
        table.add_column(name, justify="right")
    return table


def main() -> None:
    console = Console()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    rng = Random(seed)
    seeds = quiet(seed)
    even = columns("Evenness", "what", "chi-square", "freedom", "p")
    evenness(rng, even, seeds)
    console.print(even)
    found = columns(f"Faulty sources, {SEEDS} seeds each", "source", "samples, median", "most", "ms, most", "bound")
    faulty(rng, found)
    console.print(found)
    costs = columns("On the board's runtime", "what", "least", "median")
    where = board_costs(costs)
    console.print(costs)
    print(where)


if __name__ == "__main__":
    main()
