"""Extracts that several processes check, or the workers of a scheduler: the same comes of it, whoever does it."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.host.fleet.served import until
from tests.host.programs import start_interpreter
from tests.host.season.halls import Run
from tests.host.study.scheduler import scheduler


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def damaged(full: Run, tmp_path: Path) -> Path:
    """The folder of the season's extracts, of which one was changed, one is another's, and one is gone."""
    folder = tmp_path / "year.season.days"
    one, two, three, _ = sorted(folder.iterdir())
    one.write_bytes(one.read_bytes().replace(b'"fines":0', b'"fines":1', 1))
    shutil.copy(three, two)
    three.unlink()
    return folder


def test_whoever_verifies_says_the_same(full: Run, damaged: Path) -> None:
    alone = full("verify year.season", 1).out
    assert alone.count("\n") == 3
    assert full("verify year.season --jobs 2", 1).out == alone


def test_tables_are_the_same_bytes_whoever_makes_them_though_one_is_killed(full: Run, tmp_path: Path) -> None:
    tables = tmp_path / "year.season.tables"
    alone = full("totals year.season --json").out
    made = files(tables)
    shutil.rmtree(tables)
    process = start_interpreter("season", "totals", "year.season", "--json", "--jobs", "2")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until(lambda: len(children.read_text().split()) > 1 or process.poll() is not None)
    for child in children.read_text().split()[-1:]:
        os.kill(int(child), signal.SIGKILL)
    assert process.communicate(timeout=200)[0] == alone
    assert files(tables) == made
    shutil.rmtree(tables)
    with scheduler(tmp_path) as (address, kill_one):
        process = start_interpreter("season", "totals", "year.season", "--json", "--jobs", address)
        kill_one()
        assert process.communicate(timeout=200)[0] == alone
    assert files(tables) == made


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_damaged_extract_is_named_in_one_line_whoever_finds_it(full: Run, damaged: Path, jobs: int) -> None:
    errors = full(f"totals year.season --jobs {jobs}", 2).err
    assert errors.count("\n") == 1
    assert ".json: " in errors


def test_jobs_that_can_be_none_are_refused_in_one_line(full: Run) -> None:
    for line in ("verify year.season", "totals year.season", "rating year.season", "publish year.season site"):
        assert "give a number of processes, or the address of a scheduler" in full(f"{line} --jobs many", 2).err
    assert "no scheduler answers at tcp://127.0.0.1:1" in full("verify year.season --jobs tcp://127.0.0.1:1", 2).err
