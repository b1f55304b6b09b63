"""One explanation of what was read so far: a course of play, where it has every tile, and what it costs.

Only what tags and turns say is kept here: who holds what, whose turn it is, who is out. Forbidden suits, kinds of kong
and payments are found at the end, from the deal that `resolve` makes of the moves. Explanations are never changed;
every move makes a new one, and they share what is equal.
"""

from typing import Self, TypeVar

from ..rules.core.followed import CHOW, DISCARD, DRAW, FLOWER, GIVE, HU_ON, HU_SELF, MELDED_KONG, OWN_KONG, PUNG, Move
from .course import (
    ANY,
    DEALT,
    DRAWN,
    MUST_DRAW,
    NEVER,
    ONE,
    OPEN,
    OVER,
    START,
    TURN,
    UNKNOWN,
    Offer,
    mark,
)
from .position import Position
from .zones import DISCARDS, HANDS, MELDS

_T = TypeVar("_T")


class Explanation(Position):
    """See the module; what it knows is a `Position`. Each move returns the explanation after it. What a move needs is
    checked by those who offer it.
    """

    __slots__ = ()

    def begun(self) -> "Explanation":
        """All flowers that were dealt are laid out; the dealer's turn begins, with replacements that were due then."""
        new = self.copy()
        new.starting = False
        return new._turn_goes_on()

    def drawn(self, tile: int, kind: int, place: int, at_ms: int, cost: int) -> "Explanation":
        """The seat in turn draws a tag, or (DRAWN + n) a tile that was not read; `place` counts from its end."""
        new = self.copy(cost)
        seat = new.seat
        if tile >= DRAWN:
            new.unseen = _put(new.unseen, seat, (*new.unseen[seat], tile))
        else:
            new.hands = _put(new.hands, seat, new.hands[seat] + ONE[kind])
            new.where = {**new.where, tile: HANDS[seat]}
            new.key ^= hash((new.draws, tile))
        new.draws += 1
        new.fresh, new.offer = True, None
        if new.loose:
            new.due = _put(new.due, seat, new.due[seat] - 1)
            new.tail = place + 1
        else:
            new.head = place + 1
        if new.ways.own_walls:
            new.own = _put(new.own, seat, new.own[seat] + 1)
        new._note(Move(DRAW, seat, tile, at_ms))
        if self.ways.late_claims and self.offer is not None and not self.offer.added and tile < DRAWN:
            new.let_by = (self.offer, self.head)
        return new._turn_goes_on()

    def put_back(self, tile: int, kind: int, cost: int) -> "Explanation":
        """The tile drawn last goes back to the wall: somebody claims the discard before it after all."""
        assert self.let_by is not None
        new = self.copy(cost)
        new.hands = _put(new.hands, new.seat, new.hands[new.seat] - ONE[kind])
        new.where = {other: zone for other, zone in new.where.items() if other != tile}
        new.key ^= hash((new.draws, tile))
        new.draws -= 1
        new.offer, new.head = self.let_by
        new.phase, new.let_by = MUST_DRAW, None
        return new

    def handed_over(self, seat: int, to: int, tile: int, kind: int, at_ms: int, cost: int, *, read: bool) -> Self:
        """A tile goes from the hand of `seat` to that of `to` in an exchange, seen there or not."""
        new = self.copy(cost)
        new.hands = _put(new.hands, seat, new.hands[seat] - ONE[kind])
        new.hands = _put(new.hands, to, new.hands[to] + ONE[kind])
        new.where = {**new.where, tile: HANDS[to]}
        pair = 4 * seat + to
        new.given = (*new.given[:pair], new.given[pair] + 1, *new.given[pair + 1 :])
        new._note(Move(GIVE, seat, tile, at_ms, to=to, read=read))
        return new

    def flower_laid(self, seat: int, tile: int, kind: int, at_ms: int, cost: int) -> "Explanation":
        """The seat lays out a flower of its hand, which is replaced at once, or at its first turn."""
        new = self.copy(cost)
        new.hands = _put(new.hands, seat, new.hands[seat] - ONE[kind])
        new.where = {**new.where, tile: MELDS[seat]}
        new.due = _put(new.due, seat, new.due[seat] + 1)
        if not (new.starting and new.ways.flowers_wait):
            new.seat, new.phase, new.loose, new.offer = seat, MUST_DRAW, True, None
        return new._note(Move(FLOWER, seat, tile, at_ms))

    def discarded(self, tile: int, kind: int, at_ms: int, cost: int) -> "Explanation":
        """The seat in turn discards a tag of its hand, an unseen tile of it, or (OPEN + n) one not known."""
        new = self.copy(cost)
        seat = new.seat
        if tile >= OPEN:
            new.open = _put(new.open, seat, tile)
            new.opened_ms = min(new.opened_ms, at_ms)
        elif tile >= DRAWN:
            new.unseen = _put(new.unseen, seat, _less(new.unseen[seat], tile))
        else:
            new.hands = _put(new.hands, seat, new.hands[seat] - ONE[kind])
            new.where = {**new.where, tile: DISCARDS[seat]}
        new.offer = Offer(tile, kind, seat, at_ms, added=False)
        new.phase, new.seat = MUST_DRAW, new.next_seat(seat)
        return new._note(Move(DISCARD, seat, tile, at_ms))

    def claimed_set(self, seat: int, size: int, at_ms: int, cost: int) -> "Explanation":
        """The tile offered becomes a pung (`size` 3) or a kong (4) of `seat`; the tiles beside it are yet to be
        read among the sets.
        """
        offer = self.offer
        assert offer is not None
        new = self.copy(cost)
        new._lay(seat, (offer.kind,) * (size - 1))
        if offer.tile < DRAWN:
            new.where = {**new.where, offer.tile: MELDS[seat]}
        new.sets = _put(new.sets, seat, new.sets[seat] + ONE[offer.kind])
        new.seat, new.offer = seat, None
        if size == 3:
            new.pungs = _put(new.pungs, seat, new.pungs[seat] + ONE[offer.kind])
            new.fresh = False
            new._turn_goes_on()
        else:
            new._owe()
        return new._note(Move(PUNG if size == 3 else MELDED_KONG, seat, offer.tile, at_ms))

    def claimed_chow(self, seat: int, low: int, at_ms: int, cost: int) -> "Explanation":
        """The tile offered becomes a chow of `seat` whose lowest tile is of the kind `low`."""
        offer = self.offer
        assert offer is not None
        new = self.copy(cost)
        new._lay(seat, tuple(kind for kind in (low, low + 1, low + 2) if kind != offer.kind))
        if offer.tile < DRAWN:
            new.where = {**new.where, offer.tile: MELDS[seat]}
        new.seat, new.offer, new.fresh = seat, None, False
        return new._turn_goes_on()._note(Move(CHOW, seat, offer.tile, at_ms, low=low))

    def concealed_kong(self, kind: int, at_ms: int, cost: int) -> "Explanation":
        """The seat in turn lays down four tiles of its hand."""
        new = self.copy(cost)
        seat = new.seat
        new._lay(seat, (kind,) * 4)
        new.sets = _put(new.sets, seat, new.sets[seat] + ONE[kind])
        new.offer = Offer(ANY, kind, seat, at_ms, added=True) if new.ways.robs_concealed else None
        new._owe()
        return new._note(Move(OWN_KONG, seat, kind, at_ms))

    def added_kong(self, tile: int, kind: int, at_ms: int, cost: int) -> "Explanation":
        """The seat in turn lays a tag of its hand onto its pung; it may be robbed until the replacement is drawn."""
        new = self.copy(cost)
        seat = new.seat
        new.hands = _put(new.hands, seat, new.hands[seat] - ONE[kind])
        new.pungs = _put(new.pungs, seat, new.pungs[seat] - ONE[kind])
        new.where = {**new.where, tile: MELDS[seat]}
        new.offer = Offer(tile, kind, seat, at_ms, added=True)
        new._owe()
        return new._note(Move(OWN_KONG, seat, kind, at_ms))

    def with_offered(self, tile: int) -> "Explanation":
        """Of a kong's tiles that is the one offered."""
        assert self.offer is not None
        new = self.copy()
        new.offer = self.offer._replace(tile=tile)
        return new

    def won_on(self, winners: tuple[int, ...], taker: int | None, at_ms: int, cost: int) -> "Explanation":
        """Those seats, counted from the one that offers, declare Hu on the offer; `taker` has taken the tile."""
        offer = self.offer
        assert offer is not None
        new = self.copy(cost)
        if offer.tile < DRAWN:
            # One of them has taken it, seen or not.
            new.where = {**new.where, offer.tile: HANDS[winners[0] if taker is None else taker]}
        for winner in winners:
            new.out |= 1 << winner
        new._note(Move(HU_ON, winners[0], offer.tile, at_ms, winners))
        return new._go_on(winners[-1])

    def won(self, at_ms: int, cost: int) -> "Explanation":
        """The seat in turn declares Hu on what it has drawn."""
        new = self.copy(cost)
        new.out |= 1 << new.seat
        new._note(Move(HU_SELF, new.seat, UNKNOWN, at_ms))
        return new._go_on(new.seat)

    def without_replacement(self, cost: int) -> "Explanation":
        """After a kong the seat goes on with the tiles it has."""
        new = self.copy(cost)
        new.phase, new.fresh, new.offer = TURN, False, None
        return new

    # What becomes known of moves made before.

    def with_bound(self, seat: int, place: int, tile: int, kind: int, cost: int) -> "Explanation":
        """An unseen tile of the hand turns out to be a tag."""
        new = self.copy(cost)
        new.unseen = _put(new.unseen, seat, _less(new.unseen[seat], place))
        new.where = {**new.where, tile: HANDS[seat]}
        if kind in new.lacking[seat]:
            new.lacking = _put(new.lacking, seat, _less(new.lacking[seat], kind))
        else:
            new.hands = _put(new.hands, seat, new.hands[seat] + ONE[kind])
        return new._bind(place, tile)

    def with_discard_found(self, seat: int, tile: int, kind: int, cost: int) -> "Explanation":
        """The open discard of the seat turns out to be a tag of its hand."""
        new = self.copy(cost)
        place = new.open[seat]
        new.open = _put(new.open, seat, 0)
        if not any(new.open):
            new.opened_ms = NEVER
        new.hands = _put(new.hands, seat, new.hands[seat] - ONE[kind])
        new.where = {**new.where, tile: DISCARDS[seat]}
        if new.offer is not None and new.offer.tile == place:
            new.offer = new.offer._replace(tile=tile, kind=kind)
        return new._bind(place, tile)

    def with_laid(self, seat: int, tile: int, kind: int, missed: int) -> "Explanation":
        """A tile that a declared set of the seat owes is read among the sets, after it was counted as missed or not."""
        unpaid = self.unpaid[seat]
        new = self.copy(0 if unpaid else -missed)
        new.unpaid = _put(new.unpaid, seat, max(0, unpaid - 1))
        new.owed = _put(new.owed, seat, _less(new.owed[seat], kind))
        new.where = {**new.where, tile: MELDS[seat]}
        return new

    def with_paid(self, cost: int) -> "Explanation":
        """What is owed has not been read in good time, which costs so much for all of it."""
        new = self.copy(cost)
        new.unpaid = (0, 0, 0, 0)
        return new

    def with_ghost(self, tile: int, reader: int, cost: int) -> "Explanation":
        """A tag is read where it is not."""
        new = self.copy(cost)
        new.strange += 1
        new.ghosts = {**new.ghosts, tile: reader}
        return new

    def without_ghost(self, tile: int) -> "Explanation":
        """The tag is read elsewhere again."""
        new = self.copy()
        new.ghosts = {other: reader for other, reader in new.ghosts.items() if other != tile}
        return new

    def with_ghost_cleared(self, tile: int, refund: int) -> "Explanation":
        """The tag was where it was read all the time."""
        new = self.without_ghost(tile)
        new.cost -= refund
        new.strange -= 1
        return new

    def _lay(self, seat: int, kinds: tuple[int, ...]) -> None:
        for kind in kinds:
            if self.hands[seat] >> 8 * kind & 7:
                self.hands = _put(self.hands, seat, self.hands[seat] - ONE[kind])
            else:
                self.lacking = _put(self.lacking, seat, (*self.lacking[seat], kind))
        self.owed = _put(self.owed, seat, self.owed[seat] + kinds)
        self.unpaid = _put(self.unpaid, seat, self.unpaid[seat] + len(kinds))

    def _owe(self) -> None:
        """The seat in turn has laid down a kong, and draws a tile for it."""
        self.phase = MUST_DRAW
        if self.ways.from_tail:
            self.due = _put(self.due, self.seat, self.due[self.seat] + 1)
            self.loose = True

    def _turn_goes_on(self) -> "Explanation":
        """What comes after a draw or a claim: replacements that are due, then the turn itself."""
        self.loose = bool(self.due[self.seat])
        if self.loose:
            self.phase = MUST_DRAW
        elif self.starting:
            self.phase, self.seat = START, self.dealer
        else:
            self.phase = TURN
        return self

    def _go_on(self, after: int) -> "Explanation":
        self.offer = None
        if self.out.bit_count() >= self.ways.wins:
            self.phase = OVER
        else:
            self.phase, self.seat = MUST_DRAW, self.next_seat(after)
        return self

    def _note(self, move: Move) -> "Explanation":
        self.log, self.let_by = (self.log, move), None
        self.key ^= mark(self.length, move)
        self.length += 1
        return self

    def _bind(self, place: int, tile: int) -> "Explanation":
        self.bound = {**self.bound, place: tile}
        if place >= OPEN:
            # As if the discard had been known at once.
            seat, number = (place - OPEN) % 4, (place - OPEN) // 4
            self.key ^= mark(number, Move(DISCARD, seat, place, 0)) ^ mark(number, Move(DISCARD, seat, tile, 0))
        elif place < DEALT:
            self.key ^= hash((place - DRAWN, tile))
        # Dealt tiles have no order, so which of them it was makes no difference.
        return self


def _put(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _less(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    at = values.index(value)
    return values[:at] + values[at + 1 :]
