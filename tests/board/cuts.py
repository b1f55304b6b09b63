"""Power cuts: what one at any moment of a run leaves, and boards that start from that.

A cut leaves a chip nothing but its flash. So one run tells of every cut within it: the flash as it is after each of its
writes, and as it is when the power fails in the middle of one. A board starts from each of these.
"""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

from wallwright.doctor.upkeep import read_settings
from wallwright.table.table import Table, open_table
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.files import FLASH_OFFSET
from wallwright_simulator.simulation import attach

SETTING = "lid_limit_ms"
START_MS = 5000
"""A board whose flash was cut in its making answers by then."""
_names = count()


class Cut(NamedTuple):
    """The power fails at `at_ms` and leaves this file system in the flash."""

    at_ms: float
    files: bytes


class Watched:
    """A board whose flash is looked at from now on: `cuts` moments within each write, and the end of it."""

    def __init__(self, simulation: ChipSimulation, cuts: int) -> None:
        self._simulation = simulation
        self._files = bytearray(simulation.chip.flash()[FLASH_OFFSET:])
        simulation.chip.do("note", cuts=cuts)

    def left(self) -> Iterator[Cut]:
        """What power cuts since then leave, in the order of their times; the first one before any write."""
        files = self._files
        yield Cut(0, bytes(files))
        for write in self._simulation.chip.do("noted"):
            for cut in sorted(write["cuts"], key=lambda one: one["at"]):
                yield self._with(bytearray(files), cut, write["from"])
            yield self._with(files, write, write["from"])

    def written(self) -> list[int]:
        """Where each write since then has begun, as an offset in the flash."""
        return [write["from"] for write in self._simulation.chip.do("noted")]

    @staticmethod
    def _with(files: bytearray, what: dict[str, Any], start: int) -> Cut:
        cells = base64.b64decode(what["cells"])
        at = start - FLASH_OFFSET
        assert at >= 0, "the image itself was written"
        files[at : at + len(cells)] = cells
        return Cut(what["at"] / 1e6, bytes(files))


@contextmanager
def started(simulation: ChipSimulation, files: bytes) -> Iterator[Table]:
    """The table that starts from this flash, at rest or in a fault."""
    simulation.power_off()
    simulation.chip.put_flash(FLASH_OFFSET, files)
    simulation.power_on()
    resets = simulation.resets
    with open_table(attach(f"cut-{next(_names)}", simulation)) as table:
        table.run_until(lambda table: table.state != "starting", START_MS)
        yield table
        assert simulation.resets == resets


def setting_of(table: Table) -> int:
    """What the board says of that setting."""
    return next(one.value for one in read_settings(table) if one.name == SETTING)


def told(table: Table, *names: str) -> list[dict[str, Any]]:
    """The fields of the events of these names that this start has told so far; they are told once."""
    table.pump(300)
    return [dict(event.fields) for event in table.events() if event.name in names]
