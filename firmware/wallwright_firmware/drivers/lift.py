"""The lift of one side, on its way up (`first`) and down (`second`).

- Tells the cycle when it has arrived, when it had to try again and when it has stalled.
- Never starts by itself.
"""

from wallwright_protocol.codes import LEAST_LIFT_DOWN, LEAST_LIFT_UP, LIFT_LIMIT, LIFT_LIMITS, LIFT_STALL
from wallwright_protocol.hardware import LIFT_DOWN, LIFT_LOWER, LIFT_RAISE, LIFT_UP, drive_bit, input_number

from ..safety import Outputs
from .travel import End, Travel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .travel import Owner

LIFT_LIMIT_MS = 4500
"""A lift needs 2.5 s up and 2 s down. Default of a setting."""
UP_LEAST_MS = 2300
DOWN_LEAST_MS = 1800
"""A lift never needs less. Defaults of settings."""


class Lift(Travel):
    """The lift of side `side`."""

    def __init__(self, side: int, outputs: Outputs, steady: bytearray, settings: list[int], owner: "Owner") -> None:
        super().__init__(
            side,
            (LIFT_STALL, LIFT_LIMITS),
            outputs,
            steady,
            settings,
            LIFT_LIMIT,
            End(drive_bit(side, LIFT_RAISE), input_number(side, LIFT_UP), LEAST_LIFT_UP),
            End(drive_bit(side, LIFT_LOWER), input_number(side, LIFT_DOWN), LEAST_LIFT_DOWN),
            owner,
        )
