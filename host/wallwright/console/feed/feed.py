"""Server-sent events: what is rendered once for all who look at the same thing, and handed to each of them.

A viewer that does not take what it gets is let go; it comes back by itself and begins with how everything is then.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Protocol

from ...text_files import lines_in
from ..crash_log import tell_bug
from ..hall.desk import Desk, Happening
from ..hall.model import HallView

WAITING = 64
"""Messages that wait for one viewer."""
AT_ONCE = 16
"""Viewers that are handed something between two looks at what people ask: the others' news wait a moment, nobody's
stop does.
"""
QUIET_S = 15.0
"""After so long without news a line keeps the connection alive. As often a viewer's rights are looked at."""


def message(name: str, data: str) -> bytes:
    """Return an event of the given name; `data` may have several lines."""
    lines = "".join(f"data: {line}\n" for line in lines_in(data) or [""])
    return f"event: {name}\n{lines}\n".encode()


def json_message(name: str, data: object) -> bytes:
    """Return an event with JSON data."""
    return message(name, json.dumps(data, ensure_ascii=False, separators=(",", ":")))


class Channel(Protocol):
    """One thing that people look at. Both methods are called by the server's loop alone."""

    def whole(self, view: HallView) -> bytes:
        """Return the messages for somebody who comes now."""

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:
        """Return the messages for those who have seen everything so far; empty when nothing has changed."""


class _Shown:
    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.queues: set[asyncio.Queue[bytes | None]] = set()
        self._whole: tuple[HallView, bytes] | None = None

    def whole(self, view: HallView) -> bytes:
        """Return what those get who come now: the same for all who come at once, as after a restart."""
        if self._whole is None or self._whole[0] is not view:
            self._whole = view, self.channel.whole(view)
        return self._whole[1]

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:
        """Return what the others get."""
        data = self.channel.changes(view, happenings)
        if data:
            self._whole = None
        return data


class Feed:
    """Gives channels to viewers. Made and used in the server's loop; the desk's thread only rings it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._loop = asyncio.get_running_loop()
        self._shown: dict[tuple[str, ...], _Shown] = {}
        self._on_the_way: deque[tuple[bytes, deque[asyncio.Queue[bytes | None]]]] = deque()
        self._end = desk.listen(self._ring)
        self._is_over = False

    @property
    def viewers(self) -> int:
        """How many there are."""
        return sum(len(shown.queues) for shown in self._shown.values())

    def close(self) -> None:
        """Let all viewers go. A second time does nothing."""
        if self._is_over:
            return
        self._is_over = True
        self._end()
        for shown in self._shown.values():
            for queue in shown.queues:
                _let_go(queue)

    async def watch(
        self, key: tuple[str, ...], make: Callable[[], Channel], may_stay: Callable[[], bool] = lambda: True
    ) -> AsyncGenerator[bytes, None]:
        """Yield what a viewer of the channel `key` gets, until one side ends it; `make` makes it for the first.

        `may_stay` is asked now and then, in a thread of its own: a sign-in may be over, a role taken away.
        """
        if key not in self._shown:
            self._shown[key] = _Shown(make())
        shown = self._shown[key]
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        # What has changed since the last look goes to the others first, so that all stand at the same view.
        self._hand_out(shown, self._desk.view, ())
        shown.queues.add(queue)
        try:
            yield b"retry: 2000\n\n" + shown.whole(self._desk.view)
            asked_s = self._loop.time()
            while not self._is_over:
                try:
                    data = await asyncio.wait_for(queue.get(), QUIET_S)
                except TimeoutError:
                    data = b": still here\n\n"
                if self._loop.time() - asked_s >= QUIET_S:
                    asked_s = self._loop.time()
                    if not await asyncio.to_thread(may_stay):
                        return
                if data is None:
                    return
                yield data
        finally:
            shown.queues.discard(queue)
            if not shown.queues:
                self._shown.pop(key, None)

    def _ring(self, view: HallView, happenings: tuple[Happening, ...]) -> None:
        # The loop of a console that ends is closed before the desk of its hall.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, view, happenings)

    def _take(self, view: HallView, happenings: tuple[Happening, ...]) -> None:
        for key, shown in self._shown.items():
            try:
                self._hand_out(shown, view, happenings)
            except Exception:  # noqa: BLE001 (one page that cannot be drawn is no reason to leave all others as they are)
                tell_bug(f"the stream of {key}")
                for queue in shown.queues:
                    _let_go(queue)

    def _hand_out(self, shown: _Shown, view: HallView, happenings: tuple[Happening, ...]) -> None:
        data = shown.changes(view, happenings)
        if not data:
            return
        is_quiet = not self._on_the_way
        self._on_the_way.append((data, deque(shown.queues)))
        if is_quiet:
            self._hand_on()

    def _hand_on(self) -> None:
        """Hand what is on the way to the next of those who get it, in order."""
        for _ in range(AT_ONCE):
            while self._on_the_way and not self._on_the_way[0][1]:
                self._on_the_way.popleft()
            if not self._on_the_way:
                return
            data, queues = self._on_the_way[0]
            queue = queues.popleft()
            if queue.full():
                _let_go(queue)
            else:
                queue.put_nowait(data)
        self._loop.call_soon(self._hand_on)


def _let_go(queue: "asyncio.Queue[bytes | None]") -> None:
    while not queue.empty():
        queue.get_nowait()
    queue.put_nowait(None)
