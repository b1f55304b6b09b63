"""Who is told of what machines do: types for those who check them. A board does not load this file."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class BuildOwner(Protocol):
        """The part that has walls built and hears of them; counts are in tiles.

        A side is whole; all are, while the drum is still checked; it has ended, as "common_built" (a build that is held
        needs its plan to go on) or "paused" (it stands, with every head at home), and is to be broken off; no tile was
        left. `fail` has to stop the build. Both may be done in polls that follow.
        """

        def side_done(self, now_ms: int, side: int, stacks: int, after_ms: int) -> None: ...
        def built(self, now_ms: int, duration_ms: int) -> None: ...
        def ended(self, how: str) -> None: ...
        def checked(self) -> None: ...
        def notice(self, fault: int, side: int, tries: int) -> None: ...
        def fail(self, fault: int, side: int, found: int, wanted: int) -> None: ...

    class WashOwner(Protocol):
        """The part that has a set washed: it is."""

        def washed(self) -> None: ...
