"""Suits in sentences."""

from wallwright.rules.sichuan.tiles import SUITS
from wallwright.words import Words


def suit_words(suit: int) -> Words:
    """The suit 0..2 by its letter."""
    return Words(SUITS[suit])
