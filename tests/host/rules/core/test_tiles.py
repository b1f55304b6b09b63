"""Tiles of 42 kinds, and sets of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.rules.core.errors import HandError, TileError
from wallwright.rules.core.sets import chow, kong, make_set, parse_set, pung
from wallwright.rules.core.tiles import (
    FLOWERS,
    KINDS,
    NAMES,
    SUITS,
    fifth_copy,
    format_tiles,
    parse_tile,
    parse_tiles,
    tile_name,
    tile_set,
)
from wallwright.rules.sichuan import tiles as sichuan


def test_kinds_go_from_1m_to_8f():
    assert [tile_name(kind) for kind in (0, 9, 18, 26, 27, 30, 31, 33, 34, 41)] == (
        ["1m", "1p", "1s", "9s", "1z", "4z", "5z", "7z", "1f", "8f"]
    )
    assert NAMES[:27] == sichuan.NAMES


@given(st.lists(st.integers(0, KINDS - 1)))
def test_text_and_back(kinds):
    assert list(parse_tiles(format_tiles(kinds))) == sorted(kinds)


@given(st.lists(st.integers(0, 26)))
def test_suited_tiles_are_written_as_in_sichuan(kinds):
    assert format_tiles(kinds) == sichuan.format_tiles(kinds)


def test_the_short_form_may_stand_among_runs():
    assert parse_tiles("B4 D7C1 5z") == tuple(map(parse_tile, ("4s", "7p", "1m", "5z")))


@pytest.mark.parametrize("text", ["8z", "9f", "0m", "1x", "12", "m", "5Z"])
def test_other_text_is_refused(text):
    with pytest.raises(TileError, match="cannot read"):
        parse_tiles(text)


def test_a_number_that_is_no_kind_is_refused():
    with pytest.raises(TileError, match="kinds are 0 to 41"):
        tile_name(42)


def test_sets_of_136_and_144():
    assert len(tile_set(range(34))) == 136
    assert len(tile_set(range(KINDS))) == 144
    assert fifth_copy(tile_set(range(KINDS))) is None
    assert fifth_copy(parse_tiles("1111z1z")) == parse_tile("1z")
    assert fifth_copy((*FLOWERS, FLOWERS[2])) == FLOWERS[2]


@pytest.mark.parametrize(
    ("one", "text", "tiles"),
    [
        (chow(0), "chow:123m", "123m"),
        (pung(27), "pung:111z", "111z"),
        (kong(33), "melded:7777z", "7777z"),
    ],
)
def test_a_set_is_written_and_read(one, text, tiles):
    assert str(one) == text
    assert parse_set(text) == one
    assert format_tiles(one.tiles) == tiles
    assert make_set(str(one.kind), tiles) == one


def test_the_tiles_of_a_chow_may_be_given_in_any_order():
    assert make_set("chow", "312m") == chow(0)


@pytest.mark.parametrize(
    ("kind", "tiles", "type_", "problem"),
    [
        ("chow", "123z", None, "a chow of honours"),
        ("chow", "124m", None, "three suited tiles in a row"),
        ("chow", "8m9m1p", None, "three suited tiles in a row"),
        ("chow", "123m", "concealed", "a chow has no type"),
        ("pung", "12m", None, "3 equal tiles"),
        ("pung", "111m", "promoted", "a pung is concealed, melded"),
        ("kong", "111m", None, "4 equal tiles"),
        ("kong", "1111m", "open", "a kong is concealed, melded, promoted, postponed"),
        ("pung", "1f1f1f", None, "flower"),
        ("pair", "11m", None, "chow, pung, kong"),
    ],
)
def test_other_sets_are_refused(kind, tiles, type_, problem):
    with pytest.raises(HandError, match=problem):
        make_set(kind, tiles, type_)


def test_every_letter_has_a_kind():
    assert {name[1] for name in NAMES} == set(SUITS)
