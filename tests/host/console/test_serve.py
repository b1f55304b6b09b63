"""`wallwright serve` as a process: what it prints, who gets in, what it stops, how it ends."""

import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from tests.host.console.hall import PASSWORD, START_MS
from tests.host.fleet.served import config_text, serving, until
from tests.host.programs import RUNNER
from wallwright.cli import serve
from wallwright.cli.program import app
from wallwright.console.hall.shuffling import ShufflingWatch
from wallwright.event import setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import read_journal, verify_journal
from wallwright.journal.addresses import is_same
from wallwright.journal.witness_places import read_witness
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation


@contextmanager
def started(*arguments: str) -> Iterator[tuple[Any, str]]:
    """The process, and the address that it says."""
    process = RUNNER.start("serve", "--port", "0", *arguments)
    try:
        assert process.stdout is not None
        address = None
        while address is None:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            address = re.fullmatch(r"The console: (\S+)\n", line)
        yield process, address[1]
    except Exception as error:
        process.kill()
        said = process.communicate()[1]
        error.add_note(f"serve has ended with {process.returncode} and said: {said}")
        raise
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def hall() -> Iterator[Hall]:
    hall = Hall([Simulation(77)], pace=4)
    yield hall
    hall.close()


@pytest.fixture
def file(tmp_path: Path, hall: Hall) -> Path:
    file = tmp_path / "hall.toml"
    file.write_text(config_text(tmp_path / "hall.journal", [f'name = "A1"\nport = "{hall.ports[0]}"']))
    return file


def test_from_the_first_link_to_a_stop_on_record(file: Path, hall: Hall, tmp_path: Path) -> None:
    with serving(hall), started("--config", str(file)) as (process, address):
        link = process.stdout.readline()
        token = re.search(r"/first/(\S+)\n", link)
        assert token is not None, link
        with httpx2.Client(base_url=address, timeout=60) as client:
            assert client.get("/api/v1/hall").status_code == 401
            body = {"token": token[1], "name": "ann", "password": PASSWORD}
            session = client.post("/api/v1/first", json=body).json()
            client.headers.update({"X-CSRF-Token": session["csrf"], "Idempotency-Key": "the-only-stop"})
            until(lambda: client.get("/api/v1/tables/A1").json()["is_connected"])
            assert client.post("/api/v1/tables/A1/commands/stop").json()["done"]
            until(lambda: client.get("/api/v1/tables/A1").json()["state"] == "fault")
            assert client.get("/api/v1/tables/A1").json()["fault"]["name"] == "stopped"
            until(lambda: "fault" in [one["kind"] for one in client.get("/api/v1/tables/A1/events").json()])
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    told = [entry.kind for entry in read_journal(tmp_path / "hall.journal") if entry.unit is not None]
    assert told[0] == "first_met", "how a table was met is on record before anything that it tells"
    acts = {entry.body["act"]: entry.body for entry in read_journal(tmp_path / "hall.journal", kinds=("console_act",))}
    assert sorted(acts) == ["first_account", "invite", "sign_in", "stop"]
    act = acts["stop"]
    assert (act["person"], act["table"], act["done"]) == ("ann", "A1", True)
    assert (acts["sign_in"]["person"], acts["sign_in"]["address"]) == ("ann", "127.0.0.1")


def test_what_happens_at_a_table_is_heard_by_who_follows_its_walls(
    file: Path, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = threading.Event()
    monkeypatch.setattr(ShufflingWatch, "hear", lambda *_: heard.set())
    monkeypatch.setattr(serve, "_answer", lambda *_: until(heard.is_set))
    with serving(hall):
        assert CliRunner().invoke(app, ["serve", "--config", str(file), "--port", "0"]).exit_code == 0


def begin_event(path: Path) -> None:
    with open_event(str(path), "dan", lambda: START_MS, new=True) as desk:
        setup.create(desk, load_format("mil-2025"))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 5))), "a list")
        setup.commit_draw(desk, MAIN, b"s" * 32)
        setup.reveal_draw(desk, MAIN, b"s" * 32)


def test_idle_connections_leave_room_for_who_asks(tmp_path: Path) -> None:
    path = tmp_path / "day.journal"
    begin_event(path)
    with started("--event", str(path), "--connections", "40") as (_, address), ExitStack() as stack:
        port = int(address.rpartition(":")[2])
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        with httpx2.Client(base_url=address, timeout=60) as client:
            assert client.get("/screen").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "how"),
    [
        (("--event", "event.journal"), "whose deals are declared"),
        (("--config", "hall.toml"), "in the hall's journal; what tables tell is in its results"),
    ],
)
def test_which_tournament_is_served_is_said(file: Path, tmp_path: Path, arguments: tuple[str, ...], how: str) -> None:
    for name in ("event", "hall"):
        begin_event(tmp_path / f"{name}.journal")
    process = RUNNER.start("serve", "--port", "0", *arguments, cwd=tmp_path)
    assert process.stdout is not None
    said = list(takewhile(lambda line: not line.startswith("The console"), process.stdout))
    process.kill()
    process.communicate()
    assert f"Tournament: {load_format('mil-2025').name}, {how}\n" in said


def test_a_tournament_is_served_beside_the_hall(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "event.journal"
    begin_event(path)
    with started("--config", str(file), "--event", str(path)) as (process, address):
        with httpx2.Client(base_url=address, timeout=60) as client:
            screen = client.get("/screen")
            assert "The seats are not open yet." in screen.text
            assert client.get("/event").status_code == 303
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_checkpoints_leave_the_building_while_it_is_served(tmp_path: Path) -> None:
    path, kept = tmp_path / "day.journal", tmp_path / "stick.witness"
    begin_event(path)
    away = str(tmp_path / "no" / "such.witness")
    with started("--event", str(path), "--witness", str(kept), "--witness", away) as (process, address):
        with httpx2.Client(base_url=address, timeout=60) as client:
            until(lambda: client.get("/api/v1/checkpoint").status_code == 200)
            told = client.get("/api/v1/checkpoint").json()
            assert "Checkpoint of the journal" in client.get("/screen").text
        until(kept.exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
        warning = process.stderr.read()
    assert f"warning: witness {away} has not kept a checkpoint: No such file or directory" in warning
    checkpoints = read_witness(kept)
    assert str(checkpoints[0]) == told["checkpoint"]
    assert verify_journal(path, checkpoints).is_whole
    entries = list(read_journal(path))
    assert [entry.kind for entry in entries].count("witnessed") == 1
    assert checkpoints[-1].entry == len(entries)


def test_a_witness_that_can_be_none_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "day.journal"
    begin_event(path)
    done = RUNNER.finish("serve", "--event", path, "--witness", "ftp://club.example/w")
    assert done.returncode == 2
    assert "a witness is a file's path, or a URL with http or https" in done.stderr
    assert not path.with_suffix(".users").exists()


def test_a_tournament_at_tables_that_are_not_automatic_needs_no_hall(tmp_path: Path) -> None:
    path = tmp_path / "day.journal"
    begin_event(path)
    with started("--event", str(path)) as (process, address):
        token = process.stdout.readline().strip().rpartition("/")[2]
        with httpx2.Client(base_url=address, timeout=60) as client:
            session = client.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD}).json()
            client.headers.update({"X-CSRF-Token": session["csrf"], "Idempotency-Key": "open-the-seats"})
            assert client.post("/api/v1/event/sessions/1/open", json={}).status_code == 200
            page = client.get("/").text
            assert "No automatic table is operated from here" in page
            assert "Stop all tables" not in page
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    assert (tmp_path / "day.users").exists()
    assert [entry.body["by"] for entry in read_journal(path, kinds=("session_moved",))] == ["ann (director)"]


def test_hall_and_tournament_share_a_journal(file: Path, hall: Hall, tmp_path: Path) -> None:
    path = tmp_path / "hall.journal"
    begin_event(path)
    with serving(hall), started("--config", str(file)) as (process, address):
        token = process.stdout.readline().strip().rpartition("/")[2]
        with httpx2.Client(base_url=address, timeout=60) as client:
            session = client.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD}).json()
            client.headers["X-CSRF-Token"] = session["csrf"]
            until(lambda: client.get("/api/v1/tables/A1").json()["is_connected"])

            def step(name: str) -> httpx2.Response:
                return client.post(
                    f"/api/v1/event/sessions/1/{name}", json={}, headers={"Idempotency-Key": f"a-key-for-{name}"}
                )

            assert step("publish").status_code == 409
            assert step("open").status_code == 200
            assert client.post("/api/v1/tables/A1/commands/stop", headers={"Idempotency-Key": "the-only-stop"}).json()[
                "done"
            ]
            assert step("start").status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    entries = list(read_journal(path))
    assert {"booted", "console_act", "session_moved"} <= {entry.kind for entry in entries}
    moves = [entry.body for entry in entries if entry.kind == "session_moved"]
    assert [(body["trigger"], body["by"]) for body in moves] == [
        ("open", "ann (director)"),
        ("start", "ann (director)"),
    ]
    assert verify_journal(path).is_whole


def test_a_journal_is_known_by_any_of_its_names(tmp_path: Path) -> None:
    path = tmp_path / "hall.journal"
    begin_event(path)
    (tmp_path / "link").symlink_to(path)
    assert is_same(path, f"{tmp_path}/../{tmp_path.name}/link")
    assert not is_same(path, tmp_path / "other.journal")
    url = "postgresql://ann:secret@localhost/spring"
    assert is_same(url, url)
    assert not is_same(url, url.replace("spring", "autumn"))
    assert not is_same(url, path)


def test_an_event_that_is_not_there_is_one_line(file: Path, tmp_path: Path) -> None:
    run = RUNNER.finish("serve", "--config", file, "--event", tmp_path / "no.journal")
    assert (run.returncode, run.stderr.count("\n")) == (6, 1)
    assert "holds no event" in run.stderr
    assert not (tmp_path / "hall.journal").exists()


def test_a_stream_that_is_open_does_not_keep_the_server_from_ending(file: Path, hall: Hall) -> None:
    with serving(hall), started("--config", str(file)) as (process, address):
        token = process.stdout.readline().strip().rpartition("/")[2]
        with httpx2.Client(base_url=address, timeout=60) as client:
            client.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD})
            with client.stream("GET", "/api/v1/stream") as stream:
                lines = stream.iter_lines()
                assert "event: hall" in (next(lines), next(lines), next(lines))
                process.send_signal(signal.SIGINT)
                assert process.wait() == 0
        assert process.stderr.read() == ""


def test_a_network_without_tls_gets_a_warning_and_the_machine_itself_none(file: Path) -> None:
    with started("--config", str(file), "--host", "0.0.0.0") as (process, address):
        assert "can read the passwords" in process.stderr.readline()
        assert socket.gethostname() in address
    with started("--config", str(file)) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.communicate()[1] == ""


def test_a_port_that_is_taken_is_one_line(file: Path) -> None:
    with started("--config", str(file)) as (_, address):
        port = address.rpartition(":")[2]
        other = file.with_name("other.toml")
        other.write_text(file.read_text().replace("hall.journal", "other.journal"))
        second = RUNNER.finish("serve", "--config", other, "--port", port)
        assert second.returncode == 3
        assert re.fullmatch(rf"error: 127\.0\.0\.1:{port}: .*give another --port or --host\n", second.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--demo", "--event", "x"),
        ("--demo", "--config", "x"),
        ("--demo", "--key", "x"),
        ("--demo", "--log", "loud"),
        ("--demo", "--proxy", "caddy"),
        ("--demo", "--name", "https://hall.example"),
        ("--demo", "--connections", "3"),
        ("--config", "no.toml"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_opened(arguments: tuple[str, ...]) -> None:
    run = RUNNER.finish("serve", *arguments)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ")
    assert "Traceback" not in run.stderr


def test_the_demonstration_is_a_hall_that_plays_and_lets_everybody_in() -> None:
    with started("--demo", "--seed", "5") as (process, address), httpx2.Client(base_url=address, timeout=60) as client:

        def tables() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = client.get("/api/v1/hall").json()["tables"]
            return found

        until(lambda: all(table["is_connected"] for table in tables()))
        now = tables()
        assert [table["name"] for table in now] == [f"{row}{place}" for row in "AB" for place in range(1, 7)]
        playing = [table for table in now if table["play"]["deal"]]
        assert len(playing) == 11, "at one table a tile is missing from the first"
        for table in playing:
            assert table["play"]["last"]
        names = [name for table in now for name in table["play"]["names"]]
        assert len(set(names)) == 48
        assert {table["lost"] for table in now} == {0}, "the hall had a host before it was opened"
        before = [(table["state"], table["stacks"]) for table in now]
        until(lambda: [(table["state"], table["stacks"]) for table in tables()] != before)
        walls: list[tuple[dict[str, Any], int]] = []

        def agree() -> bool:
            """Look at all walls; a table whose next dice have just come has its next dealer before play has."""
            found = [(table["wall"], table["play"]["dealer"]) for table in tables()]
            walls[:] = [(wall, dealer) for wall, dealer in found if wall and wall["dice"]]
            return len(walls) > 6 and all(wall["dealer"] == dealer for wall, dealer in walls)

        until(agree)
        for wall, _ in walls:
            assert wall["plan"] == [14 - (side - wall["dealer"]) % 2 for side in range(4)]
            assert wall["taken"] is None, "these tables have no readers"
        assert client.get("/").text.count('class="card"') == 12

        event = client.get("/api/v1/event").json()
        assert [session["state"] for session in event["sessions"]] == ["running", "planned"]
        first = event["sessions"][0]
        assert 0 < first["left_ms"] <= 40 * 60_000
        assert {name for sheet in first["tables"] for _, name in sheet["players"]} == set(names)
        told = {sheet["table"]: sheet["deals"] for sheet in first["tables"]}
        assert min(told[table] for table in told if table != 5) >= 2
        assert {bool(sheet["unconfirmed"]) for sheet in first["tables"]} == {False, True}
        assert any(len(sheet["unconfirmed"]) < sheet["deals"] for sheet in first["tables"])
        page = client.get("/event/sessions/1/tables/2").text
        assert "a phone rang a second time" in page
        replay = client.get("/event/sessions/1/tables/2/deals/1")
        assert replay.status_code == 200
        assert len(re.findall(r'<li><a href="[^"]+step=', replay.text)) > 50, "every move, not only what was declared"
        csrf = re.search(r'name="csrf" content="(\w+)"', page)
        assert csrf is not None
        client.headers |= {"X-CSRF-Token": csrf[1], "Idempotency-Key": "a-pause-to-try"}
        assert client.post("/api/v1/event/sessions/1/pause", json={"reason": "tea"}).status_code == 200
        assert client.get("/api/v1/event").json()["sessions"][0]["is_paused"]
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


@pytest.mark.parametrize("option", ["port", "certificate", "users", "report"])
def test_the_demonstration_sets_up_nothing_before_it_refuses(tmp_path: Path, option: str) -> None:
    """Twelve tables take seconds to set up; what cannot be meant is said before that, and before it is announced."""
    (tmp_path / "cert.pem").write_text("no certificate\n")
    (tmp_path / "users").write_text("no file of accounts\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        options, problem = {
            "port": (["--port", str(taken.getsockname()[1])], "cannot be listened at"),
            "certificate": (
                ["--certificate", str(tmp_path / "cert.pem"), "--key", str(tmp_path / "cert.pem")],
                "certificate and key cannot be used",
            ),
            "users": (["--users", str(tmp_path / "users")], str(tmp_path / "users")),
            "report": (["--report-to", "nowhere", "--season-key", "x"], "no address of a season's server"),
        }[option]
        told = RUNNER.finish("serve", "--demo", *options)
    assert (told.returncode != 0, told.stdout, told.stderr.count("\n")) == (True, "", 1), told
    assert problem in told.stderr
