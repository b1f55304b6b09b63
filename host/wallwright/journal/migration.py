"""Brings a journal of an older schema to the present one, by alembic's revisions in `migrations`."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from .schema import VERSION_TABLE, stored_version


def migrate(connection: Connection, version: int) -> None:
    """Do what lies between schema `version` and the present one, in the transaction of `connection`."""
    config = Config()
    config.set_main_option("script_location", "wallwright.journal:migrations")
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    if version and stored_version(connection) is None:
        # Schema 1 was made before alembic counted.
        command.stamp(config, f"{version:04d}")
    command.upgrade(config, "head")
