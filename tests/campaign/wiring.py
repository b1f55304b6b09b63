"""Simulated tables whose wires are permuted and inverted at random, half of them with one or two mistakes.

    .venv-dev/bin/python -m tests.campaign.wiring --tables 200

Each is searched with a person beside it, who does and sees what a person would. All must be mapped right, or refused
with the right reason; the mistakes, and what may be said of each, are made by `tests.host.doctor.wirer`.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from tests.host.doctor.wirer import Wired, Wirer, wire_up, wrong_in
from wallwright.doctor.wiring.draft import Draft
from wallwright.doctor.wiring.search import Found, Search
from wallwright.table.table import open_table
from wallwright_simulator.simulation import Simulation, attach

_NAMES = count()


class Searched(NamedTuple):
    """A table that was searched: how it was wired, what was said, and what is wrong with that."""

    made: Wired
    found: Found
    wrong: str
    simulation: Simulation
    person: Wirer
    minutes: float


def search(made: Wired, seed: int) -> Searched:
    """Search one table from its first act to the end."""
    simulation = made.table(seed)
    person = Wirer(made, simulation)
    port = attach(f"wiring-{next(_NAMES)}", simulation)
    with open_table(port) as table:
        found = Search(table, person, Draft(table.info.unit), lambda _: None).run()
    problems = {(problem.part, problem.kind) for problem in found.problems}
    wrong = wrong_in(made, str(found.record()["verdict"]), problems, found.wire_map)
    return Searched(made, found, wrong, simulation, person, simulation.now_ms / 60_000)


def mistakes_of(number: int, chance: random.Random) -> int:
    """How many mistakes table `number` has: every second one, one or two."""
    return chance.choice((1, 2)) if number % 2 else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Search tables, and print what came of it."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.wiring", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    print(f"{given.tables} tables, seed {given.seed} (repeat with --seed {given.seed})")
    chance = random.Random(given.seed)
    verdicts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    minutes = 0.0
    wrong = 0
    for number in range(given.tables):
        seed = chance.randrange(2**32)
        done = search(wire_up(seed, mistakes_of(number, chance)), seed)
        verdicts[str(done.found.record()["verdict"])] += 1
        kinds.update(mistake.kind for mistake in done.made.mistakes)
        minutes += done.minutes
        if done.wrong:
            wrong += 1
            print(f"  table {number}, seed {seed}: {done.wrong}", flush=True)
    right = given.tables - wrong
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{right} of {given.tables} right ({told}), {minutes / given.tables:.1f} simulated minutes a table")
    print(f"mistakes made: {', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
