"""From groups to chairs: who sits apart, at which seat, at which table, so that nobody gets the same too often."""

from collections.abc import Sequence
from random import Random

from .designs import Groups
from .search import meetings

SEATS = 4
_APART_STEPS = 60_000


def keep_apart(places: int, sessions: Sequence[Groups], clashes: Sequence[tuple[int, int]], rng: Random) -> list[int]:
    """Return for each player, numbered from 0, the place in the plan: as drawn, with swaps that part clashes.

    A plan stays as it is whoever takes which of its places, so no meeting is repeated for this.
    """
    place = list(range(places))
    if not clashes:
        return place
    met = meetings(places, sessions)
    rivals: list[list[int]] = [[] for _ in range(places)]
    for a, b in clashes:
        rivals[a].append(b)
        rivals[b].append(a)

    def cost(player: int) -> int:
        row = met[place[player]]
        return sum(row[place[rival]] for rival in rivals[player])

    for _ in range(_APART_STEPS):
        a, b = clashes[int(rng.random() * len(clashes))]
        if not met[place[a]][place[b]]:
            continue
        mover, other = (a, b)[rng.random() < 0.5], int(rng.random() * places)
        if mover == other:
            continue
        before = cost(mover) + cost(other)
        place[mover], place[other] = place[other], place[mover]
        if cost(mover) + cost(other) > before:
            place[mover], place[other] = place[other], place[mover]
    return place


def take_places(sessions: Sequence[Groups], place: Sequence[int]) -> list[Groups]:
    """Return the sessions with players where they had places; `place` is by player."""
    player_at = {one: player for player, one in enumerate(place)}
    return [tuple(tuple(player_at[one] for one in group) for group in groups) for groups in sessions]


def choose_seats(sessions: Sequence[Groups]) -> list[Groups]:
    """Put each group into the order of its seats, such that everybody has every seat equally often, or once more.

    Players and tables are the two sides of a graph whose lines are chairs. A round trip over all lines parts them into
    two halves at every player and table; halved twice, they are the four seats.
    """
    chairs = [
        (group, player)
        for number, groups in enumerate(sessions)
        for group in _named(number, groups)
        for player in group[1]
    ]
    lines = [(("table", *name), ("player", player)) for (name, _), player in chairs]
    seats: dict[tuple[int, int], dict[int, int]] = {}
    halves = _halve(lines, list(range(len(lines))))
    for high, half in enumerate(halves):
        for low, quarter in enumerate(_halve(lines, half)):
            for line in quarter:
                (name, _), player = chairs[line]
                seats.setdefault(name, {})[2 * high + low] = player
    return [
        tuple(tuple(seats[number, index][seat] for seat in range(SEATS)) for index in range(len(groups)))
        for number, groups in enumerate(sessions)
    ]


def choose_tables(players: int, sessions: Sequence[Groups]) -> list[Groups]:
    """Put the groups of each session into the order of the tables, so that few sit at the same table again."""
    been: list[dict[int, int]] = [{} for _ in range(players)]
    placed = []
    for number, groups in enumerate(sessions):
        count = len(groups)
        # A shift from session to session is the start, swaps are the rest.
        order = [groups[(at + number) % count] for at in range(count)]
        cost = {group: [sum(been[one].get(at, 0) for one in group) for at in range(count)] for group in order}
        improved = True
        while improved:
            improved = False
            for i in range(count):
                for j in range(i):
                    a, b = cost[order[i]], cost[order[j]]
                    if a[i] + b[j] > a[j] + b[i]:
                        order[i], order[j] = order[j], order[i]
                        improved = True
        for at, group in enumerate(order):
            for one in group:
                been[one][at] = been[one].get(at, 0) + 1
        placed.append(tuple(order))
    return placed


def _named(number: int, groups: Groups) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    return [((number, index), group) for index, group in enumerate(groups)]


def _halve(ends: Sequence[tuple[object, object]], lines: Sequence[int]) -> tuple[list[int], list[int]]:
    """Part lines of a graph with two sides into halves that differ by one at every point at the most.

    Points with an odd number of lines, which are players, get one more line to a point of no meaning; then round trips
    use up all lines, and every second one of a trip, which is even in such a graph, goes to the same half.
    """
    at: dict[object, list[int]] = {}
    for line in lines:
        for point in ends[line]:
            at.setdefault(point, []).append(line)
    beyond: dict[int, tuple[object, object]] = {}
    for point in list(at):
        if len(at[point]) % 2:
            line = -1 - len(beyond)
            beyond[line] = (None, point)
            at[point].append(line)
            at.setdefault(None, []).append(line)
    used: set[int] = set()
    halves: tuple[list[int], list[int]] = ([], [])
    for start in at:
        point, half = start, 0
        while True:
            while at[point] and at[point][-1] in used:
                at[point].pop()
            if not at[point]:
                break
            line = at[point].pop()
            used.add(line)
            if line >= 0:
                halves[half].append(line)
            one, other = beyond[line] if line < 0 else ends[line]
            point = other if point == one else one
            half = 1 - half
    return halves
