"""The tables of a journal and what guards them, for SQLite and PostgreSQL alike.

A journal of an older schema is brought to this one by `migration`; a test holds that both ways end alike.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    insert,
    inspect,
    select,
)

APPLICATION_ID = 0x57574A31
"""Marks an SQLite file as a journal of ours."""
SCHEMA_VERSION = 2
"""1 had no hashes. The revisions in `migrations` have the same numbers, with four digits."""

METADATA = MetaData()
ENTRIES = Table(
    "entries",
    METADATA,
    # Numbers are given by the writer: a sequence would leave gaps. SQLite numbers its rows by INTEGER only.
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("unit", String),
    Column("boot_id", BigInteger),
    Column("seq", BigInteger),
    Column("kind", String, nullable=False),
    Column("body", String, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("unit", "boot_id", "seq"),
)
VERSION_TABLE = "journal_version"
VERSION = Table(
    VERSION_TABLE,
    METADATA,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""Where alembic keeps the revision."""

SQLITE_GUARDS = (
    "CREATE TRIGGER entries_are_not_updated BEFORE UPDATE ON entries "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
    "CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
    # INSERT OR REPLACE would delete without waking the trigger above.
    "CREATE TRIGGER entries_are_not_replaced BEFORE INSERT ON entries WHEN EXISTS (SELECT 1 FROM entries "
    "WHERE id = NEW.id OR (unit = NEW.unit AND boot_id = NEW.boot_id AND seq = NEW.seq)) "
    "BEGIN SELECT RAISE(ABORT, 'a journal is append-only'); END",
)
REFUSAL = " BEGIN RAISE EXCEPTION 'a journal is append-only'; END "
POSTGRESQL_GUARD = (
    "CREATE TRIGGER entries_are_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON entries "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_entries()"
)
_GUARDS = {
    "sqlite": SQLITE_GUARDS,
    "postgresql": (
        f"CREATE FUNCTION refuse_to_change_entries() RETURNS trigger LANGUAGE plpgsql AS $${REFUSAL}$$",
        POSTGRESQL_GUARD,
    ),
}


def create_schema(connection: Connection) -> None:
    """Make the tables of an empty journal in the transaction of `connection`."""
    METADATA.create_all(connection)
    connection.execute(insert(VERSION).values(version_num=f"{SCHEMA_VERSION:04d}"))
    guard_entries(connection)
    mark_version(connection, SCHEMA_VERSION)


def guard_entries(connection: Connection) -> None:
    """Make the triggers that refuse every change."""
    for guard in _GUARDS[connection.dialect.name]:
        connection.exec_driver_sql(guard)


def mark_version(connection: Connection, version: int) -> None:
    """Let an SQLite file's header say what it is, so that it can be told without opening a table."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def stored_version(connection: Connection) -> int | None:
    """Return the schema's version by its table, or None when there is no such table."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return int(connection.execute(select(VERSION.c.version_num)).scalar_one())
