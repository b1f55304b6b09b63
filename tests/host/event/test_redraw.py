"""A draw that is begun anew: it never takes away what was played, and nobody who has left gets a seat by it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.event.test_event_cli import Result, run  # noqa: F401 - the fixture
from wallwright.event.store import read_event
from wallwright.journal import Journal, read_journal
from wallwright.season.extract_check import check_extract

Run = Callable[..., Result]
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Fi", "Gu", "Ha")


@pytest.fixture
def drawn(run: Run, tmp_path: Path) -> Run:  # noqa: F811
    """Eight players with seats, and a second commitment that waits."""
    (tmp_path / "players.csv").write_text("Name\n" + "\n".join(NAMES) + "\n")
    for line in ("new w", "players import w players.csv", "draw commit w", "draw reveal w"):
        run(line)
    run("draw commit w --reason 'second thoughts'")
    return run


def play_and_publish(do: Run) -> None:
    do("start w 1")
    play_on(do)


def play_on(do: Run) -> None:
    for table in (1, 2):
        do(f"result w 1 {table} --points 8,-8,0,0 --reason x")
    do("stop w 1 --reason x")
    for table in (1, 2):
        do(f"sign-off w 1 {table}")
    do("publish w 1")


def seats_of(do: Run, session: int = 1) -> str:
    return do(f"seats w {session}").out


def totals(do: Run) -> list[str]:
    rows = map(json.loads, do("standings w --json").out.splitlines())
    return sorted(row["total"] for row in rows)


def test_no_session_begins_while_another_draw_of_its_seats_waits(drawn: Run) -> None:
    for line in ("start w 1 --open", "start w 1"):
        said = drawn(line, 6).err
        assert "another draw for session 1 is begun; reveal its seed, or withdraw it for a reason" in said
    drawn("draw reveal w")
    drawn("start w 1")


def test_a_commitment_is_withdrawn_and_the_draw_before_it_stands(drawn: Run, tmp_path: Path) -> None:
    before, transcript = seats_of(drawn), drawn("draw show w").out
    drawn("draw add w Ann '4 2'")
    assert "for a reason" in drawn("draw withdraw w", 6).err
    assert "The seats that were drawn before stay." in drawn("draw withdraw w --reason 'the first one was right'").out
    assert (seats_of(drawn), drawn("draw show w").out) == (before, transcript)
    assert "seats from the lots" in drawn("draw verify w").out
    assert not list(tmp_path.glob("*-seed-*")), "nobody keeps the seed of a draw that was given up"
    for line in ("draw reveal w", "draw add w Bo 3", "draw withdraw w --reason again"):
        assert "no commitment that waits" in drawn(line, 6).err
    given_up = read_event(str(tmp_path / "w")).draws["main"].earlier
    assert [reason for _, reason in given_up] == ["the first one was right"]
    play_and_publish(drawn)
    assert totals(drawn) == ["-8", "-8", "0", "0", "0", "0", "8", "8"]
    assert "nothing contradicts itself" in drawn("check w").out


def test_a_session_that_is_opened_keeps_its_seats(drawn: Run) -> None:
    drawn("draw withdraw w --reason 'the first one was right'")
    drawn("start w 1 --open")
    assert "session 1 of this draw has been opened" in drawn("draw commit w --reason again", 6).err
    drawn("start w 1 --put-back")
    drawn("draw commit w --reason 'put back before anybody sat down'")
    drawn("draw reveal w")
    drawn("start w 1")


def test_a_first_commitment_is_withdrawn_and_the_list_is_free_again(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "seven.csv").write_text("Name\n" + "\n".join(NAMES[:7]) + "\n")
    (tmp_path / "eight.csv").write_text("Name\n" + "\n".join(NAMES) + "\n")
    for line in ("new w", "players import w seven.csv", "draw commit w --stand-ins"):
        run(line)
    assert "add single players" in run("players import w eight.csv", 6).err
    assert "No draw is begun now." in run("draw withdraw w --reason 'Ha was forgotten'").out
    assert "Stand-in" not in run("players list w").out
    run("players import w eight.csv")
    run("draw commit w")
    assert [reason for _, reason in read_event(str(tmp_path / "w")).draws["main"].earlier] == ["Ha was forgotten"]
    run("draw reveal w")
    assert all(name in seats_of(run) for name in NAMES)


@pytest.mark.parametrize("end", ["draw withdraw w --reason 'as it was'", "draw commit w --reason 'Ann is ill' --byes"])
def test_who_withdraws_while_another_draw_waits_has_no_seat(drawn: Run, end: str) -> None:
    said = drawn("players withdraw w Ann --reason ill").out
    assert "the commitment to another draw is given up; commit to another seed, or withdraw it" in said
    assert "session 1, table " in said
    assert all("Ann" not in seats_of(drawn, session) for session in range(1, 6))
    assert "the seats that were drawn before stay" in drawn("draw reveal w", 6).err
    drawn(end)
    if "commit" in end:
        drawn("draw reveal w")
    assert all("Ann" not in seats_of(drawn, session) for session in range(1, 6))
    assert "nothing contradicts itself" in drawn("check w").out
    drawn("start w 1")


def test_who_comes_or_returns_while_another_draw_waits_gets_a_seat(drawn: Run) -> None:
    drawn("players withdraw w Ann --reason ill")
    assert "session 1, table " in drawn("players return w Ann --reason well").out
    assert "session 1: Ida at the extra table 3" in drawn("players add w Ida --reason late").out
    drawn("draw withdraw w --reason 'as it was'")
    assert all(name in seats_of(drawn) for name in (*NAMES, "Ida"))
    drawn("start w 1")


def written_by_others(place: Path, *facts: tuple[str, dict]) -> None:
    """Append entries as a program does that asks nothing."""
    at_ms = max(entry.at_ms for entry in read_journal(place))
    with Journal(place) as journal:
        for kind, body in facts:
            journal.append(kind, body, at_ms=at_ms)


def begin_before(place: Path) -> None:
    """Start session 1 as a program did that did not ask whether a commitment waits."""
    moves = ({"session": 1, "trigger": trigger, "reason": ""} for trigger in ("open", "start"))
    written_by_others(place, *(("session_moved", body) for body in moves))


def old_redraw(tmp_path: Path, do: Run) -> tuple[tuple[str, dict], tuple[str, dict]]:
    """What a reveal has written for the same event, drawn with another seed."""
    shutil.copy(tmp_path / "w", tmp_path / "other")
    do("draw commit other --reason again")
    do("draw reveal other")
    first, second = list(read_journal(tmp_path / "other"))[-2:]
    return (first.kind, dict(first.body)), (second.kind, dict(second.body))


def test_an_old_journal_in_which_a_reveal_wiped_a_published_session_keeps_it(drawn: Run, tmp_path: Path) -> None:
    revealed, planned = old_redraw(tmp_path, drawn)
    seats = seats_of(drawn)
    begin_before(tmp_path / "w")
    play_on(drawn)
    before = totals(drawn)
    opened = {"session": 1, "trigger": "open", "reason": ""}
    scored = {"session": 1, "table": 1, "deal": 1, "dealer": 0, "points": [1, -1, 0, 0], "penalties": [], "winners": []}
    written_by_others(
        tmp_path / "w",
        revealed,
        planned,
        ("session_moved", opened),
        ("result_recorded", scored | {"next_dealer": 0}),
    )
    assert totals(drawn) == before == ["-8", "-8", "0", "0", "0", "0", "8", "8"]
    assert seats_of(drawn) == seats
    assert "under appeal" in drawn("sessions w").out
    told = drawn("check w --json", 1).record["findings"]
    assert isinstance(told, list)
    assert "session 1 was opened although another draw of its seats is begun" in told[0]
    assert [line.split()[2] for line in told[1:]] == [
        "(draw_revealed)",
        "(seats_planned)",
        "(session_moved)",
        "(result_recorded)",
    ]
    assert all("passed over, and what is there stays: " in line for line in told[1:])
    assert "session 1 of this draw has been opened, so its seats stay as they are" in told[1]
    drawn("draw withdraw w --reason 'it was forgotten'")
    assert "seats from the lots" in drawn("draw verify w").out
    drawn("finalise w 1 --reason 'nobody appeals'")
    drawn("extract w w.extract")
    day = check_extract((tmp_path / "w.extract").read_bytes(), "w.extract").day
    assert sorted(str(row.total) for row in day.standings) == before, "a season counts what was kept"


def test_an_old_journal_with_a_commitment_that_waits_since_before_play_says_so(drawn: Run, tmp_path: Path) -> None:
    begin_before(tmp_path / "w")
    said = drawn("check w", 1).out
    assert "session 1 was opened although another draw of its seats is begun; withdraw that draw" in said
    assert "withdraw the commitment that waits" in drawn("draw reveal w", 6).err
    drawn("draw withdraw w --reason 'it was forgotten'")
    assert "nothing contradicts itself" in drawn("check w").out


def test_check_finds_a_seat_of_somebody_who_has_withdrawn(drawn: Run, tmp_path: Path) -> None:
    drawn("draw withdraw w --reason 'the first one was right'")
    written_by_others(tmp_path / "w", ("player_withdrawn", {"player": 1, "reason": "ill"}))
    said = drawn("check w", 1).out
    assert said.count("Ann has withdrawn and has a seat; let a substitute take it") == 5
    assert "Ann has withdrawn and has a seat at table" in drawn("start w 1", 6).err
    for session in range(1, 6):
        drawn(f"substitute w {session} Ann Zed --reason 'Ann is ill'")
    assert "nothing contradicts itself" in drawn("check w").out
    drawn("start w 1")
