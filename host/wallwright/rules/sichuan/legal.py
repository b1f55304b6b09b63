"""What may be done in each phase of a tracked deal (docs/rules.md, "Action sequences"). Nothing here changes the
deal.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress

from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.deal_state import DealState
from wallwright.rules.sichuan.hands import is_complete_packed
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.packed import ALL, HIGH, ONE


def legal_actions(state: DealState) -> tuple[Action, ...]:
    """The actions of the seat that decides; empty when the deal is over."""
    return tuple(_LISTS[state.phase](state))


def _voids(state: DealState) -> Iterator[Action]:
    seat, hand = state.seat, state.hands[state.seat]
    for suit in range(3):
        held = hand & SUIT_MASK << SUIT_BITS * suit
        if held:
            yield from compress(act.VOIDS[seat], held.to_bytes(27, "little"))
        else:
            yield act.CARDS[seat][suit]


def _draws(state: DealState) -> Iterator[Action]:
    draws = act.DRAWS[state.seat]
    if state.own_walls:
        yield draws[state.own_walls[state.seat][len(state.own_walls[state.seat]) - state.left]]
        return
    if state.wall is not None:
        yield draws[state.wall[state.wall_size - state.left]]
        return
    known = state.open_tiles() + sum(state.hands)
    yield from (draws[kind] for kind, count in enumerate(known.to_bytes(27, "little")) if count < 4)


def _turn(state: DealState) -> Sequence[Action]:
    seat = state.seat
    hand, void, indicator, drawn = state.hands[seat], state.voids[seat], state.indicators[seat], state.drawn
    held = hand
    if indicator is not None:
        held = ONE[indicator]
    elif state.ruleset.void_first and void is not None:
        held = hand & SUIT_MASK << SUIT_BITS * void or hand
    listed = list(compress(act.DISCARDS[seat], held.to_bytes(27, "little")))
    if not state.by_wall:
        return listed
    if drawn is None:
        if is_complete_packed(hand) and not state.holds_void(seat):
            listed.insert(0, act.HUS_AS_DEALT[seat])
    elif state.waits[seat] >> drawn & 1:
        listed.insert(0, act.HUS[seat][drawn])
    if state.left and (state.melds[seat] or hand + 4 * ALL & HIGH):
        listed += (act.KONGS[seat][kind] for kind in _kong_kinds(state, seat))
    return listed


def _kong_kinds(state: DealState, seat: int) -> Iterator[int]:
    """Kinds of which the seat may declare a kong on its turn, sorted."""
    hand, indicator = state.hands[seat], state.indicators[seat]
    if indicator is not None:
        hand -= ONE[indicator]
    pungs = {meld.tile for meld in state.melds[seat] if meld.type is MeldType.PUNG}
    void = state.voids[seat] if state.ruleset.breach_points else None
    for kind, count in enumerate(hand.to_bytes(27, "little")):
        if count and (count == 4 or kind in pungs) and kind // 9 != void:
            yield kind


def _answers(state: DealState) -> Sequence[Action]:
    return state.queue[0]


def _nothing(_state: DealState) -> Sequence[Action]:
    return ()


def claims(state: DealState, seat: int, kind: int) -> list[Action]:
    """Legal claims on a discard, without the pass."""
    options = []
    if state.waits[seat] >> kind & 1:
        bar = state.bars[seat]
        if not bar or state.hand_value(seat, kind, state.offer_flags()) > bar:
            options.append(act.HUS[seat][kind])
    held = state.hands[seat] >> 8 * kind & 7
    if kind == state.indicators[seat]:
        held -= 1
    if held > 1 and not (state.ruleset.breach_points and kind // 9 == state.voids[seat]):
        options.append(act.PUNGS[seat][kind])
        if held == 3 and state.left_of(seat):
            options.append(act.KONGS[seat][kind])
    return options


_LISTS: tuple[Callable[[DealState], Sequence[Action] | Iterator[Action]], ...] = (
    _voids,
    _draws,
    _turn,
    _answers,
    _answers,
    _nothing,
)
"""By phase."""
