"""The host of a Wallwright table: `open_table`, its values and errors, the journal.

What is named here is imported when it is first used, so that `wallwright.rules` alone loads no port and no database.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import WallwrightError
    from .journal import Journal, read_journal
    from .link.reports import Event, Info, Status
    from .table.table import Table, open_table

__all__ = ["Event", "Info", "Journal", "Status", "Table", "WallwrightError", "open_table", "read_journal"]

_HOME = {
    "Event": "link.reports",
    "Info": "link.reports",
    "Journal": "journal",
    "Status": "link.reports",
    "Table": "table.table",
    "WallwrightError": "errors",
    "open_table": "table.table",
    "read_journal": "journal",
}


def __getattr__(name: str) -> Any:
    """Import what `__all__` promises."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
