"""Numbers of legal action sequences: the engine, the data files, and the reference that wrote them. (SBR-3.1, SBR-4)"""

import itertools
import tomllib

import pytest

from tests.host.rules_oracle.bridge import engine_deal
from tests.length import length
from tests.reference.positions import FEATURES, FOLDER, deepening, from_toml
from tests.reference.rulesets import RULESETS
from wallwright.rules.sichuan.actions import parse_action
from wallwright.rules.sichuan.deal import Deal

ENTRIES = [
    (ruleset, entry)
    for ruleset in RULESETS
    for entry in tomllib.loads((FOLDER / f"{ruleset}.toml").read_text(encoding="utf-8"))["position"]
]
MOST = length(3_000, 1 << 40)
"""Depths with more sequences than this are not counted."""
each_entry = pytest.mark.parametrize(
    ("ruleset", "entry"), ENTRIES, ids=[f"{ruleset}: {entry['title']}" for ruleset, entry in ENTRIES]
)


def engine_perft(deal: Deal, depth: int) -> int:
    actions = deal.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        deal.push(action)
        total += engine_perft(deal, depth - 1)
        deal.undo()
    return total


@each_entry
def test_the_engine_counts_what_the_file_says(ruleset, entry):
    deal = engine_deal(from_toml(ruleset, entry).start, ruleset)
    for text in entry["actions"]:
        deal.apply(parse_action(text))
    few = list(itertools.takewhile(lambda count: count <= MOST, entry["counts"]))
    assert few
    assert [engine_perft(deal, depth) for depth in range(1, len(few) + 1)] == few


@each_entry
def test_the_reference_still_counts_what_it_wrote(ruleset, entry):
    few = list(itertools.takewhile(lambda count: count <= 500, entry["counts"]))
    assert few
    assert deepening(from_toml(ruleset, entry).table(), most=500)[: len(few)] == few


def test_every_ruleset_has_every_position():
    titles = {(ruleset, entry["title"]) for ruleset, entry in ENTRIES}
    assert titles == {(ruleset, title) for ruleset in RULESETS for title in ("nothing chosen", *FEATURES)}
