"""Sessions by search: who sits with whom so that pairs meet as rarely as can be, where no design has an answer.

The number of steps is fixed and all chance comes from the random source given, so a plan comes out the same again.
"""

from collections.abc import Sequence
from math import exp
from random import Random

from .designs import Groups

STEPS = 150_000
STEPS_PER_CHAIR = 1_500
"""The lesser of both is how long a search lasts."""
_START_HEAT = 0.6
_END_HEAT = 0.05
_RIVALS = 3
"""Two players who are to be kept apart count as having met this often already."""


def meetings(players: int, sessions: Sequence[Groups]) -> list[list[int]]:
    """Return how often each two of the players, numbered from 0, sit at one table."""
    met = [[0] * players for _ in range(players)]
    for groups in sessions:
        for group in groups:
            for a in group:
                for b in group:
                    if a != b:
                        met[a][b] += 1
    return met


def least_repeats(players: int, games: Sequence[int]) -> int:
    """Return a bound below which the repeated meetings cannot be, with so many tables in each session.

    A pair that meets m times counts m - 1 repeats. It cannot always be reached.
    """
    return max(0, 6 * sum(games) - players * (players - 1) // 2)


def search_sessions(
    players: int,
    known: Sequence[Groups],
    resting: Sequence[Sequence[int]],
    apart: Sequence[tuple[int, int]],
    rng: Random,
) -> list[Groups]:
    """Return one session for each of `resting`, the players who sit out in it, after the sessions `known`.

    Pairs in `apart` are kept from one table where that can be, before anything else.
    """
    sessions: list[list[int]] = []
    for out in resting:
        seated = [one for one in range(players) if one not in out]
        sessions.append(sorted(seated, key=lambda _: rng.random()))
    if sessions:
        met = meetings(players, known)
        for a, b in apart:
            met[a][b] += _RIVALS
            met[b][a] += _RIVALS
        _anneal(sessions, met, rng)
    return [tuple(tuple(sorted(order[at : at + 4])) for at in range(0, len(order), 4)) for order in sessions]


def _anneal(sessions: list[list[int]], met: list[list[int]], rng: Random) -> None:
    """Swap players of different tables until nobody meets anybody more often than need be, or the steps are over.

    The cost of a pair that meets m times is m (m - 1) / 2, so that many repeats are spread over many pairs. `met` is
    what was before.
    """
    before = sum(m * (m - 1) // 2 for row in met for m in row) // 2
    games = 6 * sum(len(order) // 4 for order in sessions)
    count = len(met)
    for order in sessions:
        for at in range(0, len(order), 4):
            for a in order[at : at + 4]:
                for b in order[at : at + 4]:
                    met[a][b] += a != b
    cost = sum(m * (m - 1) // 2 for row in met for m in row) // 2
    pairs = count * (count - 1) // 2
    each, rest = divmod(games, pairs)
    least = before + pairs * (each * (each - 1) // 2) + rest * each
    best, best_cost = [list(order) for order in sessions], cost
    random = rng.random
    steps = min(STEPS, STEPS_PER_CHAIR * sum(map(len, sessions)))
    sizes = [(order, len(order)) for order in sessions]
    for step in range(steps):
        if best_cost <= least:
            break
        order, size = sizes[int(random() * len(sizes))]
        i, j = int(random() * size), int(random() * size)
        first, second = i & ~3, j & ~3
        if first == second:
            continue
        a, b = order[i], order[j]
        met_a, met_b = met[a], met[b]
        # Both tables as they are, a and b among them: nobody meets themselves, and what a and b have met is in twice.
        a0, a1, a2, a3 = order[first : first + 4]
        b0, b1, b2, b3 = order[second : second + 4]
        delta = (
            6
            - 2 * met_a[b]
            + met_b[a0] + met_b[a1] + met_b[a2] + met_b[a3]
            - met_a[a0] - met_a[a1] - met_a[a2] - met_a[a3]
            + met_a[b0] + met_a[b1] + met_a[b2] + met_a[b3]
            - met_b[b0] - met_b[b1] - met_b[b2] - met_b[b3]
        )  # fmt: skip
        if delta > 0:
            heat = _START_HEAT * (_END_HEAT / _START_HEAT) ** (step / steps)
            if random() >= exp(-delta / heat):
                continue
        order[i], order[j] = b, a
        for one in (a0, a1, a2, a3):
            if one == a:
                continue
            met_a[one] -= 1
            met[one][a] -= 1
            met_b[one] += 1
            met[one][b] += 1
        for one in (b0, b1, b2, b3):
            if one == b:
                continue
            met_b[one] -= 1
            met[one][b] -= 1
            met_a[one] += 1
            met[one][a] += 1
        cost += delta
        if cost < best_cost:
            best, best_cost = [list(order) for order in sessions], cost
    sessions[:] = best
