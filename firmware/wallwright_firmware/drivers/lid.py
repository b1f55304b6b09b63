"""The lid, on its way open (`first`) and closed (`second`)."""

from wallwright_protocol.codes import LEAST_LID, LID_LIMIT, LID_LIMITS, LID_OBSTRUCTED, NO_SIDE
from wallwright_protocol.hardware import LID_CLOSE, LID_IS_CLOSED, LID_IS_OPEN, LID_OPEN

from ..safety import Outputs
from .travel import End, Travel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .travel import Owner


class Lid(Travel):
    """The lid of the table."""

    def __init__(self, outputs: Outputs, steady: bytearray, settings: list[int], owner: "Owner") -> None:
        super().__init__(
            NO_SIDE,
            (LID_OBSTRUCTED, LID_LIMITS),
            outputs,
            steady,
            settings,
            LID_LIMIT,
            End(LID_OPEN, LID_IS_OPEN, LEAST_LID),
            End(LID_CLOSE, LID_IS_CLOSED, LEAST_LID),
            owner,
        )
