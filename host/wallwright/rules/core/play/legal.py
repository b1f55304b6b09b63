"""What the seat that decides may do. Nothing here changes the deal."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from wallwright.rules.core.play import actions as act
from wallwright.rules.core.play import rules as play
from wallwright.rules.core.play.actions import Action
from wallwright.rules.core.play.rules import PlayRules, Winning
from wallwright.rules.core.play.state import (
    CLAIM,
    GIVE,
    LAY,
    MUST_DRAW,
    OVER,
    REPLACE,
    ROB,
    TURN,
    PlayState,
)
from wallwright.rules.core.readings import ONE, held, unpack_tiles
from wallwright.rules.core.sets import SetKind
from wallwright.rules.core.tiles import COPIES, STANDING, SUITED


def legal_actions(state: PlayState, rules: PlayRules) -> tuple[Action, ...]:
    """The actions of the seat that decides; empty when the deal is over."""
    seat = state.seat
    if state.phase in (CLAIM, ROB):
        return state.queue[0]
    if state.phase == LAY:
        return (Action(seat, act.FLOWER, (state.held[seat][0],)),)
    if state.phase in (REPLACE, MUST_DRAW):
        return tuple(_draws(state, state.phase == REPLACE))
    if state.phase == GIVE:
        return tuple(_gifts(state, rules))
    return tuple(_turn(state, rules)) if state.phase == TURN else ()


def _draws(state: PlayState, from_tail: bool) -> Iterator[Action]:
    verb = act.LOOSE if from_tail else act.DRAW
    if state.wall is not None:
        yield Action(state.seat, verb, (state.wall[state.next_at(from_tail)],))
    else:
        yield from (Action(state.seat, verb, (kind,)) for kind, count in enumerate(state.unseen) if count)


def _gifts(state: PlayState, rules: PlayRules) -> Iterator[Action]:
    number = rules.exchanges[state.exchange].tiles
    for tiles in _choices(state.hands[state.seat], number):
        yield Action(state.seat, act.GIVE, tiles)


@lru_cache(maxsize=64)
def _choices(hand: int, number: int) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(set(combinations(unpack_tiles(hand), number))))


def _turn(state: PlayState, rules: PlayRules) -> Iterator[Action]:
    seat, hand = state.seat, state.hands[state.seat]
    own = own_win(state, rules)
    if own is not None:
        yield Action(seat, act.WIN, () if state.drawn is None else (own.tile,))
    if state.left or rules.last_discard:
        yield from (_discard(seat, kind) for kind in dict.fromkeys(unpack_tiles(hand)))
    else:
        yield Action(seat, act.PASS)
    if state.by_wall and state.left:
        pungs = {one.tile for one in state.sets[seat] if one.kind is SetKind.PUNG and not one.is_concealed}
        for kind in dict.fromkeys(unpack_tiles(hand)):
            if held(hand, kind) == COPIES or kind in pungs:
                yield Action(seat, act.KONG, (kind,))


@lru_cache(maxsize=4 * STANDING)
def _discard(seat: int, kind: int) -> Action:
    return Action(seat, act.DISCARD, (kind,))


def own_win(state: PlayState, rules: PlayRules) -> Winning | None:
    """The win that the seat in turn may declare: on the tile drawn last, or on the dealt hand with any tile as last."""
    seat, hand = state.seat, state.hands[state.seat]
    if state.drawn is not None:
        found = winning_of(state, seat, hand - ONE[state.drawn], state.drawn)
        if state.drawn not in rules.completing(found.hand, found.sets):
            return None
        return found if rules.worth(found) is not None else None
    if not state.by_wall:
        return None
    best, most = None, -1
    for kind in dict.fromkeys(unpack_tiles(hand)):
        found = winning_of(state, seat, hand - ONE[kind], kind)
        if kind in rules.completing(found.hand, found.sets):
            worth = rules.worth(found)
            if worth is not None and worth > most:
                best, most = found, worth
    return best


def winning_of(state: PlayState, seat: int, hand: int, tile: int, from_: int | None = None) -> Winning:
    """The facts of a win: `hand` is without the tile, `from_` who discarded it or laid it to a kong."""
    conditions = set()
    by = play.BY_DISCARD
    if from_ is None:
        by = play.FROM_TAIL if state.from_tail else play.SELF_DRAWN
        if state.from_tail and state.kongs_in_turn:
            conditions.add(play.AFTER_KONG)
            if state.kongs_in_turn > 1:
                conditions.add(play.KONG_ON_KONG)
        if not state.left:
            conditions.add(play.LAST_TILE)
        if state.drawn is None:
            conditions.add(play.HEAVENLY)
    elif state.shown is not None:
        by = play.ROBBED_KONG
    else:
        if not state.left:
            conditions.add(play.LAST_DISCARD)
        if state.discards == 1 and not state.kongs:
            conditions.add(play.EARTHLY)
    return Winning(seat, hand, state.sets[seat], tile, by, from_, state.flowers[seat], frozenset(conditions))


def claims(state: PlayState, rules: PlayRules, kind: int) -> tuple[tuple[Action, ...], ...]:
    """For each seat with a legal claim on a discard, in the order of turns, its answers; to pass is the first."""
    queue = []
    for step in (1, 2, 3):
        seat = (state.seat + step) % 4
        options = list(_claims_of(state, rules, seat, kind, step == 1))
        if options:
            queue.append((Action(seat, act.PASS), *options))
    return tuple(queue)


def _claims_of(state: PlayState, rules: PlayRules, seat: int, kind: int, is_next: bool) -> Iterator[Action]:
    hand = state.hands[seat]
    if may_win(state, rules, seat, kind):
        yield Action(seat, act.WIN, (kind,))
    if not state.left:
        return
    number = held(hand, kind)
    if number >= 2:
        yield Action(seat, act.PUNG, (kind,))
        if number == COPIES - 1:
            yield Action(seat, act.KONG, (kind,))
    if is_next and kind < SUITED:
        for low in range(kind - 2, kind + 1):
            run = (low, low + 1, low + 2)
            if low >= 0 and low // 9 == (low + 2) // 9 and all(held(hand, one) for one in run if one != kind):
                yield Action(seat, act.CHOW, run)


def may_win(state: PlayState, rules: PlayRules, seat: int, kind: int) -> bool:
    """Whether a seat may declare a win on a tile of the seat in turn; not while its flowers wait to be replaced."""
    if state.owed[seat] or kind not in rules.completing(state.hands[seat], state.sets[seat]):
        return False
    found = winning_of(state, seat, state.hands[seat], kind, state.seat)
    if state.shown is not None and not rules.may_rob(found, state.shown):
        return False
    return rules.worth(found) is not None


def robbers(state: PlayState, rules: PlayRules, kind: int) -> tuple[tuple[Action, ...], ...]:
    """As `claims`, for the fourth tile of a kong: only to win."""
    seats = ((state.seat + step) % 4 for step in (1, 2, 3))
    return tuple(
        (Action(seat, act.PASS), Action(seat, act.WIN, (kind,))) for seat in seats if may_win(state, rules, seat, kind)
    )


def pending(state: PlayState) -> Sequence[int]:
    """The seats that have to decide now, the first one first."""
    if state.phase == OVER:
        return ()
    if state.phase in (CLAIM, ROB):
        return tuple(options[0].seat for options in state.queue)
    return (state.seat,)
