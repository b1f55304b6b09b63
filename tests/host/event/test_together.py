"""Many tables confirmed and signed at once: those that agree, and no other."""

from collections.abc import Mapping
from dataclasses import replace

from tests.host.event.paper import Paper
from tests.host.event.test_told import Board
from wallwright.event import results, running, setup, together
from wallwright.event.format_file import load_format
from wallwright.words import Words, words

TWO_DEALS = replace(load_format("chengdu-grand-prix"), deals=2)
NONE: Mapping[tuple[int, int], Words] = {}


def hall(tables: int = 4) -> Paper:
    """A session that runs, with a board at each table."""
    paper = Paper(4 * tables, TWO_DEALS).draw()
    for table in range(1, tables + 1):
        setup.bind_table(paper.desk, table, f"U{table}")
    return paper.start()


def tell(paper: Paper, table: int, deals: int) -> None:
    board = Board(paper, f"U{table}")
    for _ in range(deals):
        dealer = paper.desk.sheet(1, table).next_dealer
        board.tell(board.roll(dealer), dealer)


def said(left: tuple[tuple[int, tuple[Words, ...]], ...]) -> dict[int, list[str]]:
    return {table: [str(one) for one in why] for table, why in left}


def test_what_tables_told_is_confirmed_but_for_what_is_disputed_or_waits() -> None:
    paper = hall()
    for table, deals in ((1, 2), (2, 2), (3, 1)):
        tell(paper, table, deals)
    disputes = {(2, 1): words("The tiles leave a question"), (3, 0): words("a referee is called there")}
    found = together.find_to_confirm(paper.desk, 1, disputes)
    assert found.ready == ((1, (1, 2)), (2, (2,)))
    assert said(found.left) == {2: ["deal 1: The tiles leave a question"], 3: ["a referee is called there"]}
    done = together.confirm_all(paper.desk, 1, lambda sheet: sheet.table != 2, disputes)
    assert done.tables == (1,)
    assert "changed meanwhile" in said(done.left)[2][0] + said(done.left)[2][-1]
    assert [paper.desk.sheet(1, table).unconfirmed for table in (1, 2, 3, 4)] == [(), (1, 2), (1,), ()]
    assert together.find_to_confirm(paper.desk, 1, NONE).ready == ((2, (1, 2)), (3, (1,)))


def test_only_tables_with_which_everything_agrees_are_signed_off() -> None:
    paper = hall()
    for table in (1, 2, 3):
        tell(paper, table, 2)
    tell(paper, 4, 1)
    together.confirm_all(paper.desk, 1, lambda sheet: sheet.table != 2, NONE)
    results.correct_points(paper.desk, 1, 3, 1, (4, -1, -1, -1), "as it stood at the table")
    found = together.find_to_sign(paper.desk, 1, NONE)
    assert found.ready == ((1, (1, 2)),)
    assert said(found.left) == {
        2: ["deal 1 is not confirmed", "deal 2 is not confirmed"],
        3: ["the points of deal 1 do not sum to zero"],
        4: ["it has time and deals left"],
    }
    assert together.sign_all(paper.desk, 1, lambda _: True, NONE).tables == (1,)
    assert [sheet.signed_off for sheet in paper.state.sessions[1].tables] == [True, False, False, False]
    Board(paper, "U4", deals=1).roll()
    assert said(together.find_to_sign(paper.desk, 1, NONE).left)[4] == ["deal 2 has no result yet"]


def test_the_last_of_many_signatures_makes_a_checkpoint() -> None:
    paper = hall(2)
    for table in (1, 2):
        tell(paper, table, 2)
    together.confirm_all(paper.desk, 1, lambda _: True, NONE)
    running.stop_session(paper.desk, 1)
    disputed = together.sign_all(paper.desk, 1, lambda _: True, {(2, 0): words("a referee is called there")})
    assert (disputed.tables, disputed.checkpoint) == ((1,), "")
    done = together.sign_all(paper.desk, 1, lambda _: True, NONE)
    assert done.tables == (2,)
    assert done.checkpoint.startswith("checkpoint")
    assert paper.state.sessions[1].state == "provisional"


def test_a_table_that_has_nothing_is_not_signed_off_with_others() -> None:
    paper = hall(2)
    running.stop_session(paper.desk, 1, "the hall closes")
    assert said(together.find_to_sign(paper.desk, 1, NONE).left) == {
        1: ["it has no result at all"],
        2: ["it has no result at all"],
    }
