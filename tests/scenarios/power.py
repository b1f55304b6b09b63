"""A cycle whose power may fail at any moment, and people who then do what the panels say.

What must be so afterwards is told from the world: which walls have come up, which stacks stand where.
"""

import re

from tests.scenarios.scenarios import plan_of
from tests.scenarios.table import MakeFirmware, Table
from tests.usual import DEBOUNCE_MS
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.hardware import LIFT_LOWER, SIDES, drive_bit
from wallwright_simulator.world import World

OFF_MS = 2_000
UNKNOWN = f"E{codes.WALLS_UNKNOWN:02d}"
ASKS = ("?", "READY", "DROP")
DICE = re.compile("[1-6] [1-6]")
ROLLER = 1
"""The seat that rolls for the first deal and so becomes the dealer."""
ACTS = 30
RELEASED_MS = 300
"""A key that was pressed is free again after this."""
LOWERS = sum(drive_bit(side, LIFT_LOWER) for side in range(SIDES))


def new_table(seed: int, firmware: MakeFirmware = App) -> Table:
    """A table on which the walls of two dealers may rise: those of the first build and of the second."""
    table = Table(seed, firmware=firmware)
    table.world.plans = [plan_of(0), plan_of(ROLLER)]
    return table


def cycle(table: Table) -> None:
    """From idle to the first walls on the table and the second ones ready, by what the panels say."""
    for _ in range(ACTS):
        if is_done(table):
            return
        act(table)
        wait(table)
    raise AssertionError(f"not done after {ACTS} acts; the panel shows {table.shown}")


def is_done(table: Table) -> bool:
    """The first walls were drawn in, the second ones are ready."""
    return table.shown == "READY" and any(table.world.walls)


def wait(table: Table) -> None:
    """Let the table do what it does until it asks for something, or says that it cannot go on."""
    table.run(RELEASED_MS)
    asked = table.run(90_000, lambda: table.shown == "READY" or (table.world.mask == 0 and asks(table.shown)))
    assert asked, f"the panel shows {table.shown} for ever"


def asks(shown: str) -> bool:
    """Whether people have something to do."""
    return shown.endswith(ASKS) or shown.startswith("E")


def act(table: Table) -> None:
    """Do what the panel asks for."""
    world = table.world
    shown = table.shown
    if shown == UNKNOWN:
        clear_by_hand(table.world)
        table.press_lift()
    elif shown == "DICE?":
        if any(table.built()):
            assert not world.pile, "walls have come up while the played tiles still lie on the table"
            table.sim.players.draw_in()
        table.press_dice(ROLLER)
    else:
        assert not shown.startswith("E"), f"nobody knows what to do about {shown}"
        if shown == "DROP":
            table.sim.players.push_in()
        table.press_lift()


def clear_by_hand(world: World) -> None:
    """What the words of walls_unknown say: stacks and tiles out of the carriers and heads, into the drum."""
    for side in range(SIDES):
        for tile in world.free_carrier(side) + world.free_head(side):
            world.put_in_drum(tile)


def check_end(table: Table) -> None:
    """All is as it would be without a power loss: the walls of both builds, by their plans, each of one set."""
    world = table.world
    assert is_done(table)
    assert table.built() == plan_of(ROLLER)
    assert tuple(len(wall) for wall in world.walls) == plan_of(0)
    for tile_set, walls in enumerate((world.walls, [head.carrier for head in world.heads])):
        stacks = [stack for wall in walls for stack in wall]
        assert {len(stack) for stack in stacks} == {2}
        assert {world.set_of(tile) for stack in stacks for tile in stack} == {tile_set}
    world.check_conserved()


class Truth:
    """What the world says at the moment when the power fails."""

    def __init__(self, table: Table) -> None:
        world = table.world
        walls_are_up = any(world.walls) or all(lift.at_end for lift in world.lifts)
        self.deal = int(walls_are_up)
        self.set_above = 0 if walls_are_up else 1
        has_lowered = any(mask & LOWERS for _, mask in world.drive_log)
        # Who rolls is the dealer at once; lifts that have just risen stand before they go down.
        self.dealer = ROLLER if has_lowered else 0
        self.has_rolled = not has_lowered and DICE.fullmatch(table.shown) is not None
        self.places = world.locations()


def restart(table: Table, truth: Truth) -> None:
    """Wait until the power has been back for some time: nothing moves, and the table knows what it promises to know."""
    world = table.world
    drives = world.drive_log[:]
    table.run(OFF_MS + 3_000)
    assert world.mask == 0
    assert world.drive_log == drives, "something moved before an act"
    assert world.locations() == truth.places
    app = app_of(table)
    assert (app.cycle.deal, app.cycle.set_above) == (truth.deal, truth.set_above)
    assert app.cycle.dealer == truth.dealer or (truth.has_rolled and app.cycle.dealer == ROLLER)
    if table.shown == UNKNOWN:
        assert not any(world.walls) or app.cycle.deal == 1
    elif app.cycle.whole:
        assert table.built() == (plan_of(0), plan_of(ROLLER))[truth.deal]
    elif all(lift.at_start for lift in world.lifts):
        assert counts_are_true(table)


def settle(table: Table) -> None:
    """Act until a build goes on from true counts, or until the walls that are below are whole."""
    for _ in range(ACTS):
        act(table)
        table.run(RELEASED_MS)
        table.run(10_000, lambda: table.builds or (table.world.mask == 0 and asks(table.shown)))
        if table.builds:
            assert table.run(DEBOUNCE_MS + 1, lambda: counts_are_true(table))
            return
        if table.shown == "READY":
            assert table.built() == (plan_of(0), plan_of(ROLLER))[app_of(table).cycle.deal]
            return
    raise AssertionError(f"neither built nor building after {ACTS} acts; the panel shows {table.shown}")


def counts_are_true(table: Table) -> bool:
    """Whether what the firmware has counted is what is there."""
    lanes = app_of(table).build.lanes
    there = [(len(head.carrier), len(head.tiles)) for head in table.world.heads]
    return there == [(lane.stacks, lane.in_head) for lane in lanes]


def app_of(table: Table) -> App:
    """The firmware, on CPython, below all that is wrapped around it."""
    app = table.sim.app
    while not isinstance(app, App):
        app = app.firmware  # type: ignore[attr-defined]
    return app
