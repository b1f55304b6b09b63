"""The turns of a deal that one player wins, with chows, flowers, and a wall of two ends.

    deal.legal()         what the seat that decides may do: a tuple, empty when the deal is over
    deal.late()          what others may still claim of the latest discard, where a game allows it
    deal.apply(act)      checked; IllegalAction says why not
    deal.calls()         what a seat may call beside its turn
    deal.undo()          takes the last act back

At every moment one seat decides. Flowers of the dealt hands are laid out first, from the dealer on, and replaced. A
turn is a draw, or a claimed discard, then a win, kongs, or a discard. After a discard each seat with a legal claim
answers once, counter-clockwise from the discarder, whatever the others have answered; then a win goes before a pung or
kong, these before a chow. A kong that can be robbed is offered likewise. With the wall known a draw is determined, else
its tile is told by the act. A game is a subclass that says who may win, who may rob, and which of several winners wins.
"""

from collections.abc import Sequence

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.core.readings import ONE, held
from wallwright.rules.core.sets import SetKind, SetType, TileSet, chow, kong, pung
from wallwright.rules.core.tiles import STANDING
from wallwright.rules.core.turn_asked import Asked
from wallwright.rules.core.turn_state import (
    CLAIM,
    DRAWING,
    LAY,
    ON_DISCARD,
    OVER,
    PROMOTED_KONG,
    REPLACING,
    ROB,
    ROBBED_KONG,
    TURN,
    WALL_ENDED,
    WON,
    State,
    Won,
    changed,
)


class Turns(Asked):
    """One deal. `hands` are kinds as dealt, flowers among them; `wall` the kinds left in the order of the head, and
    `tail` the places of that order in the order of replacements, when they are known.
    """

    def __init__(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        size: int,
        wall: Sequence[int] | None = None,
        tail: Sequence[int] = (),
    ) -> None:
        super().__init__(dealer, hands, size, wall, tail)
        self._saved: list[State] = []
        self._start()

    def apply(self, act: Act) -> None:
        """Do a legal act, a late claim or a call; IllegalAction says why it is none."""
        legal = self.legal()
        if act in legal:
            self._save(act)
            self._push(act)
        elif act in self.calls():
            self._save(act)
            self._call(act.seat)
        elif act in self.late():
            self._save(act)
            self._put_back()
            self.state.answers = (act,)
            self._close_claims()
        elif self.is_over:
            raise IllegalAction(f"{act}: the deal is over ({self.state.end})")
        else:
            listed = ", ".join(str(one) for one in legal)
            raise IllegalAction(f"{act}: what may be done now is {listed}")

    def undo(self) -> Act:
        """Take the last act back and return it. IllegalAction when there is none."""
        if not self.log:
            raise IllegalAction("nothing to undo: the deal has not begun")
        self.state = self._saved.pop()
        self._legal = None
        return self.log.pop()

    def _save(self, act: Act) -> None:
        self._saved.append(self.state)
        self.state = self.state.copy()
        self._legal = None
        self.log.append(act)

    def _take(self, act: Act, kind: int) -> None:
        """The tile leaves the wall for a hand, or, a flower, to be laid out; who decides next."""
        state = self.state
        self._leave_wall(act, kind)
        if kind >= STANDING:
            state.phase = LAY
            return
        if state.starting:
            self._start()
            return
        state.drawn = kind
        state.by_wall = True
        state.phase = TURN

    def _leave_wall(self, act: Act, kind: int) -> None:
        """The tile is in a hand, and its place in the wall is empty."""
        state = self.state
        state.head_before = state.head
        if self.wall is not None:
            if act.verb == acts.DRAW:
                state.head = self._head_place() + 1
            else:
                state.tail = self._tail_rank() + 1
        state.left -= 1
        if kind >= STANDING:
            state.waiting = changed(state.waiting, act.seat, (*state.waiting[act.seat], kind))
            state.late = False
        else:
            self._add(act.seat, kind, 1)

    def _put_back(self) -> None:
        """The tile drawn since the latest discard goes back to its place at the head."""
        state = self.state
        assert state.drawn is not None
        self._add(state.seat, state.drawn, -1)
        state.head = state.head_before
        state.left += 1
        state.drawn = None
        state.seat = state.source

    # What acts do.

    def _push(self, act: Act) -> None:
        _PUSHES[act.verb](self, act)

    def _start(self) -> None:
        """Before the first turn: whose flowers have to be laid out, from the seat that lays them now."""
        state = self.state
        for step in range((state.seat - self.dealer) % 4, 4):
            seat = (self.dealer + step) % 4
            if state.waiting[seat]:
                state.seat = seat
                state.phase = LAY
                return
        state.starting = False
        state.loose = False
        state.seat = self.dealer
        state.phase = TURN

    def _push_draw(self, act: Act) -> None:
        assert act.tile is not None
        self.state.loose = act.verb == acts.REPLACE
        self._take(act, act.tile)

    def _push_flower(self, act: Act) -> None:
        state, seat, kind = self.state, act.seat, act.tile
        assert kind is not None
        waiting = list(state.waiting[seat])
        waiting.remove(kind)
        state.waiting = changed(state.waiting, seat, tuple(waiting))
        state.flowers = changed(state.flowers, seat, (*state.flowers[seat], kind))
        self._replace()

    def _replace(self) -> None:
        if self.left:
            self.state.phase = REPLACING
        else:
            self._finish(WALL_ENDED)

    def _push_discard(self, act: Act) -> None:
        state, seat, kind = self.state, act.seat, act.tile
        assert kind is not None
        self._add(seat, kind, -1)
        state.rivers = changed(state.rivers, seat, (*state.rivers[seat], kind))
        state.unclaimed += (kind,)
        state.drawn = None
        state.loose = False
        state.kongs = 0
        state.offered = kind
        state.source = seat
        state.answers = ()
        self._ask(CLAIM, [options for other in self._after(seat) if len(options := self._claims(other, self.left)) > 1])

    def _ask(self, phase: int, queue: list[tuple[Act, ...]]) -> None:
        self.state.phase = phase
        self.state.queue = tuple(queue)
        if not queue:
            self._close()

    def _push_answer(self, act: Act) -> None:
        state = self.state
        if state.phase == TURN:
            # Who drew the last tile keeps it.
            self._finish(WALL_ENDED)
            return
        if act.verb != acts.PASS:
            state.answers += (act,)
        state.queue = state.queue[1:]
        if not state.queue:
            self._close()

    def _close(self) -> None:
        if self.state.phase == CLAIM:
            self._close_claims()
        else:
            self._close_robbing()

    def _close_claims(self) -> None:
        state, kind, source = self.state, self.state.offered, self.state.source
        hus = tuple(one.seat for one in state.answers if one.verb == acts.HU)
        if hus:
            state.unclaimed = state.unclaimed[:-1]
            self._win(ON_DISCARD, self.winners(hus), kind, source, None)
            return
        claims = sorted(state.answers, key=lambda one: one.verb == acts.CHOW)
        if not claims:
            self._next_turn()
            return
        claim = claims[0]
        seat, low = claim.seat, claim.tile
        assert low is not None
        state.unclaimed = state.unclaimed[:-1]
        state.seat, state.drawn, state.late = seat, None, False
        made = {acts.CHOW: chow, acts.PUNG: pung, acts.KONG: kong}[claim.verb](low)
        own = list(made.tiles)
        own.remove(kind)
        for one in own:
            self._add(seat, one, -1)
        self._lay(seat, made, source)
        if claim.verb == acts.KONG:
            state.kongs = 1
            self._replace()
        else:
            state.by_wall = False
            state.phase = TURN

    def _push_kong(self, act: Act) -> None:
        state, seat, kind = self.state, act.seat, act.tile
        assert kind is not None
        if state.phase == CLAIM:
            self._push_answer(act)
            return
        self._add(seat, kind, -1)
        state.offered, state.source, state.late = kind, seat, False
        concealed = held(state.hands[seat], kind) == 3
        state.face = act.face if concealed else PROMOTED_KONG
        state.answers = ()
        queue: list[tuple[Act, ...]] = []
        if not concealed or act.face is not None:
            queue = [
                (acts.PASSES[other], acts.HUS[other][kind])
                for other in self._after(seat)
                if self.may_rob(other, kind, act.face)
            ]
        self._ask(ROB, queue)

    def _close_robbing(self) -> None:
        state, seat, kind = self.state, self.state.source, self.state.offered
        hus = tuple(one.seat for one in state.answers)
        if hus:
            self._win(ROBBED_KONG, self.winners(hus), kind, seat, state.face)
            return
        if state.face == PROMOTED_KONG:
            sets = list(state.sets[seat])
            at = next(at for at, one in enumerate(sets) if one.kind is SetKind.PUNG and one.tile == kind)
            sets[at] = kong(kind, SetType.PROMOTED)
            state.sets = changed(state.sets, seat, tuple(sets))
        else:
            self._add(seat, kind, -3)
            self._lay(seat, kong(kind, SetType.CONCEALED), None)
        state.drawn = None
        state.kongs += 1
        self._replace()

    def _push_hu(self, act: Act) -> None:
        if self.state.phase in (CLAIM, ROB):
            self._push_answer(act)
        else:
            self._win(self.by, (act.seat,), act.tile, None, None)

    def _call(self, seat: int) -> None:
        """Note what a seat calls."""

    def _lay(self, seat: int, made: TileSet, from_: int | None) -> None:  # noqa: ARG002 - games note who gave the tile
        """A set is laid down, with a discard of `from_` or of own tiles."""
        self.state.sets = changed(self.state.sets, seat, (*self.state.sets[seat], made))

    def _win(self, by: str, winners: tuple[int, ...], tile: int | None, from_: int | None, robbed: str | None) -> None:
        state = self.state
        first = self.is_first() and (tile is None or (by == ON_DISCARD and from_ == self.dealer))
        state.won = Won(by, winners, tile, from_, state.kongs, not self.left, first, robbed)
        self._finish(WON)

    def _next_turn(self) -> None:
        state = self.state
        if not self.left:
            self._finish(WALL_ENDED)
            return
        state.seat = (state.source + 1) % 4
        state.phase = DRAWING
        state.late = True

    def _finish(self, end: str) -> None:
        self.state.end = end
        self.state.phase = OVER
        self.state.queue = ()

    def _add(self, seat: int, kind: int, number: int) -> None:
        hands = self.state.hands
        self.state.hands = changed(hands, seat, hands[seat] + number * ONE[kind])


_PUSHES = {
    acts.DRAW: Turns._push_draw,
    acts.REPLACE: Turns._push_draw,
    acts.FLOWER: Turns._push_flower,
    acts.DISCARD: Turns._push_discard,
    acts.PASS: Turns._push_answer,
    acts.CHOW: Turns._push_answer,
    acts.PUNG: Turns._push_answer,
    acts.KONG: Turns._push_kong,
    acts.HU: Turns._push_hu,
}
