"""What people do at a simulated table whatever they play: walls, dice, dealing, and the tiles in their hands.

What a game decides is for the classes that build on this one: `bots_at_table` plays Sichuan, `bots_of_turns` every game
of `rules.core.turns`. People are no host: what a host does for a table, its host does.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

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
QUESTIONS = {CUT: DICE, EAST: EAST_THROW, ROUND_WIND: WIND_THROW}
"""What the panels ask for, by the purpose of a throw."""


class PeopleAtTable:
    """Four people at a table.

    `simulation` is the simulator's; `panel` shows the same one, and lets its time pass. `watch(text)` is told what goes
    on. Deals are numbered from `first`, as the table counts its walls.
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
        self._players.push_in()
        panel.rest(PUSH_IN_MS)
        self._watch("raising the walls")
        self._players.press_lift(dealer)
        panel.wait_for(ASKS, dealer)
        self._players.draw_in()
        panel.rest(DRAW_IN_MS)
        self._number += 1
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
        (tile,) = self._players.take(seat, [(place.side, place.stack - 1, place.layer)])
        return self._kind(tile)

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
