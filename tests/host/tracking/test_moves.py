"""A tracked deal in the journal: scored again from it, printed move by move, and secret until then."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wallwright.cli.program import app
from wallwright.journal import Journal, read_journal
from wallwright.journal.kinds import plain, read_record, stored
from wallwright.journal.replay import replay_entries
from wallwright.rules.core.errors import NotationError
from wallwright.tracking.moves import MOVES, moves_of_deal, moves_record, read_deal, read_moves
from wallwright.tracking.notes import note_deal
from wallwright.tracking.outcome import Account, Notice

from .acted import act_out
from .truth import played, tracked


def account(seed: int = 2) -> Account:
    found = tracked(act_out(played(seed), seed)).account
    assert found is not None
    return found


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "hall.journal"
    with Journal(path) as log:
        for unit, number, seed in (("T-1", 3, 2), ("T-1", 4, 5), ("T-2", 3, 13)):
            start = {"dice": (3, 4)}
            note_deal(account(seed), number, log, unit=unit, clock=lambda: 5_000, start=start)
    return path


def test_a_tracked_deal_is_written_like_one_that_was_declared(journal: Path) -> None:
    replay = replay_entries(read_journal(journal))
    assert replay.agrees
    assert replay.scored == 3
    kinds = [entry.kind for entry in read_journal(journal) if entry.body["deal"] == 4]
    assert kinds[0] == "deal_started"
    assert kinds[-2:] == ["deal_result", MOVES]
    assert set(kinds[1:-2]) == {"declared"}


def test_the_moves_in_a_journal_are_enough_to_play_the_deal_again(journal: Path) -> None:
    found = {entry.unit: moves for entry, moves in moves_of_deal(read_journal(journal), 3)}
    assert found.keys() == {"T-1", "T-2"}
    for unit, seed in (("T-1", 2), ("T-2", 13)):
        assert found[unit].deal.log == account(seed).deal.log
        assert found[unit].deal.settle() == played(seed).settle()
        assert found[unit].times == account(seed).times


def test_a_deal_is_printed_move_by_move(journal: Path) -> None:
    result = CliRunner().invoke(app, ["log", "show", str(journal), "--deal", "4", "--moves"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    deal = played(5)
    assert lines[0] == "T-1"
    assert lines[1] == f"Deal 4, rules sichuan, dealer seat {deal.dealer}"
    moves = [line for line in lines if line[:4].strip().isdecimal()]
    assert [int(line[:4]) for line in moves] == list(range(1, len(deal.log) + 1))
    first_draw = next(number for number, action in enumerate(deal.log) if action.verb == "draw")
    assert f"seat {deal.log[first_draw].seat} draws" in moves[first_draw]
    assert " s  seat" in moves[first_draw]
    points = deal.settle().points
    assert lines[-1] == f"The deal ended: {deal.end}. Points: " + ", ".join(
        f"seat {seat} {points[seat]:+d}" for seat in range(4)
    )


def test_moves_as_json_lines_have_the_settlement(journal: Path) -> None:
    result = CliRunner().invoke(app, ["log", "show", str(journal), "--deal", "3", "--moves", "--json"])
    assert result.exit_code == 0, result.output
    records = [json.loads(line) for line in result.output.splitlines()]
    assert [record["unit"] for record in records] == ["T-1", "T-2"]
    assert records[1]["actions"] == [str(action) for action in account(13).deal.log]
    assert records[1]["settlement"]["points"] == list(played(13).settle().points)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--deal", "9", "--moves"], "deal 9: no table has tracked it"),
        (["--moves"], "--deal and --moves go together"),
        (["--deal", "3"], "--deal and --moves go together"),
    ],
)
def test_what_cannot_be_printed_is_said(journal: Path, options: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["log", "show", str(journal), *options])
    assert result.exit_code != 0
    assert words in result.output + str(result.exception)


def test_a_later_record_of_a_deal_replaces_those_before_it(journal: Path) -> None:
    notices = [Notice(70_000, "the hand of seat 1 was not read"), Notice(None, "two tags are not enrolled")]
    said = moves_record(4, account(5), notices)
    with Journal(journal) as log:
        log.append(*stored(said), at_ms=6_000, unit="T-1")
    ((entry, moves),) = moves_of_deal(read_journal(journal), 4)
    assert entry.at_ms == 6_000
    assert list(moves.notices) == notices


def test_a_record_that_was_changed_is_refused() -> None:
    body = plain(moves_record(3, account()))
    for changed in (
        {**body, "times": body["times"][1:]},
        {**body, "text": body["text"].replace("draw", "drow", 1)},
        {key: value for key, value in body.items() if key != "text"},
    ):
        with pytest.raises(NotationError, match="verify the journal"):
            read_moves(read_record(MOVES, changed), read_deal)


def test_a_journal_without_moves_has_none_to_show(tmp_path: Path) -> None:
    with Journal(tmp_path / "plain.journal") as log:
        log.append("deal_started", {"deal": 1}, at_ms=1)
    assert list(moves_of_deal(read_journal(tmp_path / "plain.journal"), 1)) == []
