"""Where walls with two ends are broken, from a model of the table with coordinates. (HKO-2, CLA-2, CUM-2.1, BAL-2.1)

The stacks stand where `wall` puts them. Whoever counts walks clockwise along them one by one, round corners too; the
live wall is taken onwards from there and replacements come from behind.
"""

from typing import Any

from tests.reference.full_set import Record
from tests.reference.wall import build, player_counted

LAYERS = (1, 0)


def break_(record: Record) -> dict[str, Any]:
    """What `wallwright rules break` answers, for 136 or 144 tiles."""
    flowers = record.get("options", {}).get("flowers", False)
    length = 17 if record["ruleset"].startswith("hong-kong") and not flowers else 18
    thrower = record.get("dealer", record.get("east"))
    if record["ruleset"] == "cumberland":
        first_throw, second_throw = map(sum, record["dice"])
        side, count = player_counted(first_throw, thrower), second_throw
    else:
        side, count = player_counted(sum(record["dice"]), thrower), sum(record["dice"])
    ring = sorted(build((length, length, length, length)), key=lambda stack: -stack.angle)
    start = next(at for at, stack in enumerate(ring) if (stack.seat, stack.index) == (side, 0))
    ring = ring[start:] + ring[:start]
    counted, live = ring[:count], ring[count:]
    tail = [[stack.seat, stack.index + 1, layer] for stack in reversed(counted) for layer in LAYERS]
    tail += [[stack.seat, stack.index + 1, layer] for stack in reversed(live) for layer in LAYERS]
    head = [[stack.seat, stack.index + 1, layer] for stack in [*live, *counted] for layer in LAYERS]
    # Twelve each are 24 stacks; of the next three all go but the lower tile of the third.
    dealt = head[:53]
    left = [place for place in head if place not in dealt]
    return {
        "side": side,
        "first": head[0],
        "replacements": tail[:3],
        "head_after_deal": left[0],
        "left": len(left),
    }
