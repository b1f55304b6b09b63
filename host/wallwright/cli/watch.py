"""`wallwright watch`: a table live."""

import dataclasses
from typing import TYPE_CHECKING

from .one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ..link.reports import Status
    from ..table.table import Table

REFRESH_MS = 250

HELP = """Show a table live, until Ctrl-C. Faults are shown and do not end it.

Example: wallwright watch --port /dev/ttyACM0

With --json: a line for every event, {"event": "side_done", "seq": 7, "side": 2, ...}, and a line for every status,
{"status": "building", "stacks": [3, 3, 2, 3], ...}, about one a second. {"strange": "a status says state 200, ..."}
reports a message that the table should not have sent.
"""


def watch(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Follow a table until Ctrl-C."""
    with opened(port, trace) as table:
        try:
            if as_json:
                _watch_lines(table)
            else:
                from ..table.live import watch_table

                watch_table(table)
        except KeyboardInterrupt:
            return  # the usual end


def _watch_lines(table: "Table") -> None:
    from ..link.reports import event_record

    shown: Status | None = None
    while True:
        if table.last_status is not shown:
            shown = table.last_status
            record = dataclasses.asdict(shown)
            print_json({"status": record.pop("state"), **record})
        for event in table.events():
            if not event.is_secret:
                print_json(event_record(event))
        for text in table.strange():
            print_json({"strange": text})
        table.pump(REFRESH_MS)
