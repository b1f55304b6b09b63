"""Numbers of sequences of legal acts of Hong Kong: the data files, and a slow counter that shares no code. (HKO-4)"""

import random
from typing import Any

import pytest

from tests.host.rules.perft import entries
from tests.length import length
from tests.reference.full_set import write
from tests.reference.hong_kong_table import Table, from_toml, perft
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.tiles import NAMES
from wallwright.rules.hong_kong.play import shuffled_deal
from wallwright.rules.hong_kong.ruleset import load_ruleset

ENTRIES, TITLES = entries("hong-kong", "hong-kong-modern")
MOST = length(7000, 1 << 40)
"""Sequences that are counted at one depth of a position."""
DEALS = length(40, 2000)
CHOICES: dict[str, tuple[Any, ...]] = {
    "flowers": (False, True),
    "dead_wall": (0, 14),
    "concealed_kong": ("choice", "shown", "hidden"),
    "last_discard": (False, True),
    "seven_pairs": (0, 4),
    "min_faan": (0, 0, 1, 3),
}


@pytest.mark.parametrize(("name", "entry"), ENTRIES, ids=TITLES)
def test_the_reference_counts_what_the_file_says(name: str, entry: dict[str, Any]) -> None:
    table = from_toml(name, entry)
    asked = [depth for depth, count in enumerate(entry["counts"], 1) if count <= MOST]
    assert asked
    assert [perft(table, depth) for depth in asked] == [entry["counts"][depth - 1] for depth in asked]


def test_engine_and_reference_offer_the_same_acts_all_through_a_deal(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(DEALS):
        options = {name: rng.choice(values) for name, values in CHOICES.items()}
        dealer, wind = number % 4, rng.choice("ESWN")
        _, deal = shuffled_deal(load_ruleset("hong-kong", options), dealer, wind, rng)
        hands = [write([NAMES[kind] for kind in hand]) for hand in deal.dealt]
        wall, tail = "".join(NAMES[kind] for kind in deal.wall or ()), deal.tail
        table = Table("hong-kong", options, dealer, wind, hands, wall, tail)
        while not deal.is_over:
            acts = [str(act) for act in deal.legal()]
            assert sorted(acts) == sorted(table.legal()), (options, [str(act) for act in deal.log])
            # Wins and claims are rare, so that they are taken when they come, sometimes.
            rare = [act for act in acts if act.split()[1] in ("hu", "kong", "pung", "chow")]
            act = rng.choice(rare if rare and rng.random() < 0.5 else acts)
            deal.apply(parse_act(act))
            table.apply(act)
        assert table.legal() == []
