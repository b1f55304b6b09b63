"""A deal of Cumberland or Balsall as it is played, tile by tile. (CLA-2, CLA-3, CUM-2.3, CUM-3, BAL-2.3, BAL-3, BAL-8)

The turns themselves are `wallwright.rules.core.turns`; here is what these games add: flowers that wait to be replaced,
and the exchanges of a goulash.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

from wallwright.rules.classical.declared import DeclaredKong
from wallwright.rules.classical.hand import AFTER_KONG, EARTHLY, HEAVENLY, KONG_ON_KONG, LAST_DISCARD, LAST_TILE, Hand
from wallwright.rules.classical.ruleset import Balsall, Cumberland
from wallwright.rules.classical.sitting import Sitting, completing, points_of, rank_of
from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.readings import ONE, unpack_tiles
from wallwright.rules.core.sets import SetType, TileSet
from wallwright.rules.core.tiles import STANDING
from wallwright.rules.core.turn_state import (
    LAY,
    LOOSE,
    ON_DISCARD,
    PROMOTED_KONG,
    REPLACING,
    ROBBED_KONG,
    TURN,
    WALL_ENDED,
    State,
    changed,
)
from wallwright.rules.core.turns import Turns

GIVING = 7
"""A phase besides those of `turn_state`: a seat lays tiles face down for an exchange."""
FLOWERS_DONE = 4


class ClassicalState(State):
    """What these games must remember besides: tiles owed to each seat, and how far dealt flowers and exchanges are."""

    def __init__(self, dealer: int, hands: Sequence[Sequence[int]], size: int) -> None:
        super().__init__(dealer, hands, size)
        # Flowers and kongs of a seat that were not replaced yet.
        self.owed: tuple[int, ...] = (0, 0, 0, 0)
        # Which seat from East on is at its dealt flowers, and whether it lays them out or replaces them.
        self.step = 0
        self.laying = True
        # The number of the exchange, and what each seat has laid down for it.
        self.exchange = 0
        self.given: tuple[tuple[int, ...], ...] = ((), (), (), ())
        # What the last act has handed over: seat, kind, seat.
        self.handed: tuple[tuple[int, int, int], ...] = ()
        # The turn began with a draw or the dealt hand.
        self.began_by_wall = True
        self.kongs_declared: tuple[DeclaredKong, ...] = ()


class Deal(Turns):
    """One deal under a sitting; `wall` and `tail` as in Turns."""

    state: ClassicalState

    def __init__(
        self,
        sitting: Sitting,
        hands: Sequence[Sequence[int]],
        size: int,
        wall: Sequence[int] | None = None,
        tail: Sequence[int] = (),
    ) -> None:
        self.sitting = sitting
        self.reserve = sitting.rules.reserve
        super().__init__(sitting.east, hands, size, wall, tail)

    def first_state(self) -> ClassicalState:
        """The state of the dealt hands."""
        return ClassicalState(self.dealer, self.dealt, self.wall_size)

    # What a game decides.

    def may_win(self, seat: int, tile: int | None, by: str) -> bool:
        """A complete hand with enough points, whose flowers are replaced (CUM-2.3, BAL-7.1, BAL-8.4)."""
        return self._best_hand(seat, tile, by) is not None

    def may_rob(self, seat: int, tile: int, face: str | None) -> bool:
        """A tile added to a pung, where the club allows it; concealed kongs are not asked about (CLA-3.8)."""
        return face is None and self.sitting.rules.rob_kong and self.may_win(seat, tile, ROBBED_KONG)

    def winners(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """One: in Cumberland a pung goes before a chow and that before the pair; else by turns (CUM-3.2, BAL-3.1)."""
        ordered = sorted(seats, key=lambda seat: (seat - self.state.source) % 4)
        if isinstance(self.sitting.rules, Cumberland):
            ordered.sort(key=lambda seat: rank_of(self.state.hands[seat], self.state.offered))
        return (ordered[0],)

    def _listed(self) -> tuple[Act, ...]:
        state = self.state
        if state.phase == GIVING:
            return tuple(compress(acts.GIVES[state.seat], state.hands[state.seat].to_bytes(STANDING, "little")))
        return super()._listed()

    # What a settlement needs.

    def final_hand(self, seat: int) -> Hand:
        """The hand of a seat when the deal is over (CUM-3.3)."""
        won = self.state.won
        if won is not None and seat == won.winners[0]:
            found = self._best_hand(seat, won.tile, won.by)
            assert found is not None, "the winner has shown a hand that wins"
            return found
        return self.sitting.hand(
            seat, self.hand(seat), self.state.sets[seat], self.state.flowers[seat], waiting=self.state.owed[seat]
        )

    def _best_hand(self, seat: int, tile: int | None, by: str) -> Hand | None:
        """The hand that wins with a tile; of a dealt hand, which has no last tile, the one worth most."""
        state, hand = self.state, self.state.hands[seat]
        if state.owed[seat]:
            return None
        drawn = by not in (ON_DISCARD, ROBBED_KONG)
        tiles = (tile,) if tile is not None else dict.fromkeys(unpack_tiles(hand))
        best, most = None, -1
        for last in tiles:
            rest = hand - ONE[last] if drawn else hand
            if last in completing(rest, state.sets[seat], self.sitting.rules):
                found = self.sitting.hand(
                    seat,
                    unpack_tiles(rest),
                    state.sets[seat],
                    state.flowers[seat],
                    (last, by, self._conditions(by, tile is None)),
                )
                points = points_of(found, self.sitting.rules)
                if points is not None and points > most:
                    best, most = found, points
        return best

    def _conditions(self, by: str, dealt: bool) -> frozenset[str]:
        state = self.state
        found = set()
        if by == LOOSE and state.kongs:
            found |= {AFTER_KONG} if state.kongs == 1 else {AFTER_KONG, KONG_ON_KONG}
        if not self.left and by != ROBBED_KONG:
            found.add(LAST_DISCARD if by == ON_DISCARD else LAST_TILE)
        if dealt:
            found.add(HEAVENLY)
        elif by == ON_DISCARD and state.source == self.dealer and self.is_first():
            found.add(EARTHLY)
        return frozenset(found)

    # What is legal.

    def _turn(self) -> Iterator[Act]:
        """A win on a tile that came from the wall, a discard, or a kong in a turn that began with a draw (CLA-3.4)."""
        state, seat = self.state, self.state.seat
        if (state.drawn is not None or state.began_by_wall) and self.may_win(seat, state.drawn, self.by):
            yield Act(seat, acts.HU, state.drawn)
        yield from self._discards(seat)
        if state.began_by_wall and self.left:
            yield from self._kongs(seat)

    # What acts do.

    def handed(self) -> tuple[tuple[int, int, int], ...]:
        """The tiles of an exchange whose last tile was given just now (BAL-8.3)."""
        return self.state.handed

    def _push(self, act: Act) -> None:
        self.state.handed = ()
        if act.verb == acts.GIVE:
            self._push_give(act)
        else:
            super()._push(act)

    def _start(self) -> None:
        self._go_on()

    def _replace(self) -> None:
        """A flower or a kong is owed a tile, which comes at once or waits for the first turn (CUM-2.3)."""
        state = self.state
        state.owed = changed(state.owed, state.seat, state.owed[state.seat] + 1)
        self._go_on()

    def _take(self, act: Act, kind: int) -> None:
        state, seat = self.state, act.seat
        self._leave_wall(act, kind)
        if act.verb == acts.REPLACE:
            state.owed = changed(state.owed, seat, state.owed[seat] - 1)
        else:
            state.began_by_wall = True
        state.drawn = kind if kind < STANDING else None
        self._go_on()

    def _go_on(self) -> None:
        """Who decides after a flower was laid out, a tile came or a set was laid down."""
        state = self.state
        if state.step < FLOWERS_DONE:
            self._go_on_with_dealt_flowers()
        elif state.waiting[state.seat]:
            state.phase = LAY
        elif not state.owed[state.seat]:
            state.phase = TURN
        elif self.left:
            state.phase = REPLACING
        else:
            self._finish(WALL_ENDED)

    def _go_on_with_dealt_flowers(self) -> None:
        """Seat by seat from East on: lay out, then replace, unless that waits for the first turn."""
        state, rules = self.state, self.sitting.rules
        while state.step < FLOWERS_DONE:
            seat = state.seat = (self.dealer + state.step) % 4
            if state.laying and state.waiting[seat]:
                state.phase = LAY
                return
            state.laying = False
            if state.owed[seat] and isinstance(rules, Balsall):
                state.phase = REPLACING
                return
            state.laying = True
            if isinstance(rules, Balsall) and rules.flowers == "at_once" and state.waiting[seat]:
                continue
            state.step += 1
            if state.step == FLOWERS_DONE and any(state.waiting):
                # Everybody has replaced once; who drew flowers lays them out in a second round (BAL-2.3).
                state.step = 0
        state.seat = self.dealer
        state.drawn, state.loose, state.starting = None, False, False
        if self.sitting.exchanges:
            state.phase = GIVING
        else:
            self._go_on()

    def _push_give(self, act: Act) -> None:
        """Lay a tile face down; when all four have laid theirs, all hands change at once (BAL-8.3)."""
        state, seat, kind = self.state, act.seat, act.tile
        assert kind is not None
        self._add(seat, kind, -1)
        state.given = changed(state.given, seat, (*state.given[seat], kind))
        number, partner = self.sitting.exchanges[state.exchange]
        if len(state.given[seat]) < number:
            return
        state.seat = (seat + 1) % 4
        if state.seat != self.dealer:
            return
        state.handed = tuple(
            ((self.dealer + step) % 4, one, (self.dealer + (step ^ partner)) % 4)
            for step in range(4)
            for one in state.given[(self.dealer + step) % 4]
        )
        for _, one, other in state.handed:
            self._add(other, one, 1)
        state.given = ((), (), (), ())
        state.exchange += 1
        if state.exchange == len(self.sitting.exchanges):
            self._go_on()

    def _close_claims(self) -> None:
        """A claim begins a turn in which flowers that wait are replaced before the discard (CUM-2.3)."""
        state = self.state
        if any(one.verb != acts.HU for one in state.answers):
            state.began_by_wall = False
        super()._close_claims()
        if state.phase == TURN:
            self._go_on()

    def _close_robbing(self) -> None:
        state, seat = self.state, self.state.source
        if state.face == PROMOTED_KONG:
            declared = DeclaredKong(seat, SetType.PROMOTED, robbed=bool(state.answers))
            state.kongs_declared = (*state.kongs_declared, declared)
        super()._close_robbing()

    def _lay(self, seat: int, made: TileSet, from_: int | None) -> None:
        if made.is_kong:
            state = self.state
            state.kongs_declared = (*state.kongs_declared, DeclaredKong(seat, made.type, from_))
        super()._lay(seat, made, from_)
