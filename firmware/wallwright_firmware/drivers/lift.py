"""The lift of one side, on its way up (`first`) and down (`second`).

- Tells the cycle when it has arrived, when it had to try again and when it has stalled.
- Never starts by itself.
"""

from wallwright_protocol import codes, hardware
from wallwright_protocol.hardware import drive_bit, input_number
from wallwright_protocol.settings import LEAST_LIFT_DOWN, LEAST_LIFT_UP, LIFT_LIMIT

from ..safety import Outputs
from .travel import End, Travel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .travel import Owner


class Lift(Travel):
    """The lift of side `side`."""

    def __init__(self, side: int, outputs: Outputs, steady: bytearray, settings: list[int], owner: "Owner") -> None:
        super().__init__(
            side,
            (codes.LIFT_STALL, codes.LIFT_LIMITS),
            outputs,
            steady,
            settings,
            LIFT_LIMIT,
            End(drive_bit(side, hardware.LIFT_RAISE), input_number(side, hardware.LIFT_UP), LEAST_LIFT_UP),
            End(drive_bit(side, hardware.LIFT_LOWER), input_number(side, hardware.LIFT_DOWN), LEAST_LIFT_DOWN),
            owner,
        )
