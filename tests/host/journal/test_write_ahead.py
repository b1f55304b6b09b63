"""A database and its write-ahead file, put together as bytes, are what SQLite reads of them."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from wallwright.journal.write_ahead import WriteAhead, log_path, put_together, read_pair

ASKED = "SELECT count(*), sum(id), sum(length(text)), max(text) FROM some"


def copies(chance: random.Random, folder: Path) -> list[Path]:
    """Copies of a database at moments of its life: between commits, and while a transaction is open."""
    source, taken = folder / "source", []
    with closing(sqlite3.connect(source, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute(f"PRAGMA wal_autocheckpoint = {chance.choice([8, 30, 1000])}")
        writer.execute("PRAGMA cache_size = 5")
        writer.execute("CREATE TABLE some (id INTEGER PRIMARY KEY, text)")
        for step in range(30):
            writer.execute("BEGIN")
            for _ in range(chance.choice([1, 2, 40])):
                writer.execute("INSERT INTO some (text) VALUES (?)", ("x" * chance.randrange(3000),))
            if chance.random() < 0.2:
                taken.append(copy(source, folder / f"open-{step}"))
            writer.execute(chance.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"]))
            if chance.random() < 0.3:
                taken.append(copy(source, folder / f"closed-{step}"))
    return taken


def copy(source: Path, target: Path) -> Path:
    for one, other in ((source, target), (log_path(source), log_path(target))):
        if one.exists():
            shutil.copyfile(one, other)
    return target


def by_sqlite(path: Path) -> object:
    try:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(ASKED).fetchone()
    except sqlite3.Error as error:
        return type(error)


def by_bytes(path: Path) -> object:
    pair = read_pair(path)
    assert pair is not None
    database, log = pair
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(put_together(database, WriteAhead(log).frames))
            return connection.execute(ASKED).fetchone()
    except sqlite3.Error as error:
        return type(error)


@pytest.mark.parametrize("round_", range(6))
def test_it_is_what_sqlite_reads_whole_cut_and_spoiled(seed: int, tmp_path: Path, round_: int) -> None:
    chance = random.Random(seed + round_)
    read = set()
    for path in copies(chance, tmp_path):
        read.add(by_bytes(path))
        log = log_path(path).read_bytes() if log_path(path).exists() else b""
        spoiled = copy(path, tmp_path / "spoiled")
        if log:
            at = chance.randrange(len(log))
            log_path(spoiled).write_bytes(chance.choice([log[:at], log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]]))
        for one in (spoiled, path):
            found = by_bytes(one)
            assert found == by_sqlite(one), (seed, round_, one.name)
        for left in tmp_path.glob("spoiled*"):
            left.unlink()
    assert len(read) > 3
