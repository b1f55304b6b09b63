"""A winner's hand in Hong Kong: its tiles, how the last one came, and in which ways it is complete (HKO-4, 5.1).

Items and points are in `faan`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wallwright.rules.core.errors import HandError
from wallwright.rules.core.sets import SetType, TileSet
from wallwright.rules.core.tiles import ORPHANS, STANDING, fifth_copy, tile_name
from wallwright.rules.hong_kong.ruleset import Ruleset

SELF_DRAWN, LOOSE, DISCARD, ROBBED_KONG = BYS = ("self_drawn", "loose", "discard", "robbed_kong")
"""How the winning tile came: from the head of the wall, as a replacement from its tail, or from another player."""
AFTER_KONG, KONG_ON_KONG, LAST_TILE, LAST_DISCARD, HEAVENLY, EARTHLY = CONDITIONS = (
    "after_kong",
    "kong_on_kong",
    "last_tile",
    "last_discard",
    "heavenly",
    "earthly",
)
DRAWN = (SELF_DRAWN, LOOSE)
WINDS = "ESWN"
_ORPHANS = frozenset(ORPHANS)
REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS = "regular", "seven_pairs", "thirteen_orphans"


@dataclass(frozen=True)
class Hand:
    """What a player shows who wins: `standing` kinds without the winning one, sets laid down, flowers.

    Winds are letters of ESWN; `conditions` are those of CONDITIONS that hold.
    """

    standing: tuple[int, ...]
    winning: int
    sets: tuple[TileSet, ...] = ()
    by: str = DISCARD
    seat_wind: str = "S"
    round_wind: str = "E"
    flowers: tuple[int, ...] = ()
    conditions: frozenset[str] = frozenset()

    @cached_property
    def tiles(self) -> tuple[int, ...]:
        """All its tiles but the flowers."""
        return (*self.standing, self.winning, *(kind for one in self.sets for kind in one.tiles))

    @property
    def is_drawn(self) -> bool:
        """Whether the winning tile came from the wall."""
        return self.by in DRAWN


class Shape(NamedTuple):
    """One way in which a hand is complete; thirteen orphans have no sets, seven pairs seven pairs."""

    form: str
    sets: tuple[TileSet, ...]
    pairs: tuple[int, ...]


def irregular_shapes(hand: Hand, ruleset: Ruleset) -> Iterator[Shape]:
    """The ways in which a hand is complete that are no sets and a pair (HKO-5.1)."""
    if hand.sets:
        return
    if hand.winning in _ORPHANS and {*hand.standing, hand.winning} == _ORPHANS:
        yield Shape(THIRTEEN_ORPHANS, (), ())
    if ruleset.seven_pairs:
        kinds = set(hand.tiles)
        if len(kinds) == 7 and all(hand.tiles.count(kind) == 2 for kind in kinds):
            yield Shape(SEVEN_PAIRS, (), tuple(sorted(kinds)))


def check_hand(hand: Hand, ruleset: Ruleset) -> None:
    """HandError, with its clause, for a hand that nobody can hold or a tile that cannot have come so."""
    check_tiles(hand.standing, hand.sets, hand.flowers, ruleset, hand.winning)
    if problem := _problem(hand):
        raise HandError(problem)


def check_tiles(
    standing: tuple[int, ...],
    sets: tuple[TileSet, ...],
    flowers: tuple[int, ...],
    ruleset: Ruleset,
    winning: int | None = None,
) -> None:
    """HandError, with its clause, for tiles that are no hand of this game."""
    if any(kind >= STANDING for kind in (*standing, *(() if winning is None else (winning,)))):
        raise HandError("a flower stands in no hand: write it among the `flowers` (HKO-1.3)")
    if len(sets) > 4:
        raise HandError(f"{len(sets)} sets laid down: a hand has four at most (HKO-5.1)")
    found = len(standing) + 3 * len(sets)
    if found != 13:
        raise HandError(f"the hand has {found} tiles (a kong counting three) where 13 are wanted (HKO-2.4)")
    tiles = (*standing, *(kind for one in sets for kind in one.tiles))
    if (fifth := fifth_copy(tiles if winning is None else (*tiles, winning))) is not None:
        raise HandError(f"a fifth {tile_name(fifth)}: there are four of each tile (HKO-1.1)")
    if flowers and not ruleset.flowers:
        raise HandError("this ruleset is played without flowers: set the option `flowers` (HKO-1.1, 1.3)")
    if any(kind < STANDING for kind in flowers):
        raise HandError("`flowers` are 1f to 8f (HKO-1.3)")
    if len(flowers) > 8:
        raise HandError(f"a ninth flower: there are eight, one of each (HKO-1.3), not {len(flowers)}")
    if (twice := fifth_copy(flowers)) is not None:
        raise HandError(f"a second {tile_name(twice)}: there is one of each flower (HKO-1.3)")


def _problem(hand: Hand) -> str | None:
    kongs = sum(one.is_kong for one in hand.sets)
    said = hand.conditions
    needed = 2 if KONG_ON_KONG in said else 1 if AFTER_KONG in said or (hand.by == LOOSE and not hand.flowers) else 0
    if said & {AFTER_KONG, KONG_ON_KONG, LAST_TILE} and not hand.is_drawn:
        return "after_kong, kong_on_kong and last_tile go with a drawn tile only (HKO-5.9)"
    if kongs < needed:
        return f"a win on a kong's replacement needs {needed} kong{'s' * (needed > 1)} in the hand (HKO-5.4)"
    if LAST_DISCARD in said and hand.by != DISCARD:
        return "last_discard goes with a discard only (HKO-5.4)"
    if hand.by == ROBBED_KONG and hand.tiles.count(hand.winning) > 1:
        name = tile_name(hand.winning)
        return f"a robbed {name} is one of four of its owner's, so the hand cannot hold another one (HKO-4.6)"
    first = said & {HEAVENLY, EARTHLY}
    if len(first) > 1 or (first and said - first):
        return "heavenly and earthly go with no other condition (HKO-5.5)"
    if first and hand.sets:
        return f"{HEAVENLY if HEAVENLY in first else EARTHLY} goes with a hand as dealt, all of it standing (HKO-5.5)"
    if HEAVENLY in first and (hand.seat_wind != "E" or hand.by != SELF_DRAWN):
        return "heavenly is the dealer's (seat_wind E) and self_drawn (HKO-5.5)"
    if EARTHLY in first and (hand.seat_wind == "E" or hand.by != DISCARD):
        return "earthly is another player's than the dealer's, on a discard (HKO-5.5)"
    return None


def nine_pieces(sets: tuple[TileSet, ...]) -> bool:
    """Whether three sets of one suit are laid down that were all made with discards (HKO-6.7)."""
    fed = [one.tile // 9 for one in sets if one.type is not SetType.CONCEALED and one.tile < 27]
    return any(fed.count(suit) >= 3 for suit in range(3))
