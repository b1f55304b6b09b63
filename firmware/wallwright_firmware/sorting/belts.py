"""Belts of a table that sorts: they are emptied before they take tiles, for nobody knows what people have left on them.

They run back for as long as asked, and may go on running when their side is whole.
"""

from wallwright_protocol.settings import BELT_RETURN

from ..drivers.belt import BELT, FEEDS, JOGS_BACK, RESTS, Belt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..drivers.lane import Lane
    from ..safety import Outputs

SORTING_BELT = dict(BELT)
SORTING_BELT[RESTS] = dict(BELT[RESTS])
SORTING_BELT[RESTS].update(
    {
        "take_tiles": (JOGS_BACK, "give_back"),
        "forwards": (RESTS, "run"),
        "backwards": (RESTS, "run_back"),
        "stand": (RESTS, "stand"),
        "stop": (RESTS, "stand"),
    }
)
SORTING_BELT[FEEDS] = dict(BELT[FEEDS])
SORTING_BELT[FEEDS].update({"shake": (JOGS_BACK, "give_back")})


class SortingBelt(Belt):
    """A belt of which a sorter makes use. `back_ms` is for how long it runs back next, 0 for the time that empties it;
    `since_ms` is when it began to run forwards after it had run back."""

    table = SORTING_BELT

    def __init__(self, side: int, outputs: "Outputs", settings: "list[int]", owner: "Lane") -> None:
        super().__init__(side, outputs, settings, owner)
        self.back_ms = 0
        self.since_ms = 0
        self._is_back = self._is_new = False

    def give_back_for(self, for_ms: int, now_ms: int) -> bool:
        """Run back for so long and then forwards again; False when the belt does not feed."""
        self.back_ms = for_ms
        is_begun = self.happens("shake", now_ms)
        self.back_ms = 0
        return is_begun

    def run(self, now_ms: int) -> None:
        self._is_new = self._is_back
        if self._is_back:
            self.since_ms = now_ms
            self._is_back = False
        self._outputs.off(self._reverse)
        super().run(now_ms)

    def put_off(self, by_ms: int) -> None:
        super().put_off(by_ms)
        if self._is_new and self._outputs.mask & self._forward:
            self.since_ms += by_ms

    def run_back(self, now_ms: int) -> None:
        self._outputs.off(self._forward)
        self._outputs.on(self._reverse, now_ms)

    def give_back(self, now_ms: int) -> None:
        self._run_back(now_ms, self.back_ms or self._settings[BELT_RETURN])
        self._is_back = True
