"""Positions of tests/data/perft/ by name, and the number of sequences of legal acts from a deal of `turns`."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "perft"


def entries(*names):
    """(ruleset, position) of each file, and what pytest calls them."""
    found = [
        (name, entry)
        for name in names
        for entry in tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["position"]
    ]
    return found, [f"{name}: {entry['title']}" for name, entry in found]


def perft(deal, depth):
    """How many sequences of so many legal acts there are."""
    legal = deal.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for act in legal:
        deal.apply(act)
        total += perft(deal, depth - 1)
        deal.undo()
    return total
