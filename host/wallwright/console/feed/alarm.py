"""How many calls wait, at every page of those who answer them: in the head of the page, which also sounds."""

from collections.abc import Callable

from ..hall.desk import Happening
from ..hall.model import HallView
from .feed import Channel, message


class AlarmChannel:
    """What `inner` sends, if anything, and `badge(view)` as "alarm" whenever other calls wait or are overdue.

    One stream has both, for a browser keeps six open to a server, over all its tabs.
    """

    def __init__(self, inner: Channel | None, badge: Callable[[HallView], str]) -> None:
        self._inner = inner
        self._badge = badge
        self._before: object = None

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        data = b"" if self._inner is None else self._inner.whole(view)
        return data + message("alarm", self._badge(view))

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:
        """See Channel.changes."""
        data = b"" if self._inner is None else self._inner.changes(view, happenings)
        before, self._before = self._before, view.waiting_calls
        if before is None or before == self._before:
            return data
        return data + message("alarm", self._badge(view))
