"""What each action does to a tracked deal. Whether it is legal is not asked here; breaches and false Hu are noted."""

from collections.abc import Callable

from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.claims import standing_claims
from wallwright.rules.sichuan.deal_state import AFTER, CLAIM, MUST_DRAW, OVER, ROB, TURN, DealState
from wallwright.rules.sichuan.events import (
    DISCARD_HU,
    ROBBED_KONG_HU,
    SELF_DRAWN_HU,
    THREE_HU,
    TIME_UP_END,
    WALL,
    Breach,
    By,
    End,
    Hu,
    Kong,
    Winner,
)
from wallwright.rules.sichuan.fans import (
    AFTER_KONG,
    CONDITIONS,
    ROBBING_KONG,
    SELF_DRAWN,
    SHOOT_AFTER_KONG,
    UNDER_THE_SEA,
)
from wallwright.rules.sichuan.hands import is_complete_packed
from wallwright.rules.sichuan.legal import claims
from wallwright.rules.sichuan.melds import Meld, MeldType
from wallwright.rules.sichuan.packed import ONE, unpack_tiles


def push(state: DealState, action: Action) -> None:
    """Do an action of the seat that decides."""
    _PUSHES[action.verb](state, action)


def _push_void(state: DealState, action: Action) -> None:
    seat = action.seat
    state.indicators[seat] = action.tile
    state.voids[seat] = action.suit if action.tile is None else action.tile // 9
    state.note_waits(seat)
    state.seat = (seat + 1) % 4
    if state.seat == state.dealer:
        state.phase = TURN


def _push_draw(state: DealState, action: Action) -> None:
    seat, kind = action.seat, action.tile
    assert kind is not None
    state.hands[seat] += ONE[kind]
    state.take(seat)
    state.drawn = kind
    state.by_wall = True
    state.bars[seat] = 0
    state.phase = TURN


def _push_discard(state: DealState, action: Action) -> None:
    seat, kind = action.seat, action.tile
    assert kind is not None
    ruleset, void = state.ruleset, state.voids[seat]
    if ruleset.breach_points and void not in (None, kind // 9) and state.holds_void(seat):
        _note_breach(state, seat)
    state.hands[seat] -= ONE[kind]
    state.rivers[seat] += (kind,)
    state.pool += ONE[kind]
    if kind == state.indicators[seat]:
        state.indicators[seat] = None
    state.note_waits(seat)
    state.drawn = None
    state.offered = kind
    state.source = seat
    shift = 8 * kind
    hands, waits, out = state.hands, state.waits, state.out
    queue = []
    for other in AFTER[seat]:
        if (waits[other] >> kind & 1 or hands[other] >> shift & 7 > 1) and not out >> other & 1:
            options = claims(state, other, kind)
            if options:
                queue.append((act.PASSES[other], *options))
    if queue:
        state.phase = CLAIM
        state.queue = tuple(queue)
        state.answers = ()
    else:
        _next_turn(state, seat)


def _push_answer(state: DealState, action: Action) -> None:
    """Pass, pung, or a kong or Hu in a window."""
    seat = action.seat
    options = state.queue[0]
    if action.verb != act.HU and act.HUS[seat][state.offered] in options:
        state.bars[seat] = max(state.bars[seat], state.hand_value(seat, state.offered, state.offer_flags()))
    if action.verb != act.PASS:
        state.answers += (action,)
    state.queue = state.queue[1:]
    if not state.queue:
        if state.phase == ROB:
            _close_robbing(state)
        else:
            _close_claims(state)


def _push_kong(state: DealState, action: Action) -> None:
    if state.phase == CLAIM:
        _push_answer(state, action)
        return
    seat, kind = action.seat, action.tile
    assert kind is not None
    if state.hands[seat] >> 8 * kind & 7 == 4:
        state.hands[seat] -= 4 * ONE[kind]
        _declare_kong(state, seat, Meld(MeldType.CONCEALED, kind), None)
        return
    # The tile lies open until it is known whether it is robbed.
    state.hands[seat] -= ONE[kind]
    state.pool += ONE[kind]
    state.offered = kind
    state.source = seat
    queue = []
    for other in AFTER[seat]:
        if state.waits[other] >> kind & 1 and not state.out >> other & 1:
            value = state.hand_value(other, kind, state.offer_flags(robbing=True))
            if value > state.bars[other]:
                queue.append((act.PASSES[other], act.HUS[other][kind]))
    state.phase = ROB
    state.queue = tuple(queue)
    state.answers = ()
    if not queue:
        _close_robbing(state)


def _push_hu(state: DealState, action: Action) -> None:
    if state.phase in (CLAIM, ROB):
        _push_hu_on_offer(state, action)
        return
    if state.phase == MUST_DRAW and not state.after_kong and action.tile == state.offered:
        # Declared on the last discard by a player whom no window asked, so against the rules.
        state.seat = state.source
        state.answers = (action,)
        _close_claims(state)
        return
    seat = action.seat
    flags = SELF_DRAWN
    if state.after_kong:
        flags |= AFTER_KONG
    if not state.left:
        flags |= UNDER_THE_SEA
    # A Hu on the dealt hand has no winning tile; any tile of it scores the same.
    winning = state.drawn if state.drawn is not None else unpack_tiles(state.hands[seat])[-1]
    winner = _winner(state, seat, state.hands[seat] - ONE[winning], winning, flags, state.by_wall)
    _win(state, SELF_DRAWN_HU, (winner,), None, bool(flags & AFTER_KONG), seat)


def _push_hu_on_offer(state: DealState, action: Action) -> None:
    if action.seat == state.queue[0][0].seat:
        _push_answer(state, action)
        return
    # Against the rules, by a player who is not asked now; it stands beside the answers, and is not asked for again.
    state.answers += (action,)
    state.queue = tuple(options for options in state.queue if options[0].seat != action.seat)


def _push_time_up(state: DealState, _action: Action) -> None:
    _finish(state, TIME_UP_END)


def _close_claims(state: DealState) -> None:
    seat, kind = state.seat, state.offered
    claims = standing_claims(state.answers)
    if not claims:
        _next_turn(state, seat)
        return
    claim = claims[0]
    if claim.verb == act.HU:
        flags = SHOOT_AFTER_KONG if state.after_kong else 0
        _win_offered(state, DISCARD_HU, tuple(one.seat for one in claims), flags)
        return
    state.pool -= ONE[kind]
    state.give_turn(claim.seat)
    state.drawn = None
    state.after_kong = False
    if claim.verb == act.KONG:
        state.hands[claim.seat] -= 3 * ONE[kind]
        _declare_kong(state, claim.seat, Meld(MeldType.MELDED, kind), seat)
        return
    state.hands[claim.seat] -= 2 * ONE[kind]
    _add_meld(state, claim.seat, Meld(MeldType.PUNG, kind))
    state.by_wall = False
    state.phase = TURN


def _close_robbing(state: DealState) -> None:
    seat, kind = state.seat, state.offered
    type_ = MeldType.PROMOTED if state.drawn == kind else MeldType.POSTPONED
    hus = tuple(answer.seat for answer in state.answers)
    if hus:
        state.events += (Kong(seat, type_, robbed=True, chain=state.after_kong),)
        state.note_waits(seat)
        chained = SHOOT_AFTER_KONG if state.after_kong and state.ruleset.chain_rob_shoots else 0
        _win_offered(state, ROBBED_KONG_HU, hus, ROBBING_KONG | chained)
        return
    state.pool -= ONE[kind]
    melds = state.melds[seat]
    at = next(index for index, meld in enumerate(melds) if meld == (MeldType.PUNG, kind))
    state.melds[seat] = melds[:at] + melds[at + 1 :]
    _declare_kong(state, seat, Meld(type_, kind), None)


def _declare_kong(state: DealState, seat: int, meld: Meld, discarder: int | None) -> None:
    """A kong stands: note it, and let the seat draw its replacement."""
    _add_meld(state, seat, meld)
    state.events += (Kong(seat, meld.type, discarder, chain=state.after_kong),)
    state.note_waits(seat)
    state.after_kong = True
    state.drawn = None
    state.phase = MUST_DRAW


def _add_meld(state: DealState, seat: int, meld: Meld) -> None:
    state.melds[seat] += (meld,)
    if meld.tile // 9 == state.voids[seat]:
        state.spoiled |= 1 << seat
        if state.ruleset.breach_points:
            _note_breach(state, seat)


def _win_offered(state: DealState, by: By, seats: tuple[int, ...], flags: int) -> None:
    if not state.left:
        flags |= UNDER_THE_SEA
    kind = state.offered
    seats = tuple(sorted(seats, key=lambda seat: (seat - state.source) % 4))
    winners = tuple(_winner(state, seat, state.hands[seat], kind, flags, True) for seat in seats)
    _win(state, by, winners, state.seat, state.after_kong, seats[-1])


def _winner(state: DealState, seat: int, standing: int, winning: int, flags: int, allowed: bool) -> Winner:
    """The declared Hu. It is false when the turn or a passed Hu forbade it; a bad hand is found by the
    settlement.
    """
    barred = not flags & SELF_DRAWN and bool(state.bars[seat])
    if barred and is_complete_packed(standing + ONE[winning]):
        barred = state.hand_value(seat, winning, flags) <= state.bars[seat]
    breached = bool(state.ruleset.breach_points and state.spoiled >> seat & 1)
    return Winner(
        seat,
        unpack_tiles(standing),
        state.melds[seat],
        winning,
        state.voids[seat],
        frozenset(name for name, bit in CONDITIONS.items() if flags & bit),
        false=barred or breached or not allowed,
    )


def _win(state: DealState, by: By, winners: tuple[Winner, ...], from_: int | None, after_kong: bool, last: int) -> None:
    state.events += (Hu(by, winners, from_, after_kong),)
    for winner in winners:
        state.out |= 1 << winner.seat
    if state.out.bit_count() >= 3:
        _finish(state, THREE_HU)
    else:
        _next_turn(state, last)


def _next_turn(state: DealState, seat: int) -> None:
    """The turn passes from `seat` to the next one that has not won; the deal is over when the wall is empty
    (SBR-4.9, 11.9).
    """
    out = state.out
    seat = (seat + 1) % 4
    while out >> seat & 1:
        seat = (seat + 1) % 4
    if not state.left_of(seat):
        _finish(state, WALL)
        return
    state.give_turn(seat)
    state.drawn = None
    state.after_kong = False
    state.phase = MUST_DRAW


def _finish(state: DealState, end: End) -> None:
    state.end = end
    state.phase = OVER
    state.queue = ()


def _note_breach(state: DealState, seat: int) -> None:
    state.spoiled |= 1 << seat
    if Breach(seat) not in state.events:
        state.events += (Breach(seat),)


_PUSHES: dict[str, Callable[[DealState, Action], None]] = {
    act.VOID: _push_void,
    act.DRAW: _push_draw,
    act.DISCARD: _push_discard,
    act.PASS: _push_answer,
    act.PUNG: _push_answer,
    act.KONG: _push_kong,
    act.HU: _push_hu,
    act.TIME_UP: _push_time_up,
}
