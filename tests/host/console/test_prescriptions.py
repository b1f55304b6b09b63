"""`wallwright deals station`: a director releases drawn deals to the tables of `wallwright serve`, over the net."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.host.console.hall import PASSWORD
from tests.host.console.test_serve import started
from tests.host.fleet.served import serving, until
from tests.host.fleet.test_walls_by_command import PACE, Table, hall_file
from tests.host.tiles.test_secrecy import forms
from wallwright import cli
from wallwright.clocks import wall_ms
from wallwright.doctor.bench import Bench
from wallwright.duplicate.announced import announced
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.duplicate.sealed import seal
from wallwright.errors import ConsoleFailed
from wallwright.event import running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.same_deals import commit_deals, walls_for
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import read_journal
from wallwright.journal.kinds.house import ConsoleAct
from wallwright.journal.kinds.tables import WallPrescribed
from wallwright.table.table import open_table
from wallwright.tiles import hall_station as hall_tiles
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright.tiles.station import director_key, trust_director
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.sorters import read_hardware

DEALS_PASSWORD = "a long one for deals"


@pytest.fixture
def run(monkeypatch, capsys):
    """A command of this process: its code, what it printed, and its errors."""

    def run(*line: Any) -> tuple[Any, str, str]:
        monkeypatch.setattr("sys.argv", ["wallwright", *map(str, line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return caught.value.code or 0, printed.out, printed.err

    return run


def once(run: Any, line: Any) -> tuple[Any, str, str]:
    """Run it again while the table, at its pace on a busy machine, does not listen to its host."""
    while True:
        code, said, error = run(*line)
        if "no longer listens" not in error and "not connected" not in error:
            return code, said, error


def withdrew(console: hall_tiles.Console) -> bool:
    """Whether the table has taken it; on a busy machine it may not listen to its host for a while."""
    try:
        console.withdraw("A1")
    except ConsoleFailed:
        return False
    return True


def begin_event(journal: Path, deals: Any, unit: str) -> None:
    with open_event(str(journal), "dan", wall_ms, new=True) as desk:
        setup.create(desk, load_format("mil-2025-pairs"))
        pairs = tuple(Player(one, f"P{one}", f"Pair {-(-one // 2)}") for one in range(1, 5))
        setup.import_players(desk, Roster(pairs), "a list")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        commit_deals(desk, announced(deals))
        setup.bind_table(desk, 1, unit)
        assert walls_for(desk.state, unit) == 1
        assert walls_for(desk.state, "another") is None
        running.open_session(desk, 1)
        running.start_session(desk, 1)


def test_a_hall_that_is_served_builds_what_the_director_releases(tmp_path, monkeypatch, run):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "director"))
    hall_folder = tmp_path / "hall"
    hall_folder.mkdir()
    deals = draw_deals("day", "mil-2025-duplicate", OWN, 12)
    seal(tmp_path / "a.deals", deals, DEALS_PASSWORD)
    (tmp_path / "deals.txt").write_text(DEALS_PASSWORD + "\n")
    (tmp_path / "ann.txt").write_text(PASSWORD + "\n")
    simulation = Simulation(61, hardware=read_hardware("ring", magnets=18))
    world = simulation.world
    enrolled = Enrolment(simulation.unit, world.tiles, (world.tags(0), world.tags(1)))
    hall = Hall([simulation], pace=PACE)
    with serving(hall) as served:
        people = Table(served, simulation)
        with open_table(hall.ports[0]) as table:
            with Bench(table).in_service():
                table.request("set_enrolment", enrolled.digest())
            trust_director(table, director_key())
        begin_event(hall_folder / "hall.journal", deals, simulation.unit)
        with started("--config", str(hall_file(hall_folder, hall.ports[0]))) as (process, address):
            token = process.stdout.readline().strip().rpartition("/")[2]
            with httpx2.Client(base_url=address, timeout=60) as client:
                first = {"token": token, "name": "ann", "password": PASSWORD}
                assert client.post("/api/v1/first", json=first).status_code == 200
                until(lambda: client.get("/api/v1/tables/A1").json()["state"] == "idle")
                line: tuple[Any, ...] = (
                    "deals",
                    "station",
                    tmp_path / "a.deals",
                    "--server",
                    address,
                    "--user",
                    "ann",
                    "--once",
                )
                line += ("--password-file", tmp_path / "deals.txt", "--user-password-file", tmp_path / "ann.txt")
                code, _, error = once(run, line)
                assert (code, "not enrolled here; copy the list of tags of A1" in error) == (4, True), error
                save_enrolment(enrolment_path(simulation.unit), enrolled)
                code, said, error = once(run, (*line, "--json"))
                assert (code, error) == (0, "")
                told = json.loads(said)
                assert {name: told[name] for name in ("table", "unit", "deal", "refusal")} == {
                    "table": "A1",
                    "unit": simulation.unit,
                    "deal": 1,
                    "refusal": "ok",
                }
                # A station that is started again hears that the table has it, and asks the board for nothing.
                code, said, error = once(run, (*line, "--json"))
                assert (code, said, error) == (0, "", "")
                # It is taken back and released anew, for the same build.
                console = hall_tiles.Console(hall_tiles.ConsolePlace(address), "ann", PASSWORD)
                until(lambda: withdrew(console))
                code, said, error = once(run, (*line, "--json"))
                assert (code, json.loads(said)) == (0, told), error
                people.press_lift()
                people.until("READY")
                people.bring_up()
                code, said, error = once(run, line)
                assert (code, said) == (0, f"A1: builds deal 2 next, as its build {told['build'] + 1}.\n"), error
                code, _, error = run(*line[:6], "bob", *line[7:])
                assert (code, "name and password do not fit" in error) == (3, True), error
        entries = list(read_journal(hall_folder / "hall.journal"))
    built = [one.said for one in entries if isinstance(one.said, WallPrescribed)]
    assert [(one.match, one.prescription_hash) for one in built] == [(1, told["prescription_hash"])]
    acts = [one.said for one in entries if isinstance(one.said, ConsoleAct) and one.said.act == "prescribe"]
    assert {(one.person, one.table) for one in acts} == {("ann", "A1")}
    acts = [one.said for one in entries if isinstance(one.said, ConsoleAct) and one.said.act == "withdraw"]
    assert {(one.person, one.table) for one in acts} == {("ann", "A1")}
    # Nothing of the deals is on the hall's disk: journal, accounts with their receipts, whatever else.
    files = [path for path in hall_folder.rglob("*") if path.is_file()]
    assert len(files) >= 2
    faces = bytes(deals.deals[0].faces)
    secrets = [faces[at : at + 8] for at in range(0, len(faces) - 7, 4)] + [deals.nonce]
    secrets += [bytes.fromhex(tag) for tag in enrolled.sets[0]]
    kept = {path.name: path.read_bytes() for path in files}
    assert not [name for name, data in kept.items() for one in secrets for form in forms(one) if form in data]


def test_a_console_that_is_not_there_is_one_line(tmp_path, run):
    seal(tmp_path / "a.deals", draw_deals("day", "mil-2025", OWN, 1), DEALS_PASSWORD)
    (tmp_path / "deals.txt").write_text(DEALS_PASSWORD + "\n")
    line: tuple[Any, ...] = (
        "deals",
        "station",
        tmp_path / "a.deals",
        "--user",
        "ann",
        "--password-file",
        tmp_path / "deals.txt",
    )
    line += ("--user-password-file", tmp_path / "deals.txt", "--server")
    code, _, error = run(*line, "http://127.0.0.1:9")
    assert (code, "does not answer at http://127.0.0.1:9" in error) == (3, True), error
    code, _, error = run(*line, "hall.local")
    assert (code, "is no address of a console; write https://HOST:PORT" in error) == (2, True), error
    # What is wrong with where it is to go is said before anybody types a password.
    early = tuple(tmp_path / "none" if one == tmp_path / "deals.txt" else one for one in line)
    for where, problem in (
        (("hall.local",), "is no address of a console"),
        (("https://hall.local:1", "--certificate", tmp_path / "none"), "no certificate can be read from it"),
        (("https://hall.local:1", "--mode", "loose"), "it is strict or hands"),
    ):
        code, _, error = run(*early, *where)
        assert (code, problem in error) == (2, True), error
