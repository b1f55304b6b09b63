"""Which walls a table builds next: the one place that says so, from ruleset, results and what the table tells.

In some games the walls follow the dealer. Who deals next is known from a deal's result, from what was declared before
where the game says so, or because somebody says so. Until then a table is to hold its build where the score is kept;
where nobody keeps it, the table goes by its own dice keys. Rules whose walls are always the same hold nothing.

`Coming` says who deals; `wall_order` makes of it what a board is told, and `WallHost` tells it. `ScoredDeals` follows a
table that plays in no event; `event.coming` does so for one that does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from wallwright_protocol.hardware import TILES_PER_STACK, plan_without

from ..journal.kinds import Record
from ..journal.kinds.deals import DealerCalled, DealResult, DealStarted, Declared
from ..journal.kinds.tables import DiceRolled, WallsUp
from ..link.reports import Status
from ..rules.core.errors import RulesError
from ..rules.core.game import Plan
from ..rules.core.game_rules import GameRules, preset_rules
from .plan_check import PlanMode
from .table import Table

SCORE_KINDS = ("walls_up", "dice_rolled", "deal_started", "declared", "dealer_called", "deal_result")
"""The kinds of entries that say who deals at a table."""
UP_BEFORE_DICE = ("lifting", "walls_up", "fault", "service")
"""States in which walls that were whole may be up and not broken yet."""


@dataclass(frozen=True, slots=True)
class Coming:
    """The walls to come: those that are built now, or stand ready; once they are up, the ones after them.

    `dealer` is the seat that deals with them if `is_certain`. Else it is whoever deals now, with a score that is kept,
    or None where nobody keeps it. `begin` is what the record of that dealer's deal begins with, where the game keeps
    more from deal to deal; None while nobody knows.
    """

    rules: GameRules
    dealer: int | None = None
    is_certain: bool = False
    begin: Mapping[str, Any] | None = None


def begin_told(rules: GameRules, dealer: int, kept: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return what the record of a deal begins with, None in games that keep nothing but who deals."""
    return rules.begin_of(dealer, kept) if rules.keeps_more else None


@dataclass(frozen=True, slots=True)
class WallOrder:
    """What a board is told of the walls to come; see `Table.set_plan`."""

    plan: tuple[int, int, int, int]
    dealer: int
    mode: PlanMode


def plan_of(rules: GameRules, tiles: int, dealer: int, sides_out: Sequence[int]) -> Plan | None:
    """Return the stacks of each side when `dealer` deals and `sides_out` build no wall; None where there are none.

    With a side out the other three have what they hold together, whoever deals.
    """
    plan = rules.plan(tiles, dealer)
    if plan is None or not sides_out:
        return plan
    of_three = plan_without(tiles, sides_out[0]) if len(sides_out) == 1 else ()
    return cast("Plan", of_three) if of_three else None


def wall_order(coming: Coming, tiles: int, dealer: int, sides_out: Sequence[int] = ()) -> WallOrder | None:
    """Return what to tell a board with sets of `tiles` whose own dealer is `dealer`; None when no wall is known."""
    dealer = dealer if coming.dealer is None else coming.dealer
    plan = plan_of(coming.rules, tiles, dealer, sides_out)
    if plan is None:
        return None
    if sides_out:
        return WallOrder(plan, dealer, "fixed")
    if all(coming.rules.plan(tiles, seat) == plan for seat in range(4)):
        return WallOrder(plan, dealer, "fixed")
    return WallOrder(plan, dealer, "turned" if coming.is_certain or coming.dealer is None else "held")


class WallHost:
    """Tells one table, in one connection, which walls to build, whenever that has changed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._told: tuple[Coming, tuple[int, ...]] | None = None

    def tell(self, coming: Coming) -> None:
        """Have the table know. Raises Refused, once, when its held build has more on a side; and LinkError."""
        now = self._table.last_status
        if (coming, now.sides_out) == self._told:
            return
        self._told = coming, now.sides_out
        order = wall_order(coming, self._table.info.tiles, now.dealer, now.sides_out)
        if order is not None:
            self._table.set_plan(order.plan, order.dealer, order.mode)


@dataclass(frozen=True, slots=True)
class Misbuilt:
    """Walls that stand ready, or are up before the dice, and are those of another dealer than `dealer`.

    `stacks` and `wanted` are stacks a side; `moves` says from which side to which one a stack is to be moved by hand.
    """

    stacks: tuple[int, int, int, int]
    wanted: tuple[int, int, int, int]
    dealer: int

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """Pairs of sides, one a stack."""
        surplus = [side for side in range(4) for _ in range(self.stacks[side] - self.wanted[side])]
        lacking = [side for side in range(4) for _ in range(self.wanted[side] - self.stacks[side])]
        return tuple(zip(surplus, lacking, strict=True))

    def __str__(self) -> str:
        """Return it as a sentence for whoever goes to the table."""
        stacks, wanted = (", ".join(map(str, plan)) for plan in (self.stacks, self.wanted))
        moves = " and ".join(f"from side {one} to side {other}" for one, other in self.moves)
        return (
            f"its walls are {stacks}, and seat {self.dealer} deals next, with {wanted}: "
            f"when they are up, move one stack {moves}"
        )


class WallsBuilt:
    """Compares the walls that a table has built with those that are due, by its statuses."""

    def __init__(self) -> None:
        self._whole: tuple[int, int, int, int] | None = None

    def misbuilt(self, status: Status, coming: Coming) -> Misbuilt | None:
        """Return what is wrong with the walls after the newest status, None when nothing is."""
        if status.set_whole:
            self._whole = status.plan
        elif status.state not in UP_BEFORE_DICE:
            self._whole = None
        # Before the dice, whoever deals now deals with the walls that are up.
        is_known = coming.dealer is not None and (coming.is_certain or not status.set_whole)
        if self._whole is None or not is_known:
            return None
        missing = [side for side, stacks in enumerate(self._whole) if not stacks]
        order = wall_order(coming, sum(self._whole) * TILES_PER_STACK, status.dealer, missing)
        if order is None or order.plan == self._whole:
            return None
        return Misbuilt(self._whole, order.plan, order.dealer)


class ScoredDeals:
    """The deals of a table that plays in no event, by what it tells and what its score sheet says.

    The score is kept there from the first deal that was said to have started while it was in play. `rules` are those of
    its deals until a deal names others.
    """

    def __init__(self, rules: GameRules) -> None:
        self.coming = Coming(rules)
        self._deal: int | None = None
        self._is_scored = False
        self._dealer: int | None = None
        """Who deals in the deal in play, once its start was said; `_declared` is what was declared in it."""
        self._declared: list[Mapping[str, Any]] = []

    def see(self, said: Record) -> None:
        """Take the next record about this table; those of other kinds than SCORE_KINDS say nothing of it."""
        rules = self.coming.rules
        if isinstance(said, WallsUp):
            self._deal, self._dealer = said.deal, None
            known = self.coming
            self.coming = Coming(rules, known.dealer, begin=known.begin) if self._is_scored else Coming(rules)
        elif isinstance(said, DiceRolled):
            is_of_deal = said.is_cut and self._is_scored and self._dealer is None and said.deal == self._deal
            if is_of_deal and rules.cut_by_dealer:
                self.coming = Coming(rules, said.seat, begin=self.coming.begin)
        elif isinstance(said, DealStarted | DealerCalled | DealResult | Declared) and self._deal in (None, said.deal):
            self._see_score(said)

    def _see_score(self, said: DealStarted | DealerCalled | DealResult | Declared) -> None:
        rules = self.coming.rules
        if isinstance(said, DealStarted):
            self._deal, self._is_scored = said.deal, True
            self._dealer, self._declared = said.dealer, []
            self.coming = Coming(_named(said, rules), said.dealer, begin=said.begin)
        elif isinstance(said, DealerCalled):
            self.coming = Coming(rules, said.dealer, is_certain=True)
        elif isinstance(said, DealResult):
            self.coming = Coming(rules, said.next_dealer, is_certain=True, begin=said.kept)
        elif self._dealer is not None and not self.coming.is_certain:
            self._declared.append(said.event)
            dealer = rules.dealer_to_come(self._dealer, self._declared)
            if dealer is not None:
                self.coming = Coming(rules, dealer, is_certain=True)


def _named(said: DealStarted, rules: GameRules) -> GameRules:
    """The rules that a deal names; `rules` when it is the name of a club's own, which a deal does not say in full."""
    if said.ruleset == rules.name or (said.ruleset, said.options or {}) == (rules.preset, rules.own_options):
        return rules
    try:
        return preset_rules(said.ruleset).changed(said.options or {})
    except RulesError:
        return rules
