"""A deal of a game with two ends of the wall: every tile is known, and the deal says at each moment what is legal.

    deal = PlayDeal(rules, east, hands, wall, tail)     hands as dealt, 14 tiles to East
    deal.legal_actions()                                a tuple: iterate, count, ask `in`
    deal.apply(action)                                  checked; IllegalAction says why not
    deal.undo()                                         takes the last action back

At every moment one seat decides. Dealt flowers and exchanges come first. A turn is a draw or a claimed discard, then a
win, kongs or a discard. After a discard each seat with a legal claim answers once, in the order of turns, whatever the
others have answered. No payments here: `winners`, `kongs` and the hands are what a settlement needs.
"""

from collections.abc import Sequence

from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.core.play.actions import Action
from wallwright.rules.core.play.legal import legal_actions, pending
from wallwright.rules.core.play.moves import begin, push
from wallwright.rules.core.play.rules import PlayRules, Winning
from wallwright.rules.core.play.state import PlayState, dealt_state
from wallwright.rules.core.readings import unpack_tiles
from wallwright.rules.core.sets import TileSet


class PlayDeal:
    """The state of one deal. `wall` has the kinds left after the deal in the order of the head, None when they are not
    known; `tail` the places in it (0 is the head) in the order of replacements. `size` is needed without a wall.
    """

    def __init__(
        self,
        rules: PlayRules,
        east: int,
        hands: Sequence[Sequence[int]],
        wall: Sequence[int] | None,
        tail: Sequence[int],
        size: int | None = None,
    ) -> None:
        self.rules = rules
        self.east = east
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.log: list[Action] = []
        number = len(tail) if size is None else size
        self._state = dealt_state(east, hands, wall, tail, number, rules.reserve)
        self._saved: list[PlayState] = []
        self._legal: tuple[Action, ...] | None = None
        begin(self._state, rules)

    @property
    def is_over(self) -> bool:
        """Somebody has won, or the wall has ended."""
        return self._state.end is not None

    @property
    def end(self) -> str | None:
        """ "win" or "wall"; None while the deal goes on."""
        return self._state.end

    @property
    def pending(self) -> Sequence[int]:
        """The seats that have to decide now; `legal_actions` are of the first."""
        return pending(self._state)

    @property
    def state(self) -> PlayState:
        """Where the deal is. It is replaced by every action: read it, do not keep it."""
        return self._state

    @property
    def wall_left(self) -> int:
        """Tiles that can still be drawn."""
        return self._state.left

    @property
    def winners(self) -> tuple[Winning, ...]:
        """Who won, and with what."""
        return self._state.winners

    @property
    def kongs(self) -> tuple[tuple[int, TileSet, int | None, bool], ...]:
        """Kongs in the order of declaration: seat, set, discarder of a claimed one, whether it was robbed."""
        return self._state.kongs

    def hand(self, seat: int) -> tuple[int, ...]:
        """Standing kinds, flowers that are not laid out included; of a player who won on an own draw with that tile."""
        return (*unpack_tiles(self._state.hands[seat]), *self._state.held[seat])

    def sets(self, seat: int) -> tuple[TileSet, ...]:
        """Sets laid down, in the order of declaration."""
        return self._state.sets[seat]

    def flowers(self, seat: int) -> tuple[int, ...]:
        """Flowers laid out."""
        return self._state.flowers[seat]

    def waiting(self, seat: int) -> int:
        """Flowers and kongs of a seat that were not replaced yet."""
        return self._state.owed[seat]

    def discards(self, seat: int) -> tuple[int, ...]:
        """Discards of the seat that nobody claimed for a set."""
        return self._state.rivers[seat]

    def legal_actions(self) -> tuple[Action, ...]:
        """What the deciding seat may do; empty when the deal is over."""
        if self._legal is None:
            self._legal = legal_actions(self._state, self.rules)
        return self._legal

    def apply(self, action: Action) -> None:
        """Carry out a legal action. IllegalAction names what is legal."""
        legal = self.legal_actions()
        if action not in legal:
            if self.is_over:
                raise IllegalAction(f"{action}: the deal is over ({self.end})")
            raise IllegalAction(f"{action} is not legal: seat {self.pending[0]} may {_listed(legal)}")
        self._saved.append(self._state)
        self._state = self._state.copy()
        push(self._state, self.rules, action)
        self.log.append(action)
        self._legal = None

    def undo(self) -> Action:
        """Take the last action back and return it. IllegalAction when there is none."""
        if not self._saved:
            raise IllegalAction("nothing has been done that could be taken back")
        self._state = self._saved.pop()
        self._legal = None
        return self.log.pop()


def _listed(actions: Sequence[Action]) -> str:
    shown = [str(action).partition(" ")[2] for action in actions[:8]]
    return ", ".join([*shown, "..."] if len(actions) > len(shown) else shown)
