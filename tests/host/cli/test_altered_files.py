"""Every kind of file from elsewhere, altered in one place: a command takes it, or says in one sentence why not.

The seed says in which places: 2 of each kind in the suite, 300 in `make campaign`.
"""

import random
import re
import shutil
from itertools import islice
from pathlib import Path

import pytest

from tests.host.foreign_files import FILES, READ_AS, Foreign, make, words_in
from tests.host.programs import Runner, Told
from tests.host.test_private import READ
from tests.length import length

SOME = length(2, 300)
FINDINGS = ("log verify", "event draw verify", "event check", "season check", "log proof", "trace replay")
"""Commands that may end with 1 and say on the standard output what is wrong, or with 7: others know of more."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, runner: Runner) -> tuple[Path, Runner]:
    """A folder with a good file of each kind, and a process that runs commands."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as here:
        here.setenv("XDG_DATA_HOME", str(folder / "data"))
        make(folder, runner)
    return folder, runner


@pytest.fixture(autouse=True)
def own_key(made: tuple[Path, Runner], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the signing key that the files are of."""
    monkeypatch.setenv("XDG_DATA_HOME", str(made[0] / "data"))
    return made[0] / "data"


def test_every_file_that_a_command_reads_is_among_them() -> None:
    assert set(READ_AS) >= READ, READ - set(READ_AS)
    assert {kind for kinds in READ_AS.values() for kind in kinds} <= set(FILES)


@pytest.mark.parametrize("kind", FILES)
def test_the_good_one_is_taken(kind: str, made: tuple[Path, Runner], tmp_path: Path) -> None:
    for command in FILES[kind].commands:
        told = run(command, FILES[kind], (made[0] / f"{kind}{FILES[kind].ending}").read_bytes(), made, tmp_path)
        assert told.code == 0 or (FILES[kind].but and FILES[kind].but in told.err), (command, told)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", FILES)
def test_an_altered_one_is_taken_or_refused_in_a_sentence(
    kind: str, made: tuple[Path, Runner], tmp_path: Path, seed: int
) -> None:
    chance, one = random.Random(seed), FILES[kind]
    good = (made[0] / f"{kind}{one.ending}").read_bytes()
    for what, data in islice(one.altered(good, chance), SOME):
        command = chance.choice(one.commands)
        where = f"{command!r} with {kind}: {what}"
        check(command, where, run(command, one, data, made, tmp_path), tmp_path)


def run(command: str, one: Foreign, data: bytes, made: tuple[Path, Runner], tmp_path: Path) -> Told:
    """Run a command with a file, in a folder that is as it was before."""
    folder, runner = made
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    file = tmp_path / f"file{one.ending}"
    if one.home:
        file = folder / "data" / "wallwright" / one.home
    file.write_bytes(data)
    file.chmod(0o600)
    for name in ("good", "fresh"):
        shutil.copy(folder / name, tmp_path)
    words = words_in(
        command, folder, FILE=str(file), NEW=str(tmp_path / "new"), **{"NEW.json": str(tmp_path / "n.json")}
    )
    return runner.run(
        *(str(tmp_path / name) if (name := Path(word).name) in ("good", "fresh") else word for word in words)
    )


def check(command: str, where: str, told: Told, folder: Path) -> None:
    assert "Traceback" not in told.err, f"{where}\n{told.err[-3000:]}"
    if told.code == 0 or (command.startswith(FINDINGS) and told.code in (1, 7)):
        return
    assert 2 <= told.code <= 6, (where, told)
    *_, error = re.split(r"^(?=error: )", told.err, flags=re.MULTILINE)
    assert error.startswith("error: "), (where, told)
    assert error.endswith("\n"), (where, told)
    # One line, or a line and a list.
    assert error[:-1].replace("\n  ", "").isprintable(), (where, told)
    assert len(error) < 5000, where
    assert not list(folder.glob("n*")), (where, told)
