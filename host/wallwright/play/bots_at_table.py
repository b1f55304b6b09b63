"""Bots that play Sichuan at a simulated table: they move the tiles that are there, and declare to its score sheet.

What a bot decides comes from the rules; what is then done, is done with the physical tiles, and the hands that are
declared are read from them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ..rules.core.game import CUT, Plan, Throw
from ..rules.core.walls import DEALT, Place, own_walls
from ..rules.sichuan import actions as act
from ..rules.sichuan.actions import Action
from ..rules.sichuan.bots import Bot
from ..rules.sichuan.deal import Deal
from ..rules.sichuan.events import ROBBED_KONG_HU, SELF_DRAWN_HU, Event, FinalHand, Hu, Winner
from ..rules.sichuan.melds import Meld, MeldType
from ..rules.sichuan.play import HAND
from ..rules.sichuan.ruleset import Ruleset
from ..rules.sichuan.settlement import Settlement
from .panel import Panel
from .people_at_table import DEAL_OUT_MS, SHOW_HANDS_MS, PeopleAtTable, broken_at
from .score_sheet import Clock, RecordLog, ScoreSheet

DICE_THROWN = 2
THINK_MS = {act.VOID: 1_500, act.DRAW: 1_000, act.DISCARD: 2_000, act.PUNG: 1_500, act.KONG: 2_000, act.HU: 3_000}
"""Typical times of amateur players."""


@dataclass(frozen=True, slots=True)
class DealReport:
    """One deal as it went, `deal` move by move, with the stacks of its walls and where they were broken. `dice` and
    `wall_break` are empty where each draws from the own wall (SBR-11.9).

    `waited_ms` is how long the people had to wait for its walls when they were ready for them.
    """

    number: int
    dealer: int
    dice: tuple[int, ...]
    wall_break: Mapping[str, int]
    plan: tuple[int, int, int, int]
    waited_ms: int
    settlement: Settlement
    deal: Deal

    @property
    def points(self) -> tuple[int, ...]:
        """What the deal brings each seat."""
        return self.settlement.points

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats whose Hu was a true one, in their order."""
        return self.settlement.winners

    @property
    def remark(self) -> str:
        """What a person is told of the deal besides."""
        return "  ".join(f"seat {one.seat} fined {one.points}" for one in self.settlement.penalties)

    def record(self) -> dict[str, Any]:
        """Return it as plain values: one line of `wallwright demo --json`."""
        settlement = self.settlement
        return {
            "deal": self.number,
            "dealer": self.dealer,
            "dice": list(self.dice),
            "break": dict(self.wall_break),
            "plan": list(self.plan),
            "end": settlement.end,
            "winners": list(settlement.winners),
            "points": list(settlement.points),
            "penalties": [{"seat": one.seat, "points": one.points} for one in settlement.penalties],
            "next_dealer": settlement.next_dealer,
        }


class PlayedTable(PeopleAtTable):
    """A table with four bots at it who play Sichuan."""

    def __init__(
        self,
        simulation: Any,
        panel: Panel,
        journal: RecordLog,
        clock: Clock,
        ruleset: Ruleset,
        bots: tuple[Bot, Bot, Bot, Bot],
        rng: Random,
        watch: Callable[[str], None],
        first: int = 1,
    ) -> None:
        super().__init__(simulation, panel, journal, clock, rng, watch, first)
        self._ruleset = ruleset
        self._bots = bots
        self._offered = -1

    def play(self, deals: int, *, dealer: int = 0) -> Iterator[DealReport]:
        """Play so many deals, the first with the walls that come up next; yield each when settled.

        Their numbers are the board's.
        """
        for _ in range(deals):
            report = self._play_deal(dealer)
            dealer = report.settlement.next_dealer
            yield report

    def _play_deal(self, dealer: int) -> DealReport:
        waited_ms = self._wait_for_walls(dealer)
        number = self._bring_walls_up(dealer)
        plan = self._plan
        # The key lets the walls come to the players, whatever the dice are for.
        dice = self._throw(Throw(CUT, dealer, DICE_THROWN))
        start: dict[str, Any] = {"plan": plan}
        where: Mapping[str, int] = {}
        order: tuple[Place, ...] = ()
        if self._ruleset.own_walls:
            dice = ()
        else:
            rules = self._ruleset.as_game()
            with self._seeing(dealer):
                _, broken = rules.game.begin(rules.asked({"dealer": dealer}), (dice,), plan)
            where, order = broken_at(broken.head), (*broken.head[:DEALT], *broken.tail)
            start |= {"dice": dice, "break": where}
        sheet = ScoreSheet(
            self._ruleset, number, dealer, self._journal, unit=self._unit, clock=self._clock, start=start
        )
        self._watch(f"dealing after {' and '.join(map(str, dice))}" if dice else "dealing from each own wall")
        with self._seeing(dealer):
            deal, walls = self._dealt(dealer, plan, order)
        self._play_tiles(deal, sheet, walls)
        if not any(deal.has_won(seat) for seat in range(4)):
            # Nobody has won, so the dealer stays (SBR-8.1); the walls need not wait until all hands are shown.
            sheet.call_dealer(dealer)
        self._panel.rest(SHOW_HANDS_MS)
        end = deal.end
        assert end is not None
        settlement = sheet.end(end, [self._final_hand(deal, seat) for seat in range(4) if not deal.has_won(seat)])
        return DealReport(number, dealer, dice, where, plan, waited_ms, settlement, deal)

    def _dealt(self, dealer: int, plan: Plan, order: Sequence[Place]) -> tuple[Deal, tuple[Iterator[Place], ...]]:
        """Deal; return the deal, and for each seat the places from which it draws on. Without an `order` of the places
        each player deals from the own wall.
        """
        if order:
            tail = iter(order[DEALT:])
            hands = self._deal_out(order[:DEALT], dealer)
            return Deal(self._ruleset, dealer, hands, len(order) - DEALT), (tail,) * 4
        walls = [iter(places) for places in own_walls(plan)]
        hands = [
            [self._take(seat, next(wall)) for _ in range(HAND + (seat == dealer))] for seat, wall in enumerate(walls)
        ]
        self._panel.rest(DEAL_OUT_MS)
        left = [list(wall) for wall in walls]
        known = [list(map(self._lies_at, places)) for places in left]
        deal = Deal(self._ruleset, dealer, hands, sum(map(len, left)), own_walls=known)
        return deal, tuple(map(iter, left))

    def _play_tiles(self, deal: Deal, sheet: ScoreSheet, walls: Sequence[Iterator[Place]]) -> None:
        views = [deal.view(seat) for seat in range(4)]
        while not deal.is_over:
            legal = deal.legal_actions()
            seat = legal[0].seat
            if legal[0].verb == act.DRAW:
                with self._seeing(seat):
                    action = act.DRAWS[seat][self._take(seat, next(walls[seat]))]
                    self._do(deal, sheet, action)
            else:
                action = self._bots[seat].choose(views[seat], legal, self._rng)
                self._do(deal, sheet, action)
            out = [f"seat {one}" for one in range(4) if deal.has_won(one)]
            self._watch(f"playing, {deal.wall_left} tiles in the wall" + (", Hu: " + ", ".join(out) if out else ""))
            self._panel.rest(THINK_MS.get(action.verb, 0))

    def _do(self, deal: Deal, sheet: ScoreSheet, action: Action) -> None:
        """Apply an action; do with the tiles, and declare, what follows from it."""
        melds = [deal.melds(seat) for seat in range(4)]
        declared = len(deal.events)
        deal.apply(action)
        if action.verb == act.DISCARD and action.tile is not None:
            self._offered = self._held(action.seat, action.tile)
            self._players.discard(action.seat, self._offered)
        for seat in range(4):
            self._lay_melds(seat, melds[seat], deal.melds(seat))
        for event in deal.events[declared:]:
            sheet.declare(self._shown(event))

    def _lay_melds(self, seat: int, before: tuple[Meld, ...], after: tuple[Meld, ...]) -> None:
        """Lay down what is new: a whole set, or the fourth tile onto a pung that nobody has robbed."""
        known = {meld.tile: meld for meld in before}
        for meld in after:
            old = known.get(meld.tile)
            if old is None:
                if meld.type in (MeldType.PUNG, MeldType.MELDED):
                    self._players.claim(seat, self._offered)
                self._players.meld(seat, self._all_held(seat, meld.tile)[: len(meld.tiles)])
            elif meld.is_kong and not old.is_kong:
                self._lay_onto_pung(seat, meld.tile)

    def _shown(self, event: Event) -> Event:
        """The event with the winners' hands as they lie on the table."""
        if not isinstance(event, Hu):
            return event
        winning = event.winners[0].winning
        if event.by == ROBBED_KONG_HU and event.from_ is not None and winning is not None:
            self._offered = self._lay_onto_pung(event.from_, winning)
        winners = tuple(self._shown_winner(event, winner) for winner in event.winners)
        if event.by != SELF_DRAWN_HU:
            self._players.claim(event.winners[0].seat, self._offered)
        return replace(event, winners=winners)

    def _shown_winner(self, event: Hu, winner: Winner) -> Winner:
        standing = self._standing(winner.seat)
        if event.by == SELF_DRAWN_HU and winner.winning is not None:
            standing.remove(winner.winning)
        return replace(winner, standing=tuple(standing))

    def _final_hand(self, deal: Deal, seat: int) -> FinalHand:
        void = deal.void(seat)
        discards = deal.discards(seat)
        return FinalHand(
            seat,
            tuple(self._standing(seat)),
            deal.melds(seat),
            void,
            only_void_discards=bool(discards) and all(kind // 9 == void for kind in discards),
        )
