"""What people do at a simulated table whatever they play: walls, dice, dealing, and the tiles in their hands.

What a game decides is for the classes that build on this one: `bots_at_table` plays Sichuan, `bots_of_turns` every game
of `rules.core.turns`. People are no host: what a host does for a table, its host does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

from ..errors import TableError
from ..link.simulator import simulator
from ..rules.core.errors import RulesError
from ..rules.core.game import CUT, EAST, ROUND_WIND, Plan, Throw
from ..rules.core.tiles import parse_tile, tile_name
from ..rules.core.walls import Place, deal_seats
from .panel import ASKS, DICE, DROP, EAST_THROW, READY, ROLLED, WIND_THROW, Panel
from .score_sheet import Clock, RecordLog

PUSH_IN_MS = 6_000
"""How long four people need to push a played set into the table."""
DRAW_IN_MS = 2_000
DEAL_OUT_MS = 15_000
"""Taking 53 tiles from the walls and sorting them."""
SHOW_HANDS_MS = 8_000
CALL_MS = 1_000
"""Until the table has told its host that the referee was called."""
QUESTIONS = {CUT: DICE, EAST: EAST_THROW, ROUND_WIND: WIND_THROW}
"""What the panels ask for, by the purpose of a throw."""


class DealStopped(TableError):
    """The people at a table have called the referee in a deal: a tile of the other set has come up."""

    def __init__(self, deal: int, seat: int, problem: str) -> None:
        called = f"deal {deal} does not count: seat {seat} has called the referee, because {problem}"
        super().__init__(f"{called}; put that right, have the deal annulled, and go on with the next one")
        self.deal = deal
        self.seat = seat


class PeopleAtTable:
    """Four people at a table.

    `simulation` is the simulator's; `panel` shows the same one, and lets its time pass. `watch(text)` is told what goes
    on. Deals are numbered from `first`, as the table counts its walls.

    People see what lies before them: a tile with another back, a tile that the game has not got or had four times, a
    place of the wall that is empty, a lid that is not where the panels say. They call the referee, and what they do
    raises DealStopped.
    """

    def __init__(
        self,
        simulation: Any,
        panel: Panel,
        journal: RecordLog,
        clock: Clock,
        rng: Random,
        watch: Callable[[str], None],
        first: int = 1,
    ) -> None:
        self._simulation = simulation
        self._unit = simulation.unit
        self._world = simulation.world
        self._players = simulation.players
        self._panel = panel
        self._journal = journal
        self._clock = clock
        self._rng = rng
        self._watch = watch
        self._number = first - 1
        self._set = 0
        self._physical: type[Exception] = simulator("surface").PhysicalError

    def _wait_for_walls(self, dealer: int) -> int:
        """Wait until the walls are ready; return for how many ms."""
        self._watch("building the walls")
        wanted_ms = self._clock()
        self._panel.wait_for(READY, dealer)
        return self._clock() - wanted_ms

    def _bring_walls_up(self, dealer: int) -> int:
        """Open, push the played set in, close; the walls rise and are drawn in. Return the number of their deal."""
        panel = self._panel
        self._watch("pushing the played set in")
        self._players.press_lift(dealer)
        panel.wait_for(DROP, dealer)
        with self._seeing(dealer):
            self._players.push_in()
        panel.rest(PUSH_IN_MS)
        self._watch("raising the walls")
        self._players.press_lift(dealer)
        panel.wait_for(ASKS, dealer)
        self._number += 1
        with self._seeing(dealer):
            self._players.draw_in()
        ((self._set, _),) = Counter(map(self._world.set_of, self._in_walls())).most_common(1)
        panel.rest(DRAW_IN_MS)
        return self._number

    @property
    def _board_ms(self) -> int:
        """The board's own time, from 0 when it was started."""
        return int(self._simulation.now_ms - self._simulation.board.started_ms)

    @property
    def _plan(self) -> Plan:
        """The stacks of the walls that are up."""
        a, b, c, d = (len(wall) for wall in self._world.walls)
        return a, b, c, d

    def _throw(self, throw: Throw) -> tuple[int, ...]:
        """Wait until the table asks for the throw, and make it."""
        self._panel.wait_for(QUESTIONS[throw.purpose], throw.seat)
        self._players.press_dice(throw.seat)
        return tuple(int(die) for die in self._panel.wait_for(ROLLED, throw.seat)[1] if die.isdigit())

    def _deal_out(self, places: Iterable[Place], dealer: int) -> list[list[int]]:
        """Everybody takes the tiles of the deal, in their order; return the hands as kinds."""
        hands: list[list[int]] = [[], [], [], []]
        for seat, place in zip(deal_seats(dealer), places, strict=True):
            hands[seat].append(self._take(seat, place))
        self._panel.rest(DEAL_OUT_MS)
        return hands

    def _take(self, seat: int, place: Place) -> int:
        with self._seeing(seat):
            (tile,) = self._players.take(seat, [(place.side, place.stack - 1, place.layer)])
        if self._world.set_of(tile) != self._set:
            raise self._stop(
                seat, f"the tile that it has taken, {self._world.face(tile)}, has the back of the other set"
            )
        return self._kind(tile)

    @contextmanager
    def _seeing(self, seat: int) -> Iterator[None]:
        """Raise DealStopped in the name of `seat` when hands cannot do what is done within, or the game has no such
        tiles.
        """
        try:
            yield
        except (self._physical, RulesError) as error:
            raise self._stop(seat, str(error)) from error

    def _stop(self, seat: int, problem: str) -> DealStopped:
        """Call the referee; return the error that ends the deal."""
        self._watch("waiting for the referee")
        self._players.press_referee(seat)
        self._panel.rest(CALL_MS)
        return DealStopped(self._number, seat, problem)

    def _in_walls(self) -> Iterator[int]:
        return (tile for wall in self._world.walls for stack in wall for tile in stack)

    def _lies_at(self, place: Place) -> int:
        """The kind of the tile at a place of the walls, which nobody at the table has seen."""
        return self._kind(self._world.walls[place.side][place.stack - 1][place.layer])

    def _kind(self, tile: int) -> int:
        return parse_tile(self._world.face(tile))

    def _standing(self, seat: int) -> list[int]:
        return sorted(self._kind(tile) for tile in self._world.hands[seat])

    def _all_held(self, seat: int, kind: int) -> list[int]:
        name = tile_name(kind)
        return [tile for tile in self._world.hands[seat] if self._world.face(tile) == name]

    def _held(self, seat: int, kind: int) -> int:
        return int(self._all_held(seat, kind)[0])

    def _lay_onto_pung(self, seat: int, kind: int) -> int:
        """Lay the fourth tile of a kind onto the pung; return it."""
        tile = self._held(seat, kind)
        laid = [[self._kind(one) for one in tiles] for tiles in self._world.melds[seat]]
        self._players.meld(seat, [tile], onto=laid.index([kind] * 3))
        return tile


def broken_at(head: Iterable[Place]) -> Mapping[str, int]:
    """Where a wall is broken, as a deal's start says it: the side of its first tile, and the stacks right of it."""
    first = next(iter(head))
    return {"seat": first.side, "indent": first.stack - 1}
