"""All that a host tells a table of the deal to come and of the one in play: walls, throws, and what to keep of it."""

from .kept_deals import KeptDealHost
from .next_throws import ThrowHost, Thrown
from .next_walls import Coming, WallHost
from .table import Table


class DealHost:
    """Tells one table, in one connection, whenever something of it has changed."""

    def __init__(self, table: Table) -> None:
        self._walls = WallHost(table)
        self._throws = ThrowHost(table)
        self._kept = KeptDealHost(table)

    def tell(self, coming: Coming, thrown: Thrown) -> None:
        """Have the table know. Raises LinkError, and Refused, once for each thing that it does not take now."""
        self._walls.tell(coming)
        self._throws.tell(coming, thrown)
        self._kept.tell(coming, thrown)
