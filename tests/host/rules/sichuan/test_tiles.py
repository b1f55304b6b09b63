"""SBR-1: tiles and their notations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.rules.core.errors import RulesError, TileError
from wallwright.rules.sichuan.tiles import (
    book_name,
    format_tiles,
    full_set,
    parse_suit,
    parse_tile,
    parse_tiles,
    tile_name,
)


def test_sbr_1_1_the_set_has_four_copies_of_27_kinds():
    tiles = full_set()
    assert len(tiles) == 108
    assert {kind: tiles.count(kind) for kind in tiles} == dict.fromkeys(range(27), 4)
    assert {tile_name(kind)[1] for kind in tiles} == set("mps")


def test_sbr_1_2_runs_share_the_suit_letter():
    assert parse_tiles("123s55p") == (18, 19, 20, 13, 13)
    assert parse_tiles("") == ()


def test_sbr_1_2_the_books_form_is_read_and_offered():
    assert parse_tiles("B4 D7 C1") == parse_tiles("4s7p1m")
    assert parse_tiles("B4D7 123m C1") == parse_tiles("4s 7p 123m 1m")
    assert book_name(parse_tile("9s")) == "B9"


def test_suits_are_read_in_both_notations():
    assert [parse_suit(letter) for letter in "mpsCDB"] == [0, 1, 2, 0, 1, 2]
    with pytest.raises(TileError, match="not a suit"):
        parse_suit("z")


@given(st.lists(st.integers(0, 26), max_size=20))
def test_text_and_tiles_agree_both_ways(kinds):
    assert list(parse_tiles(format_tiles(kinds))) == sorted(kinds)
    assert list(parse_tiles(" ".join(map(book_name, kinds)))) == kinds


@pytest.mark.parametrize("text", ["0s", "12", "5z", "s5", "B0", "B", "5s-"])
def test_a_text_that_is_not_tiles_is_refused(text):
    with pytest.raises(TileError, match="cannot read"):
        parse_tiles(text)


def test_one_tile_is_exactly_one():
    with pytest.raises(TileError, match="2 tiles where one"):
        parse_tile("55s")
    with pytest.raises(RulesError, match="kinds are 0 to 26"):
        tile_name(27)
