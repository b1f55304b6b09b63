"""The present state: the payload of a status message, and of the replies to a host that asks what there is.

Every value of a status fits its field by the way it was made, so none is looked at again: that would take a third of
the longest poll of a board at rest.
"""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, STATUSES
from wallwright_protocol.hardware import SETS
from wallwright_protocol.settings import DICE_COUNT, SIDES_OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wallwright_protocol.link import Responder

    from .build import Build
    from .commands import Reply
    from .cycle import Cycle
    from .dice import Dice
    from .drivers.inputs import Inputs
    from .drivers.panel import Panel
    from .events import EventRing
    from .hal import Hal
    from .presses import Presses
    from .safety import Outputs
    from .sorting.prescribed import Prescribed
    from .wiring import Wiring

STATUS = NUMBER_OF["status"]


class Status:
    """It only looks. `about` is what get_info tells first, unit and version; `sorting` builds prescribed walls, None
    where nothing sorts."""

    answers = ("get_info", "get_image", "get_status", "get_inputs", "get_sorter")

    def __init__(
        self,
        about: "tuple[bytes, int, int, int]",
        hal: "Hal",
        sorting: "Prescribed | None",
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
        self._hal = hal
        self._sorting = sorting
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
            build.settings[DICE_COUNT],
            self._presses.purpose,
            *self._dice.last,
            self._events.told_ms(cycle.now_ms),
            self._events.stored(),
            self._events.newest(),
            self._wiring.hash,
            self._responder.decoder.errors() & 0xFFFF,
            cycle.wall_mode,
            1 if build.unchecked else 0,
            build.settings[SIDES_OUT],
        )

    def on_get_status(self, _: "tuple[int, ...]") -> "Reply":
        """Return the present state."""
        return codes.OK, self.payload()

    def on_get_image(self, _: "tuple[int, ...]") -> "Reply":
        """Return the image that the board was flashed with."""
        return codes.OK, REPLIES[NUMBER_OF["get_image"]].pack(self._hal.chip, self._hal.image)

    def on_get_info(self, _: "tuple[int, ...]") -> "Reply":
        return codes.OK, REPLIES[NUMBER_OF["get_info"]].pack(*self._about, self._build.tiles, SETS)

    def on_get_sorter(self, _: "tuple[int, ...]") -> "Reply":
        """Return the facts that a director needs before signing a prescription."""
        director = b"" if self._sorting is None else self._sorting.director
        hal = self._hal
        sorter = (hal.sorter, hal.sorter_places, (self._cycle.builds + 1) & 0xFFFFFFFF, director)
        return codes.OK, REPLIES[NUMBER_OF["get_sorter"]].pack(*sorter)

    def on_get_inputs(self, _: "tuple[int, ...]") -> "Reply":
        inputs = self._inputs
        times = [time_ms & 0xFFFF for time_ms in inputs.edge_times]
        now_ms = self._events.told_ms(self._cycle.now_ms)
        levels = (now_ms, inputs.packed(), self._outputs.mask, self._panel.mask, inputs.newest_edge)
        return codes.OK, REPLIES[NUMBER_OF["get_inputs"]].pack(*(levels + tuple(inputs.edges) + tuple(times)))


class NoSorter:
    """A table that cannot sort its tiles says so."""

    answers = ("set_director", "prescribe", "prescribe_cancel")

    def on_prescribe(self, _: "tuple[Any, ...]") -> "Reply":
        """Refuse."""
        return codes.NO_SORTER, b""

    def on_set_director(self, values: "tuple[Any, ...]") -> "Reply":
        """Refuse likewise."""
        return self.on_prescribe(values)

    def on_prescribe_cancel(self, values: "tuple[Any, ...]") -> "Reply":
        """Refuse likewise."""
        return self.on_prescribe(values)
