"""A hall whose table reads its tiles, and a tournament in its journal: what is tracked is on the right sheet."""

from pathlib import Path

import pytest

from tests.host.event.paper import SEED
from tests.host.fleet.far import FarTable
from tests.host.fleet.served import config_text
from tests.host.fleet.test_tracked_hall import Unheard, enrolled
from tests.host.people import people_at
from wallwright.console.people.person import Person
from wallwright.console.tournament.book import Book
from wallwright.errors import EventRefused
from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event
from wallwright.fleet import Fleet, load_hall
from wallwright.play.bots_at_table import DealReport
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation

DIRECTOR = Person("dan", "director")


def test_a_tracked_deal_is_on_the_sheet_of_the_session_in_which_it_began(tmp_path: Path) -> None:
    simulation = Simulation(3, readers=ALL_READERS)
    far = FarTable(simulation)
    file = tmp_path / "hall.toml"
    file.write_text(config_text("hall.journal", [f'name = "A1"\nport = "{far.wire.name}"']))
    place = str(tmp_path / "hall.journal")
    with open_event(place, "dan", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 5))), "a list")
        setup.commit_draw(desk, MAIN, SEED)
        setup.reveal_draw(desk, MAIN, SEED)
        setup.bind_table(desk, 1, simulation.unit)
    played: list[DealReport] = []
    try:
        with enrolled(simulation), Fleet(load_hall(file)) as fleet:
            far.meet(fleet)
            book = Book(place, use=fleet.turn)
            table = people_at(simulation, far.pump, Unheard(), 3)
            deals = table.play(3)
            played.append(next(deals))

            def start(desk: Desk) -> None:
                running.open_session(desk, 1)
                running.start_session(desk, 1)

            book.do(DIRECTOR, start)
            played += deals
            far.until(lambda: sum(change.kind == "tracked" for change in far.changes) == 2)
            book.look()
            found = book.sheet(1, 1)
            assert found is not None
            view, [deal] = found
            # The first was for practice, the third is over when other walls go up.
            assert [report.number for report in played] == [1, 2, 3]
            assert (deal.deal, deal.points, deal.source) == (1, played[1].settlement.points, "tracked")
            assert (view.unconfirmed, view.in_play) == ((1,), 2)
            replay = book.deals.replay(book.deals.finished(deal.entry))
            assert len(replay.moves) == len(played[1].deal.log) + 2
            book.do(DIRECTOR, lambda desk: running.stop_session(desk, 1, "that is enough"))
            with pytest.raises(EventRefused, match="in deal 2"):
                book.do(DIRECTOR, lambda desk: running.sign_off(desk, 1, 1))
            third = played[2].settlement.points
            book.do(
                DIRECTOR, lambda desk: results.rule_result(desk, 1, 1, third, "the table could not tell it any more")
            )
            book.do(DIRECTOR, lambda desk: running.sign_off(desk, 1, 1))
    finally:
        far.wire.close()
    state = read_event(place)
    assert state.sessions[1].state == "provisional"
    total = tuple(a + b for a, b in zip(played[1].settlement.points, third, strict=True))
    assert state.sessions[1].tables[0].points() == total
    [note] = state.notes
    assert "deal 1 of" in note
    assert "no session was played" in note
