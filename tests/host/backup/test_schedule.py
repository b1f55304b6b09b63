"""`wallwright serve --backup`: backups come by themselves, and the console says when they do not."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.host.console.hall import PASSWORD
from tests.host.fleet.served import config_text, until
from wallwright.backup.checking import check_backup
from wallwright.backup.schedule import LATE, MINUTE_MS, Backups, Plan, written
from wallwright.clocks import wall_ms
from wallwright.journal import Journal

PROGRAM = """
from wallwright.backup import schedule
schedule.RETRY_S = 0.2
from wallwright.cli import main
main()
"""


@contextmanager
def killed_afterwards(command: list[str]) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_hall_is_backed_up_and_a_failure_is_told_and_ends(tmp_path: Path) -> None:
    file, stick = tmp_path / "hall.toml", tmp_path / "stick"
    file.write_text(config_text(tmp_path / "hall.journal", ['name = "A1"\nport = "/dev/there-is-no-such-port"']))
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--config", str(file), "--backup", str(stick)]
    with killed_afterwards(command) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        token = process.stdout.readline().strip().rpartition("/")[2]
        with httpx2.Client(base_url=address, timeout=60) as client:
            client.post("/api/v1/first", json={"token": token, "name": "ann", "password": PASSWORD}).raise_for_status()
            until(lambda: "has failed" in (client.get("/api/v1/hall").json()["backup_problem"] or ""))
            assert "there is no such folder" in client.get("/").text
            stick.mkdir()
            until(lambda: client.get("/api/v1/hall").json()["backup_problem"] is None)
            assert "there is no such folder" not in client.get("/").text
        (made,) = stick.iterdir()
        assert made.stat().st_mode & 0o077 == 0
        found = check_backup(made, str(tmp_path / "hall.journal"))
        assert set(found.files) == {"hall.toml", "hall.users"}
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=100)[1]
    assert process.returncode == 0
    told = errors.splitlines()
    assert {line.partition(":")[0] for line in told} == {"backup"}
    assert "has failed" in told[0]
    assert "they work again" in told[-1], errors


def test_one_that_hangs_is_overdue_and_keeps_nobody_waiting(tmp_path: Path, monkeypatch) -> None:
    now = [wall_ms()]
    Journal(tmp_path / "hall.journal").close()
    # A folder that is away, as on a network: the program that makes the backup comes to no end.
    monkeypatch.setattr(sys, "executable", str(tmp_path / "hangs"))
    (tmp_path / "hangs").write_text("#!/bin/sh\nexec sleep 1000\n")
    (tmp_path / "hangs").chmod(0o700)
    told: list[str] = []
    backups = Backups(Plan(tmp_path / "hall.journal", tmp_path, 10), told.append, lambda: now[0])
    backups.start()
    assert backups.problem() is None
    now[0] += LATE * 10 * MINUTE_MS
    problem = backups.problem() or ""
    assert "overdue" in problem
    assert "there is none yet" in problem
    backups.close()
    assert told == []


def test_a_fresh_one_is_not_made_anew(tmp_path: Path) -> None:
    Journal(tmp_path / "hall.journal").close()
    plan = Plan(tmp_path / "hall.journal", tmp_path, 10)
    (tmp_path / "hall-20261122T100000Z.backup").touch()
    backups = Backups(plan, lambda _: None, lambda: 1_795_341_600_000 + 60_000)
    backups.start()
    backups.close()
    assert backups.problem() is None
    assert len(list(tmp_path.glob("*.backup"))) == 1


def test_nobody_sees_a_server_s_password_among_the_machine_s_programs() -> None:
    word, environment = written("postgresql://me:secret@db.example/hall?sslmode=require")
    assert word == "postgresql://me@db.example/hall?sslmode=require"
    assert environment["PGPASSWORD"] == "secret"
