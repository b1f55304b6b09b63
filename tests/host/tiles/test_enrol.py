"""Enrolling tiles: a person at a simulated table holds them to its heads, well and badly."""

import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from wallwright import cli
from wallwright.errors import BadEnrolment
from wallwright.link.simulator import register_simulated_ports
from wallwright.table.table import open_table
from wallwright.tiles.enrol import Ask, Enrolled, Known, Said, Skipped, Together, enrol
from wallwright.tiles.enrolment import (
    Enrolment,
    enrolment_path,
    load_enrolment,
    read_readers,
    save_enrolment,
    set_faces,
)
from wallwright_protocol.hardware import LANE_READERS, SET_SIZES, SETS
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation, attach

WAIT_MS = 8000


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    register_simulated_ports()
    return tmp_path / "data" / "wallwright"


class Person:
    """Holds the tile that is asked for to a head, unless `odd` has something else to be done; notes what is said.

    A tile that was held is taken away when the next is asked for.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.said: list[Said] = []
        self.odd: dict[int, str] = {}
        self.asked = 0
        world = simulation.world
        self.left = {
            number: [tile for tile in world.locations() if world.set_of(tile) == number] for number in range(SETS)
        }
        self.last = -1

    def tell(self, said: Said) -> None:
        self.said.append(said)
        if isinstance(said, Ask):
            for reader in range(4):
                self.simulation.players.hold(reader, None)
            self.asked += 1
            how = self.odd.get(self.asked, "")
            if how == "again":
                self._hold_later()
            elif how != "nothing":
                self.last = self._next(said)
                self._hold(self.last)
            if how == "two":
                self._hold(self.left[1][-1], 3)
        elif isinstance(said, (Known, Together)):
            for reader in range(4):
                self.simulation.players.hold(reader, None)
            asked = next(one for one in reversed(self.said) if isinstance(one, Ask))
            if isinstance(said, Known):
                self.last = self._next(asked)
            self._hold_later()

    def _hold_later(self) -> None:
        """Hold the last tile to a head when the table has noticed that it was taken away."""
        self.simulation.later(self.simulation.now_ms + 2500, lambda: self._hold(self.last))

    def _hold(self, tile: int, reader: int | None = None) -> None:
        self.simulation.players.hold(tile % 3 if reader is None else reader, tile)

    def _next(self, asked: Ask) -> int:
        world = self.simulation.world
        tile = next(tile for tile in self.left[asked.set] if world.face(tile) == asked.face)
        self.left[asked.set].remove(tile)
        return tile

    def kinds(self) -> Counter[str]:
        return Counter(type(said).__name__ for said in self.said)


def truth(simulation: Simulation, number: int) -> dict[str, str]:
    world = simulation.world
    tiles = range(number * world.tiles, (number + 1) * world.tiles)
    return {world.readers.tags[tile].hex(): world.face(tile) for tile in tiles}


@pytest.mark.parametrize(("tiles", "last"), [(108, "9s"), (136, "7z"), (144, "8f")])
def test_a_person_who_does_as_told_enrols_both_sets(data_home, tiles, last):
    """Sets of Sichuan, of Hong Kong, and with flowers."""
    simulation = Simulation(31, tiles=tiles, readers=ALL_READERS)
    person = Person(simulation)
    with open_table(attach(f"enrol-31-{tiles}", simulation)) as table:
        done = enrol(table, person.tell, 10_000)
        assert table.status().state == "idle"
        board = read_readers(table)
    assert done.sets == (truth(simulation, 0), truth(simulation, 1))
    assert [done.gaps(number) for number in range(SETS)] == [(), ()]
    assert person.kinds() == {"Ask": 2 * tiles, "Enrolled": 2 * tiles}
    assert [said.face for said in person.said if isinstance(said, Ask)] == 2 * list(set_faces(tiles))
    assert set_faces(tiles)[-1] == last
    assert board.digest == done.digest()
    assert board.readers == tuple(range(16))
    assert load_enrolment(enrolment_path("SIM-31")) == done
    assert done.digest() == load_enrolment(data_home / "tiles" / "SIM-31.json").digest()  # type: ignore[union-attr]


def test_what_goes_wrong_is_said_and_a_second_run_asks_for_the_gaps_alone():
    simulation = Simulation(32, readers=LANE_READERS)
    person = Person(simulation)
    person.odd = {2: "again", 3: "nothing", 5: "two"}
    person.odd |= dict.fromkeys(range(7, 217), "nothing")
    with open_table(attach("enrol-32", simulation)) as table:
        first = enrol(table, person.tell, WAIT_MS)
        assert person.kinds() == {"Ask": 216, "Enrolled": 5, "Known": 1, "Together": 1, "Skipped": 211}
        assert len(first.sets[0]) == 5
        assert first.sets[0].items() <= truth(simulation, 0).items()
        second = Person(simulation)
        second.left = {0: list(person.left[0]), 1: list(person.left[1])}
        simulation.run_until(simulation.now_ms + 3000)
        done = enrol(table, second.tell, 10_000)
    assert Counter(said.face for said in second.said if isinstance(said, Ask) and said.set == 0) == Counter(
        first.gaps(0)
    )
    assert done.sets == (truth(simulation, 0), truth(simulation, 1))
    known = [said for said in person.said if isinstance(said, Known)]
    assert known[0].face == "1m"
    assert any(isinstance(said, Skipped) for said in person.said)
    assert any(isinstance(said, Enrolled) for said in person.said)


def test_a_table_without_readers_at_its_heads_enrols_nothing():
    for readers in (0, ALL_READERS & ~LANE_READERS):
        simulation = Simulation(33, readers=readers)
        with (
            open_table(attach(f"enrol-33-{readers}", simulation)) as table,
            pytest.raises(BadEnrolment, match="no tile readers at its stacking heads"),
        ):
            enrol(table, lambda said: None, 1000)


def test_a_list_of_another_table_is_left_alone():
    simulation = Simulation(34, readers=LANE_READERS)
    path = enrolment_path("SIM-34")
    save_enrolment(path, Enrolment("SIM-34", 136))
    with (
        open_table(attach("enrol-34", simulation)) as table,
        pytest.raises(BadEnrolment, match="is of SIM-34 with 136 tiles, not of SIM-34 with 108"),
    ):
        enrol(table, lambda said: None, 1000)
    assert load_enrolment(path) == Enrolment("SIM-34", 136)


@pytest.mark.parametrize("tiles", SET_SIZES)
def test_every_set_has_the_tiles_that_a_real_one_has(tiles):
    assert len(set_faces(tiles)) == tiles
    empty = Enrolment("T", tiles)
    assert empty.gaps(0) == empty.gaps(1) == set_faces(tiles)
    with pytest.raises(BadEnrolment, match="no set of 110"):
        set_faces(110)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.update(wallwright_tiles=9), "another version"),
        (lambda record: record["sets"][1].update(record["sets"][0]), "is in both sets"),
        (lambda record: record["sets"][0].update(xyz="1m"), "'xyz' is no tag"),
        (lambda record: record["sets"][0].update({f"e0040000000000a{n}": "9s" for n in range(5)}), "too many tiles 9s"),
        (lambda record: record.pop("unit"), "no file of"),
        (lambda record: record.update(tiles=7), "no set of 7"),
    ],
)
def test_a_list_that_was_damaged_is_refused(tmp_path, change, said):
    path = tmp_path / "tags.json"
    enrolment = Enrolment("T", 108, ({"e004000000000001": "1m"}, {"e004000000000002": "2m"}))
    save_enrolment(path, enrolment)
    assert load_enrolment(path) == enrolment
    record = json.loads(path.read_bytes())
    change(record)
    path.write_text(json.dumps(record))
    with pytest.raises(BadEnrolment, match=said):
        load_enrolment(path)


def test_a_list_that_cannot_be_read_or_written_is_said(tmp_path):
    path = tmp_path / "tags.json"
    assert load_enrolment(path) is None
    path.write_text("{")
    with pytest.raises(BadEnrolment, match="enrol the tiles again"):
        load_enrolment(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(BadEnrolment, match="cannot be read"):
        load_enrolment(path)
    with pytest.raises(BadEnrolment, match="cannot be written"):
        save_enrolment(path, Enrolment("T", 108))


def test_a_unit_with_signs_that_no_file_name_has_gets_a_file_all_the_same():
    assert enrolment_path("EAST-7").name == "EAST-7.json"
    names = {enrolment_path(unit).name for unit in ("../x", "a/b", "", ".hidden", "ü")}
    assert len(names) == 5
    assert not any(name.startswith(".") or "/" in name for name in names)


def test_the_command_tells_what_to_do_and_what_is_left(monkeypatch, capsys):
    simulation = Simulation(35, readers=LANE_READERS)
    port = attach("enrol-35", simulation)
    tile = simulation.world.pile[-1]
    simulation.later(1500, lambda: simulation.players.hold(1, tile))
    for options, first in (("", "Set 0, 108 to go: hold a 1m to a stacking head."), ("--json", '{"said": "ask"')):
        monkeypatch.setattr(
            "sys.argv", ["wallwright", *shlex.split(f"tiles enrol --port {port} --seconds 2 {options}")]
        )
        with pytest.raises(SystemExit) as caught:
            cli.main()
        lines = capsys.readouterr().out.splitlines()
        assert caught.value.code == 1
        assert lines[0].startswith(first)
        if not options:
            assert f"has tag {simulation.world.readers.tags[tile].hex()}" in lines[1]
            assert lines[-3].startswith("Set 0: 1 of 108 tiles; without a tag: 3 of 1m, 4 of 2m")
            assert lines[-1].endswith("SIM-35.json.")
        else:
            last = json.loads(lines[-1])
            assert list(map(len, last["gaps"])) == [107, 108]
