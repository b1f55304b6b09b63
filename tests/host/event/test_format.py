"""Formats as data: the presets are what the rules say, and every mistake in a file is named."""

import json
from fractions import Fraction

import pytest

from wallwright.errors import BadConfig
from wallwright.event.format import format_record, read_format
from wallwright.event.format_file import PRESETS, load_format, parse_format
from wallwright.rules.sichuan.ruleset import load_ruleset


def test_the_chengdu_format_is_five_sessions_of_ten_deals_or_an_hour_the_best_four_count() -> None:
    chengdu = load_format("chengdu-grand-prix")  # SBR-9.1, SBR-9.2
    assert (chengdu.sessions, chengdu.deals, chengdu.minutes, chengdu.best_of) == (5, 10, 60, (4, 5))
    assert chengdu.rank_by == "points"
    assert chengdu.ruleset == load_ruleset("sichuan")


def test_the_league_format_ranks_by_table_points_and_warns_twice() -> None:
    league = load_format("mil-2025")  # SBR-11.6
    assert (league.rank_by, league.table_points, league.warnings) == ("table_points", (4, 3, 2, 1), (15, 10))
    assert league.deals == 0
    assert league.sichuan.fan_limit == 3
    low, high = league.sichuan.session_minutes_range
    assert low <= league.minutes <= high
    assert set(league.warnings) == set(league.sichuan.warning_minutes)


@pytest.mark.parametrize("name", PRESETS)
def test_a_format_goes_through_json_whole(name: str) -> None:
    chosen = load_format(name)
    assert read_format(json.loads(json.dumps(format_record(chosen)))) == chosen


def test_a_file_changes_its_base(tmp_path) -> None:
    (tmp_path / "house.toml").write_text('base = "mil-2025"\nfan_limit = 5\n')
    path = tmp_path / "club.toml"
    path.write_text('base = "mil-2025"\nname = "Club"\nminutes = 45\nruleset = "house.toml"\nbye_table_points = "3"')
    club = load_format(path)
    assert (club.name, club.minutes, club.sessions) == ("Club", 45, load_format("mil-2025").sessions)
    assert (club.ruleset.name, club.sichuan.fan_limit) == ("house", 5)
    assert club.bye_table_points == Fraction(3)
    assert read_format(json.loads(json.dumps(format_record(club)))) == club


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('deal = 3\nminutes = "x"', ["'deal'", "minutes"]),
        ("best_of = [5, 4]", ["best_of"]),
        ("sessions = 4", ["best_of"]),
        ("final_players = 16", ["final_sessions"]),
        ("final_players = 6\nfinal_sessions = 1", ["tables have four"]),
        ("warnings = [60]", ["before the start"]),
        ('rank_by = "table_points"\ntie_break = ["table_points"]', ["ranked already"]),
        ('tie_break = ["coin"]', ["tie_break"]),
        ('bye_table_points = "1/0"', ["bye_table_points"]),
        ("sessions = true", ["sessions"]),
        ('ruleset = "riichi"', ["riichi"]),
        ('base = "x"', ["base"]),
        ("minutes =", ["TOML"]),
    ],
)
def test_mistakes_are_named(text: str, named: list[str]) -> None:
    head = "" if "base" in text else 'base = "chengdu-grand-prix"\n'
    with pytest.raises(BadConfig) as caught:
        parse_format(head + text, "x.toml")
    assert all(word in str(caught.value) for word in named)


def test_a_file_without_a_base_must_have_everything() -> None:
    with pytest.raises(BadConfig, match=r"lacks ruleset, sessions, .*penalties"):
        parse_format('name = "x"', "x.toml")


def test_a_rulesets_own_file_says_how_long_sessions_are(tmp_path) -> None:
    (tmp_path / "house.toml").write_text('base = "sichuan"\nsession_deals = 8\nsession_minutes = 45\n')
    path = tmp_path / "club.toml"
    path.write_text('base = "chengdu-grand-prix"\nruleset = "house.toml"\nwarnings = []\n')
    club = load_format(path)
    # What the ruleset's file leaves to its own base is the format's.
    assert (club.deals, club.minutes, club.best_of) == (8, 45, (4, 5))
    path.write_text('base = "chengdu-grand-prix"\nruleset = "house.toml"\nwarnings = []\ndeals = 12\n')
    assert load_format(path).deals == 12


def test_minutes_that_the_ruleset_does_not_allow_are_refused() -> None:
    with pytest.raises(BadConfig, match=r"minutes is 90, and a session of mil-2025 has 35 to 80 \(SBR-11.6\)"):
        parse_format('base = "mil-2025"\nminutes = 90', "x.toml")
