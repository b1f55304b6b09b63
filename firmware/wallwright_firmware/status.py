"""What is so now: the payload of a status message, and of the replies to a host that asks what there is.

Every value of a status fits its field by the way it was made, so none is looked at again: that would take a third of
the longest poll of a board at rest.
"""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, STATUSES
from wallwright_protocol.codes import DICE_COUNT
from wallwright_protocol.hardware import SETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wallwright_protocol.link import Responder

    from .build import Build
    from .commands import Handlers, Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.inputs import Inputs
    from .drivers.panel import Panel
    from .events import EventRing
    from .presses import Presses
    from .safety import Outputs
    from .wiring import Wiring

STATUS = NUMBER_OF["status"]


class Status:
    """It only looks. `about` is what get_info tells first, unit and version; `image` what get_image does."""

    def __init__(
        self,
        about: "tuple[bytes, int, int, int]",
        image: "tuple[bytes, bytes]",
        settings: "list[int]",
        cycle: "Cycle",
        build: "Build",
        inputs: "Inputs",
        outputs: "Outputs",
        panel: "Panel",
        presses: "Presses",
        dice: "Dice",
        events: "EventRing",
        wiring: "Wiring",
        responder: "Responder",
    ) -> None:
        self._about = about
        self._image = image
        self._settings = settings
        self._cycle = cycle
        self._build = build
        self._inputs = inputs
        self._outputs = outputs
        self._panel = panel
        self._presses = presses
        self._dice = dice
        self._events = events
        self._wiring = wiring
        self._responder = responder

    def payload(self) -> bytes:
        """Return what is so now."""
        cycle = self._cycle
        build = self._build
        return struct.pack(
            STATUSES[STATUS].layout,
            cycle.state,
            cycle.fault,
            cycle.fault_side,
            cycle.set_above,
            1 if cycle.whole else 0,
            *(build.plan if build.partial or cycle.whole else cycle.next_plan()),
            *build.stacks(),
            *[lane.in_head for lane in build.lanes],
            self._inputs.packed(),
            self._outputs.mask,
            self._panel.mask,
            cycle.deal,
            cycle.dealer,
            *cycle.told,
            build.tiles,
            self._settings[DICE_COUNT],
            self._presses.purpose,
            *self._dice.last,
            cycle.now_ms & 0xFFFFFFFF,
            self._events.stored(),
            self._events.newest(),
            self._wiring.hash,
            self._responder.decoder.errors() & 0xFFFF,
            cycle.wall_mode,
            1 if build.unchecked else 0,
        )

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {
            "get_info": self._get_info,
            "get_image": lambda _: (codes.OK, REPLIES[NUMBER_OF["get_image"]].pack(*self._image)),
            "get_status": lambda _: (codes.OK, self.payload()),
            "get_inputs": self._get_inputs,
        }

    def _get_info(self, _: "tuple[int, ...]") -> "Reply":
        return codes.OK, REPLIES[NUMBER_OF["get_info"]].pack(*self._about, self._build.tiles, SETS)

    def _get_inputs(self, _: "tuple[int, ...]") -> "Reply":
        inputs = self._inputs
        times = [time_ms & 0xFFFF for time_ms in inputs.edge_times]
        now_ms = self._cycle.now_ms & 0xFFFFFFFF
        levels = (now_ms, inputs.packed(), self._outputs.mask, self._panel.mask, inputs.newest_edge)
        return codes.OK, REPLIES[NUMBER_OF["get_inputs"]].pack(*(levels + tuple(inputs.edges) + tuple(times)))
