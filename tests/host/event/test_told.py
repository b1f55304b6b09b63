"""Deals that tables tell: numbered as the event counts them, in the session in which they began, and counted once."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from wallwright.console.replays.deals import Deals
from wallwright.errors import EventRefused
from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format
from wallwright.event.next_dealers import coming_at
from wallwright.event.players import Player, Roster
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.event.store import read_event
from wallwright.event.table_sheet import TableSheet
from wallwright.journal import Journal
from wallwright.rehearsal.day import DAY_START_MS
from wallwright.rehearsal.tables import BoardTable
from wallwright.rules.sichuan.records import settlement_record

from .paper import SEED, Paper, declared

Points = tuple[int, int, int, int]


class Board:
    """A board whose deals are told by its host, some time after they have begun."""

    def __init__(self, paper: Paper, unit: str, deals: int = 0) -> None:
        self.paper = paper
        self.unit = unit
        self.deals = deals

    def roll(self, dealer: int = 0) -> int:
        """Begin a deal; return the board's number of it."""
        self.raise_walls()
        self.press_dice(dealer)
        return self.deals

    def raise_walls(self) -> None:
        self.deals += 1
        self._happens("walls_up", tile_set=1)

    def press_dice(self, seat: int = 0) -> None:
        """Roll the dice, which can be done at any time."""
        seed = {"seed": "00" * 32, "contribution": "00" * 16, "contributed": 0}
        self._happens("dice_rolled", seat=seat, dice=[2, 3], source="key", roll=self.deals, **seed)

    def _happens(self, name: str, **fields: Any) -> None:
        body = {"fields": {**fields, "deal": self.deals}, "time_ms": 5}
        self.paper.desk.append(name, body, at_ms=self.paper.time_ms, unit=self.unit)

    def tell(self, deal: int, dealer: int = 0, seed: int = 1) -> Points:
        """Tell a deal whole, as the tracker does, and return what it came to."""
        record, settled = declared(self.paper.desk.format.sichuan, dealer, Random(seed))
        self.start(deal, dealer)
        for event in record["events"]:
            self._append("declared", deal, **event)
        self._append("deal_result", deal, end=record["end"], hands=[], **settlement_record(settled))
        return settled.points

    def start(self, deal: int, dealer: int = 0) -> None:
        self._append("deal_started", deal, dealer=dealer, ruleset="sichuan")

    def call(self, deal: int, dealer: int) -> None:
        """Say who deals after it."""
        self._append("dealer_called", deal, dealer=dealer)

    def _append(self, kind: str, deal: int, /, **body: Any) -> None:
        self.paper.desk.append(kind, {"deal": deal, **body}, at_ms=self.paper.time_ms, unit=self.unit)


def at_play(**changes: Any) -> tuple[Paper, Board]:
    paper = Paper(8, replace(load_format("chengdu-grand-prix"), **changes)).draw()
    setup.bind_table(paper.desk, 1, "T-1")
    return paper.start(), Board(paper, "T-1", deals=41)


def sheet(paper: Paper, session: int = 1) -> TableSheet:
    """The first table as a host has it that starts now."""
    again = paper.again()
    assert again.sessions == paper.state.sessions
    assert again.notes == paper.state.notes
    return again.sessions[session].tables[0]


def test_a_session_counts_from_one_whatever_the_board_counts() -> None:
    paper, board = at_play(deals=2)
    points: list[Points] = []
    for session in (1, 2):
        for _ in range(2):
            points.append(board.tell(board.roll(), seed=len(points)))
        paper.play(session, 2, 2)
        running.stop_session(paper.desk, session)
        for table in (1, 2):
            running.sign_off(paper.desk, session, table)
        if session == 1:
            paper.start(2)
    told = [deal for session in (1, 2) for deal in sheet(paper, session).counted()]
    assert [(deal.deal, deal.points) for deal in told] == list(zip([1, 2, 1, 2], points, strict=True))
    assert paper.state.notes == []


def test_results_that_come_in_another_order_are_those_of_their_deals() -> None:
    paper, board = at_play()
    first, second = board.roll(), board.roll()
    assert (sheet(paper).next_deal, list(sheet(paper).begun)) == (1, [1, 2])
    points = {2: board.tell(second, seed=4)}
    third = board.roll()
    points[3] = board.tell(third, seed=5)
    assert sheet(paper).next_deal == 1
    with pytest.raises(EventRefused, match="in deal 1"):
        running.sign_off(paper.desk, 1, 1)
    points[1] = board.tell(first, seed=6)
    assert {deal.deal: deal.points for deal in sheet(paper).counted()} == points
    assert (sheet(paper).next_deal, sheet(paper).in_play) == (4, None)


def test_who_is_called_to_deal_next_deals_whatever_the_deal_comes_to() -> None:
    paper, board = at_play()
    board.start(board.roll(), 0)
    for seat in (2, 1):
        board.call(board.deals, seat)
        coming = coming_at(paper.state, board.unit, paper.time_ms)
        assert coming is not None
        assert (coming.dealer, coming.is_certain) == (seat, True)


def test_who_was_faster_than_the_table_is_not_counted_twice() -> None:
    paper, board = at_play()
    began = board.roll()
    [settled] = paper.play(1, 1, 1)
    assert sheet(paper).in_play is None
    record, _ = declared(paper.desk.format.sichuan, 0, Random("1 1 1"))
    again = next(seed for seed in range(99) if declared(paper.desk.format.sichuan, 0, Random(seed))[0] == record)
    assert board.tell(began, seed=again) == settled.points
    assert paper.state.notes == [], "it says what the scorer said"
    other = next(
        seed for seed in range(99) if declared(paper.desk.format.sichuan, 0, Random(seed))[1].points != settled.points
    )
    board.tell(began, seed=other)
    assert sheet(paper).points() == settled.points
    [note] = paper.state.notes
    assert "deal 1 of table 1 in session 1" in note
    assert "with other points" in note


def test_a_told_result_that_cannot_be_read_is_left_to_a_referee() -> None:
    paper, board = at_play()
    began = board.roll()
    board.start(began)
    board._append("deal_result", began, end="wall", hands=[], points=[3, -1, -1])
    assert sheet(paper).counted() == ()
    [note] = paper.state.notes
    assert "(deal_result) cannot be read" in note
    assert "payments" in note or "points" in note


def test_the_last_deal_of_a_session_is_none_of_the_next() -> None:
    paper, board = at_play(deals=1)
    last = board.roll()
    with pytest.raises(EventRefused, match="in deal 1"):
        running.sign_off(paper.desk, 1, 1)
    [settled] = paper.play(1, 1, 1)
    paper.play(1, 2, 1)
    running.stop_session(paper.desk, 1)
    for table in (1, 2):
        running.sign_off(paper.desk, 1, table)
    running.open_session(paper.desk, 2)
    early = board.roll()
    running.start_session(paper.desk, 2)
    board.tell(last, seed=8)
    board.tell(early, seed=9)
    assert not sheet(paper, 2).deals
    points = board.tell(board.roll(), seed=10)
    assert [(deal.deal, deal.points) for deal in sheet(paper, 2).counted()] == [(1, points)]
    assert sheet(paper).points() == settled.points
    assert ["no session was played" in note for note in paper.state.notes][-1]


def test_a_deal_that_may_not_begin_any_more_waits_for_a_referee() -> None:
    paper, board = at_play(deals=2)
    in_time = board.roll()
    paper.tick(paper.desk.format.minutes)
    board.tell(in_time)
    late = board.roll()
    assert sheet(paper).in_play is None, "it may not begin"
    running.sign_off(paper.desk, 1, 1)
    running.take_back_signature(paper.desk, 1, 1, "there is another deal")
    board.tell(late, seed=2)
    assert [(deal.deal, deal.approved) for deal in sheet(paper).counted()] == [(1, True), (2, False)]
    assert "no time or no deals left" in sheet(paper).deals[2].reason
    with pytest.raises(EventRefused, match="approve deal 2"):
        running.sign_off(paper.desk, 1, 1)
    results.void(paper.desk, 1, 1, 2, "it began too late")
    running.stop_session(paper.desk, 1, "time is up")
    after = board.roll()
    board.tell(after, seed=3)
    assert len(sheet(paper).deals) == 2
    assert "had been stopped" in paper.state.notes[0]


def test_a_deal_that_is_played_again_has_its_number_again() -> None:
    paper, board = at_play()
    first = board.tell(board.roll())
    broken = board.roll()
    results.annul(paper.desk, 1, 1, "a tile broke")
    board.tell(broken, seed=7)
    assert sheet(paper).points() == first, "what was annulled is told in vain"
    second = board.tell(board.roll(), seed=3)
    assert {deal.deal: deal.points for deal in sheet(paper).counted()} == {1: first, 2: second}


def test_another_board_goes_on_with_the_numbers_though_it_counts_the_same() -> None:
    paper, board = at_play()
    first = board.tell(board.roll())
    setup.bind_table(paper.desk, 1, "T-2", "no light")
    spare = Board(paper, "T-2", deals=41)
    second = spare.tell(spare.roll(), seed=2)
    workshop = board.roll()
    setup.bind_table(paper.desk, 1, "T-1", "repaired")
    board.tell(workshop, seed=5)
    third = board.tell(board.roll(), seed=4)
    assert [deal.points for deal in sheet(paper).counted()] == [first, second, third]


def test_dice_that_are_played_with_begin_no_deal() -> None:
    paper, board = at_play()
    board.press_dice()
    assert not sheet(paper).begun, "its walls went up before the event began"
    first = board.roll()
    board.press_dice(3)
    points = board.tell(first)
    board.press_dice()
    paper.play(1, 2, 1)
    running.stop_session(paper.desk, 1, "enough")
    for table in (1, 2):
        running.sign_off(paper.desk, 1, table)
    paper.start(2)
    board.press_dice()
    assert not sheet(paper, 2).begun, "the walls of its last deal"
    assert (sheet(paper).points(), sheet(paper, 2).next_deal) == (points, 1)


def test_a_board_that_was_made_anew_counts_from_one_again() -> None:
    paper, board = at_play()
    board.deals = 0
    first = board.tell(board.roll())
    board.deals = 0
    second = board.tell(board.roll(), seed=3)
    assert {deal.deal: deal.points for deal in sheet(paper).counted()} == {1: first, 2: second}


def test_walls_and_dice_that_come_after_the_deal_was_told_begin_no_other() -> None:
    paper, board = at_play()
    points = board.tell(42)
    board.roll()
    assert sheet(paper).begun == {}
    assert sheet(paper).points() == points
    board.raise_walls()
    board.start(43)
    board.press_dice()
    assert list(sheet(paper).begun) == [2], "its host was faster than its dice"


def test_the_firmware_counts_on_and_the_sheets_do_not(tmp_path: Path) -> None:
    path = tmp_path / "day.journal"
    now = [DAY_START_MS]
    with Journal(path) as journal:
        desk = Desk(journal, EventState(), lambda: now[0], "Ref")
        setup.create(desk, replace(load_format("chengdu-grand-prix"), deals=1))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 5))), "a list")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        table = BoardTable(12, desk, now[0], "")
        try:
            setup.bind_table(desk, 1, table.unit)
            told = {}
            # A deal for practice comes before the first session.
            for session in (0, 1, 2):
                if session:
                    running.open_session(desk, session)
                    running.start_session(desk, session)
                report = next(table.deals(desk.sheet(max(session, 1), 1)))
                now[0] = table.now_ms
                told[session] = report
                if session:
                    running.stop_session(desk, session)
                    running.sign_off(desk, session, 1)
        finally:
            table.close()
    assert [report.number for report in told.values()] == [1, 2, 3]
    assert {report.dealer for report in told.values()} == {0}, "each session begins with seat 0"
    state = read_event(str(path))
    assert state.sessions == desk.state.sessions
    for session in (1, 2):
        [deal] = state.sessions[session].tables[0].counted()
        assert (deal.deal, deal.points, deal.approved) == (1, told[session].points, True)
    assert ["no session was played" in note for note in state.notes] == [True]
    found = Deals(path).of(table.unit)
    assert [one.deal for one in found] == [3, 2, 1]
    assert [one.entry for one in found[:2]] == [state.sessions[number].tables[0].deals[1].entry for number in (2, 1)]
