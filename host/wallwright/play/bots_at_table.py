"""Bots at a simulated table: they press its keys, move the tiles that are there, and declare to the host's score sheet.

What a bot decides comes from the rules; what is then done, is done with the physical tiles, and the hands that are
declared are read from them. Bots are people: what a host does for a table, its host does.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ..rules.core.walls import DEALT, deal_seats
from ..rules.sichuan import actions as act
from ..rules.sichuan.actions import Action
from ..rules.sichuan.bots import Bot
from ..rules.sichuan.deal import Deal
from ..rules.sichuan.events import ROBBED_KONG_HU, SELF_DRAWN_HU, Event, FinalHand, Hu, Winner
from ..rules.sichuan.melds import Meld, MeldType
from ..rules.sichuan.ruleset import Ruleset
from ..rules.sichuan.settlement import Settlement
from ..rules.sichuan.tiles import parse_tile, tile_name
from ..rules.sichuan.wall import Break, Position, break_wall, take_order
from .panel import DICE, DROP, READY, ROLLED, Panel
from .score_sheet import Clock, RecordLog, ScoreSheet

PUSH_IN_MS = 6_000
"""How long four people need to push a played set into the table."""
DRAW_IN_MS = 2_000
DEAL_OUT_MS = 15_000
"""Taking 53 tiles from the walls and sorting them."""
THINK_MS = {act.VOID: 1_500, act.DRAW: 1_000, act.DISCARD: 2_000, act.PUNG: 1_500, act.KONG: 2_000, act.HU: 3_000}
"""Typical times of amateur players."""
SHOW_HANDS_MS = 8_000


@dataclass(frozen=True, slots=True)
class DealReport:
    """One deal as it went, `deal` move by move, with the stacks of its walls and where they were broken.

    `waited_ms` is how long the people had to wait for its walls when they were ready for them.
    """

    number: int
    dealer: int
    dice: tuple[int, int]
    wall_break: Break
    plan: tuple[int, int, int, int]
    waited_ms: int
    settlement: Settlement
    deal: Deal

    def record(self) -> dict[str, Any]:
        """Return it as plain values: one line of `wallwright demo --json`."""
        settlement = self.settlement
        return {
            "deal": self.number,
            "dealer": self.dealer,
            "dice": list(self.dice),
            "break": {"seat": self.wall_break.seat, "indent": self.wall_break.indent},
            "plan": list(self.plan),
            "end": settlement.end,
            "winners": list(settlement.winners),
            "points": list(settlement.points),
            "penalties": [{"seat": one.seat, "points": one.points} for one in settlement.penalties],
            "next_dealer": settlement.next_dealer,
        }


class PlayedTable:
    """A table with four bots at it.

    `simulation` is the simulator's; `panel` shows the same one, and lets its time pass. `watch(text)` is told what goes
    on. Deals are numbered from `first`, as the table counts its walls.
    """

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
        self._unit = simulation.unit
        self._world = simulation.world
        self._players = simulation.players
        self._panel = panel
        self._journal = journal
        self._clock = clock
        self._ruleset = ruleset
        self._bots = bots
        self._rng = rng
        self._watch = watch
        self._number = first - 1
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
        panel = self._panel
        self._watch("building the walls")
        wanted_ms = self._clock()
        panel.wait_for(READY, dealer)
        waited_ms = self._clock() - wanted_ms
        number = self._bring_walls_up(dealer)
        a, b, c, d = (len(wall) for wall in self._world.walls)
        plan = (a, b, c, d)
        dice = self._roll(dealer)
        wall_break = break_wall(dice, dealer)
        start = {"dice": dice, "break": _break_record(wall_break), "plan": plan}
        sheet = ScoreSheet(
            self._ruleset, number, dealer, self._journal, unit=self._unit, clock=self._clock, start=start
        )
        self._watch(f"dealing after {dice[0]} and {dice[1]}")
        order = take_order(plan, dealer, dice)
        hands: list[list[int]] = [[], [], [], []]
        for seat, place in zip(deal_seats(dealer), order[:DEALT], strict=True):
            hands[seat].append(self._take(seat, place))
        panel.rest(DEAL_OUT_MS)
        deal = Deal(self._ruleset, dealer, hands, len(order) - DEALT)
        self._play_tiles(deal, sheet, iter(order[DEALT:]))
        if not any(deal.has_won(seat) for seat in range(4)):
            # Nobody has won, so the dealer stays (SBR-8.1); the walls need not wait until all hands are shown.
            sheet.call_dealer(dealer)
        panel.rest(SHOW_HANDS_MS)
        end = deal.end
        assert end is not None
        settlement = sheet.end(end, [self._final_hand(deal, seat) for seat in range(4) if not deal.has_won(seat)])
        return DealReport(number, dealer, dice, wall_break, plan, waited_ms, settlement, deal)

    def _roll(self, dealer: int) -> tuple[int, int]:
        """Let the dealer roll the dice."""
        self._players.press_dice(dealer)
        first, second = (int(die) for die in self._panel.wait_for(ROLLED, dealer).groups())
        return first, second

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
        panel.wait_for(DICE, dealer)
        self._players.draw_in()
        panel.rest(DRAW_IN_MS)
        self._number += 1
        return self._number

    def _play_tiles(self, deal: Deal, sheet: ScoreSheet, wall: Iterator[Position]) -> None:
        views = [deal.view(seat) for seat in range(4)]
        while not deal.is_over:
            legal = deal.legal_actions()
            seat = legal[0].seat
            if legal[0].verb == act.DRAW:
                action = act.DRAWS[seat][self._take(seat, next(wall))]
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

    def _lay_onto_pung(self, seat: int, kind: int) -> int:
        tile = self._held(seat, kind)
        laid = [self._kind(tiles[0]) for tiles in self._world.melds[seat]]
        self._players.meld(seat, [tile], onto=laid.index(kind))
        return tile

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

    def _take(self, seat: int, place: Position) -> int:
        (tile,) = self._players.take(seat, [place])
        return self._kind(tile)

    def _kind(self, tile: int) -> int:
        return parse_tile(self._world.face(tile))

    def _standing(self, seat: int) -> list[int]:
        return sorted(self._kind(tile) for tile in self._world.hands[seat])

    def _all_held(self, seat: int, kind: int) -> list[int]:
        name = tile_name(kind)
        return [tile for tile in self._world.hands[seat] if self._world.face(tile) == name]

    def _held(self, seat: int, kind: int) -> int:
        return int(self._all_held(seat, kind)[0])


def _break_record(wall_break: Break) -> Mapping[str, int]:
    return {"seat": wall_break.seat, "indent": wall_break.indent}
