"""Numbers of sequences of legal acts, from positions in tests/data/perft/ (HKO-4)."""

import pytest

from tests.host.rules.perft import entries, perft
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.tiles import parse_tiles
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.ruleset import load_ruleset

ENTRIES, NAMES = entries("hong-kong", "hong-kong-modern")


def deal_of(name, entry):
    hands = [parse_tiles(hand) for hand in entry["hands"]]
    wall = parse_tiles(entry["wall"])
    ruleset = load_ruleset(name, entry.get("options"))
    deal = Deal(ruleset, entry["dealer"], entry["round_wind"], hands, len(wall), wall, entry["tail"])
    for text in entry["actions"]:
        deal.apply(parse_act(text))
    return deal


@pytest.mark.slow
@pytest.mark.parametrize(("name", "entry"), ENTRIES, ids=NAMES)
def test_the_engine_counts_what_the_file_says(name, entry):
    deal = deal_of(name, entry)
    assert [perft(deal, depth) for depth in range(1, len(entry["counts"]) + 1)] == entry["counts"]


def test_every_position_that_is_told_is_there():
    titles = {(name, entry["title"]) for name, entry in ENTRIES}
    told = ("the first turn", "several chows", "a kong to rob", "a flower", "the last tiles", "a claim of three kinds")
    assert titles == {(name, title) for name in ("hong-kong", "hong-kong-modern") for title in told}
