"""Looks at a seating plan before it is used, knowing nothing of how it was made: it counts, slowly and plainly."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from .seating import SessionSeating


@dataclass(frozen=True, slots=True)
class SeatingReport:
    """What a plan is worth. `problems` are sentences; a plan that has any must not be used.

    `repeats` counts meetings of a pair after its first, `least_repeats` is a bound that no plan can beat, `most` is how
    often one pair meets. `clashes` are meetings of pairs to be kept apart. `seat_spread` is by how much a player's
    seats differ in number at the worst, `bye_spread` likewise between players; `table_repeats` counts sessions of a
    player at a table where that player was before.
    """

    problems: tuple[str, ...]
    repeats: int
    least_repeats: int
    most: int
    clashes: int
    seat_spread: int
    bye_spread: int
    table_repeats: int

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


def check_seating(
    sessions: Sequence[SessionSeating], players: Iterable[int], apart: Iterable[tuple[int, int]]
) -> SeatingReport:
    """Count everything in the plan for `players`; `apart` are pairs to be kept apart."""
    everybody = sorted(players)
    problems: list[str] = []
    met: Counter[tuple[int, int]] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    tables: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for number, session in enumerate(sessions, 1):
        here = Counter(one for table in session.tables for one in table) + Counter(session.byes)
        for one, times in sorted(here.items()):
            if times > 1:
                problems.append(f"session {number} has player {one} more than once: {times}")
            if one not in everybody:
                problems.append(f"session {number} has player {one}, who is not in the event")
        problems += [f"session {number} lacks player {one}" for one in everybody if one not in here]
        if len(session.byes) != len(everybody) % 4:
            problems.append(f"in session {number} {len(session.byes)} players sit out, not {len(everybody) % 4}")
        byes.update(session.byes)
        for table, four in enumerate(session.tables):
            met.update(tuple(sorted(pair)) for pair in combinations(four, 2))  # type: ignore[misc]
            seats.update((one, seat) for seat, one in enumerate(four))
            tables.update((one, table) for one in four)
    meetings = sum(met.values())
    pairs = len(everybody) * (len(everybody) - 1) // 2
    times_out = [byes[one] for one in everybody]
    return SeatingReport(
        tuple(problems),
        repeats=meetings - len(met),
        least_repeats=max(0, meetings - pairs),
        most=max(met.values(), default=0),
        clashes=sum(met[min(pair), max(pair)] for pair in {tuple(sorted(pair)) for pair in apart}),
        seat_spread=max((_spread([seats[one, seat] for seat in range(4)]) for one in everybody), default=0),
        bye_spread=_spread(times_out),
        table_repeats=sum(tables.values()) - len(tables),
    )


def _spread(counts: Sequence[int]) -> int:
    return max(counts, default=0) - min(counts, default=0)
