"""Winners who move to the next table after every hand (CUM-8.2), and sessions that end by the rounds of their game."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.host.event.test_event_cli import run  # noqa: F401 - the fixture
from wallwright.event.movement import moves_of
from wallwright.event.store import read_event

CLUB = 'base = "cumberland-evening"\nname = "Club"\n'
Enter = Callable[..., dict[str, Any]]


@pytest.fixture
def begin(run, tmp_path: Path) -> Callable[..., Enter]:  # noqa: F811
    """Begin an evening of so many players; what is returned enters a hand at a table."""

    def begun(text: str = CLUB, players: int = 12) -> Enter:
        (tmp_path / "players.csv").write_text("name\n" + "".join(f"P{number}\n" for number in range(1, players + 1)))
        (tmp_path / "club.toml").write_text(text)
        for line in (
            "new day.journal --format club.toml",
            "players import day.journal players.csv",
            "draw commit day.journal",
            "draw reveal day.journal",
            "start day.journal 1",
        ):
            run(line)

        def enter(table: int, record: dict[str, Any], code: int = 0) -> dict[str, Any]:
            (tmp_path / "deal.json").write_text(json.dumps(record))
            shown = run(f"result day.journal 1 {table} --declared deal.json --yes --json", code)
            return {"err": shown.err} if code else dict(shown.record)

        return enter

    return begun


def won(winner: int | None, points: int = 84) -> dict[str, Any]:
    """A hand of Cumberland by its end."""
    if winner is None:
        return {"winner": None}
    hands = [{"points": points if seat == winner else 0} for seat in range(4)]
    return {"round_wind": "E", "winner": winner, "by": "self_drawn", "hands": hands}


def seats() -> list[tuple[int, ...]]:
    """Who sits where now, by table."""
    return [sheet.players for sheet in read_event("day.journal").sessions[1].tables]


def test_cum_8_2_winners_move_to_the_next_table_and_north_after_a_stale_hand(run, begin) -> None:  # noqa: F811
    enter = begin()
    before = seats()
    assert "moves" not in enter(1, won(2))
    assert "moves" not in enter(3, won(None))
    assert seats() == before
    moved = enter(2, won(0))
    first, second, third = before
    # Seat 2 of table 1 goes where table 2's winner sat, and so on; East was seat 0, so North is seat 3.
    assert seats() == [
        (first[0], first[1], third[3], first[3]),
        (first[2], *second[1:]),
        (*third[:3], second[0]),
    ]
    assert moved["moves"] == [
        f"After deal 1 P{first[2]} moved from table 1, seat 3, to table 2, seat 1.",
        f"After deal 1 P{second[0]} moved from table 2, seat 1, to table 3, seat 4.",
        f"After deal 1 P{third[3]} moved from table 3, seat 4, to table 1, seat 3.",
    ]
    assert all(line in run("seats day.journal 1").out for line in moved["moves"])
    state = read_event("day.journal")
    at_tables = [[(deal, one.table, one.to_table) for deal, one in moves_of(state, 1, table)] for table in (1, 2, 3)]
    assert [sorted(one) for one in at_tables] == [
        [(1, 1, 2), (1, 3, 1)],
        [(1, 1, 2), (1, 2, 3)],
        [(1, 2, 3), (1, 3, 1)],
    ]


def test_cum_8_2_a_hand_waits_until_winners_have_moved(run, begin) -> None:  # noqa: F811
    enter = begin()
    enter(1, won(1))
    refused = enter(1, won(1), 6)["err"]
    assert "deal 2 begins when winners have moved; table 2, table 3 have no result of deal 1 yet" in refused
    refused = run("result day.journal 1 1 --points 1,2,3,4 --reason told", 6).err
    assert "deal 2 begins when winners have moved" in refused
    enter(2, won(1))
    assert "table 3 has no result of deal 1 yet" in enter(2, won(1), 6)["err"]
    ruled = run("result day.journal 1 3 --points 0,0,0,40 --reason told --json").record
    # A referee names no winner, so North moves: seat 3, as East is seat 0.
    assert "from table 3, seat 4," in str(ruled["moves"])
    assert enter(1, won(1))["entered"] is True


def test_points_and_wins_stay_with_who_made_them(run, begin) -> None:  # noqa: F811
    enter = begin(CLUB + 'rank_by = "wins"\ntie_break = ["points"]\n', players=8)
    first, second = seats()
    ann, bo = first[1], second[0]
    enter(1, won(1, 100))
    enter(2, won(0, 60))
    # Ann wins again at table 2, where she took Bo's seat; Bo wins nothing more.
    assert seats()[1][0] == ann
    enter(1, won(3, 500) | {"east": 1})
    enter(2, won(0, 40))
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(run("export day.journal standings --for live").out))}
    best = rows[f"P{ann}"]
    assert (best["rank"], best["total"], best["deals_won"], best["points"]) == ("1", "2", "2", "140")
    assert (rows[f"P{bo}"]["total"], rows[f"P{bo}"]["points"]) == ("1", "60")
    # One win each: the more points go before.
    third = next(row for row in rows.values() if row["points"] == "500")
    assert (third["rank"], third["total"]) == ("2", "1")
    told = run(f"explain day.journal P{ann}").out
    assert f"P{ann} ({ann}): 2 deals won, rank 1." in told
    assert "+140 points, 2 deals won." in told
    session = run(f"explain day.journal P{ann} --session 1").out
    assert "Deal 1: +100" in session
    assert "Deal 2: +40" in session


def test_a_correction_moves_nobody_back(run, begin, tmp_path: Path) -> None:  # noqa: F811
    enter = begin(players=8)
    enter(1, won(1))
    enter(2, won(0))
    after = seats()
    (tmp_path / "deal.json").write_text(json.dumps(won(3)))
    run("correct day.journal 1 1 1 --declared deal.json --reason 'it was seat 3'")
    assert seats() == after


def test_one_table_alone_and_everybody_who_stays_move_nobody(begin) -> None:
    enter = begin(players=4)
    alone = seats()
    assert "moves" not in enter(1, won(1))
    assert seats() == alone
    assert enter(1, won(1))["entered"] is True


def test_a_format_that_stays_lets_tables_play_at_their_own_pace(begin) -> None:
    enter = begin(CLUB + 'movement = "stay"\n')
    before = seats()
    for _ in range(3):
        enter(1, won(0))
    assert seats() == before


def test_movement_goes_with_no_place_at_a_table(run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "club.toml").write_text(CLUB + 'rank_by = "table_points"\ntie_break = ["session_wins"]\n')
    refused = run("new day.journal --format club.toml", 2).err
    assert (
        "table_points, session_wins is for a place at a table, and winners move on; rank by points or wins" in refused
    )


def test_cum_8_2_a_game_of_cumberland_ends_after_its_hands(run, begin, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "house.toml").write_text('base = "cumberland"\nsession_hands = 2\n')
    enter = begin(CLUB + 'ruleset = "house.toml"\n', players=8)
    # East wins at table 2, which does not count: there a third hand is played, and nobody moves any more.
    enter(1, won(1))
    enter(2, won(0))
    moved = seats()
    enter(2, won(1))
    enter(1, won(2))
    assert seats() == moved
    assert "the rounds of this table are played" in enter(1, won(1), 6)["err"]
    run("sign-off day.journal 1 1")
    enter(2, won(2))
    run("sign-off day.journal 1 2")


def test_hko_8_2_a_session_of_hong_kong_ends_after_four_rounds(run, begin) -> None:  # noqa: F811
    enter = begin('base = "hong-kong-club"\nname = "Club"\n', players=4)
    for deal in range(16):
        assert "has time and deals left" in run("sign-off day.journal 1 1", 6).err
        seat = (deal + 1) % 4
        win = {"type": "hu", "by": "discard", "from": (seat + 1) % 4, "winners": [{"seat": seat, "points": 1}]}
        enter(1, {"events": [win], "end": "win"})
    refused = enter(1, {"events": [], "end": "wall"}, 6)["err"]
    assert "the rounds of this table are played" in refused
    run("stop day.journal 1")
    run("sign-off day.journal 1 1")


def test_bal_9_1_a_match_of_balsall_ends_a_session(run, begin) -> None:  # noqa: F811
    enter = begin('base = "balsall-evening"\nname = "Club"\n', players=4)
    for deal in range(16):
        seat = (deal + 1) % 4
        hands = [{"points": 5} if one == seat else None for one in range(4)]
        enter(1, {"winner": seat, "by": "discard", "from": (seat + 1) % 4, "hands": hands})
    assert "the rounds of this table are played" in enter(1, {"winner": None}, 6)["err"]
    run("stop day.journal 1")
