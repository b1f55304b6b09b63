"""Before the first session: players, the draw with its choices, seats, tables and their boards."""

from dataclasses import replace

import pytest

from wallwright.errors import EventRefused, NoEvent
from wallwright.event import running, setup
from wallwright.event.desk import Desk
from wallwright.event.draw import verify
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.seating_check import check_seating
from wallwright.event.standings import standings
from wallwright.event.state import EventState
from wallwright.event.state_parts import FINALS, MAIN

from .paper import SEED, MemoryLog, Paper


def test_a_journal_holds_one_event() -> None:
    paper = Paper()
    with pytest.raises(EventRefused, match="take another journal"):
        setup.create(paper.desk, load_format("mil-2025"))
    with pytest.raises(NoEvent):
        setup.import_players(Desk(MemoryLog(), EventState(), lambda: 0, "x"), Roster(()), "x")


def test_the_draw_is_in_the_journal_and_its_seats_follow_from_it() -> None:
    paper = Paper(16).draw()
    assert verify(setup.transcript(paper.state, MAIN).record()) == ()
    assert setup.plans_agree(paper.state, MAIN)
    paper.desk.state = paper.again()
    assert setup.plans_agree(paper.state, MAIN)
    seats = [session.seats for session in paper.state.sessions.values()]
    assert check_seating(seats, paper.state.players, paper.state.roster.clashes()).problems == ()
    swapped = replace(seats[0], tables=(seats[0].tables[0][::-1], *seats[0].tables[1:]))
    paper.state.sessions[1].seats = swapped
    assert not setup.plans_agree(paper.state, MAIN)


def test_another_part_gives_other_lots() -> None:
    one, other = Paper(), Paper()
    for paper, text in ((one, "1"), (other, "2")):
        setup.commit_draw(paper.desk, MAIN, SEED)
        setup.contribute(paper.desk, MAIN, "P1", text)
        setup.reveal_draw(paper.desk, MAIN, SEED)
    assert one.state.draws[MAIN].lots != other.state.draws[MAIN].lots


def test_a_draw_goes_in_its_order() -> None:
    paper = Paper()
    with pytest.raises(EventRefused, match="commit to a seed first"):
        setup.contribute(paper.desk, MAIN, "P1", "x")
    with pytest.raises(EventRefused, match="commit to a seed first"):
        setup.reveal_draw(paper.desk, MAIN, SEED)
    setup.commit_draw(paper.desk, MAIN, SEED)
    with pytest.raises(EventRefused, match="committed to already"):
        setup.commit_draw(paper.desk, MAIN, b"t" * 32)
    with pytest.raises(EventRefused, match="not the seed"):
        setup.reveal_draw(paper.desk, MAIN, b"t" * 32)
    with pytest.raises(EventRefused, match="such as the faces of dice: it is empty"):
        setup.contribute(paper.desk, MAIN, "P1", "")
    for text in ("x" * 257, "\udcff"):
        with pytest.raises(EventRefused, match=r"such as the faces of dice: (it has 256 |character 1 is a byte)"):
            setup.contribute(paper.desk, MAIN, "P1", text)
    for of in ("", "x" * 65, "P\n1", "\udcff"):
        with pytest.raises(EventRefused, match="whose part"):
            setup.contribute(paper.desk, MAIN, of, "4 2 6")
    with pytest.raises(EventRefused, match="add single players"):
        setup.import_players(paper.desk, Roster(()), "x")
    with pytest.raises(EventRefused, match="not drawn yet"):
        setup.transcript(paper.state, MAIN)
    setup.reveal_draw(paper.desk, MAIN, SEED)
    with pytest.raises(EventRefused, match="drawn already"):
        setup.commit_draw(paper.desk, MAIN, b"t" * 32)
    first = paper.state.draws[MAIN].commitment
    setup.commit_draw(paper.desk, MAIN, b"t" * 32, reason="the hall asked for it")
    assert paper.again().draws[MAIN].earlier == ((first, "the hall asked for it"),)
    setup.reveal_draw(paper.desk, MAIN, b"t" * 32)
    running.open_session(paper.desk, 1)
    with pytest.raises(EventRefused, match="has been opened"):
        setup.commit_draw(paper.desk, MAIN, SEED, reason="again")


@pytest.mark.parametrize("players", [5, 6, 7])
def test_a_number_that_does_not_divide_is_answered_with_the_choices(players: int) -> None:
    paper = Paper(players)
    for both in (False, True):
        with pytest.raises(EventRefused, match=r"--stand-ins: .*--byes: "):
            setup.commit_draw(paper.desk, MAIN, SEED, byes=both, stand_ins=both)
    resting = Paper(players).draw(byes=True)
    assert {len(session.byes) for session in resting.state.sessions.values()} == {players % 4}
    full = Paper(players).draw(stand_ins=True)
    assert all(not session.byes for session in full.state.sessions.values())
    assert sum(player.stand_in for player in full.state.players.values()) == -players % 4
    assert verify(setup.transcript(full.state, MAIN).record()) == ()


def test_three_players_are_no_event() -> None:
    paper = Paper(4)
    setup.import_players(paper.desk, Roster((Player(1, "A"),)), "x")
    with pytest.raises(EventRefused, match="1 player"):
        setup.commit_draw(paper.desk, MAIN, SEED)


def test_the_final_is_drawn_for_the_best_when_all_else_is_final() -> None:
    plan = replace(load_format("chengdu-grand-prix"), sessions=1, best_of=(), final_players=4, final_sessions=2)
    paper = Paper(8, plan).draw()
    paper.play_session(1)
    with pytest.raises(EventRefused, match=r"\[1\] are not final"):
        setup.commit_draw(paper.desk, FINALS, SEED)
    running.publish(paper.desk, 1)
    running.finalise(paper.desk, 1, "nobody appeals")
    best = [row.player for row in standings(paper.state).rows[:4]]
    setup.commit_draw(paper.desk, FINALS, SEED)
    setup.reveal_draw(paper.desk, FINALS, SEED)
    assert [sorted(paper.state.sessions[n].tables[0].players) for n in (2, 3)] == [sorted(best)] * 2
    assert verify(setup.transcript(paper.state, FINALS).record()) == ()
    paper.play_session(2)
    rows = standings(paper.state).rows
    assert {row.player for row in rows[:4]} == set(best)
    assert [row.rank for row in rows[4:]] == [5, 6, 7, 8]
    with pytest.raises(EventRefused, match="no final"):
        setup.stage_players(Paper().desk, FINALS)


def test_a_final_is_drawn_although_players_clash_with_some_who_are_not_in_it() -> None:
    plan = replace(load_format("chengdu-grand-prix"), sessions=1, best_of=(), final_players=4, final_sessions=1)
    paper = Paper(8, plan, clubs=2).draw()
    paper.play_session(1)
    running.publish(paper.desk, 1)
    running.finalise(paper.desk, 1, "nobody appeals")
    best = {row.player for row in standings(paper.state).rows[:4]}
    assert any((a in best) != (b in best) for a, b in paper.state.roster.clashes())
    setup.commit_draw(paper.desk, FINALS, SEED)
    setup.reveal_draw(paper.desk, FINALS, SEED)
    assert set(paper.state.sessions[2].tables[0].players) == best
    assert setup.plans_agree(paper.state, FINALS)


def test_boards_are_bound_to_tables_and_swapped() -> None:
    paper = Paper().draw()
    setup.bind_table(paper.desk, 1, "SIM-1")
    setup.bind_table(paper.desk, 2, "SIM-2")
    with pytest.raises(EventRefused, match="stands at table 2"):
        setup.bind_table(paper.desk, 1, "SIM-2")
    with pytest.raises(EventRefused, match="no 3"):
        setup.bind_table(paper.desk, 3, "SIM-3")
    paper.start()
    with pytest.raises(EventRefused, match="in play with unit SIM-2"):
        setup.bind_table(paper.desk, 2, "SIM-9")
    setup.bind_table(paper.desk, 2, "SIM-9", "its lift is broken")
    setup.bind_table(paper.desk, 1, None, "it goes home")
    assert paper.again().units == {"SIM-9": 2}
