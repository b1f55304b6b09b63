"""The places for connections: who gets one before a request is read, and who gives theirs up for it.

A quarter of the places is kept for addresses from which somebody who works in the hall has been here, and for the
machine itself; one strange address has at most half of the others. Where there is no place, the connection that has
waited longest without a whole question is ended. Nothing here reads a request; the server says what becomes of one.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection

from .addresses import home_of, is_loopback

KEPT = 4
"""One place in so many is kept."""
SHARE = 2
"""One strange address has at most one in so many of the others."""
STRANGE, NEAR, WORKING = range(3)
KNOWN = 1000
"""Addresses of people who work here; the oldest are forgotten."""


class Place:
    """The place of one connection, from `home`; `end` ends that connection. `rank` says who goes first when a place is
    needed: a stranger, somebody at a known address, and last who has asked as somebody who works here.
    """

    def __init__(self, places: "Places", home: str, end: Callable[[], object], rank: int) -> None:
        self.home = home
        self.end = end
        self.rank = rank
        self._places = places

    def asks(self, *, works: bool) -> None:
        """Note that a whole question has come, of somebody who works here or not."""
        self._places.note_question(self, works=works)

    def is_answered(self) -> None:
        """Note that the next question is waited for."""
        self._places.note_answer(self)

    def free(self) -> None:
        """Note that the connection is over. A second time does nothing."""
        self._places.note_end(self)


class Places:
    """`total` places; connections from `proxies` are of many people, who all have one address."""

    def __init__(self, total: int, proxies: Collection[str] = ()) -> None:
        self._total = total
        self._strangers = max(1, total - total // KEPT)
        self._of_one = max(1, self._strangers // SHARE)
        self._proxies = frozenset(map(home_of, proxies))
        self._known: OrderedDict[str, None] = OrderedDict()
        self._taken: set[Place] = set()
        self._strange: Counter[str] = Counter()
        self._strangers_here = 0
        # Those whose question is waited for, by rank; who has waited longest comes first.
        self._waiting: tuple[OrderedDict[Place, None], ...] = tuple(OrderedDict() for _ in range(WORKING + 1))

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, address: str, end: Callable[[], object]) -> Place | None:
        """Return a place for a connection from `address`; whoever has to go for it has gone. None if there is none."""
        home = home_of(address)
        is_proxy = home in self._proxies
        is_strange = is_proxy or not (home in self._known or is_loopback(home))
        if is_strange and not is_proxy and self._strange[home] >= self._of_one:
            has_room = self._end(next((one for one in self._waiting[STRANGE] if one.home == home), None))
        elif is_strange and self._strangers_here >= self._strangers:
            has_room = self._end(next(iter(self._waiting[STRANGE]), None))
        else:
            has_room = len(self._taken) < self._total or self.make_room()
        if not has_room:
            return None
        place = Place(self, home, end, STRANGE if is_strange else NEAR)
        self._taken.add(place)
        if is_strange:
            self._count(home, 1)
        self._waiting[place.rank][place] = None
        return place

    def make_room(self) -> bool:
        """End the connection of the lowest rank that has waited longest; say whether there is one."""
        return any(self._end(next(iter(line), None)) for line in self._waiting)

    def note_question(self, place: Place, *, works: bool) -> None:
        """See Place.asks."""
        self._waiting[place.rank].pop(place, None)
        if not works:
            return
        if place.rank == STRANGE and place in self._taken:
            self._count(place.home, -1)
        place.rank = WORKING
        if place.home not in self._proxies:
            self._known[place.home] = None
            self._known.move_to_end(place.home)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)

    def note_answer(self, place: Place) -> None:
        """See Place.is_answered."""
        if place in self._taken:
            self._waiting[place.rank][place] = None

    def note_end(self, place: Place) -> None:
        """See Place.free."""
        if place not in self._taken:
            return
        self._taken.discard(place)
        self._waiting[place.rank].pop(place, None)
        if place.rank == STRANGE:
            self._count(place.home, -1)

    def _count(self, home: str, change: int) -> None:
        self._strangers_here += change
        self._strange[home] += change
        if not self._strange[home]:
            del self._strange[home]

    def _end(self, place: Place | None) -> bool:
        if place is None:
            return False
        place.free()
        place.end()
        return True
