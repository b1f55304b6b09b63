"""Run by alembic: revisions work in the transaction of the connection that the caller gives."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], version_table=context.config.attributes["version_table"]
)
context.run_migrations()
