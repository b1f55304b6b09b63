"""Who sat where, found afterwards: points go to who has played, and everything that names people agrees.

The oracle reads the journal's JSON and keeps who sat at every seat in every deal, one by one.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from wallwright.console.tournament.view import Ranks, view_event
from wallwright.errors import EventRefused
from wallwright.event import appeals, results, running, sanctions, sat, signing
from wallwright.event.format_file import load_format
from wallwright.event.sheets import result_rows, seat_rows
from wallwright.event.standings import session_points, standings

from .paper import Paper

LAST = 40
STEPS = 60
Seats = dict[tuple[int, int], list[int]]
"""By table and deal: the players of seats 0 to 3."""


def seats_told(paper: Paper) -> tuple[Seats, Counter[int], set[int]]:
    """Who sat where in session 1 by the journal, what that gives each of them, and who sits out."""
    seats: Seats = {}
    points: dict[tuple[int, int], list[int]] = {}
    out: set[int] = set()
    for entry in paper.log.facts():
        body = entry.body
        if entry.kind == "seats_planned":
            plan = body["sessions"][0]
            seats = {
                (table, deal): list(four) for table, four in enumerate(plan["tables"], 1) for deal in range(1, LAST)
            }
            out = set(plan["byes"])
        elif entry.kind == "player_substituted":
            for deal in range(body["from_deal"], LAST):
                seats[body["table"], deal][body["seat"]] = body["in"]
            out -= {body["in"]}
        elif entry.kind == "players_sat":
            sat_there = {one["instead_of"]: one["player"] for one in body["seats"]}
            for (_, deal), four in seats.items():
                if body["from_deal"] <= deal <= body.get("to_deal", LAST):
                    four[:] = [sat_there.get(one, one) for one in four]
            came = set(sat_there.values()) - set(sat_there)
            out = {sat_there.get(one, one) for one in out if one not in came}
        elif entry.kind in ("result_recorded", "result_corrected"):
            points[body["table"], body["deal"]] = body["points"]
    sums: Counter[int] = Counter()
    for place, each in points.items():
        for player, one in zip(seats[place], each, strict=True):
            sums[player] += one
    return seats, sums, out


def check(paper: Paper) -> None:
    seats, sums, out = seats_told(paper)
    state = paper.again()
    assert state.sessions == paper.state.sessions, "a host that starts now knows the same"
    assert not state.notes
    session = state.sessions[1]
    assert set(session.byes) == out
    for sheet in session.tables:
        assert list(sheet.players) == seats[sheet.table, LAST - 1]
        for number, result in sheet.deals.items():
            assert list(result.players) == seats[sheet.table, number]
    told = {player: points for player, points in session_points(state, session).items() if points}
    assert told == {player: points for player, points in sums.items() if points}
    for row in standings(state).rows:
        assert row.points == sums[row.player]
    papers: Counter[str] = Counter()
    for line in result_rows(state):
        for seat in range(4):
            papers[line[f"player_{seat}"]] += line[f"points_{seat}"]
    assert papers == {state.name(player): points for player, points in sums.items()}
    now = {(line["table"], line["seat"]): line["player"] for line in seat_rows(state) if line["session"] == 1}
    for (table, deal), four in seats.items():
        if deal == LAST - 1:
            assert [now[table, seat] for seat in range(4)] == four


def one_act(paper: Paper, chance: Random) -> Callable[[], object]:
    desk, table = paper.desk, chance.choice((1, 2))
    players = chance.sample(sorted(paper.state.players), chance.choice((2, 2, 3)))
    first = chance.randint(1, paper.state.sessions[1].tables[table - 1].next_deal)
    deals: dict[str, Any] = {"from_deal": first, "to_deal": chance.choice((None, None, first, first + 1))}
    swing = chance.randint(-9, 9)
    points = chance.sample((swing, -swing, 1, -1), 4)
    return chance.choice(
        (
            partial(results.rule_result, desk, 1, table, points, "as it stood"),
            partial(results.rule_result, desk, 1, table, points, "as it stood"),
            partial(sat.swap_players, desk, 1, players, "seen afterwards", **deals),
            partial(sat.swap_players, desk, 1, players, "seen afterwards", **deals),
            partial(sat.swap_tables, desk, 1, (1, 2), "the plan was misread", **deals),
            partial(sanctions.substitute, desk, 1, players[0], chance.choice((str(players[1]), "Zed", "Ulf")), "ill"),
            partial(sat.sat_instead, desk, 1, players[0], chance.choice((str(players[1]), "Val")), "late", **deals),
            partial(results.correct_points, desk, 1, table, first, points, "misread"),
        )
    )


def test_points_go_to_who_has_played_whatever_was_found_afterwards(seed: int) -> None:
    done: Counter[str] = Counter()
    for run in range(8):
        chance = Random(f"sat {seed} {run}")
        paper = Paper(9, replace(load_format("chengdu-grand-prix"), deals=0)).draw(byes=True).start()
        for _ in range(STEPS):
            act = one_act(paper, chance)
            before = len(paper.log.lines)
            try:
                act()
            except EventRefused:
                assert len(paper.log.lines) == before, "nothing of what is refused is written"
                continue
            done[getattr(act, "func", act).__name__] += 1
            check(paper)
    assert len(done) == 6
    assert min(done.values()) > 3, done


def seated(paper: Paper, table: int, seat: int) -> int:
    return paper.state.sessions[1].tables[table - 1].players[seat]


def test_two_on_each_others_seats_and_right_again_later() -> None:
    paper = Paper(8).draw().start()
    for points in ((8, -8, 0, 0), (4, -4, 0, 0), (2, -2, 0, 0)):
        results.rule_result(paper.desk, 1, 1, points, "as it stood")
    first, second = seated(paper, 1, 0), seated(paper, 1, 1)
    lines = sat.swap_players(paper.desk, 1, (first, second), "seen after deal 2", from_deal=1, to_deal=2)
    assert [str(line) for line in lines] == [
        f"P{first} had the seat of P{second} from deal 1 to deal 2: table 1, seat 1.",
        f"P{second} had the seat of P{first} from deal 1 to deal 2: table 1, seat 0.",
    ]
    each = session_points(paper.state, paper.state.sessions[1])
    assert (each[first], each[second]) == (-12 + 2, 12 - 2)
    assert (seated(paper, 1, 0), seated(paper, 1, 1)) == (first, second)
    check(paper)


def test_a_group_at_another_table_and_who_sat_out_in_anothers_place() -> None:
    paper = Paper(9).draw(byes=True).start()
    results.rule_result(paper.desk, 1, 1, (3, 1, -1, -3), "as it stood")
    fours = [sheet.players for sheet in paper.state.sessions[1].tables]
    sat.swap_tables(paper.desk, 1, (1, 2), "the plan of session 2 was read")
    assert [sheet.players for sheet in paper.state.sessions[1].tables] == fours[::-1]
    assert paper.state.sessions[1].tables[0].deals[1].players == fours[1]
    [resting] = paper.state.sessions[1].byes
    sat.swap_players(paper.desk, 1, (resting, fours[1][2]), "took the wrong place")
    assert paper.state.sessions[1].byes == (fours[1][2],)
    assert session_points(paper.state, paper.state.sessions[1])[resting] == -1
    check(paper)


def test_a_signature_is_taken_back_and_what_was_published_is_open_to_appeals_again() -> None:
    paper = Paper(8).draw()
    paper.play_session(1)
    a, b = seated(paper, 1, 0), seated(paper, 1, 1)
    swap = partial(sat.swap_players, paper.desk, 1, (a, b), "seen on the photo")
    assert any("signatures of table 1 are taken back" in str(line) for line in swap())
    assert paper.state.sessions[1].state == "awaiting_sign_off"
    assert [sheet.signed_off for sheet in paper.state.sessions[1].tables] == [False, True]
    running.sign_off(paper.desk, 1, 1)
    running.publish(paper.desk, 1)
    paper.tick(paper.desk.format.appeal_minutes)
    running.finalise(paper.desk, 1)
    assert any("time for appeals of session 1 begins anew" in str(line) for line in swap())
    assert paper.state.sessions[1].state == "under_appeal"
    assert paper.state.sessions[1].published_ms == paper.time_ms
    check(paper)


def test_players_signatures_do_not_outlast_their_seats() -> None:
    signs = replace(load_format("chengdu-grand-prix"), player_signing="pin", deals=1)
    paper = Paper(8, signs).draw().start()
    results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stood")
    four = paper.state.sessions[1].tables[0].players
    for player in four[:3]:
        signing.sign(paper.desk, player, "pin")
    sat.swap_players(paper.desk, 1, four[:2], "seen before the last signature")
    assert paper.state.sessions[1].tables[0].signers == ()


def test_a_part_is_a_part_for_penalties_and_appeals() -> None:
    paper = Paper(8).draw().start()
    first = seated(paper, 1, 0)
    results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stood")
    sanctions.substitute(paper.desk, 1, first, "Zed", "ill")
    sat.sat_instead(paper.desk, 1, seated(paper, 1, 1), "Val", "came late", from_deal=1, to_deal=1)
    paper.tick(paper.desk.format.minutes)
    running.stop_session(paper.desk, 1)
    results.rule_result(paper.desk, 1, 2, (0, 0, 0, 0), "as it stood")
    for table in (1, 2):
        running.sign_off(paper.desk, 1, table)
    val = paper.desk.player("Val")
    for player in (first, val, paper.desk.player("Zed"), seated(paper, 1, 1)):
        appeals.file_appeal(paper.desk, 1, player, "not so", table=1)
        sanctions.give_penalty(paper.desk, player, "warning", "noise", session=1)
    assert session_points(paper.state, paper.state.sessions[1])[val] == -8


def test_whose_only_deals_count_for_nothing_has_a_part_without_points() -> None:
    paper = Paper(8).draw().start()
    first = seated(paper, 1, 0)
    results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stood")
    sanctions.substitute(paper.desk, 1, first, "Zed", "ill")
    results.void(paper.desk, 1, 1, 1, "a tile was missing")
    session, ranks = paper.state.sessions[1], Ranks(paper.state)
    assert session_points(paper.state, session)[first] == 0
    view = view_event(paper.state, ranks, paper.time_ms)
    assert [one.points for one in view.sessions[0].tables[0].people if one.number == first] == [0]


def refused(paper: Paper, match: str, act: Callable[[], object]) -> None:
    before = len(paper.log.lines)
    with pytest.raises(EventRefused, match=match):
        act()
    assert len(paper.log.lines) == before


def test_what_cannot_be_meant_is_refused_with_what_to_do() -> None:
    paper = Paper(9).draw(byes=True)
    a, b = seated(paper, 1, 0), seated(paper, 1, 1)
    swap = partial(sat.swap_players, paper.desk, 1, (a, b), "why")
    refused(paper, "nobody has taken a seat", swap)
    paper.start()
    refused(paper, "for a reason", partial(sat.swap_players, paper.desk, 1, (a, b), " "))
    refused(paper, "each of them once", partial(sat.swap_players, paper.desk, 1, (a, a), "why"))
    refused(paper, "has come to deal 1", partial(swap, from_deal=2))
    refused(paper, "has come to deal 1", partial(swap, from_deal=1, to_deal=1))
    refused(paper, "not before the first", partial(swap, from_deal=0))
    refused(paper, "no table|there is no 7", partial(sat.swap_tables, paper.desk, 1, (1, 7), "why"))
    results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stood")
    sanctions.substitute(paper.desk, 1, a, "Zed", "ill")
    refused(paper, "has left the seat from deal 2 on", swap)
    refused(paper, "swap the two seats", partial(sanctions.substitute, paper.desk, 1, b, "Zed", "why"))
    refused(paper, "swap the two seats", partial(sat.sat_instead, paper.desk, 1, b, "Zed", "why", from_deal=1))
    [resting] = paper.state.sessions[1].byes
    refused(paper, "from deal 1 on", partial(sat.swap_players, paper.desk, 1, (b, resting), "why", from_deal=2))


def test_partners_stay_partners() -> None:
    pairs = replace(load_format("chengdu-grand-prix"), duplicate="pairs", deals=4, rank_by="match_points", best_of=())
    paper = Paper(16, pairs, clubs=8).draw().start()
    one, two = (sheet.players for sheet in paper.state.sessions[1].tables[:2])
    refused(paper, "are no partners", partial(sat.swap_players, paper.desk, 1, (one[0], one[1]), "why"))
    sat.swap_players(paper.desk, 1, (one[0], one[2]), "partners on each other's seats")
    sat.swap_tables(paper.desk, 1, (1, 2), "two tables mixed up")
    assert paper.state.sessions[1].tables[1].players == (one[2], one[1], one[0], one[3])
    assert paper.state.sessions[1].tables[0].players == two
