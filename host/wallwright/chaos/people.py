"""Four people at a simulated table who play whatever fails: they do what the panel asks for, and nothing else.

They know of no host. A deal lasts a while and is declared by a scorer when it is over; what its tiles were is played
out by bots.
"""

import re
from collections.abc import Callable
from random import Random
from typing import Any

from wallwright_protocol.codes import COUNT_WITHOUT_PUSH, PUSH_WITHOUT_COUNT, STORE_CORRUPT, WALLS_UNKNOWN
from wallwright_protocol.names import FAULTS

from ..play.panel import LOOK_MS, READY, ROLLED, TRUST_MS
from ..rules.sichuan.bots import SmartBot
from ..rules.sichuan.declared import DeclaredDeal
from ..rules.sichuan.play import play, shuffled_deal
from ..rules.sichuan.ruleset import Ruleset

SEATS = 4
ERROR = re.compile(r"E(\d\d)(?: S(\d))?")
CARRIERS_EMPTIED = tuple(
    FAULTS[fault] for fault in (WALLS_UNKNOWN, STORE_CORRUPT, PUSH_WITHOUT_COUNT, COUNT_WITHOUT_PUSH)
)
"""Faults whose words say to take stacks out of the carriers as well."""
AGAIN_MS = 2_000
"""A key that has had no effect is pressed again after so long."""


class People:
    """People of a `wallwright_simulator.hall.Hall` at one table, whose deals last `deal_ms` of its time.

    `declare(deal)` is called with every deal that is over. `saw` are the dice that they have seen on their panel, one
    after the other; `drawn` counts the walls that they have drawn in. Deals are shorter than a wash, and who waits
    for walls cuts it short by key.
    """

    def __init__(
        self, simulation: Any, seed: int, ruleset: Ruleset, deal_ms: int, declare: Callable[[DeclaredDeal], None]
    ) -> None:
        self.due_ms = 0
        self.drawn = 0
        self.saw: list[tuple[int, ...]] = []
        self._simulation = simulation
        self._chance = Random(f"people {seed}")
        self._ruleset = ruleset
        self._deal_ms = deal_ms
        self._declare = declare
        self._dealer = 0
        self._deal: DeclaredDeal | None = None
        self._over_ms = 0
        self._pressed_ms = -AGAIN_MS

    def act(self) -> None:
        """Do what the panel asks for, if anything; then look again at `due_ms`."""
        now_ms = self._simulation.now_ms
        self.due_ms = now_ms + LOOK_MS
        shown = str(self._simulation.board.displays[0])
        if self._deal is not None and now_ms >= self._over_ms:
            self._end_deal()
        if now_ms - self._pressed_ms >= AGAIN_MS and self._do(shown, now_ms):
            self._pressed_ms = now_ms

    def rest(self) -> None:
        """Do nothing any more."""
        self.due_ms = 1 << 62

    def _do(self, shown: str, now_ms: int) -> bool:
        """Say whether a key was pressed."""
        players = self._simulation.players
        rolled = re.fullmatch(ROLLED, shown)
        error = ERROR.match(shown)
        if error is not None:
            self._mend(FAULTS[int(error[1])], None if error[2] is None else int(error[2]))
            players.press_lift(self._dealer)
        elif shown in ("START?", "RAISE?", "LOWER?", "TILE?") or (shown == "WASH" and self._deal is None):
            players.press_lift(self._dealer)
        elif shown == "NEXT?":
            players.press_dice(self._dealer)
        elif shown == READY or (rolled and now_ms >= self._over_ms + TRUST_MS):
            if self._deal is not None:
                return False
            players.press_lift(self._dealer)
        elif shown == "DROP":
            players.push_in()
            players.press_lift(self._dealer)
        elif shown == "DICE?":
            if any(head.carrier for head in self._simulation.world.heads):
                players.draw_in()
                self._begin_deal(now_ms)
            players.press_dice(self._dealer)
        else:
            if rolled:
                self._see(tuple(int(die) for die in rolled[1] if die.isdigit()))
            return False
        return True

    def _mend(self, fault: str, side: int | None) -> None:
        """What the words of the fault say, at that side or at all: tiles go back into the drum."""
        world = self._simulation.world
        self._simulation.injection.mend()
        for each in range(SEATS) if side is None else (side,):
            world.free_lane(each)
            tiles = list(world.free_head(each))
            if fault in CARRIERS_EMPTIED:
                tiles += world.free_carrier(each)
            for tile in tiles:
                world.put_in_drum(tile)

    def _see(self, dice: tuple[int, ...]) -> None:
        if not self.saw or self.saw[-1] != dice:
            self.saw.append(dice)

    def _begin_deal(self, now_ms: int) -> None:
        self.drawn += 1
        self._over_ms = now_ms + self._deal_ms
        _, deal = shuffled_deal(self._ruleset, self._dealer, self._chance)
        bot = SmartBot()
        self._deal = play(deal, (bot,) * SEATS, self._chance).declared()

    def _end_deal(self) -> None:
        assert self._deal is not None
        deal, self._deal = self._deal, None
        self._dealer = deal.settle().next_dealer
        self._declare(deal)
