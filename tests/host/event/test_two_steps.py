"""Acts of two steps, by the command line: between the steps somebody else changes what the first one looked at."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.host.event.test_event_cli import DEAL, PLAYERS, Result, run  # noqa: F401 - the fixture
from tests.host.event.test_redraw import written_by_others
from wallwright.event import results
from wallwright.event.store import open_event, read_event

Run = Callable[..., Result]
FINAL = """base = "chengdu-grand-prix"
name = "with a final"
sessions = 1
best_of = []
final_players = 4
final_sessions = 1
"""


@pytest.fixture
def playing(run: Run, tmp_path: Path) -> Run:  # noqa: F811
    """Session 1 runs at two tables."""
    (tmp_path / "players.csv").write_text(PLAYERS)
    (tmp_path / "deal.json").write_text(json.dumps(DEAL))
    for line in ("new w", "players import w players.csv", "draw commit w", "draw reveal w", "start w 1"):
        run(line)
    return run


def points(do: Run, table: int, text: str) -> None:
    do(f"result w 1 {table} --points {text} --reason 'as it stands'")


def play_out(do: Run) -> None:
    """Points 8, -8, 0, 0 at both tables, signed and published."""
    for table in (1, 2):
        points(do, table, "8,-8,0,0")
    do("stop w 1 --reason 'a short day'")
    for table in (1, 2):
        do(f"sign-off w 1 {table}")
    do("publish w 1")


def at_seat(place: Path, session: int, table: int, seat: int) -> str:
    state = read_event(str(place))
    return state.name(state.sessions[session].tables[table - 1].players[seat])


def entered_by_a_scorer(place: Path, deal: int = 0) -> int:
    """A false Hu, which waits for a referee; it corrects a deal, or is the next one. Return its entry."""
    record: dict[str, Any] = {
        "events": [{"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "value": 1 + deal}]}]
    }
    record |= {"end": "time_up", "hands": [{"seat": seat, "value": 0} for seat in (1, 2, 3)]}
    with open_event(str(place), "sam") as desk:
        shown = results.preview(desk, 1, 1, record, deal or None)
        return results.record_result(desk, shown, "sam has seen it", approved=False)


def test_a_result_that_was_shown_is_not_entered_beside_one_that_came_meanwhile(
    playing: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer_late(_: str) -> bool:
        monkeypatch.setattr(typer, "confirm", lambda _: True)
        points(playing, 1, "8,-8,0,0")
        return True

    monkeypatch.setattr(typer, "confirm", answer_late)
    assert "deal 1 of table 1 has a result; correct that one" in playing("result w 1 1 --declared deal.json", 6).err
    (row,) = [one for one in rows(playing("sessions w 1 --json").out) if one["table"] == 1]
    assert row["deals"] == 1


def rows(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_result_is_approved_only_as_it_was_looked_at(playing: Run, tmp_path: Path) -> None:
    first = entered_by_a_scorer(tmp_path / "w")
    assert rows(playing("sessions w 1 --json").out)[0]["to_approve"] == f"1:{first}"
    second = entered_by_a_scorer(tmp_path / "w", deal=1)
    said = playing(f"approve w 1 1 1:{first}", 6).err
    assert f"deal 1 of table 1 has the result of entry {second} by now, not of {first}; look at it again" in said
    assert rows(playing("sessions w 1 --json").out)[0]["to_approve"] == f"1:{second}", "nothing was approved"
    assert "write its number, or number:entry" in playing("approve w 1 1 first", 2).err
    assert "Approved: deals 1." in playing(f"approve w 1 1 1:{second}").out
    playing("correct w 1 1 1 --void --reason 'the wall fell'")
    assert "do not wait to be approved" in playing(f"approve w 1 1 1:{second}", 6).err


def test_a_table_that_has_signed_takes_no_result_and_no_substitute(playing: Run, tmp_path: Path) -> None:
    out = at_seat(tmp_path / "w", 1, 1, 0)
    points(playing, 1, "8,-8,0,0")
    playing("stop w 1 --reason 'a short day'")
    playing("sign-off w 1 1")
    assert "has signed its results" in playing("result w 1 1 --points 1,-1,0,0 --reason x", 6).err
    assert "has signed its results" in playing("annul w 1 1 --reason x", 6).err
    assert "has no seat in session 1 that could be taken" in playing(f"substitute w 1 '{out}' Zed --reason x", 6).err
    assert "take the signature back first" in playing("resume w 1 --reason x", 6).err


def test_an_appeal_is_decided_once_and_before_its_session_is_final(playing: Run, tmp_path: Path) -> None:
    play_out(playing)
    who = at_seat(tmp_path / "w", 1, 1, 1)
    filed = playing(f"appeal file w 1 '{who}' --table 1 --deal 1 --reason 'a kong was missed' --json").record["appeal"]
    assert f"appeal {filed} of {who}" in playing("finalise w 1 --reason 'nobody appeals'", 6).err
    playing("correct w 1 1 1 --void --reason 'the wall had fallen'")
    playing(f"appeal decide w {filed} --upheld --reason 'it was'")
    again = playing(f"appeal decide w {filed} --dismissed --reason 'it was not'", 6).err
    assert f"there is no open appeal {filed}" in again
    assert rows(playing("appeal list w --json").out)[0]["decision"] == "upheld"
    playing("finalise w 1 --reason 'nobody else appeals'")
    late = playing(f"appeal file w 1 '{who}' --table 1 --deal 1 --reason 'and another one'", 6).err
    assert "appeals are filed from the last signature until it is final" in late


def test_a_penalty_is_withdrawn_once(playing: Run, tmp_path: Path) -> None:
    who = at_seat(tmp_path / "w", 1, 1, 0)
    given = playing(f"penalty give w '{who}' points --amount 5 --session 1 --reason late --json").record["penalty"]
    playing(f"penalty withdraw w {given} --reason 'was not late'")
    assert "that stands" in playing(f"penalty withdraw w {given} --reason 'another reason'", 6).err


def test_who_has_withdrawn_gets_no_seat_by_a_substitution(playing: Run, tmp_path: Path) -> None:
    out, gone = at_seat(tmp_path / "w", 1, 1, 0), at_seat(tmp_path / "w", 1, 1, 1)
    playing(f"players withdraw w '{gone}' --reason ill")
    assert "has withdrawn; let them return first" in playing(f"substitute w 1 '{out}' '{gone}' --reason x", 6).err
    assert gone not in [at_seat(tmp_path / "w", 1, table, seat) for table in (1, 2) for seat in range(4)]


def test_a_table_whose_player_has_left_does_not_play_on(playing: Run, tmp_path: Path) -> None:
    """Time was up, so the four kept their seats; then the session is to go on after all."""
    for table in (1, 2):
        points(playing, table, "8,-8,0,0")
    playing("add-time w 1 --reason 'the hall closes' -- -60")
    gone = at_seat(tmp_path / "w", 1, 1, 0)
    playing(f"players withdraw w '{gone}' --reason ill")
    assert at_seat(tmp_path / "w", 1, 1, 0) == gone
    assert "nothing contradicts itself" in playing("check w").out
    said = f"{gone} has withdrawn and has a seat at table 1 in session 1; let a substitute take it"
    assert said in playing("add-time w 1 30 --reason 'it stays open'", 6).err
    playing("stop w 1")
    assert said in playing("resume w 1 --reason 'it stays open'", 6).err
    playing(f"substitute w 1 '{gone}' Zed --reason 'is ill'")
    playing("resume w 1 --reason 'it stays open'")
    playing("add-time w 1 30 --reason 'it stays open'")


@pytest.mark.parametrize("step", ["annul w 1 1", "sign-off w 1 1 --take-back"])
def test_a_table_whose_player_has_left_gets_no_deal_back(playing: Run, tmp_path: Path, step: str) -> None:
    """All deals were played, or time was up and the table had signed; then it has one to play again."""
    if "annul" in step:
        for _ in range(10):
            points(playing, 1, "8,-8,0,0")
    else:
        points(playing, 1, "8,-8,0,0")
        playing("add-time w 1 --reason 'the hall closes' -- -60")
        playing("sign-off w 1 1")
    gone = at_seat(tmp_path / "w", 1, 1, 0)
    playing(f"players withdraw w '{gone}' --reason ill")
    if "annul" not in step:
        playing("add-time w 1 60 --reason 'it stays open'")
    said = f"{gone} has withdrawn and has a seat at table 1 in session 1; let a substitute take it"
    assert said in playing(f"{step} --reason 'it was a mistake'", 6).err
    playing("stop w 1 --reason 'enough for today'")
    assert "nothing contradicts itself" in playing("check w").out, "it plays no more, so the four stay"
    playing(f"{step} --reason 'it was a mistake'")
    assert said in playing("resume w 1 --reason 'it stays open'", 6).err


def test_a_deal_that_is_played_again_is_theirs_who_sit_there_now(playing: Run, tmp_path: Path) -> None:
    for _ in range(2):
        points(playing, 1, "8,-8,0,0")
    gone = at_seat(tmp_path / "w", 1, 1, 0)
    playing(f"substitute w 1 '{gone}' Zed --reason 'is ill'")
    playing("annul w 1 1 --reason 'the lift is stuck'")
    points(playing, 1, "4,-4,0,0")
    totals = {one["name"]: one["total"] for one in rows(playing("standings w --for live --json").out)}
    assert (totals[gone], totals["Zed"]) == ("8", "4")
    for deal in (1, 2):
        playing(f"correct w 1 1 {deal} --void --reason 'a wall fell over'")
    left = rows(playing("sessions w 1 --json").out)[0]["left"]
    assert left == [f"{gone} +0"]


def test_a_signature_is_not_taken_back_while_another_session_plays(playing: Run) -> None:
    play_out(playing)
    playing("start w 2")
    said = playing("sign-off w 1 1 --take-back --reason 'a kong was missed'", 6).err
    assert "session 2 is running; it has to be signed off first" in said
    assert rows(playing("sessions w --json").out)[0]["state"] == "under appeal"


def test_the_final_is_played_by_those_whom_final_results_send_there(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "final.toml").write_text(FINAL)
    (tmp_path / "players.csv").write_text(PLAYERS)
    for line in ("new w --format final.toml", "players import w players.csv", "draw commit w", "draw reveal w"):
        run(line)
    run("start w 1")
    for table in (1, 2):
        points(run, table, "8,4,-4,-8")
    run("stop w 1 --reason 'a short day'")
    for table in (1, 2):
        run(f"sign-off w 1 {table}")
    run("publish w 1")
    assert "are not final yet" in run("draw commit w --stage final", 6).err
    run("finalise w 1 --reason 'nobody appeals'")
    best = at_seat(tmp_path / "w", 1, 1, 0)
    run("draw commit w --stage final")
    run("draw reveal w --stage final")
    run("correct w 1 1 1 --points=-8,4,-4,8 --reason 'the seats were read the wrong way round'")
    assert "are not final yet" in run("start w 2", 6).err
    run("finalise w 1 --reason 'nobody appeals'")
    said = run("start w 2", 6).err
    assert f"{best} was drawn for the final, and is not among its players since a result was changed" in said
    run("draw commit w --stage final --reason 'a result was corrected'")
    run("draw reveal w --stage final")
    assert best not in run("seats w 2").out
    run("start w 2")
    assert "session 2 of this draw has been opened" in run("draw commit w --stage final --reason x", 6).err


def test_a_finalist_withdraws_before_the_seats_of_the_final_are_drawn(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "final.toml").write_text(FINAL)
    (tmp_path / "players.csv").write_text(PLAYERS)
    for line in ("new w --format final.toml", "players import w players.csv", "draw commit w", "draw reveal w"):
        run(line)
    run("start w 1")
    play_out(run)
    run("finalise w 1 --reason 'nobody appeals'")
    run("draw commit w --stage final")
    best = at_seat(tmp_path / "w", 1, 1, 0)
    run(f"players withdraw w '{best}' --reason ill")
    assert "players have changed since" in run("draw reveal w --stage final", 6).err
    run("draw commit w --stage final --reason 'one of them is ill'")
    run("draw reveal w --stage final")
    assert best not in run("seats w 2").out
    run("start w 2")


def test_a_board_stands_at_one_table(playing: Run) -> None:
    playing("bind w 1 U1 --reason x")
    assert "unit U1 stands at table 1; take it away from there first" in playing("bind w 2 U1 --reason x", 6).err


def test_a_backup_is_restored_beside_what_is_there(playing: Run) -> None:
    playing("backup w w.backup")
    play_out(playing)
    before = playing("standings w --json").out
    assert "is there already and was left alone" in playing("restore w w.backup", 2).err
    assert playing("standings w --json").out == before


def test_a_list_of_players_comes_too_late_for_seats_wherever_it_is_written(playing: Run, tmp_path: Path) -> None:
    assert "add single players" in playing("players import w players.csv", 6).err
    others = [{"number": n, "name": f"Q{n}", "club": "", "stand_in": False} for n in range(1, 9)]
    written_by_others(tmp_path / "w", ("players_imported", {"roster": {"players": others, "apart": []}, "source": "x"}))
    assert "P1 has number 1 and a seat, and this list does not" in playing("check w", 1).out
    assert "Q1" not in playing("players list w").out
