"""Rehearsed evenings of the other games, end to end: their sets and dice, their results, winners who move on."""

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.event.test_rehearsal import points_by_name
from wallwright.cli.event.rehearse import rehearse as command
from wallwright.errors import BadInput
from wallwright.event.disclosure import EVERYBODY
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format
from wallwright.event.standings import standings
from wallwright.event.state import EventState
from wallwright.journal import read_journal, verify_journal
from wallwright.journal.replay import replay_entries
from wallwright.journal.rolls import WRONG, check_dice
from wallwright.rehearsal.day import rehearsal_format, rehearse
from wallwright.rules.core.game_rules import GameRules
from wallwright.rules.core.registry import find_game

EVENINGS = {"hong-kong-club": (136, 3), "balsall-evening": (144, 3), "cumberland-evening": (144, 2)}
"""Tiles of a set and dice at a throw (HKO-1.1, CLA-1.1, CUM-2.1, BAL-2.1)."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))


def evening(name: str, minutes: int) -> EventFormat:
    return replace(rehearsal_format(load_format(name), 1), minutes=minutes, warnings=())


def bodies(path: Path, kind: str) -> list[dict[str, Any]]:
    return [dict(entry.body) for entry in read_journal(path, kinds=(kind,))]


@pytest.mark.slow
@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_ends_with_standings_that_its_deals_add_up_to(name: str, tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    report = rehearse(path, evening(name, 24), 8, 3)
    assert (report.problems, report.tables, report.swapped) == ((), 2, 1)
    assert verify_journal(path).is_whole
    assert replay_entries(read_journal(path)).agrees
    state = EventState().apply_all(read_journal(path))
    table = standings(state, EVERYBODY)
    assert table.status == "final"
    assert {row.name: row.points for row in table.rows} == points_by_name(path)
    tiles, dice = EVENINGS[name]
    # The first table's board broke down; the spare is set to the game too.
    built = bodies(path, "build_done")
    assert {2 * sum(one["fields"]["stacks"]) for one in built} == {tiles}
    rolls = check_dice(read_journal(path))
    assert rolls.count(WRONG) == 0
    assert {len(roll.dice) for roll in rolls.rolls} == {dice}
    told, entered = bodies(path, "deal_result"), bodies(path, "result_recorded")
    assert len(told) > 1
    assert len(entered) > 1
    ruleset = load_format(name).ruleset
    assert isinstance(ruleset, GameRules)
    for result in told:
        asked = ruleset.asked(result["record"])
        settled = find_game(ruleset.preset).settle(asked)
        assert settled["points"] == result["points"]
        assert find_game(ruleset.preset).next_deal(asked, settled) == result["kept"]
    follow_one_another(path)


def follow_one_another(path: Path) -> None:
    """Each deal of a table begins with what the one before has left, whoever has told it."""
    state = EventState().apply_all(read_journal(path))
    starts: dict[tuple[str, int], dict[str, Any]] = {}
    for entry in read_journal(path, kinds=("deal_started",)):
        assert entry.unit is not None
        starts[entry.unit, entry.body["deal"]] = entry.body["begin"]
    for (unit, number), begin in starts.items():
        place = state.told.place_of(unit, number)
        assert place is not None
        session, table, deal = place
        sheet = state.sheet(session, table)
        assert sheet is not None
        kept = sheet.kept_before(deal)
        assert kept is None or {**begin, **kept} == begin


@pytest.mark.slow
def test_winners_of_all_tables_move_on_together(tmp_path: Path) -> None:
    """CUM-8.2: after every hand the winner goes to the next table, after a stale one North."""
    path = tmp_path / "evening.journal"
    report = rehearse(path, evening("cumberland-evening", 25), 12, 5)
    assert report.problems == ()
    moved = bodies(path, "winners_moved")
    assert [one["deal"] for one in moved] == list(range(1, len(moved) + 1))
    assert len(moved) > 2
    state = EventState().apply_all(read_journal(path))
    sheets = state.sessions[1].tables
    for one in moved:
        left = {(move["table"], move["seat"]) for move in one["moves"]}
        assert left == {(move["to_table"], move["to_seat"]) for move in one["moves"]}
        for move in one["moves"]:
            deal = sheets[move["table"] - 1].deals[one["deal"]]
            wanted = deal.winners[0] if deal.winners else (deal.dealer + 3) % 4
            assert (move["seat"], move["player"]) == (wanted, deal.players[wanted])
            after = sheets[move["to_table"] - 1].deals.get(one["deal"] + 1)
            assert after is None or after.players[move["to_seat"]] == move["player"]
    # Nobody begins a deal before all tables have played the one before.
    ended: dict[int, int] = defaultdict(int)
    begun = []
    for entry in read_journal(path, kinds=("deal_started", "deal_result", "result_recorded")):
        number = entry.body["deal"]
        if entry.unit is not None:
            place = state.told.place_of(entry.unit, number)
            assert place is not None
            number = place[2]
        if entry.kind == "deal_started":
            begun.append((number, entry.at_ms))
        else:
            ended[number] = max(ended[number], entry.at_ms)
    assert all(at_ms >= ended[number - 1] for number, at_ms in begun if number > 1)
    points = [sum(deal.points) for sheet in sheets for deal in sheet.counted()]
    assert any(points), "scores are written down, and sum to no zero (CUM-6.1)"
    assert not standings(state).rows[0].table_points


def test_the_rounds_of_a_game_end_its_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CUM-8.2: here two hands are a game."""
    (tmp_path / "club.toml").write_text('base = "cumberland"\nsession_hands = 2\n')
    (tmp_path / "evening.toml").write_text('base = "cumberland-evening"\nruleset = "club.toml"\n')
    monkeypatch.chdir(tmp_path)
    report = rehearse(tmp_path / "day", rehearsal_format(load_format("evening.toml"), 1), 4, 2)
    assert report.problems == ()
    results = bodies(tmp_path / "day", "deal_result")
    assert [one.get("session_over", False) for one in results] == [False] * (len(results) - 1) + [True]
    assert results[-2]["kept"]["hands_played"] == 1
    assert results[0]["record"]["options"] == {"session_hands": 2}


def test_the_command_prints_what_it_came_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short.toml").write_text('base = "balsall-evening"\ndeals = 2\n')
    monkeypatch.chdir(tmp_path)
    command(None, players=4, sessions=1, chosen="short.toml", seed=1, as_json=True)
    record = json.loads(capsys.readouterr().out)
    assert (record["deals"], record["problems"], record["players"]) == (2, [], 4)


def test_a_game_that_no_bots_play_and_a_format_that_does_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    path.write_text('base = "hong-kong-club"\nruleset = "bridge"\n')
    with pytest.raises(BadInput, match="'bridge' is no ruleset"):
        command(None, players=4, sessions=1, chosen=str(path), seed=1)
    path.write_text('base = "hong-kong-club"\nmachine_fault = "keep"\n')
    with pytest.raises(BadInput, match="only Sichuan scores a deal that was not ended"):
        command(None, players=4, sessions=1, chosen=str(path), seed=1)
