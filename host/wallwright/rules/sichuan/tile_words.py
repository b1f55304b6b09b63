"""Tiles and suits in sentences."""

from typing import NamedTuple

from wallwright.rules.sichuan.tiles import SUITS, rank_of, suit_of
from wallwright.words import Say, Words


class Tiles(NamedTuple):
    """Tiles sorted by suit and rank, each run with its suit: 123m55p."""

    kinds: tuple[int, ...]

    def said(self, say: Say) -> str:
        """Return them in a language, in which only the letters of the suits differ."""
        runs = ["", "", ""]
        for kind in sorted(self.kinds):
            runs[suit_of(kind)] += str(rank_of(kind))
        return "".join(ranks + say(suit) for ranks, suit in zip(runs, SUITS, strict=True) if ranks)


def suit_words(suit: int) -> Words:
    """The suit 0..2 by its letter."""
    return Words(SUITS[suit])
