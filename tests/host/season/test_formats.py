"""Formats of seasons: the presets, and files with mistakes."""

import pytest

from wallwright.errors import BadConfig
from wallwright.season.format import format_record, read_format
from wallwright.season.format_file import PRESETS, load_format, parse_format

CHENGDU = format_record(load_format("chengdu-grand-prix-2016"))


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_read_and_comes_back_from_a_journal(name: str) -> None:
    found = load_format(name)
    assert read_format(format_record(found)) == found


def test_the_grand_prix_has_twenty_days_and_a_final_of_thirty_two() -> None:
    found = load_format("chengdu-grand-prix-2016")
    assert (found.days, found.day_best_of) == (20, (4, 5))
    assert found.days * found.qualify_a_day + found.qualify_by_list == 32
    assert not load_format("rating-only").has_standings
    assert not load_format("league").has_final


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "league"\nresult = "total"', 'result = "rank_points" and a list of rank_points belong together'),
        ('base = "league"\nbest_of = 3', "best_of counts days wherever they were"),
        ('base = "league"\nfinal_sessions = 2', "final_sessions belongs to qualify_a_day"),
        ('base = "rating-only"\nfinal_sessions = 2\nqualify_by_list = 4', "a final is for the best of a list"),
        ('base = "cup"', "base is 'cup', use chengdu-grand-prix-2016 or"),
        ('base = "league"\ncolour = 1', "there is no 'colour'"),
        ('base = "league"\ndays = -1', "days is -1, it must be a whole number from 0"),
        ('name = "x"', "it lacks days"),
        ("days =", "this is no TOML"),
    ],
)
def test_a_mistake_is_named(text: str, said: str) -> None:
    with pytest.raises(BadConfig, match=r"my\.toml: ") as caught:
        parse_format(text, "my.toml")
    assert said in str(caught.value)
