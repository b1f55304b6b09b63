"""Who sits where in every session: planned from the lots, so that the plan is as fair as the draw.

Groups come first: from a design in which no pair meets twice, whose places the lots give away, and for what a design
leaves, from a search. Then come seats and tables. `seating_check` looks at the result on its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from .designs import Groups, design_sessions
from .placing import choose_seats, choose_tables, keep_apart, take_places
from .search import least_repeats, meetings, search_sessions

TRIES = 3
"""Searches in place of one, where the first leaves repeats."""


@dataclass(frozen=True, slots=True)
class SessionSeating:
    """One session: for every table, by number from 0, the players of its seats 0 to 3; and who sits out."""

    tables: tuple[tuple[int, int, int, int], ...]
    byes: tuple[int, ...] = ()


def plan_seating(
    lots: Sequence[int], sessions: int, clashes: Iterable[tuple[int, int]], key: bytes
) -> tuple[SessionSeating, ...]:
    """Seat the players `lots`, four or more, for so many sessions; those who sit out do so in turn.

    `clashes` are pairs of players to be kept apart, `key` is all that chance follows from.
    """
    count = len(lots)
    # Only `random()` is used, whose numbers for a seed are the same in every Python.
    rng = Random(int.from_bytes(key, "big"))
    resting = [_resting(count, session) for session in range(sessions)]
    at = {player: index for index, player in enumerate(lots)}
    apart = sorted((at[a], at[b]) for a, b in clashes if a in at and b in at)
    groups = _best_groups(count, resting, apart, rng)
    placed = choose_seats(choose_tables(count, groups))
    return tuple(
        SessionSeating(
            tuple((lots[a], lots[b], lots[c], lots[d]) for a, b, c, d in tables), tuple(lots[one] for one in out)
        )
        for tables, out in zip(placed, resting, strict=True)
    )


def _resting(count: int, session: int) -> tuple[int, ...]:
    """The places that sit out: one after the other, round and round."""
    spare = count % 4
    return tuple((session * spare + one) % count for one in range(spare))


def _best_groups(
    count: int, resting: Sequence[Sequence[int]], apart: Sequence[tuple[int, int]], rng: Random
) -> list[Groups]:
    """The best of some plans: fewest repeats and clashes together."""
    sessions = len(resting)
    design = [] if count % 4 else design_sessions(count, sessions)
    designed = take_places(design, keep_apart(count, design, apart, rng))
    least = least_repeats(count, [count // 4] * sessions)
    best: list[Groups] = []
    best_cost = -1
    for attempt in range(TRIES):
        # A design may leave nothing good for the sessions after it, so the last try does without.
        known = designed if attempt < TRIES - 1 else []
        found = [*known, *search_sessions(count, known, resting[len(known) :], apart, rng)]
        met = meetings(count, found)
        cost = sum(max(0, m - 1) for row in met for m in row) // 2 + sum(met[a][b] for a, b in apart)
        if not best or cost < best_cost:
            best, best_cost = found, cost
        if best_cost <= least:
            break
    return best
