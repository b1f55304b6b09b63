"""Other releases of the firmware, as dictionaries: ours, with rows and names added, removed and renumbered.

The frozen messages stay (SPEC.md, section 9), and so do the codes by which an answer is known.
"""

from collections.abc import Callable, Sequence

from wallwright_protocol.dictionary import Dictionary, Row, own
from wallwright_protocol.messages import EVENT, FROZEN, REPLY, REQUEST, STATUS

OWN = own()
KEPT_CODES = 9
"""Refusals whose numbers stay: up to version_mismatch."""
PLACED = ("inputs of a side", "inputs of the table", "drives of a side", "drives of the table", "lamps of a side")
"""Lists whose lengths are in the layout of a map of wires, and in masks."""
ITEMS = ("B", "H", "I", "8s")

Draw = Callable[[int], int]
"""Returns a number from 0 up to the one given, without it."""


def grown(draw: Draw) -> Dictionary:
    """Return the dictionary of another release."""
    rows = _renumbered([_longer(row, draw) for row in _some_less(draw)] + _new_rows(draw), draw)
    lists = [(heading, first, _names(heading, names, draw)) for heading, first, names in OWN.lists]
    return Dictionary(rows, lists)


def shuffled(items: Sequence[str], draw: Draw) -> list[str]:
    """Return them in any order."""
    left = list(items)
    return [left.pop(draw(len(left))) for _ in items]


def _some_less(draw: Draw) -> list[Row]:
    gone = {row[1] for row in OWN.rows if row[1] not in FROZEN and not draw(8)}
    return [row for row in OWN.rows if row[1] not in gone]


def _longer(row: Row, draw: Draw) -> Row:
    """Return the row with up to two more fields behind, if it may have them."""
    if row[1] in FROZEN or draw(4):
        return row
    number, name, direction, layout, fields = row
    for at in range(1 + draw(2)):
        layout, fields = (layout or "<") + ITEMS[draw(len(ITEMS))], (*fields, f"later_{at}")
    return number, name, direction, layout, fields


def _new_rows(draw: Draw) -> list[Row]:
    rows: list[Row] = []
    for at in range(draw(4)):
        direction = (REQUEST, EVENT, STATUS)[draw(3)]
        row: Row = (0, f"new_{at}", direction, "<BH", ("state", "grams"))
        rows.append(row)
        if direction == REQUEST:
            rows.append((0, row[1], REPLY, "<I", ("grams",)))
    return rows


def _renumbered(rows: list[Row], draw: Draw) -> list[Row]:
    """Give every message another id; request and reply of one name keep one, and the frozen ones theirs."""
    frozen = {row[1]: row[0] for row in OWN.rows if row[1] in FROZEN}
    free = [number for number in range(1, 250) if number not in frozen.values()]
    ids = dict(frozen)
    for row in rows:
        if row[1] not in ids:
            ids[row[1]] = free.pop(draw(len(free)))
    return [(ids[row[1]], *row[1:]) for row in rows]


def _names(heading: str, names: Sequence[str], draw: Draw) -> list[str]:
    if heading in PLACED:
        return shuffled(names, draw)
    kept = KEPT_CODES if heading == "refusals" else 0
    others = [name for name in names[kept:] if draw(10)] + [f"later_{at}" for at in range(draw(3))]
    return [*names[:kept], *shuffled(others, draw)]
