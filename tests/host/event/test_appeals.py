"""What waits for somebody who may decide it: appeals, and results that a scorer may not enter alone."""

import re
from pathlib import Path
from random import Random

import pytest

from wallwright.backup.archive import back_up, restore
from wallwright.errors import EventRefused
from wallwright.event import appeals, results, running, setup
from wallwright.event.disclosure import EVERYBODY
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.sheets import appeal_rows, result_rows, to_csv
from wallwright.event.standings import standings
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event
from wallwright.journal import verify_journal

from .paper import SEED, Paper, declared

OUT_OF_TURN = 1


def played() -> Paper:
    """An event whose first session is provisional."""
    paper = Paper().draw()
    paper.play_session(1)
    return paper


def irregular(paper: Paper, *, approved: bool) -> int:
    """Enter a deal at table 1 whose dealer it was not the turn of."""
    record, _ = declared(paper.desk.format.sichuan, OUT_OF_TURN, Random(2))
    shown = results.preview(paper.desk, 1, 1, record)
    assert shown.irregular
    return results.record_result(paper.desk, shown, "they sat down wrongly", approved=approved)


def test_a_session_is_not_final_while_an_appeal_is_open() -> None:
    paper = played()
    player = paper.state.sessions[1].tables[1].players[2]
    number = appeals.file_appeal(paper.desk, 1, player, "a kong was forgotten", table=2, deal=1)
    running.publish(paper.desk, 1)
    paper.tick(31)
    name = paper.state.name(player)
    with pytest.raises(EventRefused, match=f"appeal {number} of {name} about session 1, table 2, deal 1 is open"):
        running.finalise(paper.desk, 1, "a reason does not help")
    before = standings(paper.state, EVERYBODY)
    with pytest.raises(EventRefused, match="a ruling has words"):
        appeals.decide(paper.desk, number, upheld=True, ruling=" ")
    appeals.decide(paper.desk, number, upheld=False, ruling="it was not declared")
    assert standings(paper.state, EVERYBODY) == before, "a decision changes no result"
    running.finalise(paper.desk, 1)
    with pytest.raises(EventRefused, match=f"no open appeal {number}; open are none"):
        appeals.decide(paper.desk, number, upheld=True, ruling="after all")
    known = paper.again().appeals[number]
    assert (known.upheld, known.ruling, known.decided_by) == (False, "it was not declared", "Ref")


def test_another_sessions_appeal_is_in_nobodys_way() -> None:
    paper = played()
    running.publish(paper.desk, 1)
    paper.play_session(2)
    appeals.file_appeal(paper.desk, 2, 1, "too dark")
    running.finalise(paper.desk, 1, "nobody appeals")
    assert paper.state.sessions[1].state == "final"


@pytest.mark.parametrize(
    ("session", "player", "text", "about", "why"),
    [
        (2, 1, "late", {}, "session 2 is planned; appeals are filed from the last signature"),
        (9, 1, "late", {}, "session 9 has no seats"),
        (1, 99, "late", {}, "player 99 has no part"),
        (1, 1, "  ", {}, "write that down"),
        (1, 1, "late", {"deal": 1}, "at which table"),
        (1, 1, "late", {"table": 3}, "there is no 3"),
        (1, 1, "late", {"table": 1, "deal": 9}, "no result of deal 9"),
    ],
)
def test_an_appeal_is_about_something_that_there_is(
    session: int, player: int, text: str, about: dict[str, int], why: str
) -> None:
    paper = played()
    lines = len(paper.log.lines)
    with pytest.raises(EventRefused, match=re.escape(why)):
        appeals.file_appeal(paper.desk, session, player, text, **about)
    assert len(paper.log.lines) == lines


def test_an_appeal_is_too_late_when_the_session_is_final() -> None:
    paper = played()
    running.publish(paper.desk, 1)
    running.finalise(paper.desk, 1, "nobody appeals")
    with pytest.raises(EventRefused, match="session 1 is final"):
        appeals.file_appeal(paper.desk, 1, 1, "too late")


def test_what_a_scorer_enters_out_of_order_counts_and_waits() -> None:
    paper = Paper().draw().start()
    irregular(paper, approved=False)
    sheet = paper.desk.sheet(1, 1)
    assert sheet.unapproved == (1,)
    assert sheet.points() == sheet.deals[1].points != (0, 0, 0, 0)
    paper.tick(60)
    running.stop_session(paper.desk, 1)
    with pytest.raises(EventRefused, match="a referee has to approve deal 1 of table 1"):
        running.sign_off(paper.desk, 1, 1)
    with pytest.raises(EventRefused, match=r"\[7\] do not wait to be approved; waiting are 1"):
        results.approve(paper.desk, 1, 1, [7])
    assert results.approve(paper.desk, 1, 1) == (1,)
    with pytest.raises(EventRefused, match="nothing at table 1"):
        results.approve(paper.desk, 1, 1)
    running.sign_off(paper.desk, 1, 1)
    assert paper.again().sessions == paper.state.sessions


def test_what_a_referee_enters_out_of_order_is_approved_with_it() -> None:
    paper = Paper().draw().start()
    irregular(paper, approved=True)
    assert paper.desk.sheet(1, 1).unapproved == ()


def test_what_a_scorer_enters_in_order_waits_for_nobody() -> None:
    paper = Paper().draw().start()
    record, _ = declared(paper.desk.format.sichuan, 0, Random(1))
    results.record_result(paper.desk, results.preview(paper.desk, 1, 1, record), approved=False)
    assert paper.desk.sheet(1, 1).unapproved == ()


@pytest.mark.parametrize("mended_by", ["approval", "correction", "ruling", "void"])
def test_a_correction_waits_also_where_all_have_signed(mended_by: str) -> None:
    paper = played()
    record, _ = declared(paper.desk.format.sichuan, 0, Random(5))
    results.correct(paper.desk, 1, 2, 1, record, "a kong was missed", approved=False)
    with pytest.raises(EventRefused, match="approve deal 1 of table 2"):
        running.publish(paper.desk, 1)
    if mended_by == "approval":
        results.approve(paper.desk, 1, 2)
    elif mended_by == "correction":
        results.correct(paper.desk, 1, 2, 1, record, "seen by the referee")
    elif mended_by == "ruling":
        results.correct_points(paper.desk, 1, 2, 1, (8, -8, 0, 0), "as it stood")
    else:
        results.void(paper.desk, 1, 2, 1, "a tile was missing")
    running.publish(paper.desk, 1)
    assert paper.again().sessions == paper.state.sessions


def test_a_session_is_not_final_while_a_correction_waits() -> None:
    paper = played()
    running.publish(paper.desk, 1)
    record, _ = declared(paper.desk.format.sichuan, 0, Random(5))
    results.correct(paper.desk, 1, 2, 1, record, "a kong was missed", approved=False)
    paper.tick(31)
    with pytest.raises(EventRefused, match="approve deal 1 of table 2"):
        running.finalise(paper.desk, 1)


def test_papers_keep_the_embargo_and_say_what_waits() -> None:
    paper = played()
    number = appeals.file_appeal(paper.desk, 1, 3, "=SUM(A1)")
    record, _ = declared(paper.desk.format.sichuan, 0, Random(5))
    results.correct(paper.desk, 1, 2, 1, record, "a kong was missed", approved=False)
    assert appeal_rows(paper.state, EVERYBODY) == []
    (row,) = appeal_rows(paper.state)
    assert (row["appeal"], row["name"], row["table"], row["decision"]) == (number, "P3", None, "open")
    assert "'=SUM(A1)" in to_csv([row])
    waiting = [(row["table"], row["deal"]) for row in result_rows(paper.state) if not row["approved"]]
    assert waiting == [(2, 1)]
    results.approve(paper.desk, 1, 2)
    running.publish(paper.desk, 1)
    assert [row["appeal"] for row in appeal_rows(paper.state, EVERYBODY)] == [number]


def test_a_backup_has_the_appeals(tmp_path: Path) -> None:
    place, again = str(tmp_path / "day.journal"), str(tmp_path / "again.journal")
    with open_event(place, "Ref", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 5))), "players.csv")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        for step in (running.open_session, running.start_session):
            step(desk, 1)
        running.stop_session(desk, 1, "no time")
        running.sign_off(desk, 1, 1)
        number = appeals.file_appeal(desk, 1, 2, "no deal was played", table=1)
    back_up(place, tmp_path / "day.backup")
    restore(tmp_path / "day.backup", again)
    assert verify_journal(again).is_whole
    assert read_event(again).appeals == read_event(place).appeals
    assert read_event(again).appeals[number].text == "no deal was played"
