"""The walls of a real hall: whoever keeps the score, or nobody, they are those of who deals next."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.far import FarTable
from tests.host.fleet.served import config_text
from tests.host.people import people_at
from wallwright.clocks import wall_ms
from wallwright.console.hall.desk import Desk as HallDesk
from wallwright.console.hall.model import NoProgress
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.event import results, running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state import KINDS
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.fleet import Fleet, load_hall
from wallwright.journal import read_journal
from wallwright.play.bots_at_table import DealReport
from wallwright.rules.sichuan.declarations import deal_record
from wallwright.rules.sichuan.doubts import doubts, say_of_hands
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.table.next_walls import SCORE_KINDS, wall_order
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation

EVEN, ODD = (14, 13, 14, 13), (13, 14, 13, 14)
RULES = {"sichuan": (EVEN, ODD, EVEN, ODD), "mil-2025": (EVEN, EVEN, EVEN, EVEN)}
"""SBR-2.1: the stacks of sides 0 to 3, by dealer."""
FORMATS = {"sichuan": "chengdu-grand-prix", "mil-2025": "mil-2025", "hong-kong": "hong-kong-club"}
SCORER = Person("sam", "scorer")
MANY = 40
"""Deals in which all four seats will have dealt."""


class Hall(FarTable):
    """A hall of one table whose board is never ahead of what the hall has told it of its walls."""

    def __init__(self, seed: int, folder: Path, rules: str, readers: int = 0) -> None:
        self.simulation = Simulation(seed, readers=readers)
        super().__init__(self.simulation)
        self.journal = folder / "hall.journal"
        self.file = folder / "hall.toml"
        table = f'name = "A1"\nport = "{self.wire.name}"'
        self.file.write_text(f'rules = "{rules}"\n' + config_text(self.journal, [table]))
        self._seen = 0

    @contextmanager
    def operated(self) -> Iterator[Fleet]:
        try:
            with Fleet(load_hall(self.file)) as fleet:
                self.meet(fleet)
                self.until_told()
                yield fleet
        finally:
            self.wire.close()

    def pump(self, timeout_ms: int) -> None:
        super().pump(timeout_ms)
        new, self._seen = self.changes[self._seen :], len(self.changes)
        if any(change.event is not None and change.event.name in SCORE_KINDS for change in new):
            self.until_told()

    def until_told(self) -> None:
        """Wait until the board knows what the journal says of its walls."""
        fleet = self.fleet
        assert fleet is not None
        newest = max((entry.id for entry in read_journal(self.journal, kinds=(*KINDS, *SCORE_KINDS))), default=0)
        self.until(lambda: fleet.event.last >= newest and self._knows(fleet))

    def _knows(self, fleet: Fleet) -> bool:
        coming = fleet._walls.coming(self.simulation.unit)
        with fleet.event.still:
            read = fleet._walls._now_known().get(self.simulation.unit)
        if read is not None and read != coming:
            return False  # the thread has read the journal and not said so yet
        cycle = self.simulation.app.cycle  # type: ignore[attr-defined]
        order = None if coming is None else wall_order(coming, 108, cycle.dealer)
        if order is None:
            return False
        turn = 0 if cycle.plan_mode == 0 else (cycle.dealer - cycle.plan_dealer) % 4
        plan = tuple(cycle.plan[(side - turn) % 4] for side in range(4))
        return (plan, cycle.plan_mode) == (order.plan, ("fixed", "held", "turned").index(order.mode))

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """What a scorer declares at the table comes to the hall."""
        assert self.fleet is not None
        number = self.fleet.record(kind, body, at_ms=at_ms, unit=unit)
        self.until_told()
        return number

    def states(self) -> list[str]:
        return [entry.body["fields"]["state"] for entry in read_journal(self.journal, kinds=("state_changed",))]


class Unheard:
    """Nobody keeps the score."""

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        return 0


def until_all_have_dealt(deals: Iterator[DealReport], rules: str) -> Iterator[DealReport]:
    """Play until each seat has dealt; every deal has the walls of its dealer."""
    dealers = set()
    for report in deals:
        assert report.plan == RULES[rules][report.dealer], report.number
        dealers.add(report.dealer)
        yield report
        if len(dealers) == 4:
            return
    raise AssertionError(f"in so many deals only {dealers} have dealt")


@pytest.mark.parametrize("rules", RULES)
def test_a_hall_that_keeps_the_score_has_the_walls_of_who_deals_next(tmp_path: Path, rules: str) -> None:
    hall = Hall(5, tmp_path, rules)
    ruleset = load_ruleset(rules)
    with hall.operated():
        people = people_at(hall.simulation, hall.pump, hall, 5, ruleset=ruleset)
        deals = len(list(until_all_have_dealt(people.play(MANY), rules)))
    states = hall.states()
    assert "asking" not in states, "nobody had to say at the table who deals next"
    assert states.count("holding") == (0 if rules == "mil-2025" else deals), "rules with one plan hold nothing"


@pytest.mark.parametrize("rules", RULES)
def test_a_hall_where_nobody_keeps_the_score_leaves_the_walls_to_the_dice_keys(tmp_path: Path, rules: str) -> None:
    """As a table alone does: it cannot know who deals next, but the one who dealt last."""
    hall = Hall(5, tmp_path, rules)
    with hall.operated():
        people = people_at(hall.simulation, hall.pump, Unheard(), 5, ruleset=load_ruleset(rules))
        reports = list(people.play(5))
    for before, report in pairwise(reports):
        assert report.plan == RULES[rules][before.dealer]
    assert {"holding", "asking"}.isdisjoint(hall.states())


def new_event(journal: Path, rules: str, unit: str) -> None:
    """Begin a tournament of four players, at one table, whose first session is played."""
    with open_event(str(journal), "dan", wall_ms, new=True) as desk:
        setup.create(desk, replace(load_format(FORMATS[rules]), deals=0))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 5))), "a list")
        setup.commit_draw(desk, MAIN, b"s" * 32)
        setup.reveal_draw(desk, MAIN, b"s" * 32)
        setup.bind_table(desk, 1, unit)
        running.open_session(desk, 1)
        running.start_session(desk, 1)


def enter(hall: Hall, book: Book, report: DealReport) -> None:
    """A scorer enters a deal at the console."""
    told = report.deal.declared()
    record = say_of_hands(deal_record(told), doubts(told, told.settle()))
    book.do(SCORER, lambda desk: results.record_result(desk, results.preview(desk, 1, 1, record)))
    hall.until_told()


@pytest.mark.parametrize("rules", RULES)
def test_a_result_that_is_entered_at_the_console_says_which_walls_come_next(tmp_path: Path, rules: str) -> None:
    hall = Hall(5, tmp_path, rules)
    new_event(hall.journal, rules, hall.simulation.unit)
    with hall.operated() as fleet:
        book = Book(str(hall.journal), use=fleet.turn)
        people = people_at(hall.simulation, hall.pump, Unheard(), 5, ruleset=book.find_ruleset(None))
        for report in until_all_have_dealt(people.play(MANY), rules):
            enter(hall, book, report)
        assert fleet.state().tables[0].misbuilt is None
    assert "asking" not in hall.states()


def test_walls_that_a_correction_makes_another_dealers_are_told(tmp_path: Path) -> None:
    """What stands ready cannot be unbuilt: the referee is told which stacks to move, until the dice are rolled."""
    hall = Hall(5, tmp_path, "sichuan")
    new_event(hall.journal, "sichuan", hall.simulation.unit)
    with hall.operated() as fleet:
        book = Book(str(hall.journal), use=fleet.turn)
        people = people_at(hall.simulation, hall.pump, Unheard(), 5)
        for report in people.play(MANY):
            enter(hall, book, report)
            if report.settlement.winners:
                break
        hall.pump(60_000)
        status = fleet.state().tables[0].status
        assert status is not None
        assert (status.state, status.plan) == ("ready", RULES["sichuan"][report.settlement.next_dealer])
        other = (report.settlement.next_dealer + 1) % 4
        win = {"type": "hu", "by": "self_drawn", "winners": [{"seat": other, "value": 1}]}
        record = {"events": [win], "end": "time_up", "hands": []}
        number = max(deal.deal for deal in book.sheet(1, 1)[1])  # type: ignore[index]
        book.do(SCORER, lambda desk: results.correct(desk, 1, 1, number, record, "the wrong winner was noted"))
        hall.until(lambda: fleet.state().tables[0].misbuilt is not None)
        misbuilt = fleet.state().tables[0].misbuilt
        assert misbuilt is not None
        assert (misbuilt.stacks, misbuilt.wanted, misbuilt.dealer) == (status.plan, RULES["sichuan"][other], other)
        short = [side for side in range(4) if status.plan[side] == 13]
        assert sorted(into for _, into in misbuilt.moves) == short
        [told] = [change.body["text"] for change in hall.changes if change.kind == "walls"]
        assert "when they are up, move one stack from side" in told
        people.play(1, dealer=other).__next__()
        assert fleet.state().tables[0].misbuilt is None


def test_a_host_that_comes_in_the_middle_of_a_build_leaves_it_and_tells_what_is_wrong_with_it(tmp_path: Path) -> None:
    hall = Hall(5, tmp_path, "sichuan")
    new_event(hall.journal, "sichuan", hall.simulation.unit)
    cycle = hall.simulation.app.cycle  # type: ignore[attr-defined]
    cycle.dealer = 1
    hall.simulation.players.press_lift(0)
    hall.simulation.run_until(8_000)
    with hall.operated() as fleet:
        hall.pump(60_000)
        status, misbuilt = fleet.state().tables[0].status, fleet.state().tables[0].misbuilt
        assert status is not None
        assert (status.state, status.stacks) == ("ready", ODD), "a build goes on by the plan that it began with"
        assert misbuilt is not None
        assert (misbuilt.dealer, misbuilt.wanted) == (0, EVEN)


def test_who_deals_next_can_be_said_before_there_is_a_result(tmp_path: Path) -> None:
    """By anybody who works in the hall: `Desk.call_dealer` is what the console's page asks for."""
    hall = Hall(5, tmp_path, "sichuan")
    new_event(hall.journal, "sichuan", hall.simulation.unit)
    with hall.operated() as fleet:
        desk = HallDesk(fleet, NoProgress())
        people = people_at(hall.simulation, hall.pump, Unheard(), 5)
        next(people.play(1))
        hall.until(lambda: "holding" in hall.states())
        hall.until(lambda: desk._look().tables[0].state == "holding")
        desk.view = desk._look()
        assert desk.call_dealer(SCORER, "A1", 3).done
        hall.until_told()
        hall.pump(30_000)
        status = fleet.state().tables[0].status
        assert status is not None
        assert (status.state, status.stacks) == ("ready", ODD)
    [said] = read_journal(hall.journal, kinds=("dealer_called",))
    assert said.body == {"deal": 1, "dealer": 3, "by": "sam (scorer)"}


@pytest.mark.parametrize("readers", [0, ALL_READERS])
def test_the_wall_on_the_table_is_known_as_far_as_the_table_tells_it(tmp_path: Path, readers: int) -> None:
    hall = Hall(5, tmp_path, "sichuan", readers)
    counted: list[tuple[int | None, int]] = []

    def look(text: str) -> None:
        assert hall.fleet is not None
        wall = hall.fleet.state().tables[0].wall
        if text.startswith("playing"):
            assert wall is not None
            assert (wall.plan, wall.dealer) == (EVEN, 0)
            left = sum(len(stack) for side in hall.simulation.world.walls for stack in side)
            counted.append((wall.taken, 108 - left))

    with hall.operated():
        report = next(people_at(hall.simulation, hall.pump, hall, 5, watch=look).play(1))
        assert hall.fleet is not None
        wall = hall.fleet.state().tables[0].wall
        assert wall is not None
        assert wall.dice == report.dice
        assert len(counted) > 50
        # The last tile has been drawn a moment ago, and is not read yet.
        assert all(taken is None if not readers else taken in (left - 1, left) for taken, left in counted)
        hall.pump(60_000)
        hall.simulation.players.press_lift(0)
        hall.pump(3_000)
        assert hall.fleet.state().tables[0].wall is None, "the lid is open for what was played"


def test_a_table_of_an_event_plays_by_its_rules(tmp_path: Path) -> None:
    hall = Hall(5, tmp_path, "sichuan")
    new_event(hall.journal, "hong-kong", hall.simulation.unit)
    try:
        with Fleet(load_hall(hall.file)) as fleet:
            hall.meet(fleet)
            hall.until(lambda: fleet.state().tables[0].rules.name == "hong-kong")
    finally:
        hall.wire.close()


def test_an_entry_that_does_not_fit_the_event_stops_nothing(tmp_path: Path) -> None:
    hall = Hall(16, tmp_path, "sichuan")
    with open_event(str(hall.journal), "desk", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
    with hall.operated() as fleet:
        none = {"penalty": 99, "reason": "heard", "by": "desk"}
        wrong = fleet.record("penalty_withdrawn", none, at_ms=wall_ms())
        hall.until(lambda: fleet.event.last >= wrong)
        assert [f"entry {wrong} (penalty_withdrawn) was passed over" in note for note in fleet.event.state.notes] == [
            True
        ]
        hall.append("dealer_called", {"deal": 1, "dealer": 2}, at_ms=wall_ms(), unit=hall.simulation.unit)
