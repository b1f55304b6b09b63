"""The tables of a season as Parquet files, in a folder for each day, and DuckDB in this process to ask them.

A day that comes costs what that day costs: its files are written once, and those of other days stay as they are.
"""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from ..system.disk import sync_folder
from ..system.private import make_folder
from .tables import OF_A_DAY, WHO, Row, Table

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""DuckDB loads nothing from anywhere."""
_FETCHED = 10_000
_NUMPY = {"integer": np.int64, "bigint": np.int64, "boolean": np.bool_, "uuid": object, "text": object}


class DealFiles:
    """The tables in a folder: Parquet files in a folder for each day, called by the SHA-256 of its extract."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._duckdb = duckdb.connect(config=_CONFIG)

    def close(self) -> None:
        """Let go of DuckDB."""
        self._duckdb.close()

    def kept(self) -> frozenset[str]:
        """See Tables.kept."""
        if not self._folder.is_dir():
            return frozenset()
        return frozenset(one.name for one in self._folder.iterdir() if not one.name.startswith("."))

    def add(self, extract: str, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """See Tables.add."""
        make_folder(self._folder)
        draft = Path(mkdtemp(prefix=".", dir=self._folder))
        try:
            for table, rows in tables:
                path = draft / f"{table.name}.parquet"
                self._write(f"COPY ({{rows}}) TO {_quoted(path)} (FORMAT parquet, COMPRESSION zstd)", table, rows)
            sync_folder(draft)
            draft.rename(self._folder / extract)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        sync_folder(self._folder)

    def drop(self, extract: str) -> None:
        """See Tables.drop."""
        shutil.rmtree(self._folder / extract)

    def show(self, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """See Tables.show."""
        kept = sorted(self.kept())
        for table in OF_A_DAY:
            files = ", ".join(_quoted(self._folder / extract / f"{table.name}.parquet") for extract in kept)
            if kept:
                rows = f"SELECT * FROM read_parquet([{files}])"
                self._duckdb.execute(f"CREATE VIEW {table.name} AS {rows}")
            else:
                self._write(f"CREATE TABLE {table.name} AS {{rows}}", table, ())
        for table, told in tables:
            self._write(f"CREATE TABLE {table.name} AS {{rows}}", table, told)
        self._duckdb.execute(WHO)

    def ask(self, query: str, values: Mapping[str, Any] | None = None) -> Iterator[Row]:
        """See Tables.ask."""
        # A cursor of its own, so that something else may be asked before all rows were taken.
        asked = self._duckdb.cursor().execute(re.sub(r":(\w+)", r"$\1", query), dict(values or {}))
        while rows := asked.fetchmany(_FETCHED):
            yield from rows

    def _write(self, statement: str, table: Table, rows: Sequence[Row]) -> None:
        """Run a statement with `{rows}` in it, which stands for the query that gives these rows."""
        columns = zip(*rows, strict=True) if rows else ((),) * len(table.columns)
        # DuckDB finds this name.
        given: dict[str, NDArray[Any]] = {
            name: np.array(column, dtype=_NUMPY[kind])
            for (name, kind), column in zip(table.columns.items(), columns, strict=True)
        }
        casts = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in table.columns.items())
        self._duckdb.register("given", given)
        self._duckdb.execute(statement.format(rows=f"SELECT {casts} FROM given"))
        self._duckdb.unregister("given")


def _quoted(path: Path) -> str:
    """Return a path as SQL has it."""
    return "'" + str(path).replace("'", "''") + "'"
