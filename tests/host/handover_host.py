"""Hosts to be killed, as functions that a process of their own runs for ever."""

import contextlib
import threading
from pathlib import Path

from wallwright.errors import LinkError
from wallwright.fleet import Fleet, load_hall
from wallwright.journal import Journal
from wallwright.table.table import open_table


def operate_hall(config: str) -> None:
    """`wallwright run`, without a screen."""
    with Fleet(load_hall(Path(config))):
        threading.Event().wait()


def operate_table(port: str, journal: str) -> None:
    """A program that operates one table through the library, and connects again when the link has failed."""
    with Journal(journal) as log:
        while True:
            with contextlib.suppress(LinkError), open_table(port, journal=log) as table:
                while True:
                    table.pump(1000)
