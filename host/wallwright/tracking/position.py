"""What an explanation believes at one moment: who holds which tiles, whose turn it is, what is still to be seen."""

from typing import Self

from ..rules.core.followed import Ways
from .course import DEALT, NEVER, START, TURN, Log, Offer


class Position:
    """`hands` are packed and hold known tiles only; `unseen` are the places of a hand that are not
    known; `lacking` kinds that were laid down out of those; `owed` kinds declared whose tiles were not read in the
    zone of sets yet, `unpaid` of them so far
    without a cost; `pungs` and `sets` packed kinds of pungs that may grow and of all declared sets; `open` a discard
    of the seat that is not known, or 0, since `opened_ms`; `where` the reader's number by tag, none for the wall;
    `strange` the number of reads that are taken to be wrong; `ghosts` the tags that
    are read where this explanation says they are not. `due` counts by seat the flowers and kongs that were not replaced
    yet, `loose` says that the next draw is such a replacement, `starting` that dealt flowers are still being laid out;
    `head` and `tail` are the places from which on nothing was taken from either end of the wall; `let_by` is the
    discard before the last draw, with the head at that time, while it may still be claimed; `given` are the tiles that
    went from hand to hand in exchanges, by 4 times the giver and the other one; `own` counts the tiles that each seat
    has drawn, where each draws from the own wall.
    """

    __slots__ = (
        "bound",
        "cost",
        "dealer",
        "draws",
        "due",
        "fresh",
        "ghosts",
        "given",
        "hands",
        "head",
        "key",
        "lacking",
        "length",
        "let_by",
        "log",
        "loose",
        "offer",
        "open",
        "opened_ms",
        "out",
        "owed",
        "own",
        "phase",
        "pungs",
        "seat",
        "sets",
        "starting",
        "strange",
        "tail",
        "unpaid",
        "unseen",
        "ways",
        "where",
    )

    ways: Ways
    dealer: int
    cost: int
    strange: int
    phase: int
    seat: int
    hands: tuple[int, ...]
    unseen: tuple[tuple[int, ...], ...]
    lacking: tuple[tuple[int, ...], ...]
    owed: tuple[tuple[int, ...], ...]
    pungs: tuple[int, ...]
    sets: tuple[int, ...]
    unpaid: tuple[int, ...]
    open: tuple[int, ...]
    opened_ms: int
    where: dict[int, int]
    ghosts: dict[int, int]
    bound: dict[int, int]
    given: tuple[int, ...]
    out: int
    draws: int
    fresh: bool
    own: tuple[int, ...]
    due: tuple[int, ...]
    loose: bool
    starting: bool
    head: int
    tail: int
    offer: Offer | None
    let_by: tuple[Offer, int] | None
    log: Log
    length: int
    key: int

    @classmethod
    def dealt(cls, dealer: int, ways: Ways) -> Self:
        """The start: fourteen unknown tiles for the dealer, whose turn it is, thirteen for the others."""
        new = cls()
        new.ways, new.dealer = ways, dealer
        new.head = new.tail = 0
        new.loose, new.starting = False, ways.has_flowers
        new.cost = new.strange = new.draws = new.out = new.length = new.key = 0
        new.phase, new.seat, new.fresh = START if ways.has_flowers else TURN, dealer, True
        new.hands = new.pungs = new.sets = new.open = new.unpaid = new.due = new.own = (0, 0, 0, 0)
        new.unseen = tuple(
            tuple(DEALT + 20 * seat + number for number in range(14 if seat == dealer else 13)) for seat in range(4)
        )
        new.lacking = new.owed = ((), (), (), ())
        new.where, new.ghosts, new.bound = {}, {}, {}
        new.opened_ms, new.given = NEVER, (0,) * 16
        new.offer, new.let_by, new.log = None, None, None
        return new

    def copy(self, cost: int = 0) -> Self:
        """The same, at `cost` more."""
        new = type(self)()
        new.cost = self.cost + cost
        new.ways, new.dealer, new.due, new.loose = self.ways, self.dealer, self.due, self.loose
        new.starting, new.head, new.tail = self.starting, self.head, self.tail
        new.phase, new.seat, new.fresh = self.phase, self.seat, self.fresh
        new.hands, new.unseen, new.lacking, new.owed = self.hands, self.unseen, self.lacking, self.owed
        new.pungs, new.sets, new.open = self.pungs, self.sets, self.open
        new.where, new.ghosts, new.bound = self.where, self.ghosts, self.bound
        new.out, new.draws, new.offer, new.log, new.key = self.out, self.draws, self.offer, self.log, self.key
        new.let_by, new.given, new.own = self.let_by, self.given, self.own
        new.length, new.opened_ms, new.unpaid, new.strange = self.length, self.opened_ms, self.unpaid, self.strange
        return new

    def free(self, seat: int) -> int:
        """How many tiles of the hand are not known at all."""
        return len(self.unseen[seat]) - len(self.lacking[seat])

    def may_hold(self, seat: int, kind: int) -> int:
        """How many tiles of a kind the hand may have."""
        return (self.hands[seat] >> 8 * kind & 7) + self.free(seat)

    def places(self, seat: int) -> tuple[int, ...]:
        """The unseen tiles of a hand that differ: one of those dealt, and each one drawn."""
        unseen = self.unseen[seat]
        dealt = [tile for tile in unseen if tile >= DEALT]
        return (*dealt[:1], *(tile for tile in unseen if tile < DEALT))

    def may_give(self, seat: int, to: int) -> bool:
        """Whether more tiles go from a hand to another one in exchanges than have been seen to."""
        step, other = (seat - self.dealer) % 4, (to - self.dealer) % 4
        return self.given[4 * seat + to] < sum(
            tiles for tiles, partner in self.ways.exchanges if step ^ partner == other
        )

    def next_seat(self, seat: int) -> int:
        """The seat after that one, those that are out left out."""
        for step in (1, 2, 3):
            if not self.out >> (seat + step) % 4 & 1:
                return (seat + step) % 4
        return seat
