"""Numbers of sequences of legal acts, from positions in tests/data/perft/ (CLA-3, CUM-2.3, CUM-3, BAL-2.3, BAL-8.3)."""

import pytest

from tests.host.rules.classical.playing import sitting
from tests.host.rules.perft import entries, perft
from wallwright.rules.classical.deal import Deal
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.tiles import parse_tiles

TITLES = {
    "the first turn",
    "dealt flowers",
    "several chows",
    "a kong to rob",
    "a flower",
    "the last tiles",
    "a claim of three kinds",
}
ENTRIES, NAMES = entries("cumberland", "balsall")


def deal_of(name, entry):
    hands = [parse_tiles(hand) for hand in entry["hands"]]
    wall = parse_tiles(entry["wall"])
    around = {"east": entry["east"], "round_wind": entry["round_wind"], "goulash": entry.get("goulash", False)}
    deal = Deal(sitting(name, **around), hands, len(wall), wall, entry["tail"])
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
    assert titles == {(name, title) for name in ("cumberland", "balsall") for title in TITLES} | {
        ("balsall", "the last exchange")
    }
