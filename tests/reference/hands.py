"""Complete hands, their readings and waits, by trying everything. (SBR-5.1, SBR-6.6)

A reading is a tuple of sets, each a tuple of equal or consecutive tiles: four sets of three (or a kong of four) and a
pair, or seven pairs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.reference.notation import ALL_TILES, suit_of

TileSet = tuple[int, ...]
Reading = tuple[TileSet, ...]


@dataclass(frozen=True)
class Meld:
    """A declared set. `kind` is `pung` or a kind of kong: concealed, melded, promoted, postponed."""

    kind: str
    tile: int

    @property
    def is_kong(self) -> bool:
        """Whether the set has four tiles."""
        return self.kind != "pung"

    @property
    def tiles(self) -> TileSet:
        """The three or four tiles on the table."""
        return (self.tile,) * (4 if self.is_kong else 3)


def ways_into_sets(tiles: TileSet) -> Iterator[Reading]:
    """Every way to split sorted tiles into pungs and chows, by what the lowest tile can belong to."""
    if not tiles:
        yield ()
        return
    first = tiles[0]
    if tiles.count(first) >= 3:
        for rest in ways_into_sets(tiles[3:]):
            yield ((first,) * 3, *rest)
    if first + 1 in tiles and first + 2 in tiles:
        left = list(tiles)
        for tile in (first, first + 1, first + 2):
            left.remove(tile)
        for rest in ways_into_sets(tuple(left)):
            yield ((first, first + 1, first + 2), *rest)


def regular_readings(standing: Sequence[int], melds: Sequence[Meld]) -> Iterator[Reading]:
    """Every reading of the standing tiles as sets and one pair, each with the declared sets in front."""
    if len(standing) != 14 - 3 * len(melds):
        return
    tiles = sorted(standing)
    declared = tuple(meld.tiles for meld in melds)
    for pair in sorted(set(tiles)):
        if tiles.count(pair) >= 2:
            left = list(tiles)
            left.remove(pair)
            left.remove(pair)
            for sets in ways_into_sets(tuple(left)):
                yield (*declared, *sets, (pair, pair))


def seven_pairs(standing: Sequence[int], melds: Sequence[Meld]) -> Iterator[Reading]:
    """The reading as seven pairs, if there is one: standing tiles only, four equal tiles are two pairs."""
    if not melds and len(standing) == 14 and all(standing.count(tile) in (2, 4) for tile in standing):
        tiles = sorted(standing)
        yield tuple((tiles[at], tiles[at]) for at in range(0, 14, 2))


def readings(standing: Sequence[int], melds: Sequence[Meld] = ()) -> Iterator[Reading]:
    """Every reading of a hand that includes its winning tile; none when the hand is not complete."""
    yield from regular_readings(standing, melds)
    yield from seven_pairs(standing, melds)


def has_forbidden(standing: Sequence[int], melds: Sequence[Meld], void: str | None) -> bool:
    """Whether the hand holds or shows a tile of its forbidden suit. (SBR-3.2)"""
    return any(suit_of(tile) == void for tile in [*standing, *(meld.tile for meld in melds)])


def suits_of(standing: Sequence[int], melds: Sequence[Meld]) -> set[str]:
    """The suits of all tiles of the hand."""
    return {suit_of(tile) for tile in [*standing, *(meld.tile for meld in melds)]}


def is_winning(standing: Sequence[int], melds: Sequence[Meld], void: str | None) -> bool:
    """Whether Hu on this hand, winning tile included, is a true one. (SBR-3.2, SBR-5.1, SBR-5.2)"""
    if has_forbidden(standing, melds, void) or len(suits_of(standing, melds)) == 3:
        return False
    return any(True for _ in readings(standing, melds))


def waits(standing: Sequence[int], melds: Sequence[Meld], void: str | None) -> list[int]:
    """The tiles that complete a hand of 13 less three a declared set, sorted. (SBR-6.6)

    A tile is no wait when its four copies all stand in the hand itself; copies elsewhere do not matter.
    """
    if has_forbidden(standing, melds, void):
        return []
    return [
        tile
        for tile in ALL_TILES
        if suit_of(tile) != void and standing.count(tile) < 4 and is_winning([*standing, tile], melds, void)
    ]
