"""A PostgreSQL server that is still starting: programs wait for it, say so, and can be told to stop."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.host.fleet.served import config_text
from tests.host.postgresql import Server
from tests.host.programs import RUNNER, Program
from wallwright.cli import program
from wallwright.errors import JournalUnreachable
from wallwright.journal import Journal, read_journal
from wallwright.system.startup import STARTUP, Startup

Started = Callable[..., Program]
LIMIT_S = 100


@pytest.fixture
def started() -> Iterator[Started]:
    """Starts `wallwright` with words."""
    processes: list[Program] = []

    def start(*words: str) -> Program:
        process = RUNNER.start(*words)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def patient() -> Iterator[list[str]]:
    """What a program that waits has told."""
    told: list[str] = []
    STARTUP.begin(told.append)
    yield told
    STARTUP.end()


def test_programs_wait_for_a_server_that_recovers(postgresql: Server, tmp_path: Path, started: Started) -> None:
    halls = []
    for name in ("run", "serve", "interrupted"):
        file = tmp_path / f"{name}.toml"
        file.write_text(config_text(postgresql.schema(), ['name = "A1"\nport = "/dev/there-is-no-such-port"']))
        halls.append(str(file))
    postgresql.stop()
    postgresql.start_recovering()
    try:
        run = started("run", "--json", "--config", halls[0])
        serve = started("serve", "--port", "0", "--config", halls[1])
        interrupted = started("run", "--config", halls[2])
        for process in (run, serve, interrupted):
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "the server cannot be reached" in line
            assert "waiting for it, 60 s at the most; Ctrl-C ends this" in line
        interrupted.send_signal(signal.SIGINT)
        said = interrupted.communicate(timeout=LIMIT_S)
        assert (interrupted.returncode, *said) == (130, "", "")
    finally:
        postgresql.recover()
    for process, line in ((run, '"change": "searching"'), (serve, "The console: ")):
        assert process.stdout is not None
        assert process.stderr is not None
        assert line in process.stdout.readline()
        assert "the server answers" in process.stderr.readline()


def test_the_wait_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wallwright.system.startup.LIMIT_S", 0.05)
    monkeypatch.setattr("wallwright.system.startup.EVERY_S", 0.02)
    monkeypatch.setattr("sys.argv", ["wallwright", "log", "show", f"postgresql://me:secret@/hall?host={tmp_path}"])
    with pytest.raises(SystemExit) as ended:
        program.run()
    assert ended.value.code == 5
    told, error = capsys.readouterr().err.splitlines()
    assert "waiting for it" in told
    assert error.startswith("error: ")
    assert "cannot be reached" in error
    assert "secret" not in told + error


def test_what_is_no_trouble_of_starting_is_said_at_once(postgresql: Server, patient: list[str]) -> None:
    url = postgresql.schema()
    with pytest.raises(Exception, match="check user, password"):
        read_journal(url.replace("wallwright@", "nobody@"))
    with Journal(url) as journal:
        postgresql.stop()
        try:
            with pytest.raises(JournalUnreachable):
                journal.append("note", {}, at_ms=1)
            with pytest.raises(JournalUnreachable):
                read_journal(url)
        finally:
            postgresql.start()
    assert patient == []


def test_a_long_wait_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("wallwright.system.startup.time.monotonic", lambda: now[0])
    monkeypatch.setattr("wallwright.system.startup.time.sleep", lambda s: now.__setitem__(0, now[0] + s))
    told: list[str] = []
    startup = Startup()

    def knock() -> None:
        if now[0] < 1025:
            raise JournalUnreachable("the-server", "the server cannot be reached (it starts); check that it runs")

    startup.begin(told.append)
    startup.wait_for("the-server", knock)
    startup.wait_for("the-server", knock)
    left = [line.partition("waiting for it, ")[2].partition(" s at the most")[0] for line in told[:-1]]
    assert left == ["60", "50", "40"]
    assert told[-1] == "the-server: the server answers"
