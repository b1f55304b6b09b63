"""How fast a build could be on a given drum: what the time of a real build is measured against.

Every lane is free to take at every slot of the ring until it has its share of tiles: no belt fills up, no head is busy,
no tile is taken that has to go back. It is the same drum with the same luck, so that the two times differ by what the
controller does. A controller may be a little faster by luck, as it leaves other tiles in the drum at other times.
"""

from collections.abc import Sequence
from typing import NamedTuple

from wallwright_protocol.hardware import TILES_PER_STACK

from .clock import Agenda
from .drum import Drum
from .world import World


class Catch(NamedTuple):
    """A tile that the drum gave to a lane."""

    time_ms: int
    lane: int
    tile: int


class _Share:
    """A mouth that is open until its lane has `wanted` tiles."""

    def __init__(self, agenda: Agenda, drum: Drum, lane: int, wanted: int, catches: list[Catch]) -> None:
        self._agenda = agenda
        self._drum = drum
        self._lane = lane
        self._wanted = wanted
        self._taken = 0
        self._catches = catches
        if wanted:
            drum.open(lane)

    def take_in(self, tile: int) -> None:
        self._catches.append(Catch(self._agenda.now_ms, self._lane, tile))
        self._taken += 1
        if self._taken == self._wanted:
            self._drum.shut(self._lane)


def catch_all(drum: Drum, plan: Sequence[int]) -> list[Catch]:
    """What the drum alone gives to lanes that are always free to take, in order, times counted from now.

    `plan` is the number of stacks of each lane; `drum` is left as it is. ValueError when it holds too few tiles.
    """
    if TILES_PER_STACK * sum(plan) > len(drum.tiles):
        raise ValueError(f"{len(drum.tiles)} tiles in the drum are too few for {sum(plan)} stacks")
    agenda = Agenda()
    copy = drum.copy(agenda)
    catches: list[Catch] = []
    copy.join([_Share(agenda, copy, lane, TILES_PER_STACK * stacks, catches) for lane, stacks in enumerate(plan)])
    copy.stir(True)
    copy.turn(True)
    while len(catches) < TILES_PER_STACK * sum(plan):
        agenda.step(agenda.next_ms)
    return catches


def ideal_build_ms(world: World, plan: Sequence[int]) -> int:
    """The time from now in which the drum's tiles could be stacked by `plan`: stacks of each side.

    The slowest lane counts: its last tile's catch, ride to the gate, way through it and stroke of the head.
    """
    return max(
        catch.time_ms + world.belts[catch.lane].travel_ms + world.timing.eye_dark_ms + world.heads[catch.lane].cycle_ms
        for catch in catch_all(world.drum, plan)
    )
