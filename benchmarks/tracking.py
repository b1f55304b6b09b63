"""How much of a deal the tracker knows when readers err, how often it asks, and what it costs.

    .venv-dev/bin/python -m benchmarks.tracking [DEALS]

Deals of bots are acted out with tiles under the simulator's readers and the firmware's filter. A missed read means that
a reader does not see a tile in all the time that it lies there; a ghost, that a neighbouring zone sees it as well.
"Silently wrong" is an account taken without a question that has other points than the deal, or another action that is
not marked as doubtful.
"""

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.host.tracking.acted import Acted, act_out
from tests.host.tracking.truth import is_exact, is_silently_wrong, played, tracked
from wallwright.rules.sichuan.deal import Deal
from wallwright.tracking import Outcome

DEALS = 2000
BEFORE_REVEAL = 20
"""Without the wall only each so manieth deal is tracked."""
MISSED = (0, 10, 20, 50)
GHOSTS = 10
"""Shares in permille."""
TABLES = 256
SEED = 2026


@dataclass
class Row:
    """What came of the deals of one line."""

    counts: Counter[str] = field(default_factory=Counter)
    events: int = 0
    played_ms: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def take(self, acted: Acted, outcome: Outcome, seconds: float) -> None:
        """Count one deal."""
        self.counts["deals"] += 1
        self.events += len(acted.events)
        self.played_ms += acted.events[-1].at_ms - acted.events[0].at_ms
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        for word in verdicts(acted.deal, outcome):
            self.counts[word] += 1

    def line(self, name: str) -> str:
        """One line of the table."""
        deals = self.counts["deals"]
        shares = [f"{self.counts[word] / deals:9.2%}" for word in ("unasked", "exact", "asked")]
        numbers = [f"{self.counts[word]:8d}" for word in ("first", "listed", "lost", "wrong")]
        cost = f"{1e6 * self.seconds / self.events:8.0f}"
        return f"{name:>7}{deals:7d}" + "".join(shares) + "".join(numbers) + cost + f"{1000 * self.longest:9.0f}"


HEAD = (
    f"{'missed':>7}{'deals':>7}{'unasked':>9}{'exact':>9}{'asked':>9}"
    f"{'first':>8}{'listed':>8}{'lost':>8}{'wrong':>8}{'µs/ev':>8}{'max ms':>9}"
)
LEGEND = """unasked: an account without a question; exact: unasked, and every action is right; asked: one question;
first, listed: of those the deals whose points are those of the first answer, of any; lost: not followed, to be settled
as declared; wrong: silently wrong; µs/ev: cost of an event; max ms: the longest deal, both of processor time
"""


def verdicts(deal: Deal, outcome: Outcome) -> list[str]:
    """What an outcome is, in the words of the table."""
    if outcome.account is not None:
        words = ["unasked"]
        if is_exact(outcome.account, deal):
            words.append("exact")
        if is_silently_wrong(outcome.account, deal):
            words.append("wrong")
        return words
    if outcome.question is None:
        return ["lost"]
    points = [answer.account.settlement.points for answer in outcome.question.answers]
    true = deal.settle().points
    return ["asked", *(["first"] if points[0] == true else []), *(["listed"] if true in points else [])]


def measure(missed: int, seeds: list[int], *, wall: bool) -> Row:
    """Act out and track the deals of those seeds."""
    row = Row()
    for seed in seeds:
        acted = act_out(played(seed), seed, miss=missed, ghost=GHOSTS)
        begin = time.process_time()
        outcome = tracked(acted, wall=wall)
        row.take(acted, outcome, time.process_time() - begin)
    return row


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    seeds = random.Random(SEED).sample(range(10**9), deals)
    print(f"{deals} deals of bots, {GHOSTS / 10:g} % ghosts, seed {SEED}\n{LEGEND}")
    hall = Row()
    for title, wall, some in (
        ("All readers, after the wall was revealed", True, seeds),
        ("The same before it was, or without readers at the stacking heads", False, seeds[::BEFORE_REVEAL]),
    ):
        print(f"{title}\n{HEAD}")
        for missed in MISSED:
            row = measure(missed, some, wall=wall)
            print(row.line(f"{missed / 10:g} %"), flush=True)
            if wall and missed == GHOSTS:
                hall = row
        print()
    rate = TABLES * 1000 * hall.events / hall.played_ms
    load = rate * hall.seconds / hall.events
    print(
        f"{TABLES} tables tell {rate:.0f} events a second while they play; tracking them takes {load:.1%} of one core"
    )


if __name__ == "__main__":
    main()
