"""Players who come late, are renamed, withdraw and return: before, in the middle of and after the draw."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.host.event.paper import SEED, Paper
from wallwright.errors import EventRefused
from wallwright.event import entries, running, setup
from wallwright.event.format_file import load_format
from wallwright.event.standings import standings
from wallwright.event.state_parts import MAIN

CHENGDU = load_format("chengdu-grand-prix")


def seats_of(paper: Paper, player: int) -> dict[int, tuple[int, int]]:
    """By session: table and seat."""
    return {
        session.number: (sheet.table, sheet.players.index(player))
        for session in paper.state.sessions.values()
        for sheet in session.tables
        if player in sheet.players
    }


def check(paper: Paper) -> None:
    """Nobody sits twice in a session, a host that starts now knows the same, and the draw still follows."""
    for session in paper.state.sessions.values():
        here = Counter([*session.byes, *(one for sheet in session.tables for one in sheet.players)])
        assert max(here.values()) == 1
        assert not set(here) & set(paper.state.withdrawn) or session.state not in ("planned", "open")
    again = paper.again()
    for number, session in paper.state.sessions.items():
        assert [sheet.players for sheet in again.sessions[number].tables] == [one.players for one in session.tables]
        assert again.sessions[number].byes == session.byes
    assert (again.roster, again.withdrawn, again.changes) == (
        paper.state.roster,
        paper.state.withdrawn,
        paper.state.changes,
    )
    if paper.state.draws and paper.state.draws[MAIN].lots:
        assert setup.plans_agree(paper.state, MAIN)


def test_before_the_draw_players_come_and_go() -> None:
    paper = Paper(8)
    number, lines = entries.add_player(paper.desk, " Zoë ", "Club")
    assert (number, lines) == (9, ())
    entries.withdraw_player(paper.desk, 3, "has no time")
    assert [one for one, _ in setup.stage_players(paper.desk, MAIN)] == [1, 2, 4, 5, 6, 7, 8, 9]
    paper.draw()
    assert sorted(paper.state.draws[MAIN].lots) == [1, 2, 4, 5, 6, 7, 8, 9]
    assert all(row.player != 3 for row in standings(paper.state).rows), "who never played is not ranked"
    check(paper)


def test_stand_ins_are_counted_without_who_has_withdrawn() -> None:
    paper = Paper(9)
    entries.withdraw_player(paper.desk, 9, "is ill")
    entries.withdraw_player(paper.desk, 8, "is ill too")
    paper.draw(stand_ins=True)
    assert [(one.number, one.stand_in) for one in paper.state.roster.players][-1] == (10, True)
    assert sorted(paper.state.draws[MAIN].lots) == [*range(1, 8), 10]
    assert sorted(paper.state.withdrawn) == [8, 9]


def test_a_commitment_ends_with_a_change_of_its_players() -> None:
    paper = Paper(7)
    setup.commit_draw(paper.desk, MAIN, SEED, stand_ins=True)
    with pytest.raises(EventRefused, match="seed was committed to for the players so far; give a reason"):
        entries.add_player(paper.desk, "Late")
    number, lines = entries.add_player(paper.desk, "Late", reason="missed the train")
    assert number == 9, "the stand-in's number is not given again"
    assert [str(one) for one in lines] == ["the commitment is given up; commit to another seed"]
    with pytest.raises(EventRefused, match="players have changed since this seed"):
        setup.reveal_draw(paper.desk, MAIN, SEED)
    with pytest.raises(EventRefused, match="a seed was committed to already; give a reason"):
        setup.commit_draw(paper.desk, MAIN, b"t" * 32)
    setup.commit_draw(paper.desk, MAIN, b"t" * 32, reason="a late player")
    assert paper.state.draws[MAIN].earlier[0][1] == "a late player"
    setup.reveal_draw(paper.desk, MAIN, b"t" * 32)
    assert sorted(paper.state.draws[MAIN].lots) == [*range(1, 8), 9]
    check(paper)


def test_a_name_that_is_corrected_in_the_middle_of_the_draw_does_not_end_it() -> None:
    paper = Paper(8)
    setup.commit_draw(paper.desk, MAIN, SEED)
    entries.rename_player(paper.desk, 2, "Bo", "was misspelt")
    setup.reveal_draw(paper.desk, MAIN, SEED)
    assert dict(paper.state.draws[MAIN].players)[2] == "P2", "what was committed to stays"
    assert paper.state.name(2) == "Bo"
    check(paper)


def test_a_late_player_takes_over_all_seats_of_a_stand_in() -> None:
    paper = Paper(15).draw(stand_ins=True)
    paper.play_session(1)
    before = {session: place for session, place in seats_of(paper, 16).items() if session > 1}
    number, lines = entries.add_player(paper.desk, "Late", reason="the train was late")
    assert number == 17
    assert seats_of(paper, number) == before
    assert sorted(before) == [2, 3, 4, 5]
    assert str(lines[0]) == f"session 2, table {before[2][0]}: Late in the place of Stand-in 1"
    paper.play_session(2)
    rows = {row.player: row for row in standings(paper.state).rows}
    assert rows[17].rank is not None
    assert [score.kind for score in rows[17].sessions] == ["absent", "played"]
    assert rows[16].rank is None
    check(paper)


def test_without_a_free_place_there_is_an_extra_table() -> None:
    paper = Paper(8).draw()
    paper.start(1)
    number, lines = entries.add_player(paper.desk, "Late", reason="came late")
    assert [len(session.tables) for session in paper.state.sessions.values()] == [2, 3, 3, 3, 3]
    assert seats_of(paper, number) == dict.fromkeys((2, 3, 4, 5), (3, 0))
    stand_ins = [one for one in paper.state.players.values() if one.stand_in]
    assert len(stand_ins) == 3, "the same three sit there every time"
    assert str(lines[0]) == "session 2: Late at the extra table 3"
    second, _ = entries.add_player(paper.desk, "Later", reason="came later")
    assert seats_of(paper, second) == dict.fromkeys((2, 3, 4, 5), (3, 1))
    assert [len(session.tables) for session in paper.state.sessions.values()] == [2, 3, 3, 3, 3]
    check(paper)


def test_who_sits_out_fills_the_extra_table() -> None:
    paper = Paper(11).draw(byes=True)
    assert [len(session.byes) for session in paper.state.sessions.values()] == [3] * 5
    number, _ = entries.add_player(paper.desk, "Late", reason="came late")
    assert [session.byes for session in paper.state.sessions.values()] == [()] * 5
    assert [session.tables[2].players[3] for session in paper.state.sessions.values()] == [number] * 5
    assert not any(one.stand_in for one in paper.state.players.values())
    check(paper)


def test_the_format_says_how_late_players_are_taken() -> None:
    places = Paper(8, replace(CHENGDU, late_entry="places")).draw()
    number, lines = entries.add_player(places.desk, "Late", reason="came late")
    assert seats_of(places, number) == {}
    assert str(lines[0]) == "session 1: there is no free place for Late"
    entries.withdraw_player(places.desk, 3, "is ill")
    assert sorted(seats_of(places, number)) == [1, 2, 3, 4, 5], "who waits for a seat is the first to get one"
    check(places)
    none = Paper(8, replace(CHENGDU, late_entry="none")).draw()
    with pytest.raises(EventRefused, match="late_entry"):
        entries.add_player(none.desk, "Late", reason="came late")
    assert len(none.state.roster.players) == 8


def test_a_player_withdraws_for_the_rest_and_returns() -> None:
    paper = Paper(8).draw()
    paper.play_session(1)
    paper.start(2)
    paper.play(2, 1, 1)
    table = seats_of(paper, 5)[2][0]
    if table != 1:
        paper.play(2, table, 1)
    lines = [str(one) for one in entries.withdraw_player(paper.desk, 5, "is ill")]
    assert lines[0] == f"session 2, table {table}: Stand-in 1 in the place of P5"
    assert seats_of(paper, 5).keys() == {1}
    house = next(one.number for one in paper.state.players.values() if one.stand_in)
    assert sorted(seats_of(paper, house)) == [2, 3, 4, 5]
    assert paper.state.substitutions[0].from_deal == 2, "the deal that was played stays theirs"
    check(paper)
    rows = standings(paper.state).rows
    ranked = [row for row in rows if row.rank is not None]
    assert (ranked[-1].player, ranked[-1].note, ranked[-1].rank) == (5, "withdrawn", 8)
    assert [row.rank for row in ranked] == sorted(row.rank for row in ranked if row.rank is not None)
    entries.return_player(paper.desk, 5, "is well again")
    assert sorted(seats_of(paper, 5)) == [1, 3, 4, 5], "not in the session that is played"
    assert all(row.note != "withdrawn" for row in standings(paper.state).rows)
    check(paper)


def test_who_has_withdrawn_is_ranked_after_all_who_stay_even_when_ahead() -> None:
    paper = Paper(8).draw()
    paper.play_session(1)
    best = standings(paper.state).rows[0].player
    entries.withdraw_player(paper.desk, best, "has to leave")
    rows = standings(paper.state).rows
    assert (rows[7].player, rows[7].rank, rows[7].note) == (best, 8, "withdrawn")
    assert rows[7].total > rows[0].total


def test_who_sits_out_takes_the_seat_of_who_withdraws() -> None:
    paper = Paper(9).draw(byes=True)
    gone = next(number for number in range(1, 10) if number not in paper.state.sessions[1].byes)
    resting = [session.byes[0] for session in paper.state.sessions.values()]
    places = seats_of(paper, gone)
    entries.withdraw_player(paper.desk, gone, "is ill")
    for session, (table, seat) in places.items():
        assert paper.state.sessions[session].tables[table - 1].players[seat] == resting[session - 1]
    assert all(session.byes == () for session in paper.state.sessions.values())
    check(paper)


def test_a_table_that_has_played_all_its_deals_keeps_its_four() -> None:
    paper = Paper(8, replace(CHENGDU, deals=1)).draw()
    paper.start(1)
    for table in (1, 2):
        paper.play(1, table, 1)
    entries.withdraw_player(paper.desk, 5, "had to go")
    assert 1 in seats_of(paper, 5)
    running.stop_session(paper.desk, 1)
    check(paper)


def test_nobody_withdraws_when_nothing_is_left() -> None:
    paper = Paper(4, replace(CHENGDU, sessions=1, sessions_a_day=1, best_of=())).draw()
    paper.play_session(1)
    with pytest.raises(EventRefused, match="nothing is left"):
        entries.withdraw_player(paper.desk, 2, "left")


def test_a_name_is_corrected_with_a_reason_and_the_old_one_stays() -> None:
    paper = Paper(8).draw()
    paper.play_session(1)
    entries.rename_player(paper.desk, 4, "Zoë", "was misspelt")
    change = paper.state.changes[-1]
    assert (change.kind, change.old, change.name, change.reason, change.by) == (
        "renamed",
        "P4",
        "Zoë",
        "was misspelt",
        "Ref",
    )
    assert any(row.name == "Zoë" for row in standings(paper.state).rows)
    check(paper)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda desk: entries.add_player(desk, "p1", reason="x"), "player 1 is called P1 already"),
        (lambda desk: entries.add_player(desk, "４２", reason="x"), "is no name but a number"),
        (lambda desk: entries.add_player(desk, "a\nb", reason="x"), r"the name: character 2 is LINE FEED \(U\+000A\)"),
        (lambda desk: entries.add_player(desk, " \u00a0", reason="x"), "the name: it is empty"),
        (lambda desk: entries.add_player(desk, "n" * 65, reason="x"), "the name: it has 64 characters at the most"),
        (
            lambda desk: entries.add_player(desk, "\N{FULLWIDTH LATIN CAPITAL LETTER P}1\u3000", reason="x"),
            "called P1 already",
        ),
        (lambda desk: entries.add_player(desk, "\N{CYRILLIC CAPITAL LETTER ER}1"), "looks like player 1, P1"),
        (lambda desk: entries.add_player(desk, "New", "c" * 65, "x"), "the club: it has 64 characters"),
        (lambda desk: entries.add_player(desk, "New"), "lots were drawn already; give a reason"),
        (lambda desk: entries.rename_player(desk, 1, "Q", " "), "for a reason"),
        (lambda desk: entries.rename_player(desk, 1, "P1", "x"), "called that already"),
        (lambda desk: entries.rename_player(desk, 1, "P2", "x"), "player 2 is called P2 already"),
        (lambda desk: entries.rename_player(desk, 1, "Q", "x", "Club"), "clubs decide who is kept apart"),
        (lambda desk: entries.rename_player(desk, 99, "Q", "x"), "no player 99"),
        (lambda desk: entries.withdraw_player(desk, 1, ""), "for a reason"),
        (lambda desk: entries.withdraw_player(desk, 8, "x"), "is a stand-in"),
        (lambda desk: entries.return_player(desk, 1, "x"), "has not withdrawn"),
    ],
)
def test_what_does_not_fit_is_refused(act, said: str) -> None:
    paper = Paper(7).draw(stand_ins=True)
    written = len(paper.log.lines)
    with pytest.raises(EventRefused, match=said):
        act(paper.desk)
    assert len(paper.log.lines) == written
