"""Every command that only reads goes on where nothing can be written: on a full disk, in a folder of another owner.

Which commands these are is found out: those that succeed in a folder of one's own and add no entry. Each has to say
the same elsewhere. The newest entry is in the write-ahead file alone, as after a writer that was killed.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.every_command import HALL_KEY, JOURNALS, PRINTING, words_of
from tests.host.programs import Runner
from wallwright.journal import Journal, read_journal

GOES_ON = "serve"
"""It does not end by itself."""
COMMANDS = sorted(
    {line.replace("GOOD", "FILE") for line in (*JOURNALS, *PRINTING) if "FILE" in line or "GOOD" in line}
    - {line for line in JOURNALS if line.startswith(GOES_ON)}
)
NOBODY = 65534
LIMIT = 1 << 14
"""Bytes of a file at the most, on a disk that is full: less than SQLite's index of a write-ahead file takes."""
DIFFERS = re.compile(r"\d{8}T\d{6}Z|^WALLWRIGHT.*", re.MULTILINE)
"""Times, and signatures."""
LEAST = {"event": 25, "season": 10}
"""So many commands read an event, or a season."""


@pytest.fixture(scope="module")
def away() -> Iterator[Path]:
    """A folder that any user can reach, on a disk with room."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture(scope="module", params=["event", "season"])
def kept(request: pytest.FixtureRequest, runner: Runner, small_event: Path, away: Path) -> Path:
    """A journal and its write-ahead file, as a writer leaves them that is killed."""
    source, target = away / f"{request.param}-writer.journal", away / f"{request.param}.journal"
    if request.param == "event":
        shutil.copyfile(small_event, source)
    else:
        runner.run("season", "new", str(source))
        runner.run("season", "hall", str(source), "a", HALL_KEY)
    with Journal(source) as journal:
        journal.append("deal", {"n": 1}, at_ms=1)
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{source}{suffix}", f"{target}{suffix}")
    return target


def copy_of(journal: Path, folder: Path) -> Path:
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{journal}{suffix}", folder / f"j.journal{suffix}")
    return folder / "j.journal"


class Reading:
    """Runs commands on copies of one journal, and gives what they say."""

    def __init__(self, runner: Runner, kept: Path, away: Path) -> None:
        self._runner = runner
        self._kept = kept
        self._away = away
        self._out = away / "out"

    def ask(self, command: str, place: Path, **how: Any) -> tuple[int, str, str]:
        """Return code, output and error of a command; what it makes goes elsewhere."""
        new = Path(tempfile.mkdtemp(dir=self._away)) / "new"
        new.parent.chmod(0o777)
        if command.startswith("backup make"):
            new.mkdir(mode=0o777)
            new.chmod(0o777)
        self._out.write_text("")
        words = words_of(command, {"FILE": str(place), "NEW": str(new)})
        told = self._runner.run(*words, stdout=str(self._out), **how)
        said = DIFFERS.sub("", self._out.read_text().replace(str(place), "FILE").replace(str(new), "NEW"))
        return told.code, said, told.err.replace(str(place), "FILE").replace(str(new), "NEW")

    def readers(self) -> dict[str, str]:
        """By command: what it says in a folder of one's own, of those that succeed and write nothing.

        An event's commands are not tried with a season, nor a season's with an event; they are refused.
        """
        found = {}
        others = {"event": "season ", "season": "event "}[self._kept.stem]
        for number, command in enumerate(one for one in COMMANDS if not one.startswith(others)):
            place = copy_of(self._kept, self._away / f"{self._kept.stem}-{number}")
            before = len(list(read_journal(place)))
            code, said, _ = self.ask(command, place)
            if code == 0 and len(list(read_journal(place))) == before:
                found[command] = said
            shutil.rmtree(place.parent)
        return found


@pytest.fixture(scope="module")
def reading(runner: Runner, kept: Path, away: Path) -> Reading:
    return Reading(runner, kept, away)


@pytest.fixture(scope="module")
def readers(reading: Reading, kept: Path) -> dict[str, str]:
    found = reading.readers()
    assert len(found) >= LEAST[kept.stem], sorted(found)
    assert {"log verify FILE", "log copy FILE NEW", "backup make FILE NEW"} <= set(found)
    return found


def test_what_only_reads_goes_on_in_a_folder_of_another_owner(
    reading: Reading, readers: dict[str, str], kept: Path, away: Path
) -> None:
    place = copy_of(kept, away / f"{kept.stem}-foreign")
    for path in (place, place.with_name("j.journal-wal"), place.parent):
        path.chmod(0o555)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
    wrong = {}
    for command, said in readers.items():
        code, now, error = reading.ask(command, place, is_bound=True)
        if (code, now) != (0, said):
            wrong[command] = (code, now, error)
    left = sorted(path.name for path in place.parent.iterdir())
    place.parent.chmod(0o755)
    assert not wrong, wrong
    assert left == ["j.journal", "j.journal-wal"]


def test_what_only_reads_goes_on_on_a_full_disk(
    reading: Reading, readers: dict[str, str], kept: Path, away: Path
) -> None:
    """What makes a file elsewhere, or says much, is left out: the limit is one of the process, and holds elsewhere."""
    place = copy_of(kept, away / f"{kept.stem}-full")
    wrong = {}
    for command, said in readers.items():
        if "NEW" not in command and len(said) < LIMIT:
            code, now, error = reading.ask(command, place, limit=LIMIT)
            if (code, now) != (0, said):
                wrong[command] = (code, now, error)
    assert not wrong, wrong
