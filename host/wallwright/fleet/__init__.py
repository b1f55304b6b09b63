"""Many tables operated by one process: each has a thread and a port of its own, all share one journal.

`load_hall` reads what tables there are, `Fleet` operates them: it finds them, follows them, journals their events,
finds them again, and gives their states to whoever shows them.
"""

from .config import HallConfig, TableConfig, load_hall
from .fleet import Fleet
from .state import Change, HallState, News, TableState

__all__ = ["Change", "Fleet", "HallConfig", "HallState", "News", "TableConfig", "TableState", "load_hall"]
