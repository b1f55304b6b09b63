"""A host asks for the counters of a table's life, and clears those of its jams and faults after maintenance."""

import struct

from wallwright_protocol import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Handlers, Reply
    from .counters import Counters
    from .cycle import Cycle
    from .safety import Outputs


class Upkeep:
    """The counters, as a host sees them."""

    def __init__(self, counters: "Counters", cycle: "Cycle", outputs: "Outputs") -> None:
        self._counters = counters
        self._cycle = cycle
        self._outputs = outputs

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {"get_counters": self._get, "clear_counters": self._clear}

    def _get(self, _: "tuple[int, ...]") -> "Reply":
        cycle = self._cycle
        self._counters.catch_up(cycle.now_ms)
        # The counters are kept in the form of the reply.
        return codes.OK, struct.pack("<IIH", cycle.boots, cycle.builds, cycle.deal) + bytes(self._counters.data)

    def _clear(self, _: "tuple[int, ...]") -> "Reply":
        if self._outputs.mask:
            return codes.WRONG_STATE, b""
        self._counters.clear(self._cycle.builds)
        self._cycle.note_change()
        return codes.OK, b""
