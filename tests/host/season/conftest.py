"""A season of two halls and four small days, and the commands of `wallwright season` as people type them."""

import shlex
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.event.test_event_cli import Result
from tests.host.season.halls import EAST, WEST, Run, day, extract, printed
from tests.host.season.serving import SEASON, AsHall, machine_of
from wallwright import cli
from wallwright.console.season import reports, served
from wallwright.season.report import sender

FORMAT = 'base = "chengdu-grand-prix-2016"\ndays = 4\nbest_of = 2\nqualify_by_list = 5\n'


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four days: one.extract and two.extract of one date in two halls, three and four later."""
    folder = tmp_path_factory.mktemp("made")
    for name, numbers, date, key in (
        ("one", range(1, 9), 0, EAST),
        ("two", range(9, 17), 0, WEST),
        ("three", range(5, 13), 2, EAST),
        ("four", range(1, 9), 9, WEST),
    ):
        played = day(folder / f"{name}.journal", numbers, date, name)
        played.run()
        extract(played, key, folder / f"{name}.extract")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, made: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))
    for path in made.iterdir():
        shutil.copy(path, tmp_path)

    def run(line: str, code: int = 0) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", "season", *shlex.split(line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        result = Result(int(caught.value.code or 0), printed.out, printed.err)
        assert result.code == code, printed
        assert code == 0 or result.err.count("\n") <= 1, "what is refused is one line"
        return result

    return run


@pytest.fixture
def season(run: Run, tmp_path: Path) -> Run:
    (tmp_path / "format.toml").write_text(FORMAT)
    run("new year.season --format format.toml")
    run(f"hall year.season East {printed(EAST)}")
    run(f"hall year.season West {printed(WEST)}")
    return run


@pytest.fixture
def full(season: Run) -> Run:
    for name in ("one", "two", "three", "four"):
        season(f"add year.season {name}.extract")
    return season


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the organiser writes is known at once."""
    monkeypatch.setattr(reports, "LOOK_S", -1)
    monkeypatch.setattr(served, "LOOK_S", -1)
    monkeypatch.setattr(served, "WAIT_S", 60)


@pytest.fixture
def as_hall(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> AsHall:
    """Runs `wallwright season report` on the machine that has a hall's key."""

    def run(key: Ed25519PrivateKey, line: str, address: str, code: int = 0, season: str = "") -> Result:
        monkeypatch.setattr(sender, "FIRST_WAIT_S", 0)
        with monkeypatch.context() as own:
            own.setenv("XDG_DATA_HOME", str(machine_of(key, tmp_path)))
            words = f"season report {line} {address} {season or printed(SEASON)}"
            own.setattr("sys.argv", ["wallwright", *shlex.split(words)])
            with pytest.raises(SystemExit) as caught:
                cli.main()
        found = capsys.readouterr()
        result = Result(int(caught.value.code or 0), found.out, found.err)
        assert result.code == code, found
        return result

    return run
