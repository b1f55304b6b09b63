"""What a host tells a board of the deal at hand: what its dice keys throw for, and what to keep over a power loss."""

from wallwright_protocol import codes

from .deal_check import DealKind, Purpose, checked_deal, checked_dice, checked_purpose
from .plan_check import checked_seat
from .table import Table


def set_throw(table: Table, purpose: Purpose, dice_count: int | None = None, seat: int | None = None) -> None:
    """Have the dice keys throw for `purpose` from now on, that of `seat` alone, or all of them (None).

    They throw `dice_count` dice, 1 to 3, or as many as the table is set to (None). Only a throw for the cut lowers the
    lifts. A table whose host falls silent throws for the cut again. Raises BadName, BadSeat, BadSetting.
    """
    whose = codes.NO_SIDE if seat is None else checked_seat(seat)
    table.request("set_throw", checked_purpose(purpose), checked_dice(dice_count), whose)


def set_deal(table: Table, east: int, dealer: int, round_wind: int, kind: DealKind = "usual", pot: int = 0) -> None:
    """Have the board keep what its game needs of a deal over a power loss: seats of East and dealer, the wind of the
    round (0 east to 3 north), the kind of the deal, and the chips in the pot.

    The event "restored" and every status give it back. The walls of a plan that turns follow this dealer. Raises
    BadSeat, BadName, BadSetting, and Refused when the board cannot store it.
    """
    table.request("set_deal", *checked_deal(east, dealer, round_wind, kind, pot))


def hurry(table: Table) -> None:
    """Cut the wash short that is under way, and have the walls built. Raises Refused when there is none."""
    table.request("hurry")
