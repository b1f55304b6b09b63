"""Which items can occur together: the book's Table 9, row by row. (SBR-5.4)"""

from collections.abc import Collection

from tests.reference.rulesets import RULESETS

ORDER = {
    "K": "kong",
    "R": "root",
    "AP": "all_pungs",
    "GW": "golden_wait",
    "FF": "full_flush",
    "SP": "seven_pairs",
    "WaK": "win_after_kong",
    "SaK": "shoot_after_kong",
    "RK": "robbing_the_kong",
    "US": "under_the_sea",
}
ROWS = {
    "K": "R AP GW FF WaK SaK RK US",
    "R": "K FF SP WaK SaK RK US",
    "AP": "K GW FF WaK SaK US",
    "GW": "K AP FF WaK SaK US",
    "FF": "K R AP GW SP WaK SaK RK US",
    "SP": "R FF SaK US",
    "WaK": "K R AP GW FF US",
    "SaK": "K R AP GW FF SP US",
    "RK": "K R FF",
    "US": "K R AP GW FF SP WaK SaK",
}
PAIRS = frozenset(frozenset((ORDER[row], ORDER[other])) for row, others in ROWS.items() for other in others.split())
CHAIN = frozenset(("robbing_the_kong", "shoot_after_kong"))
"""Robbing the second kong of a chain, which the league's text counts as both. (SBR-11.5)"""
MOST = {"kong": 4, "root": 3}


def allowed_pairs(ruleset: str) -> frozenset[frozenset[str]]:
    """Pairs of items that a hand may have under a ruleset."""
    return PAIRS | {CHAIN} if RULESETS[ruleset].league_2025 else PAIRS


def pairs_of(items: Collection[str]) -> set[frozenset[str]]:
    """All pairs of the items of one hand."""
    return {frozenset((one, other)) for one in items for other in items if one != other}
