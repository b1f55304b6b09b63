"""Alembic's scripts: one revision for each schema that a released version has written."""
