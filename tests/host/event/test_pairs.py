"""Pairs and teams on the same deals, from the draw to the travellers."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.host.event.test_pair_movements import roster
from wallwright import cli
from wallwright.duplicate.announced import announced
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.errors import EventRefused
from wallwright.event import entries, results, running, sanctions, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format, parse_format
from wallwright.event.players import Player, Roster
from wallwright.event.same_deals import commit_deals, replace_deal, reveal_deals, traveller_rows
from wallwright.event.standings import standings
from wallwright.event.state import EventState
from wallwright.journal import Journal, read_journal
from wallwright.rehearsal.director import Director

FORMAT = """
base = "mil-2025-{kind}"
sessions = {sessions}
deals = {deals}
"""


class Day:
    """An event with its journal and its deals; each wish is a step of the desk."""

    def __init__(self, path, kind, players, sessions=1, deals=2, spares=1):
        self.path, self.now_ms = path, 1_800_000_000_000
        self.journal = Journal(path)
        self.desk = Desk(self.journal, EventState(), lambda: self.now_ms, "the desk")
        setup.create(self.desk, parse_format(FORMAT.format(kind=kind, sessions=sessions, deals=deals), "test"))
        setup.import_players(self.desk, roster(players // SIZE[kind], SIZE[kind]), "a list")
        self.deals = draw_deals("day", "mil-2025-duplicate", OWN, sessions * deals, spares)

    @staticmethod
    def other_deals():
        return draw_deals("another day", "mil-2025-duplicate", OWN, 3)

    def draw(self):
        setup.commit_draw(self.desk, "main", bytes(range(32)))
        setup.reveal_draw(self.desk, "main", bytes(range(32)))
        assert setup.plans_agree(self.desk.state, "main")

    def start(self, session=1):
        running.open_session(self.desk, session)
        running.start_session(self.desk, session)

    def play(self, table, deal, points, session=1):
        sheet = self.desk.sheet(session, table)
        assert sheet.next_deal == deal
        results.rule_result(self.desk, session, table, points, "noted by hand")

    def end(self, session=1):
        running.stop_session(self.desk, session, "the evening is over")
        for table in range(1, len(self.desk.session(session).tables) + 1):
            running.sign_off(self.desk, session, table)
        running.publish(self.desk, session)


SIZE = {"pairs": 2, "teams": 4}


@pytest.fixture
def day(tmp_path):
    days = []

    def day(*about, **more):
        days.append(Day(tmp_path / "day.journal", *about, **more))
        return days[-1]

    yield day
    for one in days:
        one.journal.close()


def totals(state):
    return {row.player: (row.rank, row.total, row.percent) for row in standings(state).rows}


def test_pairs_are_compared_with_all_other_tables_and_partners_rank_together(day):
    it = day("pairs", 12)
    it.draw()
    commit_deals(it.desk, announced(it.deals))
    it.start()
    # Deal 1: East and West have +9, +1 and -10 at the three tables; deal 2 is played at two tables.
    for table, points in enumerate([(8, -4, 1, -5), (0, 0, 1, -1), (-10, 4, 0, 6)], 1):
        it.play(table, 1, points)
    it.play(1, 2, (2, -2, 0, 0))
    it.play(2, 2, (0, -40, 0, 40))
    it.end()
    sheets = it.desk.session(1).tables
    # 9-1 = 8 -> 3, 9+10 = 19 -> 6: 4.5; 1-9 -> -3, 1+10 = 11 -> 4: 0.5; -6 and -4: -5. Deal 2: 2 -> 1.
    wanted = {1: (Fraction("5.5"), 2), 2: (Fraction("-0.5"), 2), 3: (Fraction(-5), 1)}
    found = totals(it.desk.state)
    for table, (given, deals) in wanted.items():
        for seat, player in enumerate(sheets[table - 1].players):
            mine = given if seat % 2 == 0 else -given
            rank = {Fraction("5.5"): 1, Fraction(5): 2, Fraction("0.5"): 3}.get(mine)
            assert found[player][1] == mine
            assert found[player][2] == round(50 + 50 * mine / (10 * deals), 2)
            assert rank is None or found[player][0] == rank
    assert EventState().apply_all(read_journal(it.path)).notes == []
    assert totals(EventState().apply_all(read_journal(it.path))) == found


def test_the_room_is_the_other_one_for_teams_and_all_four_get_the_same(day):
    it = day("teams", 8)
    it.draw()
    commit_deals(it.desk, announced(it.deals))
    it.start()
    it.play(1, 1, (3, -2, 4, -5))
    it.play(2, 1, (-8, 4, 0, 4))
    it.end()
    first, second = it.desk.session(1).tables
    # East and West: +7 in one room, -8 in the other: a difference of 15, 5 match points.
    found = totals(it.desk.state)
    ahead = {first.players[0], first.players[2], second.players[1], second.players[3]}
    for player, (rank, total, _) in found.items():
        assert (rank, total) == ((1, 5) if player in ahead else (2, -5))


def test_a_spoilt_deal_is_replaced_at_all_tables_and_spares_run_out(day):
    it = day("pairs", 8)
    it.draw()
    commit_deals(it.desk, announced(it.deals))
    it.start()
    assert [it.desk.sheet(1, 1).next_dealer, it.deals.deal(1).dealer] == [0, 0]
    it.play(1, 1, (6, -2, -2, -2))
    with pytest.raises(EventRefused, match="reason"):
        replace_deal(it.desk, 1, 1, "")
    assert replace_deal(it.desk, 1, 1, "a wall fell over") == 3
    for table in (1, 2):
        sheet = it.desk.sheet(1, table)
        assert (sheet.deals, sheet.next_deal, sheet.next_dealer) == ({}, 1, it.deals.deal(3).dealer)
    with pytest.raises(EventRefused, match="no spare deal is left"):
        replace_deal(it.desk, 1, 2, "another one")


def test_a_deal_is_not_played_again_by_who_has_withdrawn(day):
    it = day("pairs", 8)
    it.draw()
    commit_deals(it.desk, announced(it.deals))
    it.start()
    for deal in (1, 2):
        it.play(1, deal, (6, -2, -2, -2))
    gone = it.desk.sheet(1, 1).players[2]
    entries.withdraw_player(it.desk, gone, "is ill")
    before = it.desk.state.last
    with pytest.raises(EventRefused, match=f"{it.desk.state.name(gone)} has withdrawn and has a seat at table 1"):
        replace_deal(it.desk, 1, 2, "a wall fell over")
    assert it.desk.state.last == before
    sanctions.substitute(it.desk, 1, gone, "Zed", "is ill")
    assert replace_deal(it.desk, 1, 2, "a wall fell over") == 3


def test_deals_are_not_shown_before_seats_are_drawn(day):
    it = day("pairs", 8)
    commit_deals(it.desk, announced(it.deals))
    with pytest.raises(EventRefused, match="no seats are drawn yet"):
        reveal_deals(it.desk, it.deals)
    it.draw()
    with pytest.raises(EventRefused, match="session 1 is still to be played"):
        reveal_deals(it.desk, it.deals)


def test_travellers_are_shown_after_the_last_table_has_played_alone(day):
    it = day("pairs", 8)
    with pytest.raises(EventRefused, match="event deals commit"):
        traveller_rows(it.desk.state, 1, 1)
    it.draw()
    commit_deals(it.desk, announced(it.deals))
    it.start()
    it.play(1, 1, (3, -1, -1, -1))
    it.play(2, 1, (0, -20, 0, 20))
    for attempt in (lambda: reveal_deals(it.desk, it.deals), lambda: traveller_rows(it.desk.state, 1, 1)):
        with pytest.raises(EventRefused, match="after the last table has played"):
            attempt()
    it.end()
    other = draw_deals("day", "mil-2025-duplicate", OWN, 2, 1)
    with pytest.raises(EventRefused, match="not the deals that were committed to"):
        reveal_deals(it.desk, other)

    # Nothing of the deals is in the journal before they are shown but who deals.
    def said() -> str:
        return "".join(json.dumps(entry.body) for entry in read_journal(it.path))

    assert it.deals.nonce.hex() not in said()
    assert '"sides"' not in said()
    reveal_deals(it.desk, it.deals)
    assert it.deals.nonce.hex() in said()
    assert '"sides"' in said()
    rows = traveller_rows(it.desk.state, 1, 1)
    assert [(row["table"], row["match_points_0"], row["match_points_1"]) for row in rows] == [(1, 1, -1), (2, -1, 1)]
    shown = next(entry.body for entry in read_journal(it.path) if entry.kind == "deals_revealed")
    assert shown["deals"]["nonce"] == it.deals.nonce.hex()
    # A table may score again, and none plays a deal that everybody has seen.
    for table in (1, 2):
        running.take_back_signature(it.desk, 1, table, "a kong was missed")
    for replayed in (
        lambda: running.resume_session(it.desk, 1, "one more deal"),
        lambda: results.annul(it.desk, 1, 1, "the wall fell"),
        lambda: replace_deal(it.desk, 1, 1, "the wall fell"),
    ):
        with pytest.raises(EventRefused, match="shown to everybody, so none of them is played any more"):
            replayed()
    results.correct_points(it.desk, 1, 1, 1, (6, -2, -2, -2), "was misread")


def test_deals_that_do_not_fit_the_event_are_refused(day):
    it = day("pairs", 8)
    for deals, problem in (
        (draw_deals("day", "mil-2025-duplicate", OWN, 1), "needs 2; draw more"),
        (draw_deals("day", "hong-kong", OWN, 2), "the deals are of hong-kong"),
    ):
        with pytest.raises(EventRefused, match=problem):
            commit_deals(it.desk, announced(deals))
    commit_deals(it.desk, announced(it.deals))
    with pytest.raises(EventRefused, match="committed to already"):
        commit_deals(it.desk, announced(it.deals))


def test_deals_are_committed_to_once_and_before_the_first_session_begins(day):
    it = day("pairs", 8)
    it.draw()
    it.start()
    with pytest.raises(EventRefused, match="session 1 has begun; deals are committed to before"):
        commit_deals(it.desk, announced(it.deals))
    assert it.desk.state.deals is None


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"ruleset": "mil-2025"}, "the ruleset"),
        ({"draws": "break"}, "from where players draw"),
        ({"spares": 0}, "how many are spare"),
        ({"dealers": (1, 1, 2)}, "who deals"),
        ({"dealers": (0, 1, 2, 3)}, "who deals"),
    ],
)
def test_deals_that_were_announced_otherwise_are_not_revealed(day, other, what):
    it = day("pairs", 8)
    it.draw()
    commit_deals(it.desk, replace(announced(it.deals), **other))
    it.start()
    for table in (1, 2):
        it.play(table, 1, (3, -1, -1, -1))
    it.end()
    with pytest.raises(EventRefused, match=f"announced otherwise: {what}"):
        reveal_deals(it.desk, it.deals)
    assert it.desk.state.deals.shown is None


def test_a_pair_of_three_is_named_before_lots_are_drawn(day):
    it = day("pairs", 8)
    players = roster(4, 2).players
    setup.import_players(it.desk, Roster((*players[:7], Player(8, "P8", "unit 1"))), "a list")
    with pytest.raises(EventRefused, match=r"'unit 1': partners share a club, 2 each, not 3"):
        setup.commit_draw(it.desk, "main", bytes(32))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('rank_by = "points"', "belong together"),
        ('duplicate = "none"', "belong together"),
        ("deals = 0", "needs their number"),
        ('machine_fault = "keep"', "are not for tables that play the same deals"),
        ("final_players = 8\nfinal_sessions = 1", "pairs and teams need final_players = 0"),
    ],
)
def test_formats_that_cannot_be_meant_are_refused(change, problem):
    with pytest.raises(ValueError, match=problem):
        parse_format(f'base = "mil-2025-pairs"\n{change}\n', "test")


def test_a_format_of_other_games_may_play_the_same_deals_too():
    one = parse_format('base = "hong-kong-club"\nduplicate = "players"\ndeals = 8\n', "test")
    assert (one.rank_by, one.by_partners) == ("points", False)
    assert load_format("mil-2025-teams").by_partners


def run(monkeypatch, capsys, *line):
    monkeypatch.setattr("sys.argv", ["wallwright", *map(str, line)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    printed = capsys.readouterr()
    return caught.value.code or 0, printed.out, printed.err


def test_a_day_of_pairs_is_rehearsed_with_everything_verified(monkeypatch, capsys, tmp_path):
    journal = tmp_path / "day.journal"
    line = ("event", "rehearse", journal, "--format", "mil-2025-pairs", "--players", 12, "--sessions", 2, "--json")
    code, said, _ = run(monkeypatch, capsys, *line)
    report = json.loads(said)
    assert (code, report["problems"], report["deals"], report["waits"]) == (0, [], 24, 0)
    # Two tables sort their tiles, at the third one people build by curtain cards.
    assert report["prescribed"] == 16
    _, said, _ = run(monkeypatch, capsys, "event", "deals", "travellers", journal, 2, 3, "--json")
    rows = [json.loads(row) for row in said.splitlines()]
    assert [row["table"] for row in rows] == [1, 2, 3]
    assert sum(Fraction(row["match_points_0"]) for row in rows) == pytest.approx(0, abs=0.03)
    _, said, _ = run(monkeypatch, capsys, "event", "standings", journal, "--json")
    rows = [json.loads(row) for row in said.splitlines()]
    assert [row["rank"] for row in rows] == sorted([*range(1, 7)] * 2)
    assert {row["deals_compared"] for row in rows} == {8}
    code, said, _ = run(monkeypatch, capsys, "event", "explain", journal, rows[0]["player"])
    assert (code, "by 4 deals" in said) == (0, True)


def test_walls_that_nobody_released_are_told(monkeypatch, capsys):
    monkeypatch.setattr(Director, "look", lambda director: None)
    line = ("event", "rehearse", "--format", "mil-2025-pairs", "--players", 8, "--sessions", 1, "--json")
    code, said, _ = run(monkeypatch, capsys, *line)
    report = json.loads(said)
    assert (code, report["prescribed"]) == (1, 1)
    assert report["problems"] == [f"table 1: deal {deal} had other walls than were drawn" for deal in (2, 3, 4)]


def test_rehearse_by_format_and_tables(monkeypatch, capsys):
    code, said, _ = run(monkeypatch, capsys, "rehearse", "--format", "mil-2025-teams", "--tables", 2)
    assert (code, "Everything adds up." in said) == (0, True)
    assert "walls were built as they were drawn" in said
    for option in (("--tables", 3), ("--seed", 3), ("--json",)):
        code, _, error = run(monkeypatch, capsys, "rehearse", *option, "laptop")
        assert (code, f"write {option[0]} behind laptop" in error) == (2, True), error
    code, _, error = run(monkeypatch, capsys, "rehearse", "--seed", 3)
    assert (code, "say what to rehearse" in error) == (2, True)
