"""The first schema: entries without hashes.

Files of it were made without alembic, so this runs only where a journal of it is wanted, as in tests.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("unit", sa.String),
        sa.Column("boot_id", sa.Integer),
        sa.Column("seq", sa.Integer),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("body", sa.String, nullable=False),
        sa.UniqueConstraint("unit", "boot_id", "seq"),
    )
