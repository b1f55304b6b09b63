"""Hands for the comparison: wins of every form, near misses, and hands dealt blindly, each a function of one generator.

A case is what `wallwright rules score` reads. It never needs a fifth copy of a tile, and its conditions can occur
together at a table; which forbidden suit it has, and whether it is complete, is left to chance.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.reference.hands import Meld, TileSet
from tests.reference.notation import SUITS, name, write
from tests.reference.rulesets import RULESETS

KONG_KINDS = ("concealed", "melded", "promoted", "postponed")


@dataclass(frozen=True)
class Case:
    """One hand with its winning tile apart, as a referee would enter it."""

    form: str
    standing: tuple[int, ...]
    melds: tuple[Meld, ...]
    winning: int
    conditions: tuple[str, ...]
    void: str | None
    ruleset: str

    def as_json(self) -> dict[str, Any]:
        """The line that `rules score` reads."""
        line: dict[str, Any] = {
            "standing": write(self.standing),
            "melds": [meld_json(meld) for meld in self.melds],
            "winning": name(self.winning),
            "conditions": list(self.conditions),
            "ruleset": self.ruleset,
        }
        return line if self.void is None else {**line, "void": self.void}


def meld_json(meld: Meld) -> dict[str, str]:
    """A declared set in the shape of the command line."""
    if meld.is_kong:
        return {"kind": "kong", "tiles": write(meld.tiles), "type": meld.kind}
    return {"kind": "pung", "tiles": write(meld.tiles)}


def case(rng: random.Random) -> Case:
    """A hand of a form drawn by lot."""
    form, build = rng.choice(tuple(FORMS.items()))
    while True:
        suits = rng.sample((1, 2, 3), rng.choice((1, 2, 2)))
        standing, melds = build(rng, suits)
        if fits_a_set_of_tiles(standing, melds):
            break
    rng.shuffle(standing)
    if rng.random() < 0.3:
        standing = spoil(rng, standing, melds)
    free = [suit for number, suit in enumerate(SUITS, 1) if number not in suits]
    void = rng.choice(free) if rng.random() < 0.8 else rng.choice((*SUITS, None))
    winning = standing.pop()
    ruleset = rng.choice(tuple(RULESETS))
    conditions = possible_conditions(rng, standing, melds, winning, ruleset)
    return Case(form, tuple(standing), tuple(melds), winning, conditions, void, ruleset)


def fits_a_set_of_tiles(standing: Iterable[int], melds: Sequence[Meld]) -> bool:
    """No tile five times."""
    tiles = Counter(standing)
    for meld in melds:
        tiles.update(meld.tiles)
    return max(tiles.values()) <= 4


def spoil(rng: random.Random, standing: list[int], melds: list[Meld]) -> list[int]:
    """A near miss: one tile is another, mostly a neighbour; now and then that completes the hand in another way."""
    while True:
        spoilt = list(standing)
        at = rng.randrange(len(spoilt))
        near = [tile for tile in (spoilt[at] - 1, spoilt[at] + 1) if tile % 10]
        spoilt[at] = rng.choice(near) if rng.random() < 0.8 else 10 * rng.choice((1, 2, 3)) + rng.randint(1, 9)
        if fits_a_set_of_tiles(spoilt, melds):
            return spoilt


def possible_conditions(
    rng: random.Random, standing: Sequence[int], melds: Sequence[Meld], winning: int, ruleset: str
) -> tuple[str, ...]:
    """Conditions of a winning tile that can hold at once for this hand. (SBR-5.4, SBR-11.5)"""
    sources: list[tuple[str, ...]] = [(), ("self_drawn",), ("shoot_after_kong",)]
    if any(meld.is_kong for meld in melds):
        sources += [("self_drawn", "after_kong")] * 2
    source = rng.choice(sources)
    last = ("under_the_sea",) if rng.random() < 0.25 else ()
    shown = [meld.tile for meld in melds]
    if winning not in standing and winning not in shown and rng.random() < 0.2:
        chain = ("shoot_after_kong",) if ruleset == "mil-2025" and rng.random() < 0.5 else ()
        return ("robbing_kong", *chain)
    return source + last


def any_tile(rng: random.Random, suits: Sequence[int]) -> int:
    """A tile of one of the suits."""
    return 10 * rng.choice(suits) + rng.randint(1, 9)


def chow(rng: random.Random, suits: Sequence[int]) -> TileSet:
    """Three consecutive tiles."""
    low = 10 * rng.choice(suits) + rng.randint(1, 7)
    return (low, low + 1, low + 2)


def declare(rng: random.Random, tile: int) -> Meld:
    """A pung or a kong of any kind."""
    return Meld(rng.choice(("pung", "pung", *KONG_KINDS)), tile)


Built = tuple[list[int], list[Meld]]


def regular(rng: random.Random, suits: Sequence[int], declared: int, chows: float) -> Built:
    """Four sets and a pair, the first `declared` of them on the table."""
    melds = [declare(rng, any_tile(rng, suits)) for _ in range(declared)]
    standing = [any_tile(rng, suits)] * 2
    for _ in range(4 - declared):
        standing += chow(rng, suits) if rng.random() < chows else (any_tile(rng, suits),) * 3
    return standing, melds


def pairs(rng: random.Random, suits: Sequence[int], roots: int) -> Built:
    """Seven pairs, `roots` of the tiles four times."""
    tiles = rng.sample([10 * suit + rank for suit in suits for rank in range(1, 10)], 7 - roots)
    return 2 * tiles + 2 * tiles[:roots], []


def rooted(rng: random.Random, suits: Sequence[int]) -> Built:
    """A pung, declared or not, whose fourth tile is part of a chow, or four chows that share a tile."""
    shared = chow(rng, suits)
    if rng.random() < 0.3:
        return [*shared * 4, *[any_tile(rng, suits)] * 2], []
    pung = rng.choice(shared)
    standing, melds = [*shared, *[any_tile(rng, suits)] * 2], [Meld("pung", pung)]
    if rng.random() < 0.5:
        standing, melds = [*standing, *[pung] * 3], []
    for _ in range(2):
        if rng.random() < 0.5:
            standing += chow(rng, suits)
        else:
            melds.append(declare(rng, any_tile(rng, suits)))
    return standing, melds


def blocks_and_pairs(rng: random.Random, suits: Sequence[int]) -> Built:
    """Two equal runs of three pairs and one more pair: regular and seven pairs at once."""
    return [*chow(rng, suits) * 2, *chow(rng, suits) * 2, *[any_tile(rng, suits)] * 2], []


def dealt(rng: random.Random, suits: Sequence[int]) -> Built:
    """Any tiles of the suits."""
    melds = [declare(rng, any_tile(rng, suits)) for _ in range(rng.choice((0, 0, 1, 2, 3, 4)))]
    return [any_tile(rng, suits) for _ in range(14 - 3 * len(melds))], melds


def three_suits(rng: random.Random, _suits: Sequence[int]) -> Built:
    """Sets and a pair of three suits, which is no hand. (SBR-5.2)"""
    return regular(rng, (1, 2, 3), rng.randint(0, 3), 0.6)


FORMS: dict[str, Callable[[random.Random, Sequence[int]], Built]] = {
    "concealed": lambda rng, suits: regular(rng, suits, 0, 0.7),
    "declared": lambda rng, suits: regular(rng, suits, rng.randint(1, 3), 0.6),
    "all chows": lambda rng, suits: regular(rng, suits, 0, 1.0),
    "all pungs": lambda rng, suits: regular(rng, suits, rng.randint(0, 3), 0.0),
    "golden wait": lambda rng, suits: regular(rng, suits, 4, 0.0),
    "seven pairs": lambda rng, suits: pairs(rng, suits, 0),
    "seven pairs, one root": lambda rng, suits: pairs(rng, suits, 1),
    "seven pairs, two roots": lambda rng, suits: pairs(rng, suits, 2),
    "seven pairs, three roots": lambda rng, suits: pairs(rng, suits, 3),
    "rooted": rooted,
    "pairs or sets": blocks_and_pairs,
    "three suits": three_suits,
    "dealt": dealt,
}
