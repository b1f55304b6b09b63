"""A table with a dead side: which side is out, and what the other three then build."""

from collections.abc import Sequence

from wallwright_protocol.hardware import SET_SIZES, SIDES, plan_without

from ..errors import BadSetting
from ..table.table import Table
from .upkeep import change_settings

SIZES = tuple(tiles for tiles in SET_SIZES if plan_without(tiles, 0))
"""Tiles of the sets that three sides hold."""


def sides_named(text: str) -> tuple[int, ...]:
    """Read "2", "1,2" or "none"; raise BadSetting."""
    if text.strip() == "none":
        return ()
    names = [name.strip() for name in text.split(",")]
    if not all(name in map(str, range(SIDES)) for name in names):
        raise BadSetting(f"{text!r} is no side; sides are 0 to 3, counter-clockwise, and `none` puts all back in")
    return tuple(sorted({int(name) for name in names}))


def leave_out(table: Table, *sides: int) -> None:
    """Have these sides build no wall from now on, and all others build; no side: all four.

    Raises BadSetting when the others do not hold a set, NotOnBoard, Refused.
    """
    if sides:
        _check(sides, table.status().tiles)
    change_settings(table, {"sides_out": sum(1 << side for side in sides)})
    table.status()


def _check(sides: Sequence[int], tiles: int) -> None:
    fits = " or ".join(map(str, SIZES))
    if len(sides) > 1:
        count = SIDES - len(sides)
        held = f"{count} sides hold" if count > 1 else "one side holds" if count else "no side is left, which holds"
        raise BadSetting(
            f"only one side can be out: {held} {38 * count} tiles at the most, and the smallest set has {SET_SIZES[0]}"
        )
    if tiles not in SIZES:
        raise BadSetting(
            f"three sides hold 114 tiles at the most, and this table's sets have {tiles}; "
            f"a side can be out with sets of {fits} tiles"
        )
