"""Tile kinds and their two notations: MPSZ (`123s55p`) and the book's (`B4 D7 C1`). Knows nothing of copies or hands.

A kind is an int 0..26, `suit * 9 + rank - 1` with the suits in the order "mps" (SBR-1.1): 0 is 1m, 9 is 1p, 26 is 9s.
"""

import re
from collections.abc import Iterable

from wallwright.rules.core.errors import TileError
from wallwright.rules.core.tiles import only_tile, parse_runs
from wallwright.words import words

KINDS = 27
COPIES = 4
SUITS = "mps"
"""Suit letters in the order of the kinds: characters, dots, bamboo."""

BOOK_SUITS = "CDB"
"""The book's letters for the same suits (SBR-1.2)."""

NAMES = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))
_RUN = re.compile(r"([1-9]+)([mps])|([BDC])([1-9])|\s+")


def suit_of(kind: int) -> int:
    """Suit 0..2 (m, p, s) of a kind."""
    return kind // 9


def rank_of(kind: int) -> int:
    """Rank 1..9 of a kind."""
    return kind % 9 + 1


def tile_name(kind: int) -> str:
    """Kind 22 -> "5s". TileError when there is no such kind."""
    if not 0 <= kind < KINDS:
        raise TileError(f"{kind} is not a tile: kinds are 0 to 26")
    return NAMES[kind]


def book_name(kind: int) -> str:
    """Kind 22 -> "B5", the book's short form (SBR-1.2)."""
    name = tile_name(kind)
    return BOOK_SUITS[suit_of(kind)] + name[0]


def parse_suit(text: str) -> int:
    """ "m", "p" or "s" (or the book's C, D, B) -> 0..2."""
    for letters in (SUITS, BOOK_SUITS):
        if len(text) == 1 and text in letters:
            return letters.index(text)
    raise TileError(f"{text!r} is not a suit: use m (characters), p (dots) or s (bamboo)")


def parse_tiles(text: str) -> tuple[int, ...]:
    """Kinds in the order written, from MPSZ runs, the book's form, or both mixed; spaces are free (SBR-1.2).

    TileError names the first character that cannot be read. An empty text is no tiles.
    """
    return parse_runs(text, _RUN, words("write runs such as 123s55p, or as the book does B4 D7"))


def parse_tile(text: str) -> int:
    """Exactly one tile, "5s" or "B5"."""
    return only_tile(text, parse_tiles(text))


def format_tiles(tiles: Iterable[int]) -> str:
    """MPSZ text sorted by suit (m, p, s) and rank: (22, 0, 22) -> "1m55s"."""
    runs = ["", "", ""]
    for kind in sorted(tiles):
        runs[suit_of(kind)] += tile_name(kind)[0]
    return "".join(ranks + suit for ranks, suit in zip(runs, SUITS, strict=True) if ranks)


def full_set() -> tuple[int, ...]:
    """All 108 tiles, four of each kind, sorted (SBR-1.1)."""
    return tuple(kind for kind in range(KINDS) for _ in range(COPIES))
