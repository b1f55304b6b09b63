"""Keeps the likeliest explanations of what readers told, event by event, in a bounded number."""

from collections.abc import Iterable, Mapping

from .explanation import Explanation
from .read_meanings import appeared, left
from .scene import Scene
from .zones import CLAIM, LEFT, Tag, ZoneEvent

OPEN_MS = 5_000
"""A discard that its reader missed is known after this long at the latest: the board waits two seconds before it says
that a tag has left, and a late read comes sooner."""


def explanations_of(scene: Scene, events: Iterable[ZoneEvent], numbers: Mapping[Tag, int]) -> list[Explanation]:
    """The explanations that are left after all events, the likeliest first. `numbers` gives each tag its number.

    When even the likeliest takes far too many reads to be wrong, it is given up, which the scene tells.
    """
    kept = [scene.start()]
    for event in events:
        if event.told == CLAIM:
            scene.presses.append((event.at_ms, event.seat))
            scene.strange.append(kept[0].strange)
            continue
        tile, reader, at_ms = numbers[event.tag], event.reader, event.at_ms
        scene.limit = kept[0].cost + scene.model.range
        if event.told == LEFT:
            scene.read.pop(tile, None)
            scene.lost[tile] = reader
            found = [after for now in kept for after in left(scene, now, tile, reader, at_ms)]
        else:
            scene.read[tile] = reader
            scene.lost.pop(tile, None)
            found = [after for now in kept for after in appeared(scene, now, tile, reader, at_ms)]
        kept = _likeliest(scene, found, at_ms) if len(found) > 1 else found
        scene.strange.append(kept[0].strange)
        if kept[0].strange > 2 * scene.model.strange:
            scene.given_up = True
            break
    return kept


def _likeliest(scene: Scene, found: list[Explanation], at_ms: int) -> list[Explanation]:
    """The cheapest, one for each course of play."""
    found.sort(key=_cost)
    # By then a discard that came late would have been read, or its tile missed in the hand.
    found = [one for one in found if one.opened_ms > at_ms - OPEN_MS] or found
    most = found[0].cost + scene.model.range
    kept: list[Explanation] = []
    courses = set()
    for one in found:
        if one.cost > most:
            break
        course = (one.key, one.owed)
        if course in courses:
            continue
        if len(kept) == scene.width:
            scene.cut = min(scene.cut, one.cost - kept[0].cost)
            break
        courses.add(course)
        kept.append(one)
    return kept


def _cost(explanation: Explanation) -> int:
    return explanation.cost
