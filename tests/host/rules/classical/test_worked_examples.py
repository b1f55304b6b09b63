"""The twelve worked examples, and a hand of every row of Balsall's table, by the command line."""

import pytest

from tests.host.rules.classical.support import answer
from tests.reference.classical_examples import BREAKS, ROWS, SCORES, SETTLEMENTS


@pytest.mark.parametrize("name", SCORES)
def test_scores(name):
    record, expected = SCORES[name]
    assert answer("score", record) == expected


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    record, expected = ROWS[name]
    assert answer("score", record) == expected


@pytest.mark.parametrize("name", SETTLEMENTS)
def test_settlements(name):
    record, expected = SETTLEMENTS[name]
    found = answer("settle", record)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("name", BREAKS)
def test_breaks(name):
    record, expected = BREAKS[name]
    assert answer("break", record) == expected
