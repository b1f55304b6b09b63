"""Prescribed walls while things fail: 2 % of all reads are lost, and besides tags die, tiles lack or are of no set, the
power fails, the host goes away, one at a time or several.

    .venv-dev/bin/python -m tests.campaign.prescribed --walls 10000

Each wall is that of a table of its own, and follows from the seed and its number alone: `--first 5000` goes on where
5,000 walls have ended. People and a director do what the panels ask for until walls are up. What stands in the carriers
when lifts leave their lower ends, and when a wall is told to match, is compared with what was prescribed, from the
simulator's own places. Exit code 1 when a wrong wall rose or was told to match, when a table went no further, or when
a tag or the order of faces is in a byte that the board sent or stored.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.campaign.prescribed_evening import Outcome, draw_wall, play

REPORTED = 100


class Counts:
    """What came of all walls until now."""

    def __init__(self) -> None:
        self.walls = 0
        self.bad = 0
        self.minutes = 0.0
        self.ends: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.sorters: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.walls += 1
        self.bad += bool(outcome.wrong)
        self.minutes += outcome.minutes
        self.ends[outcome.end] += 1
        self.ends["with an inferred tile"] += outcome.inferred
        self.faults.update(set(outcome.faults))
        self.wrong.update(what.partition(" show")[0] for what in outcome.wrong)
        self.sorters[outcome.wall.sorter] += 1
        self.causes[" + ".join(outcome.wall.causes) or "lost reads alone"] += 1

    def row(self) -> dict[str, Any]:
        """All of it, for a program to read."""
        return {
            "walls": self.walls,
            "bad": self.bad,
            "wrong": dict(self.wrong),
            "ends": dict(self.ends),
            "faults": dict(self.faults.most_common()),
            "sorters": dict(self.sorters),
            "causes": dict(self.causes.most_common()),
            "simulated_hours": round(self.minutes / 60, 1),
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Try walls, and print what came of them as JSON, a line every hundred walls."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.prescribed", description=__doc__)
    parser.add_argument("--walls", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first wall")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    print(f"{given.walls} walls, seed {given.seed} (repeat with --seed {given.seed})", flush=True)
    counts = Counts()
    for number in range(given.first, given.first + given.walls):
        outcome = play(draw_wall(given.seed, number))
        counts.add(outcome)
        if outcome.wrong:
            print(outcome.line(), flush=True)
        if counts.walls % REPORTED == 0 or counts.walls == given.walls:
            print(json.dumps(counts.row()), flush=True)
    return int(counts.bad > 0)


if __name__ == "__main__":
    sys.exit(main())
