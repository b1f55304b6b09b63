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

from collections.abc import Callable, Iterator, Sequence
from itertools import compress

from wallwright.rules import actions as act
from wallwright.rules.actions import Action
from wallwright.rules.claims import standing_claims
from wallwright.rules.declared import DeclaredDeal
from wallwright.rules.errors import IllegalAction
from wallwright.rules.events import (
    DISCARD_HU,
    ROBBED_KONG_HU,
    SELF_DRAWN_HU,
    THREE_HU,
    TIME_UP_END,
    WALL,
    Breach,
    By,
    End,
    Event,
    FinalHand,
    Hu,
    Kong,
    Winner,
)
from wallwright.rules.fans import (
    AFTER_KONG,
    CONDITIONS,
    ROBBING_KONG,
    SELF_DRAWN,
    SHOOT_AFTER_KONG,
    UNDER_THE_SEA,
    score_packed,
)
from wallwright.rules.hands import is_complete_packed, waits_packed
from wallwright.rules.melds import Meld, MeldType
from wallwright.rules.packed import ALL, HIGH, ONE, SUIT_BITS, SUIT_MASK, pack_tiles, unpack_tiles
from wallwright.rules.ruleset import Ruleset
from wallwright.rules.settlement import Settlement
from wallwright.rules.status import deal_status
from wallwright.rules.view import View

_AFTER = tuple(tuple((seat + step) % 4 for step in (1, 2, 3)) for seat in range(4))
"""The other seats, counter-clockwise."""

# Phases: who decides what.
_CHOOSE_VOID, _MUST_DRAW, _TURN, _CLAIM, _ROB, _OVER = range(6)


class Deal:
    """The state of one deal. `hands` are four sequences of kinds as dealt; `wall` the kinds in drawing order, when
    they are known.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        wall: Sequence[int] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.wall_size = wall_size
        self.wall = None if wall is None else tuple(wall)
        self.log: list[Action] = []
        self._saved: list[tuple[object, ...]] = []
        self._legal: tuple[Action, ...] | None = None
        self._hands = [pack_tiles(hand) for hand in self.dealt]
        self._melds: list[tuple[Meld, ...]] = [(), (), (), ()]
        self._voids: list[int | None] = [None] * 4
        self._indicators: list[int | None] = [None] * 4
        self._rivers: list[tuple[int, ...]] = [(), (), (), ()]
        self._bars = [0, 0, 0, 0]
        self._waits = [0, 0, 0, 0]
        self._phase = _CHOOSE_VOID
        self._seat = dealer
        self._left = wall_size
        self._drawn: int | None = None
        self._by_wall = True  # the turn's latest tile came from the wall or the deal, not from a pung
        self._after_kong = False
        self._offered = -1
        self._queue: tuple[tuple[Action, ...], ...] = ()
        self._answers: tuple[Action, ...] = ()
        self._out = 0
        self._spoiled = 0
        self._pool = 0
        self._events: tuple[Event, ...] = ()
        self._end: End | None = None

    # What may be asked of a deal.

    @property
    def is_over(self) -> bool:
        """Three Hu, or the wall has ended, or time was called."""
        return self._end is not None

    @property
    def end(self) -> End | None:
        """How the deal ended, None while it goes on."""
        return self._end

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that have to decide now, in order; the first is the one whose actions `legal_actions` lists."""
        if self._end is not None:
            return ()
        if self._phase in (_CLAIM, _ROB):
            return tuple(options[0].seat for options in self._queue)
        return (self._seat,)

    @property
    def wall_left(self) -> int:
        """Tiles still in the wall."""
        return self._left

    @property
    def drawn(self) -> int | None:
        """The kind that the seat in turn has just drawn; None after a claim and on the dealt hand."""
        return self._drawn

    @property
    def offered(self) -> int | None:
        """The discard, or the tile added to a pung, that is being claimed now."""
        return self._offered if self._phase in (_CLAIM, _ROB) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """Kongs, Hu and breaches so far, as they are settled."""
        return self._events

    def hand(self, seat: int) -> tuple[int, ...]:
        """Standing kinds, sorted; of a seat that declared a self-drawn Hu with the winning tile."""
        return unpack_tiles(self._hands[seat])

    def packed_hand(self, seat: int) -> int:
        """`hand` as a packed integer."""
        return self._hands[seat]

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Declared sets in the order of their declaration."""
        return self._melds[seat]

    def discards(self, seat: int) -> tuple[int, ...]:
        """All discards of the seat in order, those claimed by others included."""
        return self._rivers[seat]

    def void(self, seat: int) -> int | None:
        """Forbidden suit 0..2, None before it is chosen."""
        return self._voids[seat]

    def indicator(self, seat: int) -> int | None:
        """The tile laid face down for the forbidden suit while it is not discarded."""
        return self._indicators[seat]

    def has_won(self, seat: int) -> bool:
        """Whether the seat has declared Hu."""
        return bool(self._out >> seat & 1)

    def pool(self) -> int:
        """Packed: tiles that lie on the table outside hands and sets (unclaimed discards, tiles won on)."""
        return self._pool

    def open_tiles(self) -> int:
        """Packed: the pool and all declared sets."""
        return self._pool + sum(ONE[meld.tile] * len(meld.tiles) for melds in self._melds for meld in melds)

    def view(self, seat: int) -> View:
        """What that seat may know."""
        return View(self, seat)

    def legal_actions(self) -> tuple[Action, ...]:
        """What the deciding seat may do; empty when the deal is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = tuple(_LISTS[self._phase](self))
        return legal

    def why_not(self, action: Action) -> str | None:
        """Why an action is not legal now, None when it is."""
        if action in self.legal_actions() or (action.verb == act.TIME_UP and self._may_stop()):
            return None
        if self._end is not None:
            return f"the deal is over ({self._end})"
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

        The seat must be the one to decide and hold the tiles, or `status` will have something to say.
        """
        self._saved.append(
            (
                self._hands[:],
                self._melds[:],
                self._voids[:],
                self._indicators[:],
                self._rivers[:],
                self._bars[:],
                self._waits[:],
                self._phase,
                self._seat,
                self._left,
                self._drawn,
                self._by_wall,
                self._after_kong,
                self._offered,
                self._queue,
                self._answers,
                self._out,
                self._spoiled,
                self._pool,
                self._events,
                self._end,
                self._legal,
            )
        )
        self._legal = None
        self.log.append(action)
        _PUSHES[action.verb](self, action)

    def undo(self) -> Action:
        """Take the last action back and return it. IllegalAction when there is none."""
        if not self.log:
            raise IllegalAction("nothing to undo: the deal has not begun")
        (
            self._hands,
            self._melds,
            self._voids,
            self._indicators,
            self._rivers,
            self._bars,
            self._waits,
            self._phase,
            self._seat,
            self._left,
            self._drawn,
            self._by_wall,
            self._after_kong,
            self._offered,
            self._queue,
            self._answers,
            self._out,
            self._spoiled,
            self._pool,
            self._events,
            self._end,
            self._legal,
        ) = self._saved.pop()  # type: ignore[assignment]
        return self.log.pop()

    def call_time(self) -> None:
        """The session's time is up: break the deal off. IllegalAction unless the ruleset says so (`time_up = "stop"`,
        SBR-4.9).
        """
        self.apply(act.TIME_UPS[self.dealer])

    def declared(self) -> DeclaredDeal:
        """The finished deal as it would have been noted without tile readers. IllegalAction while it goes on."""
        if self._end is None:
            raise IllegalAction("the deal is not over: it can be settled after the third Hu or the last tile")
        declared = DeclaredDeal(self.ruleset, self.dealer)
        for event in self._events:
            declared.add(event)
        declared.end(self._end, [self._final_hand(seat) for seat in range(4) if not self._out >> seat & 1])
        return declared

    def settle(self) -> Settlement:
        """Who pays what (SBR-6). IllegalAction while the deal goes on."""
        return self.declared().settle()

    # Lists of legal actions, one a phase.

    def _list_voids(self) -> Iterator[Action]:
        seat, hand = self._seat, self._hands[self._seat]
        for suit in range(3):
            held = hand & SUIT_MASK << SUIT_BITS * suit
            if held:
                yield from compress(act.VOIDS[seat], held.to_bytes(27, "little"))
            else:
                yield act.CARDS[seat][suit]

    def _list_draws(self) -> Iterator[Action]:
        draws = act.DRAWS[self._seat]
        if self.wall is not None:
            yield draws[self.wall[self.wall_size - self._left]]
            return
        known = self.open_tiles() + sum(self._hands)
        yield from (draws[kind] for kind, count in enumerate(known.to_bytes(27, "little")) if count < 4)

    def _list_turn(self) -> Sequence[Action]:
        seat = self._seat
        hand, void, indicator, drawn = self._hands[seat], self._voids[seat], self._indicators[seat], self._drawn
        held = hand
        if indicator is not None:
            held = ONE[indicator]
        elif self.ruleset.void_first and void is not None:
            held = hand & SUIT_MASK << SUIT_BITS * void or hand
        listed = list(compress(act.DISCARDS[seat], held.to_bytes(27, "little")))
        if not self._by_wall:
            return listed
        if drawn is None:
            if is_complete_packed(hand) and not self._holds_void(seat):
                listed.insert(0, act.HUS_AS_DEALT[seat])
        elif self._waits[seat] >> drawn & 1:
            listed.insert(0, act.HUS[seat][drawn])
        if self._left and (self._melds[seat] or hand + 4 * ALL & HIGH):
            listed += (act.KONGS[seat][kind] for kind in self._kong_kinds(seat))
        return listed

    def _kong_kinds(self, seat: int) -> Iterator[int]:
        """Kinds of which the seat may declare a kong on its turn, sorted."""
        hand, indicator = self._hands[seat], self._indicators[seat]
        if indicator is not None:
            hand -= ONE[indicator]
        pungs = {meld.tile for meld in self._melds[seat] if meld.type is MeldType.PUNG}
        void = self._voids[seat] if self.ruleset.breach_points else None
        for kind, count in enumerate(hand.to_bytes(27, "little")):
            if count and (count == 4 or kind in pungs) and kind // 9 != void:
                yield kind

    def _list_answers(self) -> Sequence[Action]:
        return self._queue[0]

    def _list_nothing(self) -> Sequence[Action]:
        return ()

    # What each verb does.

    def _push_void(self, action: Action) -> None:
        seat = action.seat
        self._indicators[seat] = action.tile
        self._voids[seat] = action.suit if action.tile is None else action.tile // 9
        self._note_waits(seat)
        self._seat = (seat + 1) % 4
        if self._seat == self.dealer:
            self._phase = _TURN

    def _push_draw(self, action: Action) -> None:
        seat, kind = action.seat, action.tile
        assert kind is not None
        self._hands[seat] += ONE[kind]
        self._left -= 1
        self._drawn = kind
        self._by_wall = True
        self._bars[seat] = 0
        self._phase = _TURN

    def _push_discard(self, action: Action) -> None:
        seat, kind = action.seat, action.tile
        assert kind is not None
        ruleset, void = self.ruleset, self._voids[seat]
        if ruleset.breach_points and void not in (None, kind // 9) and self._holds_void(seat):
            self._note_breach(seat)
        self._hands[seat] -= ONE[kind]
        self._rivers[seat] += (kind,)
        self._pool += ONE[kind]
        if kind == self._indicators[seat]:
            self._indicators[seat] = None
        self._note_waits(seat)
        self._drawn = None
        self._offered = kind
        shift = 8 * kind
        hands, waits, out = self._hands, self._waits, self._out
        queue = []
        for other in _AFTER[seat]:
            if (waits[other] >> kind & 1 or hands[other] >> shift & 7 > 1) and not out >> other & 1:
                options = self._claims(other, kind)
                if options:
                    queue.append((act.PASSES[other], *options))
        if queue:
            self._phase = _CLAIM
            self._queue = tuple(queue)
            self._answers = ()
        else:
            self._next_turn(seat)

    def _push_answer(self, action: Action) -> None:
        """Pass, pung, or a kong or Hu in a window."""
        seat = action.seat
        options = self._queue[0]
        if action.verb != act.HU and act.HUS[seat][self._offered] in options:
            self._bars[seat] = max(self._bars[seat], self._hand_value(seat, self._offered, self._offer_flags()))
        if action.verb != act.PASS:
            self._answers += (action,)
        self._queue = self._queue[1:]
        if not self._queue:
            if self._phase == _ROB:
                self._close_robbing()
            else:
                self._close_claims()

    def _push_kong(self, action: Action) -> None:
        if self._phase == _CLAIM:
            self._push_answer(action)
            return
        seat, kind = action.seat, action.tile
        assert kind is not None
        if self._hands[seat] >> 8 * kind & 7 == 4:
            self._hands[seat] -= 4 * ONE[kind]
            self._declare_kong(seat, Meld(MeldType.CONCEALED, kind), None)
            return
        self._hands[seat] -= ONE[kind]
        self._offered = kind
        queue = []
        for other in _AFTER[seat]:
            if self._waits[other] >> kind & 1 and not self._out >> other & 1:
                value = self._hand_value(other, kind, self._offer_flags(robbing=True))
                if value > self._bars[other]:
                    queue.append((act.PASSES[other], act.HUS[other][kind]))
        self._phase = _ROB
        self._queue = tuple(queue)
        self._answers = ()
        if not queue:
            self._close_robbing()

    def _push_hu(self, action: Action) -> None:
        if self._phase in (_CLAIM, _ROB):
            self._push_answer(action)
            return
        seat = action.seat
        flags = SELF_DRAWN
        if self._after_kong:
            flags |= AFTER_KONG
        if not self._left:
            flags |= UNDER_THE_SEA
        # A Hu on the dealt hand has no winning tile; any tile of it scores the same.
        winning = self._drawn if self._drawn is not None else unpack_tiles(self._hands[seat])[-1]
        winner = self._winner(seat, self._hands[seat] - ONE[winning], winning, flags, self._by_wall)
        self._win(SELF_DRAWN_HU, (winner,), None, bool(flags & AFTER_KONG), seat)

    def _push_time_up(self, _action: Action) -> None:
        self._finish(TIME_UP_END)

    # Steps that several verbs share.

    def _close_claims(self) -> None:
        seat, kind = self._seat, self._offered
        claims = standing_claims(self._answers)
        if not claims:
            self._next_turn(seat)
            return
        claim = claims[0]
        if claim.verb == act.HU:
            flags = SHOOT_AFTER_KONG if self._after_kong else 0
            self._win_offered(DISCARD_HU, tuple(one.seat for one in claims), flags)
            return
        self._pool -= ONE[kind]
        self._seat = claim.seat
        self._drawn = None
        self._after_kong = False
        if claim.verb == act.KONG:
            self._hands[claim.seat] -= 3 * ONE[kind]
            self._declare_kong(claim.seat, Meld(MeldType.MELDED, kind), seat)
            return
        self._hands[claim.seat] -= 2 * ONE[kind]
        self._add_meld(claim.seat, Meld(MeldType.PUNG, kind))
        self._by_wall = False
        self._phase = _TURN

    def _close_robbing(self) -> None:
        seat, kind = self._seat, self._offered
        type_ = MeldType.PROMOTED if self._drawn == kind else MeldType.POSTPONED
        hus = tuple(answer.seat for answer in self._answers)
        if hus:
            self._events += (Kong(seat, type_, robbed=True, chain=self._after_kong),)
            self._pool += ONE[kind]
            self._note_waits(seat)
            chained = SHOOT_AFTER_KONG if self._after_kong and self.ruleset.chain_rob_shoots else 0
            self._win_offered(ROBBED_KONG_HU, hus, ROBBING_KONG | chained)
            return
        melds = self._melds[seat]
        at = next(index for index, meld in enumerate(melds) if meld == (MeldType.PUNG, kind))
        self._melds[seat] = melds[:at] + melds[at + 1 :]
        self._declare_kong(seat, Meld(type_, kind), None)

    def _declare_kong(self, seat: int, meld: Meld, discarder: int | None) -> None:
        """A kong stands: note it, and let the seat draw its replacement."""
        self._add_meld(seat, meld)
        self._events += (Kong(seat, meld.type, discarder, chain=self._after_kong),)
        self._note_waits(seat)
        self._after_kong = True
        self._drawn = None
        self._phase = _MUST_DRAW

    def _add_meld(self, seat: int, meld: Meld) -> None:
        self._melds[seat] += (meld,)
        if meld.tile // 9 == self._voids[seat]:
            self._spoiled |= 1 << seat
            if self.ruleset.breach_points:
                self._note_breach(seat)

    def _win_offered(self, by: By, seats: tuple[int, ...], flags: int) -> None:
        if not self._left:
            flags |= UNDER_THE_SEA
        kind = self._offered
        winners = tuple(self._winner(seat, self._hands[seat], kind, flags, True) for seat in seats)
        self._win(by, winners, self._seat, self._after_kong, seats[-1])

    def _winner(self, seat: int, standing: int, winning: int, flags: int, allowed: bool) -> Winner:
        """The declared Hu. It is false when the turn or a passed Hu forbade it; a bad hand is found by the
        settlement.
        """
        barred = not flags & SELF_DRAWN and bool(self._bars[seat])
        if barred and is_complete_packed(standing + ONE[winning]):
            barred = self._hand_value(seat, winning, flags) <= self._bars[seat]
        breached = bool(self.ruleset.breach_points and self._spoiled >> seat & 1)
        return Winner(
            seat,
            unpack_tiles(standing),
            self._melds[seat],
            winning,
            self._voids[seat],
            frozenset(name for name, bit in CONDITIONS.items() if flags & bit),
            false=barred or breached or not allowed,
        )

    def _win(self, by: By, winners: tuple[Winner, ...], from_: int | None, after_kong: bool, last: int) -> None:
        self._events += (Hu(by, winners, from_, after_kong),)
        for winner in winners:
            self._out |= 1 << winner.seat
        if self._out.bit_count() >= 3:
            self._finish(THREE_HU)
        else:
            self._next_turn(last)

    def _next_turn(self, seat: int) -> None:
        """The turn passes from `seat` to the next one that has not won; the deal is over when the wall is empty
        (SBR-4.9).
        """
        if not self._left:
            self._finish(WALL)
            return
        out = self._out
        seat = (seat + 1) % 4
        while out >> seat & 1:
            seat = (seat + 1) % 4
        self._seat = seat
        self._drawn = None
        self._after_kong = False
        self._phase = _MUST_DRAW

    def _finish(self, end: End) -> None:
        self._end = end
        self._phase = _OVER
        self._queue = ()

    def _claims(self, seat: int, kind: int) -> list[Action]:
        """Legal claims on a discard, without the pass."""
        options = []
        if self._waits[seat] >> kind & 1:
            bar = self._bars[seat]
            if not bar or self._hand_value(seat, kind, self._offer_flags()) > bar:
                options.append(act.HUS[seat][kind])
        held = self._hands[seat] >> 8 * kind & 7
        if kind == self._indicators[seat]:
            held -= 1
        if held > 1 and not (self.ruleset.breach_points and kind // 9 == self._voids[seat]):
            options.append(act.PUNGS[seat][kind])
            if held == 3 and self._left:
                options.append(act.KONGS[seat][kind])
        return options

    def _offer_flags(self, robbing: bool = False) -> int:
        """Conditions of a Hu on the tile now offered."""
        if robbing or self._phase == _ROB:
            return ROBBING_KONG | (SHOOT_AFTER_KONG if self._after_kong and self.ruleset.chain_rob_shoots else 0)
        return (SHOOT_AFTER_KONG if self._after_kong else 0) | (0 if self._left else UNDER_THE_SEA)

    def _hand_value(self, seat: int, winning: int, flags: int) -> int:
        return score_packed(self._hands[seat] + ONE[winning], self._melds[seat], flags, self.ruleset).value

    def _holds_void(self, seat: int) -> bool:
        void = self._voids[seat]
        return (
            void is None or bool(self._hands[seat] >> SUIT_BITS * void & SUIT_MASK) or bool(self._spoiled >> seat & 1)
        )

    def _note_waits(self, seat: int) -> None:
        """Which tiles the seat may win on, kept between its turns; none while it holds its forbidden suit (SBR-3.2)."""
        hand, void = self._hands[seat], self._voids[seat]
        if void is None or hand >> SUIT_BITS * void & SUIT_MASK or self._spoiled >> seat & 1:
            self._waits[seat] = 0
        else:
            self._waits[seat] = waits_packed(hand)

    def _note_breach(self, seat: int) -> None:
        self._spoiled |= 1 << seat
        if Breach(seat) not in self._events:
            self._events += (Breach(seat),)

    def _may_stop(self) -> bool:
        return self._end is None and self.ruleset.time_up == "stop"

    def _final_hand(self, seat: int) -> FinalHand:
        void = self._voids[seat]
        hand = self._hands[seat]
        return FinalHand(
            seat,
            unpack_tiles(hand),
            self._melds[seat],
            void,
            only_void_discards=all(kind // 9 == void for kind in self._rivers[seat]),
        )


_LISTS: tuple[Callable[[Deal], Sequence[Action] | Iterator[Action]], ...] = (
    Deal._list_voids,
    Deal._list_draws,
    Deal._list_turn,
    Deal._list_answers,
    Deal._list_answers,
    Deal._list_nothing,
)
"""By phase."""

_PUSHES: dict[str, Callable[[Deal, Action], None]] = {
    act.VOID: Deal._push_void,
    act.DRAW: Deal._push_draw,
    act.DISCARD: Deal._push_discard,
    act.PASS: Deal._push_answer,
    act.PUNG: Deal._push_answer,
    act.KONG: Deal._push_kong,
    act.HU: Deal._push_hu,
    act.TIME_UP: Deal._push_time_up,
}
