"""Which requests are answered first: a few lanes, each with a number at a time and a number who wait, so that people
who are signed in never wait behind strangers, and a stop waits behind nothing else.

A request holds its place in a lane from when it has been read to when its answer begins, so that a slow client holds
none. Waiting requests are taken in turn by their address, so that one address fills a lane for itself alone. What a
person may do is not decided here but by `guard`.
"""

import asyncio
from collections import OrderedDict, deque

from .problems import Crowded

_Line = OrderedDict[str, deque["asyncio.Future[None]"]]


class Lane:
    """Lets `width` at a time pass and as many as `waiting` wait, and again as many of those who go first."""

    def __init__(self, width: int, waiting: int) -> None:
        self.width = width
        self._waiting = waiting
        self._inside = 0
        self._first: _Line = OrderedDict()
        self._others: _Line = OrderedDict()

    async def enter(self, home: str, *, goes_first: bool = False) -> None:
        """Return when it is the turn of who comes from `home`; `leave` ends that.

        Raises Crowded when too many wait already and no address has more of them than this one.
        """
        if self._inside < self.width:
            self._inside += 1
            return
        line = self._first if goes_first else self._others
        if sum(map(len, line.values())) >= self._waiting:
            busiest = max(line, key=lambda one: len(line[one]))
            if len(line[busiest]) <= len(line.get(home, ())) + 1:
                raise Crowded
            _take(line, busiest, newest=True).set_exception(Crowded())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.setdefault(home, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Let the next one pass: of each address in turn, those first who go first."""
        for line in (self._first, self._others):
            while line:
                home = next(iter(line))
                turn = _take(line, home, newest=False)
                if home in line:
                    line.move_to_end(home)
                if not turn.done():
                    turn.set_result(None)
                    return
        self._inside -= 1


def _take(line: _Line, home: str, *, newest: bool) -> "asyncio.Future[None]":
    turns = line[home]
    turn = turns.pop() if newest else turns.popleft()
    if not turns:
        del line[home]
    return turn


class Lanes:
    """The lanes of one server. Their widths together are fewer than the threads in which endpoints run, 40."""

    def __init__(self) -> None:
        self.stops = Lane(8, 1000)
        self.work = Lane(20, 1000)
        self.doors = Lane(2, 16)
        self.strangers = Lane(2, 2000)
