"""One hand as it is scored: its tiles, how it was won, and what lies beside it. Hands that cannot be are refused here.

What it is worth is for `cumberland` and `balsall` to say.
"""

from collections import Counter
from dataclasses import dataclass

from wallwright.rules.core.errors import HandError
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import EAST, FLOWERS, STANDING, copies_of, tile_name

SELF_DRAWN, LOOSE, DISCARD, ROBBED_KONG = "self_drawn", "loose", "discard", "robbed_kong"
BYS = (DISCARD, SELF_DRAWN, ROBBED_KONG, LOOSE)
DRAWN = (SELF_DRAWN, LOOSE)
AFTER_KONG, LAST_TILE, LAST_DISCARD, GOULASH = "after_kong", "last_tile", "last_discard", "goulash"
HEAVENLY, EARTHLY, KONG_ON_KONG = "heavenly", "earthly", "kong_on_kong"
CONDITIONS = (AFTER_KONG, LAST_TILE, LAST_DISCARD, HEAVENLY, EARTHLY, KONG_ON_KONG, GOULASH)
HAND = 13
"""Tiles of a hand that waits, a set laid down counting as three (CLA-3.1)."""
SEASONS, PLANTS = FLOWERS[:4], FLOWERS[4:]
"""1f to 4f, Cumberland's Seasons and Balsall's red flowers, and 5f to 8f (CLA-1.3)."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at the end of a deal. Winds are kinds; `winning` and `by` are None for who did not win.

    `flowers_waiting`: flowers laid out that were not replaced yet, because the first turn never came (CUM-2.3).
    """

    standing: tuple[int, ...]
    sets: tuple[TileSet, ...]
    seat_wind: int
    round_wind: int
    winning: int | None = None
    by: str | None = None
    flowers: tuple[int, ...] = ()
    conditions: frozenset[str] = frozenset()
    flowers_waiting: int = 0

    @property
    def won(self) -> bool:
        """Whether it is the winner's."""
        return self.winning is not None

    @property
    def is_drawn(self) -> bool:
        """Whether the winning tile was drawn, from either end."""
        return self.by in DRAWN

    @property
    def is_concealed(self) -> bool:
        """Nothing was claimed before the winning tile; hidden kongs do not matter (BAL-4.1, 5.5)."""
        return all(one.is_concealed for one in self.sets)

    @property
    def complete_tiles(self) -> tuple[int, ...]:
        """Standing tiles, the winning one included."""
        return self.standing if self.winning is None else (*self.standing, self.winning)

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """Every tile but the flowers."""
        return (*self.complete_tiles, *(tile for one in self.sets for tile in one.tiles))

    @property
    def length(self) -> int:
        """Tiles as they are counted, without the winning one: sets are three, waiting flowers one each (CUM-7.1)."""
        return len(self.standing) + 3 * len(self.sets) + self.flowers_waiting

    @property
    def seat(self) -> int:
        """0 for East, as the flowers are numbered less one."""
        return self.seat_wind - EAST

    def check(self) -> None:
        """HandError, with the clause, for tiles and ways of winning that cannot be at a table."""
        self._check_tiles()
        if self.winning is not None:
            self._check_win(self.winning)

    def _check_tiles(self) -> None:
        for kind in (*self.standing, *(() if self.winning is None else (self.winning,))):
            if kind >= STANDING:
                raise HandError(f"{tile_name(kind)} is a flower: flowers lie beside the hand, in `flowers` (CLA-1.4)")
        for kind in self.flowers:
            if kind < STANDING:
                raise HandError(f"{tile_name(kind)} is no flower: flowers are 1f to 8f (CLA-1.2)")
        for kind, number in Counter((*self.all_tiles, *self.flowers)).items():
            if number > copies_of(kind):
                has = "one" if kind >= STANDING else "four"
                raise HandError(f"{tile_name(kind)} is there {number} times: a set has {has} of it (CLA-1.1)")
        if len(self.sets) > 4:
            raise HandError(f"{len(self.sets)} sets laid down: a hand has four (CUM-4.1, BAL-5.2)")

    def _check_win(self, winning: int) -> None:
        if self.length != HAND:
            raise HandError(f"{self.length} tiles before the winning one: a hand has {HAND}, a set as three (CLA-3.1)")
        for condition, by in ((LAST_TILE, DRAWN), (AFTER_KONG, DRAWN), (LAST_DISCARD, (DISCARD,))):
            if condition in self.conditions and self.by not in by:
                raise HandError(f"{condition} and by {self.by} exclude each other (CLA-2.6)")
        has_kong = any(one.is_kong for one in self.sets)
        if AFTER_KONG in self.conditions and not has_kong:
            raise HandError("after_kong, and the hand has no kong (CLA-3.4)")
        if self.by == LOOSE and not has_kong and not self.flowers:
            raise HandError("by loose, and the hand has neither a kong nor a flower to be replaced (CLA-2.4)")
        if self.by == ROBBED_KONG and winning in self.all_tiles[: len(self.standing)]:
            raise HandError(f"{tile_name(winning)} was added to a pung: its other three tiles lie there (CLA-3.8)")
        if HEAVENLY in self.conditions and (self.seat_wind != EAST or not self.is_drawn or not self.is_concealed):
            raise HandError("heavenly is East's win with the dealt hand, by self_drawn (CLA-3.1)")
