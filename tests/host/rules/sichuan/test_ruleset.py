"""Rules as data: presets, files, and refusals by name."""

from dataclasses import replace

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL
from wallwright.rules.core.errors import RulesetError
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset, parse_ruleset
from wallwright.rules.sichuan.wall import Break, break_wall, wall_plan


def test_presets_carry_their_names_and_limits():
    assert [(load_ruleset(name).name, load_ruleset(name).fan_limit) for name in PRESETS] == [
        ("sichuan", 3),
        ("sichuan-4", 4),
        ("chengdu-2016", None),
        ("mil-2025", 3),
        ("mil-2025-duplicate", 3),
    ]


@pytest.mark.parametrize(
    ("field", "book", "chengdu", "mil"),
    [
        ("long_walls", "dealer", "dealer", "east_west"),
        ("void_first", False, True, True),
        ("void_points", 48, 48, 24),
        ("void_check", "wall", "any", "wall"),
        ("wall_end_value", "best", "one", "best"),
        ("wall_end_kongs", True, True, True),
        ("shoot_voids", "last", "last", "last"),
        ("time_up", "finish", "finish", "finish"),
        ("false_hu_points", 8, 8, 24),
        ("breach_points", 0, 0, 24),
    ],
)
def test_where_the_presets_differ(field, book, chengdu, mil):
    assert [getattr(ruleset, field) for ruleset in (BOOK, FOUR, CHENGDU, MIL)] == [book, book, chengdu, mil]


def test_sbr_11_1_the_leagues_limit_and_walls():
    assert MIL.fan_limit == 3
    assert wall_plan(108, 1, MIL.long_walls) == (14, 13, 14, 13)
    # Break and deal are those of the book.
    assert break_wall((6, 4), 1) == Break(2, 4)


def test_a_file_changes_what_it_names_and_keeps_its_base(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text('base = "chengdu-2016"\nfan_limit = 5\nshoot_voids = "turn"\n')
    club = load_ruleset(path)
    assert club == replace(CHENGDU, name="club", fan_limit=5, shoot_voids="turn")
    assert load_ruleset(str(path)) == club


def test_toml_says_none_for_no_limit():
    assert parse_ruleset('fan_limit = "none"', "open").fan_limit is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fan_limits = 3", "unknown field 'fan_limits'"),
        ("fan_limit = 11", "fan_limit is 11, it must be a whole number from 0 to 10"),
        ("fan_limit = true", "fan_limit is True"),
        ('shoot_voids = "all"', "shoot_voids is 'all', it must be one of last, turn"),
        ("void_first = 1", "void_first is 1, it must be true or false"),
        ("void_points = -1", "void_points is -1"),
        ("table_points = [1]", "table_points is"),
        ("best_of = [0, 5]", "best_of is"),
        ('base = "riichi"', "base is 'riichi'"),
        ("fan_limit = ", "not TOML"),
        ('time_up = ["finish"]', "time_up is"),
    ],
)
def test_bad_files_are_refused_by_name(text, message):
    with pytest.raises(RulesetError, match="ruleset club") as caught:
        parse_ruleset(text, "club")
    assert message in str(caught.value)


def test_unknown_names_and_missing_files_are_refused(tmp_path):
    with pytest.raises(RulesetError, match="use sichuan, sichuan-4"):
        load_ruleset("sichaun")
    with pytest.raises(RulesetError, match="cannot read"):
        load_ruleset(tmp_path / "none.toml")


def test_sbr_5_3_the_limit_caps_fans():
    assert [BOOK.value(fans) for fans in range(6)] == [1, 2, 4, 8, 8, 8]
    assert [FOUR.value(fans) for fans in range(6)] == [1, 2, 4, 8, 16, 16]
    assert CHENGDU.value(10) == 1024
