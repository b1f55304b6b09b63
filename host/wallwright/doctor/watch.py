"""Every input and output of a table as it changes: a picture for a person, records for a program."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS

from .bench import Look

FRESH_MS = 1000
"""What has changed within this time is highlighted."""
ON, OFF = "●", "·"


class Changes:
    """Counts, over many looks, how often each input has changed, and remembers when each in- and output last did."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.changed_ms: dict[str, int] = {}
        self.lost = 0
        self._outputs: frozenset[str] | None = None

    def take(self, look: Look) -> None:
        """Add one look."""
        self.lost += look.lost
        for edge in look.edges:
            self.counts[edge.input] += 1
            self.changed_ms[edge.input] = edge.time_ms
        outputs = frozenset(look.drives) | frozenset(look.lamps)
        if self._outputs is not None:
            self.changed_ms.update(dict.fromkeys(outputs ^ self._outputs, look.time_ms))
        self._outputs = outputs


def records(looks: Iterable[Look]) -> Iterator[dict[str, Any]]:
    """Yield how everything stands at first, then a record for each change of an input and of the outputs."""
    before: Look | None = None
    for look in looks:
        if before is None:
            inputs = [name for name in INPUTS if name in look.inputs]
            yield {"time_ms": look.time_ms, "inputs": inputs, "drives": look.drives, "lamps": look.lamps}
        if look.lost:
            yield {"time_ms": look.time_ms, "lost": look.lost}
        for edge in look.edges:
            yield {"time_ms": edge.time_ms, "input": edge.input, "level": edge.level}
        if before is not None and (look.drives, look.lamps) != (before.drives, before.lamps):
            yield {"time_ms": look.time_ms, "drives": look.drives, "lamps": look.lamps}
        before = look


def picture(look: Look, changes: Changes) -> Group:
    """Return the picture of a look: a row for each kind, a column for each side, then what the table has once."""
    on = look.inputs | frozenset(look.drives) | frozenset(look.lamps)

    def cell(name: str) -> Text:
        fresh = look.time_ms - changes.changed_ms.get(name, -FRESH_MS) < FRESH_MS
        count = f" {changes.counts[name]}" if name in INPUTS else ""
        return Text(f"{ON if name in on else OFF}{count}", style="bold reverse" if fresh else "")

    # Without frames it fits the 24 lines of a small terminal.
    sides = Grid(box=None)
    sides.add_column("● on, n changes")
    for side in range(SIDES):
        sides.add_column(f"side {side}", min_width=8)
    for kind in dict.fromkeys(name[:-2] for name in (*INPUTS, *DRIVES, *LAMPS) if name[-1].isdigit()):
        sides.add_row(kind, *(cell(f"{kind}_{side}") for side in range(SIDES)))
    once = Columns(Text.assemble(f"{name} ", cell(name)) for name in (*INPUTS, *DRIVES) if not name[-1].isdigit())
    foot = f"{look.time_ms / 1000:.1f} s after power-up" + (f", {changes.lost} changes missed" if changes.lost else "")
    return Group(sides, once, foot)
