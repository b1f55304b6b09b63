"""Who deals with the walls to come: also over the end of a session, where the next one begins with its first dealer."""

from random import Random

import pytest

from wallwright.event import results, running
from wallwright.event.next_dealers import coming_at

from .paper import Paper
from .test_told import Board, at_play


def dealer_to_come(paper: Paper, board: Board) -> tuple[int | None, bool]:
    coming = coming_at(paper.state, board.unit, paper.time_ms)
    assert coming is not None
    return coming.dealer, coming.is_certain


def test_walls_built_during_the_last_deal_are_those_of_the_first_dealer_of_the_next_session() -> None:
    paper, board = at_play(deals=2)
    for deal in (1, 2):
        began = board.roll()
        board.start(began)
        board.call(began, 3)
        assert dealer_to_come(paper, board) == ((3, True) if deal == 1 else (0, True))
        results.rule_result(paper.desk, 1, 1, (8, -8, 0, 0), "as it stands", next_dealer=3)
    assert dealer_to_come(paper, board) == (0, True)


def test_time_that_is_up_ends_a_session_as_its_deals_do() -> None:
    paper, board = at_play()
    began = board.roll()
    board.start(began)
    board.call(began, 2)
    assert dealer_to_come(paper, board) == (2, True)
    paper.tick(paper.desk.format.minutes)
    assert dealer_to_come(paper, board) == (0, True)
    running.add_time(paper.desk, 1, 10, "the lights went out")
    assert dealer_to_come(paper, board) == (2, True)


@pytest.mark.parametrize("deals", [1, 3])
def test_walls_that_are_up_after_the_last_deal_wait_for_the_first_dealer(deals: int) -> None:
    paper, board = at_play(deals=deals)
    chance = Random(f"walls {deals}")
    for _ in range(deals):
        board.tell(board.roll(), seed=chance.randrange(99))
    last = paper.state.sessions[1].tables[0].deals[deals]
    last.next_dealer = 2
    board.raise_walls()
    assert dealer_to_come(paper, board) == (0, False), "nobody has thrown the dice for them"


def test_what_concerns_other_boards_changes_nothing_for_this_one() -> None:
    paper, board = at_play()
    board.start(board.roll())
    before = paper.state.changed_for(board.unit)
    assert paper.state.changed_for("another") < before == paper.state.changed
    running.add_time(paper.desk, 1, 10, "the lights went out")
    assert paper.state.changed_for(board.unit) == paper.state.changed_for("another") == paper.state.changed
