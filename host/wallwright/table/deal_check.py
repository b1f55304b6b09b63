"""What a host may say of throws and deals, checked before a board is asked."""

from typing import Literal

from wallwright_protocol.hardware import MOST_DICE, SIDES
from wallwright_protocol.names import DEAL_KINDS, PURPOSES

from ..errors import BadName, BadSetting
from .plan_check import checked_seat

Purpose = Literal["cut", "east", "round_wind", "seats"]
"""See PURPOSES."""
DealKind = Literal["usual", "goulash"]
"""See DEAL_KINDS."""
MOST_CHIPS = 0xFFFF
"""The field for the pot has two bytes."""


def checked_purpose(purpose: str) -> int:
    """Return the number of what dice are thrown for; BadName when nobody throws for that."""
    return _number(purpose, PURPOSES, "purpose of a throw")


def checked_dice(count: int | None) -> int:
    """Return how many dice to ask for, 0 for as many as the table has; BadSetting for any other number."""
    if count is not None and not 1 <= count <= MOST_DICE:
        raise BadSetting(f"{count} dice cannot be thrown at once; throw 1 to {MOST_DICE}")
    return count or 0


def checked_deal(east: int, dealer: int, round_wind: int, kind: str, pot: int) -> tuple[int, ...]:
    """Return a deal's values as a board takes them. Raises BadSeat, BadName and BadSetting."""
    if not 0 <= round_wind < SIDES:
        raise BadSetting(f"there is no wind {round_wind}; winds are 0 (east) to {SIDES - 1} (north)")
    if not 0 <= pot <= MOST_CHIPS:
        raise BadSetting(f"a pot cannot hold {pot} chips; a board keeps 0 to {MOST_CHIPS}")
    return checked_seat(east), checked_seat(dealer), round_wind, _number(kind, DEAL_KINDS, "kind of a deal"), pot


def _number(name: str, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise BadName(f"no {what} is called {name!r}; there are {', '.join(names)}")
    return names.index(name)
