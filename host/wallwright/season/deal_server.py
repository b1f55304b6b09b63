"""The tables of a season in a PostgreSQL database, which any number of programs may ask at once.

A day is added in one transaction. What the desk has said of who is who is brought along by each program that asks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from sqlalchemy import CursorResult, text

from ..errors import BadInput
from ..journal import is_url
from ..journal.addresses import find_place
from ..journal.server import JournalServer
from .tables import DAYS, GAMES, KEYS, OF_A_DAY, SEATS, WHO, Row, Table

_FETCHED = 10_000
_TYPES = {"text": 'text COLLATE "C"'}
_INDEXES = ((DAYS, "extract"), (KEYS, "day, player"), (KEYS, "key"), (SEATS, "day, player"), (GAMES, "day"))


class DealServer:
    """The tables in a database; it holds those of one season."""

    def __init__(self, place: JournalServer) -> None:
        """JournalError when it cannot be reached or written."""
        self._place = place
        place.reach()
        with place.failures():
            self._connection = place.engine().connect()
            with self._connection.begin():
                place.take_turn(self._connection)
                for table in OF_A_DAY:
                    self._run(f"CREATE TABLE IF NOT EXISTS {table.name} ({_columns(table)})")
                for table, columns in _INDEXES:
                    name = f"{table.name}_{columns.replace(', ', '_')}"
                    self._run(f"CREATE INDEX IF NOT EXISTS {name} ON {table.name} ({columns})")

    def close(self) -> None:
        """Let go of the database."""
        with self._place.failures():
            self._connection.close()

    def kept(self) -> frozenset[str]:
        """See Tables.kept."""
        with self._place.failures(), self._connection.begin():
            return frozenset(self._run(f"SELECT extract FROM {DAYS.name}").scalars())

    def add(self, extract: str, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """See Tables.add."""
        with self._place.failures(), self._connection.begin():
            self._place.take_turn(self._connection)
            if self._run(f"SELECT 1 FROM {DAYS.name} WHERE extract = :extract", extract=extract).first() is None:
                for table, rows in tables:
                    self._copy(table, rows)

    def drop(self, extract: str) -> None:
        """See Tables.drop."""
        with self._place.failures(), self._connection.begin():
            of = f"day IN (SELECT day FROM {DAYS.name} WHERE extract = :extract)"
            for table in reversed(OF_A_DAY):
                self._run(f"DELETE FROM {table.name} WHERE {of}", extract=extract)

    def show(self, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """See Tables.show."""
        with self._place.failures(), self._connection.begin():
            for table, rows in tables:
                self._run(f"CREATE TEMPORARY TABLE {table.name} ({_columns(table)})")
                self._copy(table, rows)
            self._run(WHO)
            # The server plans its answers by what it has counted.
            for table in OF_A_DAY:
                self._run(f"ANALYZE {table.name}")

    def ask(self, query: str, values: Mapping[str, Any] | None = None) -> Iterator[Row]:
        """See Tables.ask."""
        with self._place.failures(), ExitStack() as turn:
            if not self._connection.in_transaction():
                turn.enter_context(self._connection.begin())
            options = {"stream_results": True, "yield_per": _FETCHED}
            for row in self._connection.execute(text(query), dict(values or {}), execution_options=options):
                yield tuple(row)

    def _run(self, statement: str, **values: Any) -> CursorResult[Any]:
        return self._connection.execute(text(statement), values)

    def _copy(self, table: Table, rows: Sequence[Row]) -> None:
        """Bring rows in, by the way of the server that is made for many."""
        cursor: Any = self._connection.connection.cursor()
        with cursor, cursor.copy(f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def open_server(url: str) -> DealServer:
    """Return the tables in a database. BadInput for what is no URL; JournalError when it cannot be reached."""
    if not is_url(url):
        raise BadInput(f"{url} is no database; write postgresql://USER@HOST/DATABASE")
    place = find_place(url)
    assert isinstance(place, JournalServer)
    return DealServer(place)


def _columns(table: Table) -> str:
    """Return the columns for the server; texts are in the order of their characters there, as everywhere else."""
    return ", ".join(f"{name} {_TYPES.get(kind, kind)}" for name, kind in table.columns.items())
