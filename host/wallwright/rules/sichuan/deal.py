"""A tracked deal: every tile drawn and discarded is known, and the deal says at each moment what is legal (SBR-3, 4).

    deal = Deal(ruleset, dealer, hands, wall_size)      hands as dealt, 14 tiles to the dealer
    deal.legal_actions()                                a tuple: iterate, count, ask `in`
    deal.apply(action)                                  checked; IllegalAction says why not
    deal.push(action)                                   raw: what happened at the table, even against the rules
    deal.undo()                                         takes the last action back

At every moment one seat decides. The four choices of a void suit come first, from the dealer on. A turn is a draw,
then Hu, kongs or a discard. After a discard each seat with a legal claim answers once, counter-clockwise from the
discarder, whatever the others have answered; when all have, Hu beats pung and kong and several Hu are all satisfied.
A tile added to a pung is offered to those who can rob it in the same way. A draw is an action of its own: with `wall`
given it is determined, else its tile is told by the action. docs/rules.md, "Action sequences", has every detail. No
payments here: `declared()` gives what `settlement` needs.
"""

from collections.abc import Sequence

from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.deal_state import CLAIM, ROB, DealState
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import End, Event, FinalHand
from wallwright.rules.sichuan.legal import legal_actions
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.moves import push
from wallwright.rules.sichuan.packed import unpack_tiles
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.settlement import Settlement
from wallwright.rules.sichuan.status import deal_status
from wallwright.rules.sichuan.view import View


class Deal:
    """The state of one deal. `hands` are four sequences of kinds as dealt; `wall` the kinds in drawing order, when
    they are known. Where each draws from the own one (SBR-11.9), `own_walls` has those of each seat, or `own_sizes` how
    many tiles each has left after the deal, where nobody knows them; `wall_size` is their sum.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        wall: Sequence[int] | None = None,
        own_walls: Sequence[Sequence[int]] = (),
        own_sizes: Sequence[int] = (),
    ) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.wall_size = wall_size
        self.wall = None if wall is None else tuple(wall)
        self.log: list[Action] = []
        self.own_walls = tuple(tuple(own) for own in own_walls)
        self.own_sizes = tuple(own_sizes) or tuple(map(len, self.own_walls))
        self._state = DealState(ruleset, dealer, self.dealt, wall_size, self.wall, self.own_walls, self.own_sizes)
        self._saved: list[tuple[tuple[object, ...], tuple[Action, ...] | None]] = []
        self._legal: tuple[Action, ...] | None = None

    def anew(self) -> "Deal":
        """The deal before its first action."""
        dealt, walls = self.dealt, self.own_walls
        return Deal(self.ruleset, self.dealer, dealt, self.wall_size, self.wall, walls, self.own_sizes)

    # What may be asked of a deal.

    @property
    def is_over(self) -> bool:
        """Three Hu, or the wall has ended, or time was called."""
        return self._state.end is not None

    @property
    def end(self) -> End | None:
        """How the deal ended, None while it goes on."""
        return self._state.end

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that have to decide now, in order; the first is the one whose actions `legal_actions` lists."""
        if self._state.end is not None:
            return ()
        if self._state.phase in (CLAIM, ROB):
            return tuple(options[0].seat for options in self._state.queue)
        return (self._state.seat,)

    @property
    def wall_left(self) -> int:
        """Tiles still in the wall, where there are four in that of the seat in turn."""
        return self._state.left

    @property
    def tiles_left(self) -> int:
        """Tiles that nobody has drawn."""
        return sum(self._state.own_left) if self.own_sizes else self._state.left

    @property
    def drawn(self) -> int | None:
        """The kind that the seat in turn has just drawn; None after a claim and on the dealt hand."""
        return self._state.drawn

    @property
    def offered(self) -> int | None:
        """The discard, or the tile added to a pung, that is being claimed now."""
        return self._state.offered if self._state.phase in (CLAIM, ROB) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """Kongs, Hu and breaches so far, as they are settled."""
        return self._state.events

    def hand(self, seat: int) -> tuple[int, ...]:
        """Standing kinds, sorted; of a seat that declared a self-drawn Hu with the winning tile."""
        return unpack_tiles(self._state.hands[seat])

    def packed_hand(self, seat: int) -> int:
        """`hand` as a packed integer."""
        return self._state.hands[seat]

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Declared sets in the order of their declaration."""
        return self._state.melds[seat]

    def discards(self, seat: int) -> tuple[int, ...]:
        """All discards of the seat in order, those claimed by others included."""
        return self._state.rivers[seat]

    def void(self, seat: int) -> int | None:
        """Forbidden suit 0..2, None before it is chosen."""
        return self._state.voids[seat]

    def indicator(self, seat: int) -> int | None:
        """The tile laid face down for the forbidden suit while it is not discarded."""
        return self._state.indicators[seat]

    def has_won(self, seat: int) -> bool:
        """Whether the seat has declared Hu."""
        return bool(self._state.out >> seat & 1)

    def pool(self) -> int:
        """Packed: tiles that lie on the table outside hands and sets: unclaimed discards, tiles won on, one to be
        robbed.
        """
        return self._state.pool

    def open_tiles(self) -> int:
        """Packed: the pool and all declared sets."""
        return self._state.open_tiles()

    def view(self, seat: int) -> View:
        """What that seat may know."""
        return View(self, seat)

    def legal_actions(self) -> tuple[Action, ...]:
        """What the deciding seat may do; empty when the deal is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = legal_actions(self._state)
        return legal

    def why_not(self, action: Action) -> str | None:
        """Why an action is not legal now, None when it is."""
        if action in self.legal_actions() or (action.verb == act.TIME_UP and self._may_stop()):
            return None
        if self._state.end is not None:
            return f"the deal is over ({self._state.end})"
        if action.verb == act.TIME_UP:
            return "this ruleset plays the deal in progress out when time is up (SBR-4.9)"
        if action.seat != self.pending[0]:
            return f"seat {self.pending[0]} is to decide, not seat {action.seat}"
        listed = ", ".join(str(one)[2:] for one in self.legal_actions())
        return f"seat {action.seat} may only: {listed}"

    def status(self) -> tuple[str, ...]:
        """Everything that is wrong: with the tiles, and with the actions pushed against the rules. Empty when all is
        well.
        """
        return deal_status(self)

    # Going on and back.

    def apply(self, action: Action) -> None:
        """Do a legal action; IllegalAction says why it is not one."""
        if action not in self.legal_actions() and self.why_not(action) is not None:
            raise IllegalAction(f"{action}: {self.why_not(action)}")
        self.push(action)

    def push(self, action: Action) -> None:
        """Do an action without asking whether it is legal; breaches and false Hu are noted for the settlement.

        The seat must be the one to decide, except for a Hu on the last discard or the tile added, which any player
        may have declared; and it must hold the tiles. `status` says what was not right.
        """
        self._saved.append((self._state.save(), self._legal))
        self._legal = None
        self.log.append(action)
        push(self._state, action)

    def undo(self) -> Action:
        """Take the last action back and return it. IllegalAction when there is none."""
        if not self.log:
            raise IllegalAction("nothing to undo: the deal has not begun")
        saved, self._legal = self._saved.pop()
        self._state.restore(saved)
        return self.log.pop()

    def call_time(self) -> None:
        """The session's time is up: break the deal off. IllegalAction unless the ruleset says so (`time_up = "stop"`,
        SBR-4.9).
        """
        self.apply(act.TIME_UPS[self.dealer])

    def declared(self) -> DeclaredDeal:
        """The finished deal as it would have been noted without tile readers. IllegalAction while it goes on."""
        if self._state.end is None:
            raise IllegalAction("the deal is not over: it can be settled after the third Hu or the last tile")
        declared = DeclaredDeal(self.ruleset, self.dealer)
        for event in self._state.events:
            declared.add(event)
        declared.end(self._state.end, [self._final_hand(seat) for seat in range(4) if not self._state.out >> seat & 1])
        return declared

    def settle(self) -> Settlement:
        """Who pays what (SBR-6). IllegalAction while the deal goes on."""
        return self.declared().settle()

    def _may_stop(self) -> bool:
        return self._state.end is None and self.ruleset.time_up == "stop"

    def _final_hand(self, seat: int) -> FinalHand:
        void = self._state.voids[seat]
        hand = self._state.hands[seat]
        return FinalHand(
            seat,
            unpack_tiles(hand),
            self._state.melds[seat],
            void,
            only_void_discards=all(kind // 9 == void for kind in self._state.rivers[seat]),
        )
