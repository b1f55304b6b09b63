"""Hands of both classical games for the comparison: every row, near misses, losers, each a function of one generator.

A case is what `wallwright rules score` reads. It never needs a fifth copy of a tile, and how it was won can occur at a
table; which options the club has, and whether the hand is complete, is left to chance.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.reference.full_set import ALL_TILES, DRAGONS, TERMINALS_AND_HONOURS, WINDS, read, write

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "cumberland": {
        "promoted": ("natural", "exposed"),
        "loser_flowers": (True, False),
        "bouquet_own": (True, False),
        "suit_doubles": ("all", "winner"),
        "limit": ("none", 500, 1000),
    },
    "balsall": {
        "rows": ("best", "add"),
        "quads_as_pairs": (True, False),
        "nine_gates": ("any", "pure"),
        "min_points": (3, 5),
    },
}
SUITED = [tile for tile in ALL_TILES if tile[1] != "z"]
HONOURS = [tile for tile in ALL_TILES if tile[1] == "z"]
Melds = list[dict[str, str]]
Built = tuple[list[str], Melds]


def case(rng: random.Random, ruleset: str) -> dict[str, Any]:
    """A hand of a form drawn by lot."""
    while True:
        build = rng.choice(BUILDS)
        standing, melds = build(rng)
        if rng.random() < 0.25:
            standing[rng.randrange(len(standing))] = rng.choice(ALL_TILES)
        if fits_a_set(standing, melds):
            break
    rng.shuffle(standing)
    options = {
        name: rng.choice(values) if rng.random() < 0.4 else values[0] for name, values in OPTIONS[ruleset].items()
    }
    flowers = rng.sample([f"{number}f" for number in range(1, 9)], rng.choice((0, 0, 1, 1, 2, 3, 5, 8)))
    record = {"ruleset": ruleset, "options": options, "melds": melds, "flowers": flowers}
    record |= {"seat_wind": rng.choice("ESWN"), "round_wind": rng.choice("ESWN")}
    winning = standing.pop()
    if rng.random() < 0.2:
        length = rng.choice((0, 0, 0, 0, 1, -1))
        standing = [*standing, winning] if length > 0 else standing[: len(standing) + length]
        return {**record, "standing": write(standing), "winner": False}
    record |= {"standing": write(standing), "winning": winning, **way(rng, standing, melds, winning, flowers)}
    if ruleset == "balsall" and rng.random() < 0.2:
        record["conditions"] = [*record["conditions"], "goulash"]
    return record


def fits_a_set(standing: list[str], melds: Melds) -> bool:
    """No tile five times."""
    held = Counter([*standing, *(tile for meld in melds for tile in read(meld["tiles"]))])
    return max(held.values()) <= 4


def way(rng: random.Random, standing: list[str], melds: Melds, winning: str, flowers: list[str]) -> dict[str, Any]:
    """How it was won, and what else was so, as far as it can be. (CLA-2.4, 2.6, 3.4, 3.8)"""
    has_kong = any(meld["kind"] == "kong" for meld in melds)
    shown = [tile for meld in melds for tile in read(meld["tiles"])]
    ways = ["discard", "discard", "self_drawn"]
    ways += ["loose"] if has_kong or flowers else []
    ways += ["robbed_kong"] if winning not in standing and winning not in shown else []
    by = rng.choice(ways)
    conditions = []
    if by in ("self_drawn", "loose") and rng.random() < 0.2:
        conditions.append("last_tile")
    if by == "discard" and rng.random() < 0.2:
        conditions.append("last_discard")
    if by == "loose" and has_kong and rng.random() < 0.5:
        conditions.append("after_kong")
    return {"by": by, "conditions": conditions}


def laid(rng: random.Random, tiles: list[str], claimed: float) -> tuple[list[str], Melds]:
    """A set in the hand or on the table."""
    if rng.random() >= claimed:
        return tiles, []
    if len(set(tiles)) > 1:
        return [], [{"kind": "chow", "tiles": write(tiles)}]
    if rng.random() < 0.4:
        return [], [a_kong(rng, tiles[0])]
    more = {"type": rng.choice(("concealed", "melded"))} if rng.random() < 0.3 else {}
    return [], [{"kind": "pung", "tiles": write(tiles), **more}]


def a_kong(rng: random.Random, tile: str) -> dict[str, str]:
    """A kong of any type."""
    type_ = rng.choice(("concealed", "concealed", "melded", "promoted", "postponed"))
    return {"kind": "kong", "tiles": write([tile] * 4), "type": type_}


def regular(rng: random.Random, pungs: float, suits: str, honours: float, claimed: float) -> Built:
    """Four sets and a pair of some suits, with so many honours."""

    def tile() -> str:
        if rng.random() < honours:
            return rng.choice(HONOURS)
        return f"{rng.randint(1, 9)}{rng.choice(suits)}"

    standing = [tile()] * 2
    melds: Melds = []
    for _ in range(4):
        first = tile()
        if rng.random() < pungs or first[1] == "z":
            tiles = [first] * 3
        else:
            low = rng.randint(1, 7)
            tiles = [f"{low + step}{first[1]}" for step in range(3)]
        in_hand, on_table = laid(rng, tiles, claimed)
        standing, melds = standing + in_hand, melds + on_table
    return standing, melds


def any_regular(rng: random.Random) -> Built:
    """A regular hand of any colour."""
    suits = "".join(rng.sample("mps", rng.choice((1, 1, 2, 3))))
    return regular(rng, rng.choice((0.0, 0.3, 0.7, 1.0)), suits, rng.choice((0.0, 0.2, 0.6, 1.0)), rng.random() * 0.8)


def of_these(rng: random.Random, choices: tuple[str, ...], pair: tuple[str, ...], fourth: tuple[str, ...]) -> Built:
    """Pungs of the choices, one more set, and a pair."""
    sets = [[tile] * 3 for tile in choices] + ([[rng.choice(fourth)] * 3] if fourth else [])
    standing = [rng.choice(pair)] * 2
    melds: Melds = []
    for tiles in sets:
        in_hand, on_table = laid(rng, tiles, 0.5)
        standing, melds = standing + in_hand, melds + on_table
    return standing, melds


def named(rng: random.Random) -> Built:
    """Three dragons, winds, jewels, terminals, kongs."""
    winds, suit = tuple(WINDS.values()), rng.choice("mps")
    ends = tuple(f"{rank}{letter}" for letter in "mps" for rank in (1, 9))
    own = tuple(rng.sample([f"{rank}{suit}" for rank in range(1, 10)], 4))
    return rng.choice(
        (
            lambda: of_these(rng, DRAGONS, ALL_TILES, ALL_TILES),
            lambda: of_these(rng, winds[:3], (winds[3],), ALL_TILES),
            lambda: of_these(rng, winds, ALL_TILES, ()),
            lambda: of_these(rng, tuple(rng.sample(ends, 4)), ends, ()),
            lambda: of_these(rng, (*own[:3], rng.choice(DRAGONS)), (own[3],), ()),
            lambda: ([rng.choice(ALL_TILES)] * 2, [a_kong(rng, tile) for tile in rng.sample(ALL_TILES, 4)]),
        )
    )()


def pairs(rng: random.Random) -> Built:
    """Seven pairs, of one suit now and then, with four equal tiles now and then."""
    tiles = rng.choice((ALL_TILES, tuple(f"{rank}{rng.choice('mps')}" for rank in range(1, 10))))
    chosen = [rng.choice(tiles) for _ in range(7)] if rng.random() < 0.4 else rng.sample(tiles, 7)
    return chosen * 2, []


def knitted(rng: random.Random) -> Built:
    """Double and triple knitting."""
    numbers = [rng.randint(1, 9) for _ in range(7)]
    one, two, three = rng.sample("mps", 3)
    if rng.random() < 0.5:
        return [f"{number}{suit}" for number in numbers for suit in (one, two)], []
    groups = [f"{number}{suit}" for number in numbers[:4] for suit in "mps"]
    return [*groups, f"{numbers[4]}{one}", f"{numbers[4]}{rng.choice((two, three))}"], []


def gates(rng: random.Random) -> Built:
    """Nine gates, and tiles of one suit like them."""
    suit = rng.choice("mps")
    return [f"{rank}{suit}" for rank in (1, 1, 1, *range(2, 9), 9, 9, 9, rng.randint(1, 9))], []


def orphans(rng: random.Random) -> Built:
    """Thirteen orphans."""
    return [*TERMINALS_AND_HONOURS, rng.choice(TERMINALS_AND_HONOURS)], []


def snake(rng: random.Random) -> Built:
    """A snake of either kind, or nearly."""
    suit = rng.choice("mps")
    body = [f"{rank}{suit}" for rank in range(1, 10)]
    if rng.random() < 0.5:
        return [*body, *rng.sample(HONOURS, 5)], []
    set_of, pair = rng.sample(HONOURS, 2)
    in_hand, on_table = laid(rng, [set_of] * 3, 0.5)
    return [*body, *in_hand, pair, pair], on_table


def dealt(rng: random.Random) -> Built:
    """Any tiles."""
    tiles = [tile for tile in ALL_TILES for _ in range(4)]
    return rng.sample(tiles, 14), []


BUILDS: tuple[Callable[[random.Random], Built], ...] = (
    any_regular, any_regular, any_regular, any_regular, named, named, pairs, knitted, gates, orphans, snake, dealt,
)  # fmt: skip
