"""The map on a board: read it, put another one there."""

from contextlib import suppress
from dataclasses import replace

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import NO_SORTER

from ...errors import Refused, TableFault
from ...table.table import Table
from ..upkeep import change_settings, check_settings, read_fitted
from .wire_map import WireMap

TOLD_MS = 500


def read_map(table: Table) -> WireMap | None:
    """Return the map that a board goes by, with all timings; None while nothing is connected there."""
    values = REPLIES[NUMBER_OF["get_wiring"]].unpack(table.request("get_wiring"))
    if not values[0]:
        return None
    inputs, outputs, sorter = values[2:-35], values[-35:-3], values[-3:]
    timings = {setting.name: setting.value for setting in read_fitted(table)}
    return replace(WireMap.of_fields(values[1], inputs, outputs, sorter), timings=timings)


def sorts_from_next_start(table: Table, before: WireMap | None, found: WireMap) -> bool:
    """Say whether the board still sorts by what its map was when it started. `before` is the map that it had until now:
    a board tells by which kind and places it sorts, and not by which lead.
    """
    kind, places, _, _ = REPLIES[NUMBER_OF["get_sorter"]].unpack(table.request("get_sorter"))
    is_other = (kind, places) != (found.sorter.fields[:2] if found.sorter else (NO_SORTER, 0))
    return is_other or found.sorter != (before.sorter if before else None)


def begin_wiring(table: Table) -> None:
    """Take every wire of the board from what it means; Refused when the table does not stand still."""
    if table.status().fault is None:
        if table.status().state != "service":
            table.request("begin_service")
        table.request("begin_wiring")
    else:
        table.request("begin_wiring")


def write_map(table: Table, wanted: WireMap) -> None:
    """Have the board keep a map, and go by it. Refused when the table does not stand still; TableFault when the
    switches then show another fault than a pressed emergency stop, which has to be mended and cleared.

    Timings are set too, all of them or none.
    """
    check_settings(table, wanted.timings)
    begin_wiring(table)
    try:
        table.request("set_wiring", *wanted.fields())
    except Refused:
        # The board goes by the map from before again, if it has one.
        with suppress(Refused):
            table.request("clear_fault")
        raise
    with suppress(Refused):
        table.clear_fault()
    # What the board has told of its fault is heard before anybody waits for something else.
    table.pump(TOLD_MS)
    change_settings(table, wanted.timings)
    now = table.status()
    if now.fault not in (None, "emergency_stop"):
        raise TableFault(now.fault, now.fault_side, 0, 0)
