"""What an event knows of walls that were drawn beforehand: which deal a board has, and when its deal begins."""

import pytest

from tests.host.event.test_pairs import Day
from wallwright.duplicate.announced import announced
from wallwright.event.running import add_time
from wallwright.event.same_deals import commit_deals, replace_deal, walls_for
from wallwright.event.setup import bind_table
from wallwright.event.store import read_event
from wallwright.event.told_walls import BUILDING, DIFFERS, MATCHED, REFUSED, RELEASED, USUAL
from wallwright.link.reports import Event

UNIT = "T-1"
HASH = "ab" * 32


class Board:
    """Tells what a board with a wall sorter tells, into the journal of a day."""

    def __init__(self, day, unit=UNIT):
        self.day, self.unit, self.seq, self.deal = day, unit, 0, 0

    def tell(self, name, **fields):
        self.seq += 1
        event = Event(self.seq, 7, 1000 * self.seq, name, fields)
        self.day.desk.append_event(self.unit, event, at_ms=self.day.now_ms)

    def judged(self, deal, refusal="ok"):
        self.tell("prescription_judged", deal=deal, refusal=refusal, prescription_hash=HASH)

    def build(self, mode="strict", match=1, inferred=0):
        plan = (14, 13, 14, 13)
        self.tell("build_started", tile_set=0, plan=plan, tiles=108, dice_count=2, wash_s=0, wall_mode=mode)
        if mode != "ordinary":
            told = {"prescription_hash": HASH, "inferred": inferred, "match": match}
            self.tell("wall_prescribed", deal=self.deal + 1, **told)

    def fail(self, fault):
        self.tell("fault", fault=fault, side=None, found=0, wanted=0)

    def rise(self):
        self.deal += 1
        self.tell("walls_up", tile_set=0, deal=self.deal)

    def lower(self):
        self.tell("state_changed", state="lowering")


@pytest.fixture
def day(tmp_path):
    day = Day(tmp_path / "event.journal", "pairs", 8, deals=3, spares=2)
    day.draw()
    commit_deals(day.desk, announced(day.deals))
    bind_table(day.desk, 1, UNIT)
    day.start()
    return day


def test_a_deal_begins_when_its_prescribed_walls_are_lowered_for_nobody_throws_dice(day):
    board, state = Board(day), day.desk.state
    assert (walls_for(state, UNIT), state.walls.below(UNIT)) == (1, None)
    board.judged(1)
    assert (state.walls.below(UNIT).stage, state.walls.below(UNIT).deal) == (RELEASED, 1)
    board.build(inferred=1)
    assert (state.walls.below(UNIT).stage, state.walls.below(UNIT).inferred) == (MATCHED, 1)
    assert walls_for(state, UNIT) == 1
    board.rise()
    assert (walls_for(state, UNIT), state.walls.below(UNIT), state.walls.up(UNIT).deal) == (2, None, 1)
    assert day.desk.sheet(1, 1).in_play is None
    day.now_ms += 60_000
    board.lower()
    assert (day.desk.sheet(1, 1).in_play.deal, day.desk.sheet(1, 1).in_play.at_ms) == (1, day.now_ms)
    assert day.desk.sheet(1, 1).in_play.dealer == day.deals.deal(1).dealer
    assert walls_for(state, UNIT) == 2
    # A key stops the lifts, and another one lets them go on.
    board.lower()
    board.judged(2)
    board.build()
    day.play(1, 1, (3, -1, -1, -1))
    # The walls of deal 2 stand below, and those of deal 1 have been played.
    assert (day.desk.sheet(1, 1).next_number, walls_for(state, UNIT)) == (2, 2)
    board.rise()
    assert walls_for(state, UNIT) == 3
    # All of it follows from the journal alone.
    again = read_event(str(day.path))
    assert (walls_for(again, UNIT), again.walls.up(UNIT)) == (3, state.walls.up(UNIT))


def test_walls_of_a_deal_that_was_replaced_are_not_those_of_the_next_one(day):
    board, state = Board(day), day.desk.state
    board.judged(1)
    board.build()
    assert replace_deal(day.desk, 1, 1, "somebody has seen a wall of it") == 4
    assert (walls_for(state, UNIT), state.walls.below(UNIT).deal) == (4, 1)
    board.rise()
    # They are up, and nobody plays them.
    assert walls_for(state, UNIT) == 4
    board.lower()
    assert (day.desk.sheet(1, 1).in_play, walls_for(state, UNIT)) == (None, 4)
    board.judged(4)
    board.build()
    board.rise()
    assert walls_for(state, UNIT) == 2
    board.lower()
    assert day.desk.sheet(1, 1).in_play.deal == 1


def test_what_a_board_refuses_or_builds_otherwise_is_known(day):
    board, walls = Board(day), day.desk.state.walls
    board.judged(1, "unsigned")
    assert (walls.below(UNIT).stage, walls.below(UNIT).refusal) == (REFUSED, "unsigned")
    board.judged(1)
    board.judged(1, "expired")
    assert walls.below(UNIT).stage == RELEASED, "the first one is still there"
    board.build(match=0)
    assert (walls.below(UNIT).stage, walls.below(UNIT).deal) == (DIFFERS, 1)
    board.tell("build_started", tile_set=0, plan=(14, 13, 14, 13), wall_mode="strict")
    assert (walls.below(UNIT).stage, walls.below(UNIT).deal) == (BUILDING, 1)
    board.tell("booted", firmware=(0, 1, 0))
    assert walls.below(UNIT) is None, "a board keeps it in its memory alone"
    assert walls.has(UNIT) is None
    board.judged(1)
    board.build()
    board.tell("command_accepted", message="start_build", source="host")
    assert walls.below(UNIT).stage == MATCHED
    board.tell("command_accepted", message="prescribe_cancel", source="host")
    assert walls.below(UNIT) is None, "the director has taken it back"
    board.build("ordinary")
    assert walls.below(UNIT).stage == USUAL
    board.rise()
    board.lower()
    assert day.desk.sheet(1, 1).in_play is None, "for ordinary walls somebody throws dice"


def test_states_of_a_table_do_not_have_the_standings_made_anew(day):
    board = Board(day)
    add_time(day.desk, 1, 5, "a long speech")
    before = day.desk.state.changed
    for state in ("shuffling", "building", "ready", "lowering"):
        board.tell("state_changed", state=state)
    board.judged(1)
    assert day.desk.state.changed == before


def test_a_board_has_a_deal_from_its_release_until_its_walls_are_up_or_given_up(day):
    board, walls = Board(day), day.desk.state.walls
    board.judged(1, "unsigned")
    assert walls.has(UNIT) is None, "it was refused"
    board.judged(1)
    board.fail("walls_unknown")
    assert walls.has(UNIT) == 1, "it is still in the board's memory"
    board.build(match=0)
    board.fail("wall_differs")
    assert walls.has(UNIT) == 1, "it is built once more"
    board.build()
    board.fail("emergency_stop")
    assert walls.has(UNIT) == 1
    board.fail("walls_unknown")
    assert (walls.has(UNIT), walls.below(UNIT)) == (None, None), "people take these walls out"
    board.judged(1)
    board.build()
    board.rise()
    assert walls.has(UNIT) is None
    board.build("ordinary")
    assert walls.has(UNIT) is None
