"""Whatever the program writes, its user alone can read, however open the user's own settings are."""

import inspect
import os
import shlex
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.host.console.test_serve import started
from tests.host.fleet.served import config_text, serving, stored, until
from wallwright import cli
from wallwright.cli.program import app
from wallwright.console.people.accounts import Accounts
from wallwright.fleet.reports import Reports
from wallwright.journal import Journal
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation

WALK = """
event new day.journal
event players import day.journal players.csv
event draw commit day.journal
event backup day.journal
event backup day.journal day.backup
event restore again.journal day.backup
backup make day.journal backups --with players.csv
backup restore day.backup restored
event export day.journal seats --to seats.csv
event export day.journal seats --format xlsx --to seats.xlsx
event export day.journal seats --format json --to seats.json
demo --deals 2 --seed 3 --journal demo.journal
log checkpoint demo.journal
log copy demo.journal copy.journal
log export demo.journal --output demo.jsonl
log export demo.journal --format csv --output demo.csv
log export demo.journal --format xlsx --output demo.xlsx
log import demo.jsonl imported.journal
doctor service-file service.zip --port sim:// --journal demo.journal
doctor measure --port sim:// --out figures.json
board backup board.json --port sim://
board keys make club
doctor calibrate table.json --port sim:// --yes --strokes 2 --ways 1 --builds 0
entropy capture --port sim:// --samples 400 --out raw.bin
study wash-test --sheet sheet.html
trace --port sim:// --seconds 2 --record link.trace
users add hall.users ann --role director --link
deals draw spring.deals --event Spring --deals 2 --password-file players.csv
deals print spring.deals --cards cards.html --sheet deals.html --password-file players.csv
deals export spring.deals --out spring.json --password-file players.csv
season new year.season
season publish year.season site
season persons badges badges.html --count 4
"""
WRITTEN = {
    "JOURNAL",
    "COPY",
    "FOLDER",
    "SITE",
    "--journal",
    "[BACKUP]",
    "[EXTRACT]",
    "[FOLDER]",
    "--out",
    "--output",
    "--record",
    "--cards",
    "--sheet",
    "--to",
    "users FILE",
    "doctor service-file path",
    "board FILE",
    "season persons FILE",
    "deals FILE",
    "doctor calibrate path",
}
"""What names a file that is written; a journal that is there is appended to by all commands alike."""
READ = {
    "--against", "--backup", "--map", "--plot", "--witness", "--with", "BACKUP",
    "--hall", "EXPORT", "EXTRACT", "PLAYERS", "--set", "--certificate", "--config", "--faults", "--key", "--readers",
    "--season-certificate", "CASE",
    "--image", "--folder", "--key-file", "--loader", "IMAGE",
    "DEALS", "event deals FILE", "--password-file", "--prescription", "--user-password-file",
    "--restarts", "--ruleset", "--tiles", "--users", "[COUNTS]",
    "dice verify path", "entropy assess file", "trace replay path", "trace show path",
}  # fmt: skip


@pytest.fixture(autouse=True)
def open_to_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody's own settings that leave every file open to everybody, and a folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """What is there, with what others may do with it; the folder's own is the user's affair."""
    found = {path: path.lstat().st_mode for path in folder.rglob("*")}
    return {str(path.relative_to(folder)): stat.filemode(mode)[4:] for path, mode in found.items()}


def open_ones(folder: Path) -> set[str]:
    return {name for name, others in modes(folder).items() if others != "------"}


def paths(group: Any, prefix: str = "") -> Iterator[tuple[str, bool]]:
    """What names a file at the command line: an option by itself, and whether it is one."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from paths(command, f"{prefix}{name} ")
        given = inspect.signature(command.callback).parameters if command.callback else {}
        for param in command.params:
            if "Path" not in str(given[param.name].annotation if param.name in given else ""):
                continue
            if param.param_type_name == "option":
                yield param.opts[0], True
            elif param.metavar in ("FILE", None):
                yield f"{prefix}{'' if param.metavar else f'{name} '}{param.metavar or param.name}", False
            else:
                yield param.metavar, False


# What `--backup` and `--witness` name is written by a program that goes on; test_schedule.py looks at it. What `--map`
# names is written with a person at a table, what `--plot` does with a season that was played; test_wire.py and
# test_tables.py look at it.
def test_every_command_that_writes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"P{number:02d}" for number in range(16)]
    (tmp_path / "players.csv").write_text("\n".join(["name     ", *names]) + "\n")
    (tmp_path / "backups").mkdir(mode=0o700)
    seen: set[str] = set()
    for line in WALK.strip().splitlines():
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code, line
        assert open_ones(tmp_path) == {"players.csv"}, line
        # A command that writes nothing shows nothing. What a database keeps beside itself may go at any time.
        before, seen = seen, set(modes(tmp_path))
        assert seen - before or "--json" in line or line.startswith("event players"), line
    assert any(name.startswith("day.journal.main-seed-") for name in modes(tmp_path))
    assert {"data/wallwright/journal-key.pem", "hall.users", "service.zip"} <= set(modes(tmp_path))


def test_the_walk_knows_whatever_names_a_file() -> None:
    walked = {word for line in WALK.strip().splitlines() for word in shlex.split(line)}
    found = set(paths(typer.main.get_command(app)))
    assert len(found) > 15
    for what, is_option in found:
        assert what in WRITTEN | READ, f"is {what} written? Say so here"
        assert what in READ or not is_option or what in walked, f"nothing in the walk has {what}"


def test_what_a_hall_writes_while_it_is_served(tmp_path: Path) -> None:
    hall = Hall([Simulation(78)], pace=4)
    file = tmp_path / "hall.toml"
    file.touch(0o644)
    file.write_text(config_text(tmp_path / "hall.journal", [f'name = "A1"\nport = "{hall.ports[0]}"']))
    with started("--config", str(file)) as (process, _):
        with serving(hall) as served:
            until(lambda: served.do(lambda: stored(hall.simulations[0])[0] > 0))
        # The connection is lost now, which leaves a report.
        until(lambda: any((tmp_path / "hall.reports").rglob("*Z.txt")))
        assert open_ones(tmp_path) == {"hall.toml"}
        assert {"hall.journal", "hall.journal-wal", "hall.journal-shm", "hall.journal-lock"} <= set(modes(tmp_path))
        assert {"hall.users", "hall.users-wal", "hall.reports", "hall.reports/A1"} <= set(modes(tmp_path))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=100)
    assert open_ones(tmp_path) == {"hall.toml"}


def test_a_library_s_journal_and_accounts_are_private_too(tmp_path: Path) -> None:
    with Journal(tmp_path / "day.journal") as journal:
        journal.append("note", {}, at_ms=1)
        accounts = Accounts(tmp_path / "day.users")
        assert open_ones(tmp_path) == set()
        assert "day.journal-wal" in modes(tmp_path)
    accounts.close()


def test_what_was_left_open_is_closed_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Journal(tmp_path / "day.journal").close()
    Accounts(tmp_path / "day.users").close()
    reports = Reports(tmp_path / "day.reports", "A1")
    reports.write(0, "it happened", "a table", "frames")
    for path in tmp_path.iterdir():
        path.chmod(0o777 if path.is_dir() else 0o664)
    caplog.clear()
    Journal(tmp_path / "day.journal").close()
    Accounts(tmp_path / "day.users").close()
    reports.write(1, "it happened", "a table", "frames")
    assert [name for name in ("day.journal", "day.users", "day.reports") if name in open_ones(tmp_path)] == []
    assert [Path(one.getMessage().partition(":")[0]).name for one in caplog.records] == [
        "day.journal", "day.users", "day.reports",
    ]  # fmt: skip
