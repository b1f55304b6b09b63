"""Standings, against a sum done in another way: over the entries of the journal, deal by deal, person by person."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest

from wallwright.errors import EventRefused
from wallwright.event import results, running, sanctions, setup
from wallwright.event.disclosure import EVERYBODY, LIVE, STAFF
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format
from wallwright.event.score_origins import explain_session, explain_total, number
from wallwright.event.standings import Row, session_scores, standings

from .paper import Paper

CHENGDU = load_format("chengdu-grand-prix")
LEAGUE = load_format("mil-2025")


def by_session(paper: Paper) -> dict[int, dict[int, int]]:
    """Points by player and session, from the entries alone; nothing was corrected or voided in these events."""
    seats: dict[tuple[int, int], list[int]] = {}
    found: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for fact in paper.log.facts():
        body = fact.body
        if fact.kind == "seats_planned":
            for session, plan in enumerate(body["sessions"], 1):
                for table, four in enumerate(plan["tables"], 1):
                    seats[session, table] = list(four)
        elif fact.kind == "player_substituted":
            seats[body["session"], body["table"]][body["seat"]] = body["in"]
        elif fact.kind == "result_recorded":
            for player, points in zip(seats[body["session"], body["table"]], body["points"], strict=True):
                found[player][body["session"]] += points
    return found


def rows(paper: Paper, audience: str = LIVE) -> dict[int, Row]:
    return {row.player: row for row in standings(paper.state, audience).rows}


def ruled(paper: Paper, session: int, table: int, *points: int) -> None:
    results.rule_result(paper.desk, session, table, points, "test")


def small(players: int = 8, base: EventFormat = CHENGDU, **changes: object) -> Paper:
    plan = replace(base, **{"sessions": 2, "best_of": (), **changes})  # type: ignore[arg-type]
    paper = Paper(players, plan)
    return paper.draw(byes=True) if players % 4 else paper.draw()


def test_sbr_9_2_the_best_four_of_five_sessions_count() -> None:
    paper = Paper(16).draw()
    for session in range(1, 6):
        paper.play_session(session, deals=2)
    expected = by_session(paper)
    table = rows(paper)
    for player, sessions in expected.items():
        assert table[player].total == sum(sorted(sessions.values())[1:])
        assert {one.session: one.points for one in table[player].sessions} == sessions
        assert [one.points for one in table[player].sessions if not one.counts] == [min(sessions.values())]
    totals = [row.total for row in standings(paper.state).rows]
    assert totals == sorted(totals, reverse=True)
    assert rows(paper) == {row.player: row for row in standings(paper.again()).rows}


def test_nothing_is_dropped_before_more_sessions_were_played_than_count() -> None:
    paper = Paper(8).draw()
    for session in range(1, 5):
        paper.play_session(session, deals=1)
    assert all(one.counts for row in rows(paper).values() for one in row.sessions)


def test_table_points_go_by_rank_and_who_ties_shares() -> None:
    paper = small(8, LEAGUE).start()
    ruled(paper, 1, 1, 9, 2, 2, -13)
    ruled(paper, 1, 2, 0, 0, 0, 0)
    first, second = paper.state.sessions[1].tables
    got = {player: row.table_points for player, row in rows(paper).items()}
    assert [got[one] for one in first.players] == [4, Fraction(5, 2), Fraction(5, 2), 1]  # SBR-11.6
    assert [got[one] for one in second.players] == [Fraction(5, 2)] * 4


def test_ties_are_broken_in_the_order_of_the_chain_and_shared_at_its_end() -> None:
    paper = small(8, tie_break=("session_wins", "best_deal")).start()
    # Seats 0 of both tables have 10 points; both won theirs, the second with the better deal.
    for points in ((5, -5, 0, 0), (5, -5, 0, 0)):
        ruled(paper, 1, 1, *points)
    for points in ((8, -8, 0, 0), (2, -2, 0, 0)):
        ruled(paper, 1, 2, *points)
    first, second = paper.state.sessions[1].tables
    table = standings(paper.state).rows
    assert [row.player for row in table[:2]] == [second.players[0], first.players[0]]
    assert [row.rank for row in table] == [1, 2, 3, 3, 3, 3, 7, 8]
    lots = small(8, tie_break=("lot",)).start()
    drawn = lots.state.draws["main"].lots
    assert [row.player for row in standings(lots.state).rows] == list(drawn)


def test_penalties_count_where_they_were_given() -> None:
    paper = small(8, LEAGUE).start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    a, b, c, d = paper.state.sessions[1].tables[0].players
    desk = paper.desk
    sanctions.give_penalty(desk, a, "points", "late", amount=Fraction(8), session=1)
    sanctions.give_penalty(desk, b, "warning", "phone", session=1)
    half = sanctions.give_penalty(desk, c, "table_points", "shouting", amount=Fraction(1, 2))
    sanctions.give_penalty(desk, d, "heavy_points", "seen tiles", session=1)
    table = rows(paper)
    assert [table[one].points for one in (a, b, c, d)] == [-3, 1, -2, -28]
    # Seat ranks follow the points with penalties: b, c, a, d.
    assert [table[one].table_points for one in (a, b, c, d)] == [2, 4, Fraction(5, 2), 1]
    sanctions.withdraw_penalty(desk, half, "it was the neighbour")
    assert rows(paper)[c].table_points == 3
    assert rows(paper) == {row.player: row for row in standings(paper.again()).rows}
    with pytest.raises(EventRefused, match="no penalty"):
        sanctions.withdraw_penalty(desk, half, "again")


def test_a_lost_session_leaves_only_what_is_below_zero() -> None:
    paper = small().start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    a, _, _, d = paper.state.sessions[1].tables[0].players
    for player in (a, d):
        sanctions.give_penalty(paper.desk, player, "loss_of_session", "left the hall", session=1)
    table = rows(paper)
    assert [table[one].points for one in (a, d)] == [0, -4]
    assert [table[one].table_points for one in (a, d)] == [0, 0]


def test_who_is_disqualified_has_no_rank_and_keeps_others_where_they_were() -> None:
    paper = small().start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    first = standings(paper.state).rows[0].player
    sanctions.give_penalty(paper.desk, first, "disqualification", "marked tiles")
    table = standings(paper.state).rows
    assert (table[-1].player, table[-1].rank, table[-1].note) == (first, None, "disqualified")
    assert table[0].rank == 1


@pytest.mark.parametrize(
    ("name", "amount", "why"),
    [
        ("points", None, "needs an amount from 1 to 8"),
        ("points", Fraction(9), "from 1 to 8"),
        ("points", Fraction(1, 2), "steps of 1"),
        ("table_points", Fraction(1), "no penalty here"),
        ("yellow card", None, "there are warning"),
        ("loss_of_session", None, "which session"),
    ],
)
def test_the_catalogue_says_what_may_be_given(name: str, amount: Fraction | None, why: str) -> None:
    paper = small()
    with pytest.raises(EventRefused, match=why):
        sanctions.give_penalty(paper.desk, 1, name, "x", amount=amount)  # SBR-11.8
    with pytest.raises(EventRefused, match="has a reason"):
        sanctions.give_penalty(paper.desk, 1, "warning", "")
    assert [name for name, _, _ in sanctions.catalogue(paper.desk)] == list(CHENGDU.penalties)


def test_a_substitute_plays_for_themselves_from_then_on() -> None:
    paper = small().start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    out = paper.state.sessions[1].tables[0].players[0]
    into = sanctions.substitute(paper.desk, 1, out, "Late Larry", "felt ill")
    ruled(paper, 1, 1, 7, -7, 0, 0)
    table = rows(paper)
    assert (table[out].points, table[into].points) == (5, 7)
    assert (table[into].rank, table[into].note) == (None, "stand-in")
    # Table points belong to who sits there at the end: 12 points of that seat.
    assert [table[one].table_points for one in (out, into)] == [0, 4]
    assert by_session(paper)[into] == {1: 7}
    with pytest.raises(EventRefused, match="has a seat in session 1 already"):
        sanctions.substitute(paper.desk, 1, paper.state.sessions[1].tables[1].players[0], "Late Larry", "x")
    with pytest.raises(EventRefused, match="has no seat"):
        sanctions.substitute(paper.desk, 1, out, "Somebody", "x")
    assert paper.again().sessions[1] == paper.state.sessions[1]


def test_who_leaves_one_table_and_helps_at_another_keeps_the_points_of_both() -> None:
    paper = small().start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    first, second = paper.state.sessions[1].tables
    mover, out = first.players[0], second.players[3]
    sanctions.substitute(paper.desk, 1, mover, "Late Larry", "the tables were mixed up")
    sanctions.substitute(paper.desk, 1, out, paper.state.name(mover), "the tables were mixed up")
    ruled(paper, 1, 2, 1, 1, 1, -3)
    table = rows(paper)
    assert (table[mover].points, table[out].points) == (5 - 3, 0)
    assert [score.table for score in table[mover].sessions] == [2]
    assert rows(paper)[mover] == {row.player: row for row in standings(paper.again()).rows}[mover]


def test_the_embargo_covers_penalties_too() -> None:
    paper = small(8, tie_break=("penalties",)).start()
    sanctions.give_penalty(paper.desk, 1, "points", "late", amount=Fraction(3), session=1)
    sanctions.give_penalty(paper.desk, 2, "points", "very late", amount=Fraction(5))
    ties = [[rows(paper, audience)[player].ties[0] for player in (1, 2)] for audience in (EVERYBODY, LIVE)]
    assert ties[0] == [0, -5]
    assert ties[1] == [-3, -5]


def test_who_has_a_bye_can_take_a_seat_and_loses_the_bye() -> None:
    paper = small(9, bye_points=3).start()
    resting = paper.state.sessions[1].byes[0]
    assert rows(paper)[resting].points == 3
    out = paper.state.sessions[1].tables[0].players[2]
    assert sanctions.substitute(paper.desk, 1, out, paper.state.name(resting), "felt ill") == resting
    assert rows(paper)[resting].points == 0
    assert paper.again().sessions[1].byes == ()


def test_the_embargo_lasts_until_all_tables_are_done_and_results_are_published() -> None:
    paper = small().start()
    ruled(paper, 1, 1, 5, 1, -2, -4)
    running.stop_session(paper.desk, 1, "test")
    running.sign_off(paper.desk, 1, 1)
    seen = {audience: standings(paper.state, audience) for audience in (EVERYBODY, STAFF, LIVE)}
    assert [one.sessions for one in seen.values()] == [(), (), (1,)]
    assert [one.waiting for one in seen.values()] == [(1,), (1,), ()]
    running.sign_off(paper.desk, 1, 2)
    assert standings(paper.state, EVERYBODY).sessions == ()
    assert (standings(paper.state, STAFF).sessions, standings(paper.state, STAFF).status) == ((1,), "provisional")
    running.publish(paper.desk, 1)
    assert standings(paper.state, EVERYBODY).status == "under_appeal"
    paper.tick(30)
    running.finalise(paper.desk, 1)
    assert standings(paper.state, EVERYBODY).status == "final"


def test_a_final_begins_anew_or_carries_the_score() -> None:
    for carry in (False, True):
        paper = small(sessions=1, final_players=4, final_sessions=1, final_carry=carry)
        paper.start()
        ruled(paper, 1, 1, 40, 30, -30, -40)
        ruled(paper, 1, 2, 20, 10, -10, -20)
        paper.tick(60)
        running.stop_session(paper.desk, 1)
        for number_of_table in (1, 2):
            running.sign_off(paper.desk, 1, number_of_table)
        running.publish(paper.desk, 1)
        running.finalise(paper.desk, 1, "test")
        setup.commit_draw(paper.desk, "final", b"f" * 32)
        setup.reveal_draw(paper.desk, "final", b"f" * 32)
        paper.start(2)
        four = paper.state.sessions[2].tables[0].players
        base = {row.player: row.points for row in standings(paper.state, before_final=True).rows}
        ruled(paper, 2, 1, 3, 1, -1, -3)
        final = rows(paper)
        gained = dict(zip(four, (3, 1, -1, -3), strict=True))
        assert sorted(base[one] for one in four) == [10, 20, 30, 40]
        for player, points in gained.items():
            assert final[player].points == points + (base[player] if carry else 0)
        assert [row.points for row in standings(paper.state).rows[4:]] == [-10, -20, -30, -40]
        for row in standings(paper.state).rows:
            assert [score.session for score in row.sessions] == [1, 2]
            assert row.points == sum(score.points for score in row.sessions if score.counts)


def test_every_number_can_be_explained_down_to_the_entry() -> None:
    paper = Paper(9).draw(byes=True)
    for session in range(1, 6):
        paper.play_session(session, deals=2)
    row = standings(paper.state).rows[0]
    sanctions.give_penalty(
        paper.desk, row.player, "points", "late", amount=Fraction(2), session=row.sessions[0].session
    )
    row = rows(paper)[row.player]
    total = [str(line) for line in explain_total(paper.state, row.player, standings(paper.state))]
    assert f"{number(row.total)} points, rank {row.rank}" in total[0]
    assert sum("does not count" in line for line in total) == sum(not one.counts for one in row.sessions)
    for score in row.sessions:
        if score.table is None:
            continue
        lines = [str(line) for line in explain_session(paper.state, row.player, score.session)]
        deals = [line for line in lines if line.startswith("Deal ")]
        assert sum(int(line.split()[2].rstrip(",")) for line in deals) - score.penalty_points == score.points
        for line in deals:
            entry = int(line.rsplit(" ", 1)[1].rstrip("."))
            assert paper.log.facts()[entry - 1].kind == "result_recorded"
    with pytest.raises(EventRefused, match="not in the standings"):
        explain_total(paper.state, 99, standings(paper.state))


def test_points_of_all_who_played_sum_to_what_nobody_received() -> None:
    paper = small(12)
    paper.play_session(1, deals=3)
    fines = sum(deal.fines for sheet in paper.state.sessions[1].tables for deal in sheet.counted())
    scores = session_scores(paper.state, paper.state.sessions[1])
    assert sum(score.points for score in scores.values()) == -fines
