"""Evenings of Hong Kong, Cumberland and Balsall through `wallwright event`: results, what a game keeps, standings."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.host.entries import altered
from tests.host.event.test_event_cli import PLAYERS, Result, run  # noqa: F401 - the fixture
from wallwright.clocks import wall_ms
from wallwright.errors import BadInput
from wallwright.event.desk import Desk
from wallwright.event.store import read_event
from wallwright.event.together import find_to_sign
from wallwright.journal import read_journal
from wallwright.journal.mjai import mjai_lines
from wallwright.journal.replay import replay_entries

Enter = Callable[..., dict[str, Any]]


@pytest.fixture
def evening(run, tmp_path: Path) -> Callable[[str], Enter]:  # noqa: F811
    """Begin an evening by a format; what is returned enters a deal of table 1 and returns what the program printed."""

    def begin(format_name: str) -> Enter:
        (tmp_path / "players.csv").write_text(PLAYERS)
        for line in (
            f"new day.journal --format {format_name}",
            "players import day.journal players.csv",
            "draw commit day.journal",
            "draw reveal day.journal",
            "start day.journal 1",
        ):
            run(line)

        def enter(record: dict[str, Any], code: int = 0, *more: str) -> dict[str, Any]:
            (tmp_path / "deal.json").write_text(json.dumps(record))
            shown: Result = run(f"result day.journal 1 1 --declared deal.json --yes --json {' '.join(more)}", code)
            return {"err": shown.err} if code else dict(shown.record)

        return enter

    return begin


def win(seat: int, points: int, from_: int) -> dict[str, Any]:
    """A win of Hong Kong on a discard."""
    event = {"type": "hu", "by": "discard", "from": from_, "winners": [{"seat": seat, "points": points}]}
    return {"events": [event], "end": "win"}


def test_hong_kong_keeps_dealer_and_round_wind(run, evening) -> None:  # noqa: F811
    """HKO-8.1, 8.2: the deal passes four times, and East's round becomes South's; 2B and B of HKO-6.4."""
    enter = evening("hong-kong-club")
    for seat in (1, 2, 3, 0):
        assert enter(win(seat, 4, (seat + 1) % 4))["entered"] is True
    hand = {
        "seat": 0,
        "standing": "234m456p678s9p",
        "melds": [{"kind": "pung", "tiles": "222z"}],
        "winning": "9p",
    }
    # The second wind is the round's now, and East holds it as a guest of his own seat: 1 faan and 1 for the draw.
    last = enter({"events": [{"type": "hu", "by": "self_drawn", "winners": [hand]}], "end": "win"})
    assert last["points"] == [24, -8, -8, -8]
    told = run("explain day.journal --session 1 --table 1 --deal 5").out
    assert "HKO-" in told
    assert run("check day.journal").out == "All 5 deals sum to zero, fines aside; nothing contradicts itself.\n"


def test_cumberland_writes_four_scores_down(run, evening, tmp_path: Path) -> None:  # noqa: F811
    """CUM-6.1: they sum to something, and nothing is missing for that."""
    (tmp_path / "club.toml").write_text('base = "cumberland-evening"\nname = "Club"\nmovement = "stay"\n')
    enter = evening("club.toml")
    hands = [{"points": points} for points in (84, 80, 208, 416)]
    shown = enter({"round_wind": "S", "winner": 0, "by": "discard", "from": 2, "hands": hands})
    assert shown["points"] == [84, 80, 208, 416]
    assert run("check day.journal").out == "By these rules points need not sum to zero; nothing contradicts itself.\n"
    desk = Desk.to_read(read_event("day.journal"), wall_ms)
    assert not any("sum to zero" in str(one) for _, why in find_to_sign(desk, 1, {}).left for one in why)
    # East won and stays (CUM-8.1): another dealer is irregular, and needs a reason.
    refused = enter({"east": 1, "round_wind": "E", "winner": 1, "by": "self_drawn", "hands": hands}, 6)
    assert "deals, not" in refused["err"]
    assert "SBR" not in refused["err"]


def test_a_drawn_hand_of_balsall_is_followed_by_a_goulash(evening) -> None:
    """BAL-8: the record of the next deal says goulash by itself; its winner takes the pot of 20, and the dice pass."""
    enter = evening("balsall-evening")
    assert enter({"winner": None})["points"] == [0, 0, 0, 0]
    hands = [None, {"points": 5}, None, None]
    assert enter({"winner": 1, "by": "self_drawn", "hands": hands})["points"] == [-5, 15, -5, -5]
    hands = [None, None, {"points": 3}, None]
    # The dice have passed to seat 1, and it is no goulash any more.
    assert enter({"winner": 2, "by": "discard", "from": 0, "hands": hands})["points"] == [-3, 0, 3, 0]


def test_a_journal_of_a_game_is_scored_again(evening, tmp_path: Path) -> None:
    enter = evening("balsall-evening")
    enter({"winner": None})
    enter({"winner": 1, "by": "self_drawn", "hands": [None, {"points": 5}, None, None]})
    path = str(tmp_path / "day.journal")
    again = replay_entries(read_journal(path))
    assert (again.scored, again.differences) == (2, [])
    wrong = [
        altered(entry, body={**entry.body, "points": [0, 0, 0, 0]}) if entry.kind == "result_recorded" else entry
        for entry in read_journal(path)
    ]
    assert ["points are" in one.text for one in replay_entries(wrong).differences] == [True]


def test_what_cannot_be_is_refused_with_the_clause(evening) -> None:
    enter = evening("hong-kong-club")
    assert "HKO-" in enter({"events": [{"type": "kong", "seat": 0}], "end": "win"}, 6)["err"]
    assert "leave ruleset" in enter({**win(1, 4, 2), "ruleset": "sichuan"}, 6)["err"]
    assert "leave ruleset" in enter({**win(1, 4, 2), "options": {"min_faan": 3}}, 6)["err"]


def test_a_correction_is_settled_with_what_was_kept_before_that_deal(run, evening, tmp_path: Path) -> None:  # noqa: F811
    enter = evening("balsall-evening")
    enter({"winner": None})
    enter({"winner": 1, "by": "self_drawn", "hands": [None, {"points": 5}, None, None]})
    record = {"winner": 2, "by": "self_drawn", "hands": [None, None, {"points": 6}, None]}
    (tmp_path / "deal.json").write_text(json.dumps(record))
    run("correct day.journal 1 1 2 --declared deal.json --reason 'it was seat 2'")
    shown = run("explain day.journal --session 1 --table 1 --deal 2").out
    assert "The pot pays" in shown
    rows = list(csv.DictReader(io.StringIO(run("export day.journal results --for live").out)))
    counted = [row for row in rows if row["deal"] == "2"]
    assert [[row[f"points_{seat}"] for seat in range(4)] for row in counted] == [["-5", "-5", "15", "-5"]]


def test_a_clubs_own_options_are_kept_in_the_journal(evening, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "hong-kong"\nmin_faan = 3\n')
    (tmp_path / "club.toml").write_text('base = "hong-kong-club"\nname = "Club"\nruleset = "house.toml"\n')
    enter = evening("club.toml")
    (tmp_path / "house.toml").unlink()
    hand = {"seat": 1, "standing": "123m789m456p5s", "melds": [{"kind": "pung", "tiles": "222s"}], "winning": "5s"}
    cheap = {"events": [{"type": "hu", "by": "discard", "from": 2, "winners": [hand]}], "end": "win"}
    assert "HKO-5.7" in enter(cheap, 6)["err"]


def test_a_deal_that_was_not_ended_cannot_be_scored_but_in_sichuan(run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "club.toml").write_text('base = "hong-kong-club"\nname = "Club"\nmachine_fault = "keep"\n')
    assert 'use "replay" or "void"' in run("new day.journal --format club.toml", 2).err


def test_mjai_has_deals_of_hong_kong_with_honours_and_the_round_wind(evening) -> None:
    enter = evening("hong-kong-club")
    for seat in (1, 2, 3, 0):
        enter(win(seat, 4, (seat + 1) % 4))
    hand = {"seat": 0, "standing": "234m456p678s5z", "melds": [{"kind": "pung", "tiles": "222z"}], "winning": "5z"}
    enter({"events": [{"type": "hu", "by": "self_drawn", "winners": [hand]}], "end": "win"})
    enter({"events": [], "end": "wall"})
    lines = [json.loads(line) for line in mjai_lines(read_journal("day.journal"))]
    begun = [line for line in lines if line["type"] == "start_kyoku"]
    assert [(line["bakaze"], line["oya"]) for line in begun] == [
        ("E", 0),
        ("E", 1),
        ("E", 2),
        ("E", 3),
        ("S", 0),
        ("S", 0),
    ]
    won = [line for line in lines if line["type"] == "hora"]
    assert won[0] == {"type": "hora", "actor": 1, "target": 2, "pai": "?"}
    assert (won[-1]["target"], won[-1]["pai"]) == (0, "P")
    assert won[-1]["hora_tehais"] == ["2m", "3m", "4m", "4p", "5p", "6p", "6s", "7s", "8s", "P"]
    assert [line["reason"] for line in lines if line["type"] == "ryukyoku"] == ["wall"]
    assert [sum(line["deltas"]) for line in lines if line["type"] == "end_kyoku"] == [0] * 6


@pytest.mark.parametrize(
    ("base", "more", "why"),
    [
        ("balsall-evening", "", "mjai cannot say the game balsall: it knows no flowers;"),
        ("cumberland-evening", "", "it knows no flowers and no points that need not sum to zero;"),
        ("hong-kong-club", 'ruleset = "house.toml"\n', "mjai cannot say the game house: it knows no flowers;"),
    ],
)
def test_mjai_refuses_games_that_it_cannot_say(evening, tmp_path: Path, base: str, more: str, why: str) -> None:
    (tmp_path / "house.toml").write_text('base = "hong-kong"\nflowers = true\n')
    (tmp_path / "club.toml").write_text(f'base = "{base}"\nname = "Club"\n{more}')
    evening("club.toml")
    with pytest.raises(BadInput, match=why):
        list(mjai_lines(read_journal("day.journal")))


_HANDS = [{"points": points} for points in (84, 80, 208, 416)]
_WON = {"round_wind": "E", "winner": 0, "by": "discard", "from": 2, "hands": _HANDS}
_PAID = {"winner": 1, "by": "discard", "from": 2, "hands": [None, {"points": 5}, None, None]}


def mistake(what: str) -> dict[str, Any]:
    """A deal of Hong Kong that a mistake of seat 2 has ended."""
    return {"events": [{"type": "false_win", "seat": 2, "what": what}], "end": "false_win"}


@pytest.mark.parametrize(
    ("format_name", "record", "points", "clauses"),
    [
        ("hong-kong-club", mistake("win"), [128, 128, -384, 128], ["HKO-7.1"]),
        ("hong-kong-club", mistake("set"), [128, 128, -384, 128], ["HKO-7.1"]),
        ("hong-kong-club", mistake("count"), [128, 128, -384, 128], ["HKO-7.1"]),
        (
            "cumberland-evening",
            {**_WON, "events": [{"type": "count_error", "seat": 3, "what": "long"}]},
            [84, 80, 208, 0],
            ["CUM-7.1", "7.2"],
        ),
        ("cumberland-evening", {**_WON, "events": [{"type": "false_win", "seat": 2}]}, [84, 80, 0, 416], ["CUM-7.2"]),
        (
            "cumberland-evening",
            {**_WON, "events": [{"type": "flipped", "tile": "1z"}]},
            [84, 80, 208, 416],
            ["CUM-2.4"],
        ),
        (
            "balsall-evening",
            {**_PAID, "events": [{"type": "count_error", "seat": 1, "what": "short"}]},
            [0, 5, -5, 0],
            ["BAL-10.1"],
        ),
        ("balsall-evening", {**_PAID, "events": [{"type": "false_win", "seat": 3}]}, [0, 5, -5, 0], ["BAL-10.2"]),
    ],
)
def test_mistakes_at_the_table_are_settled_and_explained(
    run,  # noqa: F811
    evening,
    format_name: str,
    record: dict[str, Any],
    points: list[int],
    clauses: list[str],
) -> None:
    """HKO-7, CUM-7, BAL-10: what each costs, or that it costs nothing, stands in the journal and in the explanation."""
    assert evening(format_name)(record)["points"] == points
    told = run("explain day.journal --session 1 --table 1 --deal 1").out
    assert all(clause in told for clause in clauses)


def test_who_made_a_mistake_does_not_win_the_deal(evening, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "balsall"\ncount_error = "no_win"\n')
    (tmp_path / "club.toml").write_text('base = "balsall-evening"\nname = "Club"\nruleset = "house.toml"\n')
    enter = evening("club.toml")
    wrong = {"type": "count_error", "seat": 1, "what": "short"}
    assert "BAL-10.1" in enter({**_PAID, "events": [wrong]}, 6)["err"]
    assert "BAL-10.2" in enter({**_PAID, "events": [{"type": "false_win", "seat": 1}]}, 6)["err"]
    assert "BAL-3.1" in enter({**_PAID, "claimed_ms": 3001}, 6)["err"]
