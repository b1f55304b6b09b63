"""A host that operates tables and scores their deals, as a function that a process runs until it is killed."""

import threading
from itertools import product
from pathlib import Path
from typing import Any

from wallwright.event import results
from wallwright.event.store import EventJournal
from wallwright.fleet import Fleet, load_hall


def deal_of(table: int, deal: int) -> dict[str, Any]:
    """A deal that tells where and which it was: its points are those of no other."""
    winners = [{"seat": 0, "value": 1 << deal % 4}]
    first = {"type": "hu", "by": "discard", "from": table % 3 + 1, "winners": winners}
    return {"deal": deal, "events": [first], "end": "wall", "hands": hands(0)}


def hands(winner: int) -> list[dict[str, int]]:
    """Nobody else is ready."""
    return [{"seat": seat, "value": 0} for seat in range(4) if seat != winner]


def operate(config: str, place: str, name: str, tables: str, deals: str, folder: str, fate: str) -> None:
    """Operate the tables of `config`, and score so many deals at each of `tables`, those that have no result yet.

    With the `fate` "fatal" it stops in the middle of the last deal but one, written and not committed: once there is a
    file "go" in `folder`, and it makes a file "stopped" then. Otherwise it makes a file "done by NAME" at the end.
    """
    mine = list(map(int, tables.split(",")))
    last = (int(deals) - 1, mine[3]) if fate else None
    with Fleet(load_hall(Path(config))), EventJournal(place, name) as journal:
        for deal, table in product(range(1, int(deals) + 1), mine):
            if (deal, table) == last:
                wait_for(Path(folder) / "go")
            with journal.turn() as desk:
                if deal in desk.sheet(1, table).deals:
                    continue
                results.record_result(desk, results.preview(desk, 1, table, deal_of(table, deal)))
                if (deal, table) == last:
                    (Path(folder) / "stopped").touch()
                    threading.Event().wait()
        (Path(folder) / f"done by {name}").touch()
        threading.Event().wait()


def wait_for(path: Path) -> None:
    """Wait until there is such a file."""
    pause = threading.Event()
    while not path.exists():
        pause.wait(0.01)
