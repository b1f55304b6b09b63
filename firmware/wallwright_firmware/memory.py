"""The memory of a table, for facts that no switch shows: sets, deal, dealer, dice, plan. It survives a power loss.

`store` has its layout, `saving` says when it is stored. Stacks and tiles are counted by `build`.
"""

from wallwright_protocol import codes, hardware

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WHOLE = (codes.CARRIERS_WHOLE, codes.CARRIERS_UNCHECKED)


def plan_is_possible(plan: "tuple[int, ...]", tiles: int, out: int = hardware.SIDES) -> bool:
    """Say whether `plan`, stacks a side, uses up a set of `tiles` and fits the carriers, with none on a side that is
    `out`."""
    for side in range(hardware.SIDES):
        if (plan[side] == 0) != (side == out) or not 0 <= plan[side] <= hardware.CARRIER_STACKS:
            return False
    return sum(plan) * hardware.TILES_PER_STACK == tiles


def least_of(plan: "tuple[int, ...]", out: int) -> int:
    """Return the fewest stacks that a side has which is not `out`."""
    return min([plan[side] for side in range(hardware.SIDES) if side != out])


class Memory:
    """The base of the cycle, which is the one that changes most of this.

    `dropped` says that the lid has been open since the walls became whole, so that no tiles are above them; `fills`
    that nothing was built yet. `deal` counts the walls that went up; `dealer` is the seat whose dice key was pressed
    after that, `dice` what it rolled, `drawn` both as they are prescribed; `told` is what a host has told that its game
    needs of a deal: East, wind of the round, deal kind, pot; `washed_s` is for how long the walls below were washed;
    `plan` is that of the next build, made for the dealer `plan_dealer`, `plan_wash_s` how long it wants a set washed,
    or AS_SET; `walls_unknown` says that nobody knows what the carriers hold; `unsaved` that something must be stored
    although the state of the cycle is the same. `boots` and `builds` count over power losses.
    """

    def __init__(self) -> None:
        self.set_above = 1
        self.whole = self.walls_unknown = self.unsaved = False
        self.dropped = self.fills = True
        self.deal = self.dealer = self.boots = self.builds = self.washed_s = 0
        self.dice: "tuple[int, ...]" = (0,) * hardware.MOST_DICE
        self.drawn: "tuple[int, ...]" = (0,) * (1 + hardware.MOST_DICE)
        self.told: "tuple[int, ...]" = (0, 0, codes.USUAL_DEAL, 0)
        self.plan: "tuple[int, ...]" = (0, 0, 0, 0)
        self.plan_dealer, self.plan_mode, self.plan_wash_s = 0, codes.TURNED, codes.AS_SET
        self.wall_mode = codes.ORDINARY_WALL

    def note_change(self) -> None:
        """Something must be stored although the state is the same."""
        self.unsaved = True

    def note_saving(self) -> None:
        """All that was noted is being stored."""
        self.unsaved = False

    def count_start(self) -> None:
        """The board has started once more."""
        self.boots += 1

    def next_plan(self) -> "tuple[int, ...]":
        """Return the stacks a side for the next build: the plan, turned with the dealer (SBR-2.1) or fixed."""
        turn = 0 if self.plan_mode == codes.FIXED else (self.dealer - self.plan_dealer) % hardware.SIDES
        return tuple([self.plan[(side - turn) % hardware.SIDES] for side in range(hardware.SIDES)])

    def planned(self) -> "tuple[Any, ...]":
        """Return what `set_plan` sets."""
        return self.plan, self.plan_dealer, self.dealer, self.plan_mode, self.plan_wash_s

    def set_plan(self, plan: "tuple[int, ...]", made_for: int, dealer: int, plan_mode: int, wash_s: int) -> None:
        """Build by `plan` from now on, made for the dealer `made_for`."""
        self.plan, self.plan_dealer, self.dealer = plan, made_for, dealer
        self.plan_mode, self.plan_wash_s = plan_mode, wash_s

    def use_usual_plan(self, tiles: int, out: int = hardware.SIDES) -> None:
        """Sets have `tiles` tiles from now on, side `out` builds none, and nobody has made a plan for them."""
        plan = hardware.plan_without(tiles, out) if out < hardware.SIDES else ()
        mode = codes.FIXED if plan else codes.TURNED
        self.set_plan(plan or hardware.DEFAULT_PLANS[tiles], 0, self.dealer, mode, codes.AS_SET)

    def set_deal(self, dealer: int, told: "tuple[int, ...]") -> None:
        """Keep who deals, and what a host has told of the deal."""
        self.dealer = dealer
        self.told = told

    def take_dice(self, dealer: int, dice: "tuple[int, ...]") -> None:
        """These dice of `dealer` have the lifts lowered."""
        self.dealer = dealer
        self.dice = dice

    def lose_walls(self) -> None:
        """Nobody knows what the carriers hold any more."""
        self.walls_unknown = True

    def enter_mode(self, wall_mode: int) -> None:
        """The walls that are built come about in this way."""
        self.wall_mode = wall_mode

    def are_above(self) -> bool:
        """Say whether prescribed walls are whole, and the other set may be in the drum by now.

        Nobody can tell such walls from others after a power loss, for what was prescribed is in no memory that lasts.
        So they are taken out then, and theirs is the set that lies on the table.
        """
        return self.wall_mode != codes.ORDINARY_WALL and self.whole and self.dropped

    def above(self) -> int:
        """Return which set is above for whoever looks after a power loss."""
        return 1 - self.set_above if self.are_above() else self.set_above

    def keeps_above(self, is_partial: bool) -> bool:
        """Say whether an open lid is for a forgotten tile, and what is in play stays on the table."""
        return is_partial or not (self.whole or self.fills)

    def forget_walls(self, is_above_unknown: bool) -> None:
        """People have emptied the carriers: into the drum, or, where nobody knows which set is above, onto the table
        when the other set may be in the drum."""
        if is_above_unknown:
            self.set_above = self.above()
        self.walls_unknown = self.whole = False

    def hand_over(self) -> None:
        """The walls have gone up: another deal begins, and nobody has rolled for it."""
        self.set_above = 1 - self.set_above
        self.whole = False
        self.deal = (self.deal + 1) & 0xFFFF
        self.dice = (0,) * hardware.MOST_DICE

    def restore(self, state: "dict[str, Any]", carriers: int, is_below: bool, can_sort: bool) -> None:
        """Take over the fields of a record with what the `carriers` hold; that the set which was above is below by
        now, if `is_below`; and how walls that are up came about, where a table can sort."""
        self.boots = state["boots"]
        self.builds = state["builds"]
        self.set_above = 1 - state["set_above"] if is_below else state["set_above"]
        self.fills = bool(state["fills"])
        self.whole = carriers in WHOLE
        self.walls_unknown = carriers == codes.CARRIERS_UNKNOWN
        self.deal = state["deal"]
        self.dealer = state["dealer"]
        self.dice = state["dice"]
        self.plan = state["next_plan"]
        self.plan_dealer = state["plan_dealer"]
        self.plan_mode = state["plan_mode"]
        self.plan_wash_s = state["plan_wash"]
        self.told = (state["east"], state["round_wind"], state["deal_kind"], state["pot"])
        self.washed_s = state["washed_s"]
        if carriers == codes.CARRIERS_EMPTY and can_sort:
            self.wall_mode = state["wall_mode"]
            self.drawn = state["drawn"]

    def take_over(self, state: "dict[str, Any]") -> None:
        """Take the counts of a record that a host has saved, and nothing of where the tiles are.

        Starts and deals are never counted twice with one number: the larger one stays.
        """
        self.boots = max(self.boots, state["boots"])
        self.builds = state["builds"]
        self.deal = max(self.deal, state["deal"])
