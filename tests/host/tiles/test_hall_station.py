"""The station of a hall at a real board: deals that are replaced at all tables, and a board that has lost its power."""

from contextlib import contextmanager

import pytest

from wallwright.doctor.bench import Bench
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.errors import BoardReset, ConsoleFailed, Refused
from wallwright.event.told_walls import ToldWalls
from wallwright.journal import Journal, read_journal
from wallwright.journal.kinds.tables import WallsUp
from wallwright.link.simulator import register_simulated_ports
from wallwright.table.table import open_table
from wallwright.tiles import hall_station
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright.tiles.hall_station import Console, HallTable, Station, Withdrawn
from wallwright.tiles.station import director_key, read_next_build, send, trust_director, withdraw
from wallwright_protocol.codes import STRICT_WALL
from wallwright_protocol.hardware import SIDES
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.sorters import read_hardware

SPARE = 3
DEALS = draw_deals("day", "mil-2025-duplicate", OWN, SPARE, 1)
BUILD_MS = 200_000


class Hall(Console):
    """A hall of one table, as its console answers the station. `deal` and `withdrawn` are what its event says."""

    def __init__(self, table, port, journal, path):
        self.table_there, self.port, self.journal, self.path = table, port, journal, path
        self.deal, self.withdrawn = 1, ()

    def table(self, name):
        following = read_next_build(self.table_there)
        return HallTable(name, following, self.deal, None, self.walls().has(following.unit), self.withdrawn)

    def walls(self):
        walls = ToldWalls(lambda _: False)
        for entry in read_journal(self.path):
            walls.take(entry)
            if isinstance(entry.said, WallsUp):
                walls.risen(entry, entry.said)
        return walls

    def tell(self, name, what):
        """Nobody looks at the page."""

    def prescribe(self, name, whole):
        self.do(lambda: send(self.table_there, whole))

    def withdraw(self, name):
        self.do(lambda: withdraw(self.table_there))

    def judgement(self, name, prescription_hash):
        for _ in range(300):
            for event in self.table_there.events():
                if event.fields.get("prescription_hash") == prescription_hash and "refusal" in event.fields:
                    return event.fields["refusal"]
            self.table_there.listen(100)
        raise AssertionError("the board says nothing")

    def do(self, what):
        try:
            what()
        except Refused as error:
            raise ConsoleFailed(str(error)) from error


@pytest.fixture
def hall(tmp_path, monkeypatch):
    """A hall whose table trusts this director, with its station and its simulation."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "director"))
    monkeypatch.setattr(hall_station, "RETRY_S", 0.0)
    register_simulated_ports()
    simulation = Simulation(23, hardware=read_hardware("ring", magnets=18))
    world = simulation.world
    enrolled = Enrolment(simulation.unit, world.tiles, (world.tags(0), world.tags(1)))
    save_enrolment(enrolment_path(simulation.unit), enrolled)
    with Journal(tmp_path / "hall.journal") as journal:
        port = attach("withdrawn", simulation)
        with open_table(port, journal=journal) as table:
            with Bench(table).in_service():
                table.request("set_enrolment", enrolled.digest())
            trust_director(table, director_key())
            hall = Hall(table, port, journal, tmp_path / "hall.journal")
            yield hall, started(hall), simulation


def started(hall):
    """The station, as somebody starts it, perhaps again."""
    return Station(hall, DEALS, director_key(), STRICT_WALL)


def seen(station):
    ((_, found),) = station.look(["A1"])
    return found


def live(table, ms):
    until_ms = table.now_ms() + ms
    while table.now_ms() < until_ms:
        table.listen(until_ms - table.now_ms())


def empty(world):
    """People take out what E33 asks for."""
    for side in range(SIDES):
        for tile in world.free_carrier(side) + world.free_head(side):
            world.put_in_drum(tile)


def press(hall, simulation):
    simulation.players.press_lift(0)
    live(hall.table_there, 1_000)


def build_and_push_in(hall, station, simulation):
    """The first deal is built and waits below; people push the tiles in, and press the lift key for its walls."""
    table = hall.table_there
    seen(station)
    press(hall, simulation)
    table.wait_for("wall_prescribed", BUILD_MS)
    live(table, 10_000)
    press(hall, simulation)
    live(table, 3_000)
    simulation.players.push_in()
    press(hall, simulation)


@contextmanager
def after_a_power_cut(hall, simulation):
    """The board starts again, and the hall's host has met it; nobody knows its walls."""
    simulation.cut_power(500)
    with pytest.raises(BoardReset):
        live(hall.table_there, 8_000)
    hall.table_there.close()
    with open_table(hall.port, journal=hall.journal) as table:
        hall.table_there = table
        live(table, 1_000)
        assert table.status().fault == "walls_unknown"
        yield


@pytest.mark.slow
@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("when", ["before it is built", "while it is built", "when it waits below"])
def test_a_deal_that_was_replaced_is_taken_back_and_the_spare_one_is_built(hall, when, is_restarted):
    """By the station that gave it, and by one that was started again and has given nothing."""
    hall, station, simulation = hall
    table, world = hall.table_there, simulation.world
    assert (seen(station).deal, seen_nothing(station)) == (1, True)
    if when != "before it is built":
        press(hall, simulation)
        live(table, 5_000)
    if when == "when it waits below":
        table.wait_for("wall_prescribed", BUILD_MS)
    if is_restarted:
        station = started(hall)
        assert seen_nothing(station)
    hall.deal, hall.withdrawn = SPARE, (1,)
    if when == "while it is built":
        assert "wrong_state" in seen(station)
        table.wait_for("wall_prescribed", BUILD_MS)
    live(table, 10_000)
    taken = seen(station)
    assert isinstance(taken, Withdrawn)
    assert (taken.deal, taken.unit) == (1, simulation.unit)
    if when != "before it is built":
        live(table, 1_000)
        assert (table.status().state, table.status().fault) == ("fault", "walls_unknown")
    # It has the spare one before anybody can have ordinary walls built.
    released = seen(station)
    assert (released.deal, released.refusal) == (SPARE, "ok")
    empty(world)
    if when != "before it is built":
        press(hall, simulation)
    press(hall, simulation)
    built = table.wait_for("wall_prescribed", BUILD_MS).fields
    assert (built["match"], built["prescription_hash"]) == (1, released.prescription_hash)
    assert seen_nothing(station)


def told(hall, kind):
    return [entry.body["fields"] for entry in read_journal(hall.path) if entry.kind == kind]


def seen_nothing(station):
    return not list(station.look(["A1"]))


@pytest.mark.slow
def test_a_deal_that_is_up_or_was_played_is_not_taken_back(hall):
    hall, station, simulation = hall
    build_and_push_in(hall, station, simulation)
    hall.table_there.wait_for("walls_up", 20_000)
    live(hall.table_there, 1_000)
    hall.deal, hall.withdrawn = SPARE, (1,)
    assert seen(started(hall)).deal == SPARE
    assert seen_nothing(station)
    assert simulation.board.displays == ["P DICE?"] * SIDES


@pytest.mark.slow
def test_a_board_that_has_lost_its_power_is_given_the_deal_again_before_it_can_build_others(hall):
    hall, station, simulation = hall
    first = seen(station)
    press(hall, simulation)
    live(hall.table_there, 5_000)
    with after_a_power_cut(hall, simulation):
        again = seen(started(hall))
        assert (again.deal, again.build, again.refusal) == (1, first.build, "ok")
        assert seen_nothing(station)
        empty(simulation.world)
        press(hall, simulation)
        press(hall, simulation)
        assert hall.table_there.wait_for("wall_prescribed", BUILD_MS).fields["match"] == 1


@pytest.mark.slow
def test_a_station_that_is_started_again_at_any_moment_releases_each_build_once_and_what_it_is_for(hall):
    hall, _, simulation = hall
    table, released = hall.table_there, []

    def look():
        for _, one in started(hall).look(["A1"]):
            released.append((one.deal, one.build, one.refusal))

    look()
    for deal in (1, 2):
        look()
        live(table, 3_000)
        if table.status().state == "idle":
            press(hall, simulation)
        for _ in range(10):
            live(table, 5_000)
            look()
        while table.status().state != "ready":
            live(table, 5_000)
        look()
        press(hall, simulation)
        while table.status().state != "lid_open":
            live(table, 1_000)
        look()
        simulation.players.push_in()
        press(hall, simulation)
        table.wait_for("walls_up", 20_000)
        hall.deal = deal + 1
        look()
        simulation.players.draw_in()
        simulation.players.press_dice(deal)
    assert released == [(1, 1, "ok"), (2, 2, "ok"), (3, 3, "ok")]
    assert [fields["match"] for fields in told(hall, "wall_prescribed")] == [1, 1]


@pytest.mark.slow
def test_walls_that_were_whole_and_that_nobody_knows_any_more_are_given_again(hall):
    """The power fails with the lid open over whole walls, where nobody can tell them from others."""
    hall, station, simulation = hall
    build_and_push_in(hall, station, simulation)
    with after_a_power_cut(hall, simulation):
        assert seen(started(hall)).deal == 1
        assert seen_nothing(started(hall))
