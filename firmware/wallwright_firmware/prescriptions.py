"""What a host asks of a table's sorter; a table that cannot sort its tiles says so."""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .commands import Handlers, Reply
    from .cycle import Cycle
    from .hal import Hal
    from .sorting.prescribed import Prescribed


class Prescriptions:
    """`sorting` is what builds prescribed walls, None where there is nothing."""

    def __init__(self, hal: "Hal", cycle: "Cycle", sorting: "Prescribed | None") -> None:
        self._hal = hal
        self._cycle = cycle
        self._sorting = sorting

    def requests(self) -> "Handlers":
        """Return what answers a host."""
        return {
            "get_sorter": self._get_sorter,
            "set_director": self._set_director,
            "prescribe": self._prescribe,
            "prescribe_cancel": self._cancel,
        }

    def _get_sorter(self, _: "tuple[int, ...]") -> "Reply":
        """What a director needs to know before a prescription is signed."""
        director = b"" if self._sorting is None else self._sorting.director
        sorter = (self._hal.sorter, self._hal.sorter_places, (self._cycle.builds + 1) & 0xFFFFFFFF, director)
        return codes.OK, REPLIES[NUMBER_OF["get_sorter"]].pack(*sorter)

    def _set_director(self, values: "tuple[Any, ...]") -> "Reply":
        return codes.NO_SORTER if self._sorting is None else self._sorting.set_director(values[0]), b""

    def _prescribe(self, values: "tuple[Any, ...]") -> "Reply":
        return codes.NO_SORTER if self._sorting is None else self._sorting.take(self._cycle.now_ms, *values), b""

    def _cancel(self, _: "tuple[int, ...]") -> "Reply":
        return codes.NO_SORTER if self._sorting is None else self._sorting.cancel(self._cycle.now_ms), b""
