"""Tiles of the games with honours and flowers as text of two characters, and all partings of a hand, by trying.

A physical tile is a pair: its name (`5s`, `3z`, `7f`) and whether it is the one that completed the hand. A hand is
parted by giving its first tile every possible company, so equal tiles are tried one by one. (HKO-1.2, CLA-1.2)
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

WINDS = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}
DRAGONS = ("5z", "6z", "7z")
ALL_TILES = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(f"{n}z" for n in range(1, 8))
TERMINALS_AND_HONOURS = tuple(tile for tile in ALL_TILES if tile[0] in "19" or tile[1] == "z")

Tile = tuple[str, bool]
Group = tuple[Tile, ...]
Parting = tuple[Group, ...]
Record = Mapping[str, Any]


def read(text: str) -> list[str]:
    """Tiles of a text like `123s55z7f`, in the order written. Raises ValueError for anything else."""
    if not re.fullmatch(r"([1-9]+[mps]|[1-7]+z|[1-8]+f)*", text):
        raise ValueError(f"not tiles: {text!r}")
    return [rank + run[-1] for run in re.findall(r"[1-9]+[mpszf]", text) for rank in run[:-1]]


def write(tiles: Sequence[str]) -> str:
    """The tiles as runs, in the order m, p, s, z, f."""
    runs = ("".join(sorted(tile[0] for tile in tiles if tile[1] == suit)) + suit for suit in "mpszf")
    return "".join(run for run in runs if len(run) > 1)


def names(group: Group) -> list[str]:
    """The faces of a group, sorted."""
    return sorted(name for name, _ in group)


def is_same(tiles: Sequence[str]) -> bool:
    """Equal tiles."""
    return len(set(tiles)) == 1


def is_chow(tiles: Sequence[str]) -> bool:
    """Three numbers in a row of one suit, never honours or flowers."""
    if len(tiles) != 3 or len({tile[1] for tile in tiles}) > 1 or tiles[0][1] not in "mps":
        return False
    low, middle, high = sorted(int(tile[0]) for tile in tiles)
    return (middle - low, high - middle) == (1, 1)


def is_set_or_pair(tiles: Sequence[str]) -> bool:
    """A pung, a chow or a pair."""
    return is_same(tiles) or is_chow(tiles)


def partings(tiles: Sequence[Tile], sizes: Mapping[int, int], fits: Callable[[list[str]], bool]) -> set[Parting]:
    """Every way to part all tiles into as many groups of each size as `sizes` says, each group one that `fits`."""
    if sum(size * number for size, number in sizes.items()) != len(tiles):
        return set()
    wanted = tuple((size, number) for size, number in sizes.items() if number)
    return {tuple(sorted(parting)) for parting in _partings(tuple(sorted(tiles)), wanted, fits)}


@lru_cache(maxsize=100_000)
def _partings(
    tiles: Group, wanted: tuple[tuple[int, int], ...], fits: Callable[[list[str]], bool]
) -> tuple[Parting, ...]:
    if not tiles:
        return ((),)
    found = []
    first, others = tiles[0], tiles[1:]
    for size, _ in wanted:
        fewer = tuple((one, number - (one == size)) for one, number in wanted if number > (one == size))
        for company in sorted(set(combinations(others, size - 1))):
            group = (first, *company)
            if not fits(names(group)):
                continue
            left = list(others)
            for tile in company:
                left.remove(tile)
            found += [(group, *rest) for rest in _partings(tuple(left), fewer, fits)]
    return tuple(found)


def regular(standing: Sequence[Tile], melds: int) -> set[Parting]:
    """Four sets and a pair, `melds` of the sets declared already: the partings of the standing tiles."""
    return partings(standing, {3: 4 - melds, 2: 1}, is_set_or_pair) if melds <= 4 else set()


def physical(record: Record) -> list[Tile]:
    """The standing tiles of a score input, with the winning tile marked when there is one."""
    winning = [(tile, True) for tile in read(record.get("winning") or "")]
    return [*((tile, False) for tile in read(record["standing"])), *winning]


def faces(record: Record) -> list[str]:
    """All tiles of a score input but its flowers."""
    shown = [tile for meld in record.get("melds", ()) for tile in read(meld["tiles"])]
    return [*(tile for tile, _ in physical(record)), *shown]


def suits(tiles: Sequence[str]) -> set[str]:
    """The suits among the tiles; honours are none."""
    return {tile[1] for tile in tiles} & set("mps")


def has_honours(tiles: Sequence[str]) -> bool:
    """Whether a wind or a dragon is among the tiles."""
    return any(tile[1] == "z" for tile in tiles)


def is_thirteen_orphans(tiles: Sequence[str]) -> bool:
    """One of each terminal and honour, and one of them again."""
    return len(tiles) == 14 and set(tiles) == set(TERMINALS_AND_HONOURS)


def is_nine_gates(tiles: Sequence[str]) -> bool:
    """1112345678999 of a suit and one more tile of it."""
    if len(tiles) != 14 or len(suits(tiles)) != 1 or has_honours(tiles):
        return False
    ranks = Counter(tile[0] for tile in tiles)
    return all(ranks[str(rank)] >= (3 if rank in (1, 9) else 1) for rank in range(1, 10))


def flowers_of(record: Record) -> list[str]:
    """The flowers that lie beside a hand."""
    return [tile for text in record.get("flowers", ()) for tile in read(text)]


def seat_of_wind(wind: str) -> int:
    """E, S, W, N are 1 to 4, as the numbers on the flowers are."""
    return "ESWN".index(wind) + 1
