"""A journal's place, once for each database, and the ways of somebody who changes one behind its back."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

Tamper = Callable[..., None]


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
