"""Kinds of tiles and their notation, for sets of up to 42 kinds.

A kind is an int: 0..26 suited (1m..9m, 1p..9p, 1s..9s), 27..30 the winds East, South, West, North (1z..4z), 31..33 the
dragons White, Green, Red (5z..7z), 34..41 the flowers (1f..8f), of which there is one each. Text is MPSZ with `f`, runs
sharing a letter (`123s55z`); the suited tiles may also be written B4 (bamboo), D7 (dots) and C1 (characters).
"""

import re
from collections.abc import Iterable, Sequence

from wallwright.rules.core.errors import TileError
from wallwright.words import Words, plural, words

SUITED, STANDING, KINDS = 27, 34, 42
"""One above the last suited kind, the last kind that a hand is made of, and the last kind."""
COPIES = 4
SUITS = "mpszf"
"""Letters in the order of the kinds; z and f are no suits, but are written like them."""
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(SUITED, STANDING)
WINDS = (EAST, SOUTH, WEST, NORTH)
DRAGONS = (WHITE, GREEN, RED)
FLOWERS = tuple(range(STANDING, KINDS))
TERMINALS = tuple(suit * 9 + end for suit in range(3) for end in (0, 8))
ORPHANS = (*TERMINALS, *WINDS, *DRAGONS)
"""One of each of these and a second of one are the thirteen orphans."""

_FIRST = {"m": 0, "p": 9, "s": 18, "z": SUITED, "f": STANDING}
_LAST = {"m": 9, "p": 9, "s": 9, "z": 7, "f": 8}
_OTHER = {"C": 0, "D": 9, "B": 18}
NAMES = tuple(f"{rank}{letter}" for letter in SUITS for rank in range(1, _LAST[letter] + 1))
_RUN = re.compile(r"([1-9]+)([mps])|([1-7]+)(z)|([1-8]+)(f)|([BDC])([1-9])|\s+")


def tile_name(kind: int) -> str:
    """Kind 27 -> "1z". TileError when there is no such kind."""
    if not 0 <= kind < KINDS:
        raise TileError(words("{kind} is not a tile: kinds are 0 to {last}", kind=kind, last=KINDS - 1))
    return NAMES[kind]


def parse_tiles(text: str) -> tuple[int, ...]:
    """Kinds in the order written; spaces are free. TileError names the first character that cannot be read."""
    return parse_runs(text, _RUN, words("write runs such as 123s55p, honours 1z to 7z, flowers 1f to 8f"))


def parse_runs(text: str, run: re.Pattern[str], how: Words) -> tuple[int, ...]:
    """Kinds in the order written. `run` matches spaces, ranks and a letter, or a letter of the book and a rank.

    TileError names the first character that cannot be read, and says `how` it is written.
    """
    kinds: list[int] = []
    at = 0
    while at < len(text):
        match = run.match(text, at)
        if match is None:
            problem = "cannot read {part} in {text} as tiles: {how}"
            raise TileError(words(problem, part=repr(text[at:]), text=repr(text), how=how))
        parts = [part for part in match.groups() if part]
        if parts and parts[0] in _OTHER:
            kinds.append(_OTHER[parts[0]] + int(parts[1]) - 1)
        elif parts:
            kinds.extend(_FIRST[parts[1]] - 1 + int(rank) for rank in parts[0])
        at = match.end()
    return tuple(kinds)


def parse_tile(text: str) -> int:
    """Exactly one tile, "5s" or "1z"."""
    return only_tile(text, parse_tiles(text))


def only_tile(text: str, kinds: Sequence[int]) -> int:
    """The only one of the kinds that a text was read as. TileError when there are more, or none."""
    if len(kinds) != 1:
        problem = plural(
            "{text} is {count} tile where one is wanted, such as 5s",
            "{text} is {count} tiles where one is wanted, such as 5s",
        )
        raise TileError(words(problem, text=repr(text), count=len(kinds)))
    return kinds[0]


def format_tiles(tiles: Iterable[int]) -> str:
    """MPSZ text sorted by kind: (27, 0, 27) -> "1m11z"."""
    runs = dict.fromkeys(SUITS, "")
    for kind in sorted(tiles):
        name = tile_name(kind)
        runs[name[1]] += name[0]
    return "".join(ranks + letter for letter, ranks in runs.items() if ranks)


def counts_of(tiles: Iterable[int]) -> list[int]:
    """42 numbers: how many of each kind."""
    counts = [0] * KINDS
    for kind in tiles:
        counts[kind] += 1
    return counts


def copies_of(kind: int) -> int:
    """How many of a kind a whole set holds: four, or one of a flower."""
    return COPIES if kind < STANDING else 1


def fifth_copy(tiles: Iterable[int]) -> int | None:
    """The first kind of which there are more than a set holds; None when there is none."""
    return next((kind for kind, count in enumerate(counts_of(tiles)) if count > copies_of(kind)), None)


def tile_set(kinds: Sequence[int]) -> tuple[int, ...]:
    """Every tile of a set that holds these kinds, sorted: `tile_set(range(34))` are 136."""
    return tuple(kind for kind in sorted(kinds) for _ in range(copies_of(kind)))
