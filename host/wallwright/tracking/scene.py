"""What all explanations of a deal share: the tiles, the wall if it is known, and what the readers have now."""

from collections.abc import Sequence

from ..rules.core.followed import Followed
from ..rules.core.tiles import STANDING
from ..rules.core.walls import DEALT as TILES_DEALT
from ..rules.core.walls import deal_seats
from .course import DEALT, DRAWN, ONE, TURN, UNKNOWN, last_move
from .explanation import Explanation
from .model import ErrorModel
from .zones import HANDS, MELDS


class Scene:
    """`rules` of the game; `kinds` by tag number; `wall` the tags by number in the order in which tiles are taken, None
    for those that no reader saw, or None altogether, and `tail` the places of the wall, from the first draw on, as
    they are taken from its other end; `silent` the readers that told nothing in the whole deal; `read`
    the reader that has a tag now; `lost` the reader that had it last when none has it; `presses` the time and seat of
    each claim key pressed; `width` the number of explanations that are kept, `limit` the cost beyond which none is;
    `cut` how much dearer than the best the cheapest was that there was no room for; `strange` how many reads the best
    took to be wrong, after each event; `own` how many tiles each seat's own wall has, if each draws from that: `wall`
    then has them wall by wall behind the tiles dealt.
    """

    def __init__(
        self,
        rules: Followed,
        kinds: Sequence[int],
        model: ErrorModel,
        dealer: int,
        wall: Sequence[int | None] | None,
        tail: Sequence[int],
        width: int,
        *,
        silent: frozenset[int],
        claim_keys: bool,
        own: Sequence[int] = (),
    ) -> None:
        self.rules = rules
        self.kinds = kinds
        self.model = model
        self.dealer = dealer
        self.wall = wall
        self.wall_size = len(kinds) - TILES_DEALT
        self.own = tuple(own)
        self._starts = tuple(sum(own[:seat]) for seat in range(len(own)))
        self._drawable = self.wall_size - rules.ways.reserve
        self._tail = tail
        self._ranks = {place: rank for rank, place in enumerate(tail)}
        self.places = {} if wall is None else {tile: place for place, tile in enumerate(wall) if tile is not None}
        self.read: dict[int, int] = {}
        self.lost: dict[int, int] = {}
        self.presses: list[tuple[int, int]] = []
        self.width = width
        self.silent = silent
        self.limit = 0
        self.cut = 1 << 30
        self.given_up = False
        self.strange: list[int] = []
        self._claim_keys = claim_keys

    def end_of_play(self) -> int:
        """How many of the events may have been play: from then on more reads than not were of no move."""
        worst, score, end = 0, 0, len(self.strange)
        for at in range(len(self.strange) - 1, 0, -1):
            score += 1 if self.strange[at] > self.strange[at - 1] else -1
            if score > worst:
                worst, end = score, at
        return end

    def start(self) -> Explanation:
        """The deal before anything was read, with the hands that the wall gives."""
        now = Explanation.dealt(self.dealer, self.rules.ways)
        if self.wall is None:
            return now
        number = [0, 0, 0, 0]
        for place, seat in enumerate(deal_seats(self.dealer)):
            tile = self.wall[place]
            if tile is not None:
                now = now.with_bound(seat, DEALT + 20 * seat + number[seat], tile, self.kinds[tile], 0)
            number[seat] += 1
        return now

    def may_draw(self, now: Explanation, seat: int | None = None) -> bool:
        """Whether a tile is left to draw for that seat, or for the one in turn."""
        if not self.own:
            return now.draws < self._drawable
        seat = now.seat if seat is None else seat
        return now.own[seat] < self.own[seat]

    def completes(self, now: Explanation, seat: int, kind: int = UNKNOWN) -> bool | None:
        """Whether the hand, with a tile of `kind` if given, is complete; None when it may be."""
        if now.open[seat]:
            return None
        hand = now.hands[seat] + (ONE[kind] if kind >= 0 else 0)
        return self.rules.completes(hand, now.sets[seat], now.free(seat))

    def missed(self, reader: int) -> int:
        """What it costs that the reader did not see a tile that lay there."""
        return self.model.silent if reader in self.silent else self.model.missed

    def draw(self, now: Explanation, tile: int, at_ms: int) -> Explanation:
        """The seat in turn draws a tag that is read in its hand."""
        kind, cost = self.kinds[tile], self.let_go(now)
        place, there = self._next(now)
        if self.wall is not None and there != tile and (there is not None or tile in self.places):
            new = now.drawn(tile, kind, place, at_ms, cost + self.model.misdrawn)
            new.strange += 1
            return new
        return now.drawn(tile, kind, place, at_ms, cost)

    def draw_unseen(self, now: Explanation, at_ms: int) -> Explanation:
        """The seat in turn draws a tile that is not read: the one that the wall has there, if it is known."""
        place, tile = self._next(now)
        cost = self.missed(HANDS[now.seat]) + self.let_go(now)
        if tile is None:
            return now.drawn(DRAWN + now.draws, UNKNOWN, place, at_ms, cost)
        if tile in now.where:
            return now.drawn(DRAWN + now.draws, UNKNOWN, place, at_ms, cost + self.model.misdrawn)
        return now.drawn(tile, self.kinds[tile], place, at_ms, cost)

    def put_back(self, now: Explanation) -> Explanation | None:
        """The discard before the last draw is on offer again, the tile drawn in the wall; None where it cannot be."""
        last = last_move(now.log)
        if now.let_by is None or last is None or now.phase != TURN:
            return None
        tile, hand = last.tile, HANDS[now.seat]
        kind = self.kinds[tile]
        if now.where.get(tile) != hand or not now.hands[now.seat] >> 8 * kind & 7:
            return None
        undone = now.put_back(tile, kind, self.model.unlikely)
        if self.read.get(tile) == hand:
            # Its reader tells two seconds later that it has left.
            undone.ghosts = {**undone.ghosts, tile: hand}
        return undone

    def _next(self, now: Explanation) -> tuple[int, int | None]:
        """The place that is drawn next, counted from its end of the wall, and its tile if that is known."""
        if self.wall is None:
            return 0, None
        if self.own:
            at = self._starts[now.seat] + now.own[now.seat]
            return at, self.wall[TILES_DEALT + at]
        if now.loose:
            at = now.tail
            while self._tail[at] < now.head:
                at += 1
            return at, self.wall[TILES_DEALT + self._tail[at]]
        at = now.head
        while self._ranks[at] < now.tail:
            at += 1
        return at, self.wall[TILES_DEALT + at]

    def is_in_wall(self, now: Explanation, place: int) -> bool:
        """Whether nobody has drawn the tile at a place of the wall, which counts from the first tile dealt."""
        at = place - TILES_DEALT
        if self.own:
            seat = max(seat for seat in range(4) if self._starts[seat] <= at) if at >= 0 else 0
            return at >= self._starts[seat] + now.own[seat]
        return at >= now.head and self._ranks[at] >= now.tail

    def let_go(self, now: Explanation, winners: tuple[int, ...] = ()) -> int:
        """What it costs that nobody but the winners has declared Hu on the tile offered."""
        offer = now.offer
        if offer is None or offer.kind < 0 or not now.ways.must_win:
            return 0
        cost = 0
        for step in (1, 2, 3):
            seat = (offer.seat + step) % 4
            if not now.out >> seat & 1 and seat not in winners and self.completes(now, seat, offer.kind):
                cost += self.model.passed_hu
        return cost

    def discard(self, now: Explanation, tile: int, at_ms: int, cost: int) -> Explanation:
        """The seat in turn discards a tile, known or not; sets should have been laid out by then."""
        kind = self.kinds[tile] if tile < DRAWN else UNKNOWN
        now = self.paid(now)
        if now.ways.must_win and now.fresh and self.completes(now, now.seat):
            cost += self.model.passed_hu
        if now.hands[now.seat] >> 8 * STANDING:
            # A flower is laid out before anything else.
            cost += self.model.illegal
        return now.discarded(tile, kind, at_ms, cost)

    def paid(self, now: Explanation) -> Explanation:
        """Tiles of declared sets that were not read there in good time have been missed."""
        if not any(now.unpaid):
            return now
        return now.with_paid(sum(count * self.missed(MELDS[seat]) for seat, count in enumerate(now.unpaid)))

    def places_for(self, now: Explanation, seat: int, tile: int) -> tuple[int, ...]:
        """The unseen places of a hand that a tag may fill: none when the wall had it elsewhere."""
        return () if tile in self.places else now.places(seat)

    def unread(self, now: Explanation, seat: int) -> list[int]:
        """The tags that should stand in a hand, and that no reader has now."""
        hand, read, kinds = HANDS[seat], self.read, self.kinds
        held = now.hands[seat]
        return [
            tile
            for tile, zone in now.where.items()
            if zone == hand and tile not in read and held >> 8 * kinds[tile] & 7
        ]

    def claim_cost(self, seat: int, since_ms: int) -> int:
        """What it costs that the seat has claimed, by whether it has pressed."""
        pressed = any(who == seat and at_ms >= since_ms for at_ms, who in self.presses)
        return self.model.silent_claim if self._claim_keys and not pressed else 0

    def hu_cost(self, now: Explanation, seat: int, kind: int = UNKNOWN) -> int:
        """What a Hu of that seat costs, with a tile of `kind` if given."""
        complete = self.completes(now, seat, kind)
        if complete is None:
            return self.model.unlikely
        return 0 if complete else self.model.false_hu
