"""The end of a search: the map goes onto the board, with the person's consent."""

from wallwright_protocol.codes import WALLS_UNKNOWN
from wallwright_protocol.names import FAULTS

from ...errors import TableFault
from ...table.table import Table
from .by_hand import Person
from .on_board import write_map
from .wire_map import WireMap

EMPTIED = (
    "Outputs were tried blindly, so that nobody knows what the carriers hold. Are all carriers and heads empty, and "
    "their tiles in the drum? [y]es: "
)


def put_on_board(table: Table, person: Person, wire_map: WireMap) -> bool:
    """Ask, then put a map on the board and clear what the search has left; False when the person does not agree.

    Raises TableFault when the switches show a fault under the new map.
    """
    if not person.ask("Put this map on the board? [y]es, [n]o: ").strip().lower().startswith("y"):
        return False
    try:
        write_map(table, wire_map)
    except TableFault as fault:
        if fault.fault != FAULTS[WALLS_UNKNOWN]:
            raise
        if person.ask(EMPTIED).strip().lower().startswith("y"):
            table.clear_fault()
    return True
