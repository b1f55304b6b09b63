"""People who do what the panels ask for, and at a fault, to the letter, what its words say.

They have a host's buttons as well when there is one. They know the panel and the catalogue, not the firmware.
"""

from tests.scenarios.table import Table
from tests.scenarios.watch import is_fault
from wallwright_protocol import codes
from wallwright_protocol.hardware import LIFT_LAMP, SIDES
from wallwright_protocol.names import FAULTS

WAITS_MS = {"START?": 1_000, "READY": 6_000, "DROP": 3_000, "DICE?": 4_000}
FAULT_WAIT_MS = 2_000
OTHER_WAIT_MS = 1_000
PATIENCE_MS = 200_000
"""Longer than any build takes, the tries within it counted."""
ROLLER = 1
COMMANDS = {
    "START?": "start_build",
    "READY": "open_lid",
    "DROP": "raise_walls",
    "TILE?": "raise_walls",
    "RAISE?": "raise_walls",
    "LOWER?": "lower_lifts",
    "LOW?": "lower_lifts",
}
HEAD_EMPTIED = ("side_over", "foreign_tile", "head_jam", "eye_dead", "lane_jam", "eye_blocked")
"""Faults whose words say to take the tiles out of the head and to drop them into the drum."""
CARRIER_EMPTIED = ("push_without_count", "count_without_push")
"""Faults whose words say to take the last stack out of the carrier."""


def fault_of(shown: str) -> tuple[str, int | None]:
    """The fault's name and side of what a panel shows, such as `E07 S1`."""
    number, _, side = shown.partition(" S")
    return FAULTS[int(number[1:])], int(side) if side else None


def asks(table: Table) -> bool:
    """Whether somebody has to do something. Over a roll of the dice, or a notice, the lamps alone tell."""
    shown = table.shown
    if shown == "READY":
        return True
    asked = is_fault(shown) or shown.endswith(("?", "DROP")) or lift_key_is_lit(table)
    return asked and not table.world.mask


def lift_key_is_lit(table: Table) -> bool:
    """Whether the lamps say that the lift key does something."""
    return bool(table.sim.board.lamp_mask >> LIFT_LAMP & 1)


class Person:
    """Plays `deals` walls at `table`. `faults` are the faults that were shown, with the time of each.

    `by_host` lets the host's commands do what keys do. `asked` is what the panels asked for, with its time.
    """

    def __init__(self, table: Table, deals: int) -> None:
        self.faults: list[tuple[int, str, int | None]] = []
        self.asked: list[tuple[int, str]] = []
        self.by_host = False
        self.drawn_in = 0
        self._table = table
        self._deals = deals
        self._tries = 0

    def is_done(self) -> bool:
        """All walls have been drawn in and the lifts are down again."""
        return self.drawn_in == self._deals and all(lift.at_start for lift in self._table.world.lifts)

    def step(self) -> None:
        """Wait until the table asks for something, think, do it. AssertionError when it never asks."""
        table = self._table
        if not table.run(PATIENCE_MS, lambda: asks(table) or self.is_done()):
            raise AssertionError(f"the panel shows {table.shown!r} for ever")
        shown = table.shown
        self._tries = self._tries + 1 if self.asked and self.asked[-1][1] == shown else 0
        self.asked.append((table.now_ms, shown))
        if shown == "DICE?":
            self._draw_in()
        elif table.world.lid.at_end and self._walls_wait():
            table.sim.players.push_in()
        wait_ms = FAULT_WAIT_MS if is_fault(shown) else WAITS_MS.get(shown, OTHER_WAIT_MS)
        if self.is_done() or table.run(wait_ms, lambda: table.shown != shown):
            return
        if is_fault(shown):
            self._mend(shown)
        elif shown == "DICE?":
            table.press_dice((ROLLER + self._tries) % SIDES)
        else:
            self._go_on(shown)
        table.run(50)

    def _walls_wait(self) -> bool:
        """Whether fresh walls wait below. A lid that opens in a build is for forgotten tiles, not for those in play."""
        return (
            next((shown for _, shown in reversed(self.asked) if shown in ("START?", "READY", "DICE?")), "") == "READY"
        )

    def _go_on(self, shown: str) -> None:
        """By the host's command, or by a key when there is no host or the table refuses."""
        table = self._table
        if self.by_host and table.host:
            name = "clear_fault" if is_fault(shown) else COMMANDS.get(shown.split(" ")[-1])
            if name and table.host.request(name)[0] == codes.OK:
                return
        table.press_lift(self._tries % SIDES)

    def _draw_in(self) -> None:
        """Take the walls off the lifts; from one that is not up, by hand."""
        world = self._table.world
        if not any(head.carrier for head in world.heads):
            return
        if all(lift.at_end for lift in world.lifts):
            self._table.sim.players.draw_in()
        else:
            for side, head in enumerate(world.heads):
                world.walls[side] = head.carrier[:]
                head.carrier.clear()
        self.drawn_in += 1

    def _mend(self, shown: str) -> None:
        """What the words of the fault say, literally; then the cause is put right and the fault cleared."""
        table = self._table
        name, side = fault_of(shown)
        self.faults.append((table.now_ms, name, side))
        if side is not None:
            self._free(name, side)
        elif name in ("walls_unknown", "store_corrupt", "wrong_set"):
            for each in range(SIDES):
                self._into_drum(table.world.free_carrier(each) + table.world.free_head(each))
        table.sim.injection.mend()
        table.run(500)
        self._go_on(shown)

    def _free(self, name: str, side: int) -> None:
        world = self._table.world
        if name in ("side_short", "lane_jam", "eye_blocked", "eye_dead"):
            world.free_lane(side)
        if name in HEAD_EMPTIED + CARRIER_EMPTIED:
            self._into_drum(world.free_head(side))
        if name in CARRIER_EMPTIED:
            self._into_drum(world.free_carrier(side))

    def _into_drum(self, tiles: list[int]) -> None:
        for tile in tiles:
            self._table.world.put_in_drum(tile)
