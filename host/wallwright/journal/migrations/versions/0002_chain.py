"""Entries get their hashes, on SQLite and PostgreSQL."""

import sqlalchemy as sa
from alembic import op

from wallwright.journal.entry import Head
from wallwright.journal.schema import ENTRIES, guard_entries, mark_version

revision = "0002"
down_revision = "0001"

BATCH = 1000


def upgrade() -> None:
    """Copy the entries in their order into a table with hashes."""
    connection = op.get_bind()
    op.rename_table("entries", "entries_1")
    if connection.dialect.name == "postgresql":
        # Names of constraints are one for all tables there.
        op.execute("ALTER INDEX entries_pkey RENAME TO entries_1_pkey")
        op.execute("ALTER INDEX entries_unit_boot_id_seq_key RENAME TO entries_1_key")
    # The present table is this revision's. A later revision that changes it leaves a copy of it here.
    ENTRIES.create(connection)
    old = sa.table("entries_1", *(sa.column(column.name) for column in ENTRIES.columns if column.name != "hash"))
    head = Head()
    while rows := connection.execute(sa.select(old).where(old.c.id > head.id).order_by(old.c.id).limit(BATCH)).all():
        chained = []
        for row in rows:
            head = head.after(tuple(row))
            chained.append({**row._mapping, "hash": head.hash})
        connection.execute(sa.insert(ENTRIES), chained)
    op.drop_table("entries_1")
    guard_entries(connection)
    mark_version(connection, 2)
