"""A journal's place, once for each database, and the ways of somebody who changes one behind its back."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from wallwright import cli
from wallwright.journal import Journal

Tamper = Callable[..., None]


class Answer:
    """What a command left behind."""

    def __init__(self, code: int, out: str, error: str) -> None:
        self.code = code
        self.out = out
        self.error = error


Log = Callable[..., Answer]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Log:
    def log(*arguments: object) -> Answer:
        monkeypatch.setattr("sys.argv", ["wallwright", "log", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return Answer(int(caught.value.code or 0), *capsys.readouterr())

    return log


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a journal can be made: each test runs on both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "session.journal")
    return str(request.getfixturevalue("postgresql").schema())


def tamper(place: str, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Run SQL statements, with `?` for values, as somebody who may do everything and hides it."""
    if place.startswith("postgresql:"):
        with psycopg.connect(place) as server:
            server.execute("SET session_replication_role = replica")
            for statement, values in statements:
                server.execute(statement.replace("?", "%s").encode(), values)
        return
    with closing(sqlite3.connect(place)) as connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        for statement, values in statements:
            connection.execute(statement, values)
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()


def stored(place: str) -> list[tuple[Any, ...]]:
    """The rows as they are in the database: id, at_ms, unit, boot_id, seq, kind, body, hash."""
    query = "SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM entries ORDER BY id"
    if place.startswith("postgresql:"):
        with psycopg.connect(place) as server:
            return server.execute(query.encode()).fetchall()
    with closing(sqlite3.connect(place)) as connection:
        return connection.execute(query).fetchall()


def journal_of_results(place: str) -> str:
    """A journal with a result that would be worth changing; return the checkpoint that was printed at its end."""
    with Journal(place) as journal:
        for deal in range(1, 9):
            points = [41, -41, 0, 0] if deal == 5 else [deal, -deal, 0, 0]
            journal.append("deal_result", {"deal": deal, "points": points}, at_ms=deal, unit="T-1")
        return str(journal.checkpoint(at_ms=9))
