"""Many tables operated by one process: found, followed, lost, found again, told apart, stopped."""

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.host.fleet.served import Heard, Served, all_stored, at_port, config_text, journalled, serving, stored, until
from wallwright.errors import BadName, NotConnected, Refused
from wallwright.fleet import Fleet, load_hall
from wallwright.fleet.state import CONNECTED, ENDED, SEARCHING
from wallwright.journal import read_journal
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.serve import PtyWire
from wallwright_simulator.simulation import Simulation

PACE = 4


class Place:
    """A folder with a hall's file, its journal, and links that name pseudo-terminals like device files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "hall.journal"

    def link(self, name: str, port: str) -> str:
        draft = self.folder / "draft"
        draft.symlink_to(port)
        draft.replace(self.folder / name)
        return str(self.folder / name)

    def fleet(self, *tables: str, ports: tuple[str, ...] = ()) -> Fleet:
        file = self.folder / "hall.toml"
        file.write_text(config_text(self.journal, tables, ports))
        return Fleet(load_hall(file))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Every test ends with the threads and the open files that it began with."""
    threads = set(threading.enumerate())
    files = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert set(threading.enumerate()) == threads
    assert len(list(Path("/proc/self/fd").iterdir())) <= files


def test_a_fleet_that_cannot_begin_leaves_no_thread(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError("the journal cannot be read")

    monkeypatch.setattr("wallwright.fleet.fleet.HallWalls", fails)
    with pytest.raises(OSError, match="cannot be read"):
        place.fleet(at_port("table-1", "/dev/none"))


def table(seed: int) -> Simulation:
    return Simulation(seed)


def with_unit(name: str, unit: str) -> str:
    return f'name = "{name}"\nunit = "{unit}"'


def press_dice(served: Served, simulation: Simulation) -> None:
    served.do(lambda: simulation.players.press_dice(0))


def test_deals_at_several_tables_are_all_in_one_journal(place: Place) -> None:
    simulations = [table(seed) for seed in (21, 22, 23)]
    people = [People(simulation, 3000) for simulation in simulations]
    hall = Hall(simulations, people, pace=20)
    with serving(hall) as served:
        fleet = place.fleet(
            at_port("A1", hall.ports[0]), with_unit("A2", "SIM-22"), with_unit("A3", "SIM-23"), ports=hall.ports[1:]
        )
        with fleet:
            heard = Heard(fleet.news)
            for name in ("A1", "A2", "A3"):
                heard.event(name, "walls_up")
            state = fleet.state()
            assert [(t.name, t.link, t.info and t.info.unit) for t in state.tables] == [
                ("A1", CONNECTED, "SIM-21"),
                ("A2", CONNECTED, "SIM-22"),
                ("A3", CONNECTED, "SIM-23"),
            ]
            assert state.journal_problem is None
        assert [t.link for t in fleet.state().tables] == [ENDED] * 3
        counted = served.do(lambda: [stored(simulation)[0] for simulation in simulations])
    for simulation, count in zip(simulations, counted, strict=True):
        (seqs,) = journalled(place.journal, simulation.unit).values()
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= count > 10


def test_a_port_that_goes_and_comes_back_under_another_name_is_found_by_its_unit(place: Place) -> None:
    simulation = table(24)
    hall = Hall([simulation], pace=PACE, new_wire=PtyWire)
    with serving(hall) as served:
        first = place.link("port-a", hall.ports[0])
        second = str(place.folder / "port-b")
        with place.fleet(with_unit("A1", "SIM-24"), ports=(first, second)) as fleet:
            heard = Heard(fleet.news)
            assert heard.kind("A1", "connected").body["port"] == first
            until(all_stored(served, simulation))
            served.do(lambda: hall.replug(0))
            lost = heard.kind("A1", "searching")
            assert lost.body["outage"] == "port_gone"
            press_dice(served, simulation)
            Path(first).unlink()
            place.link("port-b", hall.ports[0])
            back = heard.kind("A1", "connected", meeting="link_restored")
            assert (back.body["port"], back.body["state"], back.body["lost"]) == (second, "idle", 0)
            assert back.body["waiting"] >= 1
            heard.event("A1", "dice_rolled")
            until(all_stored(served, simulation))
    (seqs,) = journalled(place.journal, "SIM-24").values()
    assert seqs == list(range(1, len(seqs) + 1))
    kinds = [entry.kind for entry in read_journal(place.journal)]
    assert kinds.count("first_met") == kinds.count("link_restored") == kinds.count("dice_rolled") == 1


def test_a_usb_board_is_found_by_its_serial_number_whatever_its_port_is_called(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Listed(NamedTuple):
        device: str
        serial_number: str

    simulation = table(25)
    hall = Hall([simulation], pace=PACE, new_wire=PtyWire)
    monkeypatch.setattr("wallwright.link.discovery.LISTING_MS", 0)
    monkeypatch.setattr(
        "wallwright.link.discovery.list_ports.comports", lambda: [Listed(hall.ports[0], "E6614103E7452D2F")]
    )
    with serving(hall) as served, place.fleet('name = "A1"\nusb_serial = "E6614103E7452D2F"') as fleet:
        heard = Heard(fleet.news)
        first = heard.kind("A1", "connected").body["port"]
        served.do(lambda: hall.replug(0))
        heard.kind("A1", "searching", outage="port_gone")
        second = heard.kind("A1", "connected", meeting="link_restored").body["port"]
        assert second == hall.ports[0] != first


def test_tables_behind_adapters_with_one_number_are_found_by_their_units(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Listed(NamedTuple):
        device: str
        serial_number: str

    hall = Hall([table(51), table(52)], pace=PACE, new_wire=PtyWire)
    monkeypatch.setattr(
        "wallwright.link.discovery.list_ports.comports", lambda: [Listed(port, "0001") for port in hall.ports]
    )
    tables = [
        f'name = "{name}"\nusb_serial = "0001"\nunit = "{unit}"' for name, unit in (("A", "SIM-52"), ("B", "SIM-51"))
    ]
    with serving(hall), place.fleet(*tables) as fleet:
        heard = Heard(fleet.news)
        assert heard.kind("A", "connected", unit="SIM-52").body["port"] == hall.ports[1]
        assert heard.kind("B", "connected", unit="SIM-51").body["port"] == hall.ports[0]


def test_a_number_that_two_tables_have_is_told_with_both(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    class Listed(NamedTuple):
        device: str
        serial_number: str

    hall = Hall([table(53), table(54)], pace=PACE, new_wire=PtyWire)
    monkeypatch.setattr(
        "wallwright.link.discovery.list_ports.comports", lambda: [Listed(port, "0001") for port in hall.ports]
    )
    with serving(hall), place.fleet('name = "A"\nusb_serial = "0001"') as fleet:
        said = Heard(fleet.news).kind("A", "searching", outage="bad_port").body["text"]
        assert all(
            f"{port}: 0001 (SIM-{seed} answers there)" in said for port, seed in zip(hall.ports, (53, 54), strict=True)
        )


def test_a_board_that_was_reset_stands_still_and_what_it_took_with_it_is_counted(place: Place) -> None:
    simulation = table(26)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served, place.fleet(at_port("A1", hall.ports[0])) as fleet:
        heard = Heard(fleet.news)
        old = heard.kind("A1", "connected").body["boot_id"]
        fleet.call("A1", lambda t: t.start_build()).result(10)
        heard.event("A1", "build_started")
        served.do(lambda: simulation.cut_power(500))
        heard.until(lambda c: c.kind == "searching" and c.body["outage"] in ("board_reset", "no_answer"))
        back = heard.kind("A1", "connected", meeting="board_reset")
        assert back.body["boot_id"] != old
        assert isinstance(back.body["lost"], int)
        assert back.body["state"] not in ("building", "lifting", "lowering", "lid_opening", "lid_closing")
        assert fleet.call("A1", lambda t: t.status()).result(10).drives == ()
        requests = {
            entry.body["fields"]["message"]
            for entry in read_journal(place.journal)
            if entry.kind == "command_accepted" and entry.boot_id == back.body["boot_id"]
        }
        assert requests <= {"contribute", "set_plan"}
        assert len(journalled(place.journal, "SIM-26")) == 2


def test_another_board_in_its_place_is_told_and_its_events_are_its_own(place: Place) -> None:
    simulations = [table(27), table(28)]
    hall = Hall(simulations, pace=PACE, new_wire=PtyWire)
    with serving(hall) as served:
        port = place.link("port", hall.ports[0])
        with place.fleet(at_port("A1", port)) as fleet:
            heard = Heard(fleet.news)
            heard.kind("A1", "connected", unit="SIM-27")
            until(all_stored(served, simulations[0]))
            place.link("port", hall.ports[1])
            served.do(lambda: hall.replug(0))
            replaced = heard.kind("A1", "connected", meeting="board_replaced")
            assert replaced.body["unit"] == "SIM-28"
            assert "SIM-27" in replaced.body["text"]
            until(all_stored(served, simulations[1]))
    for unit in ("SIM-27", "SIM-28"):
        (seqs,) = journalled(place.journal, unit).values()
        assert seqs == list(range(1, len(seqs) + 1))


def test_a_board_that_is_not_the_one_wanted_is_left_alone(place: Place) -> None:
    simulation = table(29)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served, place.fleet(at_port("A1", hall.ports[0]) + '\nunit = "SIM-1"') as fleet:
        heard = Heard(fleet.news)
        refused = heard.kind("A1", "searching", outage="wrong_unit")
        assert "SIM-29" in refused.body["text"]
        future = fleet.call("A1", lambda t: t.start_build())
        with pytest.raises(NotConnected, match="SIM-29"):
            future.result(10)
        assert fleet.state().tables[0].link == SEARCHING
        assert served.do(lambda: stored(simulation))[0] == 0


def test_a_host_that_is_started_again_takes_up_where_it_stopped(place: Place) -> None:
    simulation = table(30)
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        with place.fleet(at_port("A1", hall.ports[0])) as fleet:
            Heard(fleet.news).kind("A1", "connected", meeting="first_met")
            until(all_stored(served, simulation))
        press_dice(served, simulation)
        with place.fleet(at_port("A1", hall.ports[0])) as fleet:
            heard = Heard(fleet.news)
            back = heard.kind("A1", "connected")
            assert (back.body["meeting"], back.body["lost"]) == ("host_restarted", 0)
            heard.event("A1", "dice_rolled")
            until(all_stored(served, simulation))
            shown = [c.event.name for c in heard.changes if c.event is not None]
            assert "booted" not in shown, "what the first run had in the journal is no news"
    (seqs,) = journalled(place.journal, "SIM-30").values()
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_memory_that_overflowed_is_a_gap_with_its_size(place: Place) -> None:
    simulation = table(31)
    for _ in range(60):
        simulation.players.press_dice(0)
        simulation.run_until(simulation.now_ms + 3000)
    newest = stored(simulation)[1]
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served, place.fleet(at_port("A1", hall.ports[0])) as fleet:
        heard = Heard(fleet.news)
        gap = heard.kind("A1", "gap")
        until(all_stored(served, simulation))
        until(lambda: fleet.state().tables[0].waiting == 0)
        heard.until(lambda c: c.event is not None and c.event.seq >= newest)
        told = sum(c.body["lost"] for c in heard.changes if c.kind == "gap")
        assert fleet.state().tables[0].lost == told >= gap.body["lost"] > 0
    entries = [entry for entry in read_journal(place.journal) if entry.seq is not None]
    seqs = [entry.seq for entry in entries if entry.seq is not None]
    holes = {b: b - a - 1 for a, b in pairwise([0, *seqs]) if b - a > 1}
    assert {entry.seq: entry.body["lost"] for entry in entries if "lost" in entry.body} == holes
    assert sum(holes.values()) == told


def test_calls_are_answered_or_refused_and_never_forgotten(place: Place) -> None:
    simulation = table(32)
    hall = Hall([simulation], pace=PACE)
    with serving(hall):
        with place.fleet(at_port("A1", hall.ports[0]), at_port("A2", "/dev/there-is-no-such-port")) as fleet:
            Heard(fleet.news).kind("A1", "connected")
            assert fleet.call("A1", lambda t: t.info.unit).result(10) == "SIM-32"
            with pytest.raises(Refused):
                fleet.call("A1", lambda t: t.raise_walls()).result(10)
            with pytest.raises(ZeroDivisionError):
                fleet.call("A1", lambda t: 1 // 0).result(10)
            assert fleet.call("A1", lambda t: t.state).result(10) == "idle"
            with pytest.raises(NotConnected, match="no such port"):
                fleet.call("A2", lambda t: t.state).result(10)
            with pytest.raises(BadName, match="A1, A2"):
                fleet.call("A3", lambda t: t.state)
        with pytest.raises(NotConnected):
            fleet.call("A1", lambda t: t.state).result(0)
        fleet.stop()
