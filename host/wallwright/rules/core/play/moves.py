"""What an action does to a deal, and who decides next. Whether it was legal is for `legal` to say."""

from collections.abc import Callable

from wallwright.rules.core.play import actions as act
from wallwright.rules.core.play.actions import Action
from wallwright.rules.core.play.legal import claims, own_win, robbers, winning_of
from wallwright.rules.core.play.rules import AT_ONCE, FIRST_TURN, PlayRules
from wallwright.rules.core.play.state import (
    CLAIM,
    GIVE,
    LAY,
    MUST_DRAW,
    OVER,
    REPLACE,
    ROB,
    TURN,
    WALL_END,
    WIN_END,
    PlayState,
    replaced,
)
from wallwright.rules.core.readings import ONE, held, pack_tiles
from wallwright.rules.core.sets import SetKind, SetType, TileSet, chow, kong, pung
from wallwright.rules.core.tiles import COPIES, STANDING


def begin(state: PlayState, rules: PlayRules) -> None:
    """Find the first decision of a deal: flowers, an exchange, or East's turn."""
    _continue(state, rules)


def push(state: PlayState, rules: PlayRules, action: Action) -> None:
    """Carry an action out."""
    _PUSHES[action.verb](state, rules, action)


def _continue(state: PlayState, rules: PlayRules) -> None:
    """Who decides after a flower was laid out or a tile came from the tail."""
    if state.setup < 4:
        _continue_setup(state, rules)
    elif state.held[state.seat]:
        state.phase = LAY
    elif state.owed[state.seat]:
        _must_replace(state)
    else:
        state.phase = TURN


def _continue_setup(state: PlayState, rules: PlayRules) -> None:
    """Dealt flowers, seat by seat from East on."""
    while state.setup < 4:
        seat = state.seat = (state.east + state.setup) % 4
        if state.laying and state.held[seat]:
            state.phase = LAY
            return
        state.laying = False
        if state.owed[seat] and rules.flowers != FIRST_TURN:
            _must_replace(state)
            return
        state.laying = True
        if rules.flowers == AT_ONCE and state.held[seat]:
            continue
        state.setup += 1
        if state.setup == 4 and any(state.held):
            # Everybody has replaced once; whoever drew flowers replaces again.
            state.setup = 0
    state.seat = state.east
    state.drawn, state.from_tail = None, False
    if rules.exchanges:
        state.phase = GIVE
    else:
        _continue(state, rules)


def _must_replace(state: PlayState) -> None:
    """A flower or a kong that finds no tile at the tail ends the deal."""
    if state.left:
        state.phase = REPLACE
    else:
        _finish(state, WALL_END)


def _push_flower(state: PlayState, rules: PlayRules, action: Action) -> None:
    (kind,), seat = action.tiles, action.seat
    rest = list(state.held[seat])
    rest.remove(kind)
    state.held = replaced(state.held, seat, tuple(rest))
    state.flowers = replaced(state.flowers, seat, (*state.flowers[seat], kind))
    state.owed = replaced(state.owed, seat, state.owed[seat] + 1)
    _continue(state, rules)


def _push_draw(state: PlayState, rules: PlayRules, action: Action) -> None:
    _take(state, action, False)
    _continue(state, rules)


def _push_loose(state: PlayState, rules: PlayRules, action: Action) -> None:
    _take(state, action, True)
    state.owed = replaced(state.owed, action.seat, state.owed[action.seat] - 1)
    _continue(state, rules)


def _take(state: PlayState, action: Action, from_tail: bool) -> None:
    (kind,) = action.tiles
    if state.wall is not None:
        state.leave(from_tail)
    state.take(action.seat, kind)
    state.drawn = kind if kind < STANDING else None
    state.from_tail = from_tail


def _push_give(state: PlayState, rules: PlayRules, action: Action) -> None:
    """Keep what was laid down until all four have; then all hands change at once."""
    state.given = (*state.given, action.tiles)
    state.hands = replaced(state.hands, action.seat, state.hands[action.seat] - pack_tiles(action.tiles))
    state.seat = (action.seat + 1) % 4
    if len(state.given) < 4:
        return
    partner = rules.exchanges[state.exchange].partner
    for number, tiles in enumerate(state.given):
        to = (state.east + (number ^ partner)) % 4
        state.hands = replaced(state.hands, to, state.hands[to] + pack_tiles(tiles))
    state.given = ()
    state.exchange += 1
    if state.exchange == len(rules.exchanges):
        _continue(state, rules)


def _push_discard(state: PlayState, rules: PlayRules, action: Action) -> None:
    (kind,), seat = action.tiles, action.seat
    state.hands = replaced(state.hands, seat, state.hands[seat] - ONE[kind])
    state.rivers = replaced(state.rivers, seat, (*state.rivers[seat], kind))
    state.discards += 1
    state.offered, state.answers, state.shown = kind, (), None
    state.queue = claims(state, rules, kind)
    if state.queue:
        state.phase = CLAIM
    else:
        _next_turn(state)


def _push_answer(state: PlayState, rules: PlayRules, action: Action) -> None:
    """Note an answer to a discard or a kong; the last one decides. A pass in an own turn ends a deal without tiles."""
    if state.phase not in (CLAIM, ROB):
        _finish(state, WALL_END)
        return
    state.answers = (*state.answers, action)
    state.queue = tuple(options for options in state.queue if options[0].seat != action.seat)
    if not state.queue:
        (_close_claims if state.phase == CLAIM else _close_robbing)(state, rules)


def _push_win(state: PlayState, rules: PlayRules, action: Action) -> None:
    if state.phase in (CLAIM, ROB):
        _push_answer(state, rules, action)
        return
    found = own_win(state, rules)
    assert found is not None, "only a legal win is pushed"
    state.winners = (found,)
    _finish(state, WIN_END)


def _push_kong(state: PlayState, rules: PlayRules, action: Action) -> None:
    if state.phase == CLAIM:
        _push_answer(state, rules, action)
        return
    (kind,), seat = action.tiles, action.seat
    type_ = SetType.PROMOTED if state.drawn == kind else SetType.POSTPONED
    if held(state.hands[seat], kind) == COPIES:
        type_ = SetType.CONCEALED
    state.shown = kong(kind, type_)
    state.hands = replaced(state.hands, seat, state.hands[seat] - _own_tiles(state.shown) * ONE[kind])
    state.offered, state.answers = kind, ()
    state.queue = robbers(state, rules, kind)
    state.phase = ROB
    if not state.queue:
        _close_robbing(state, rules)


def _own_tiles(declared: TileSet) -> int:
    """How many tiles of a kong that nobody discarded for come from the hand."""
    return COPIES if declared.is_concealed else 1


def _wins(state: PlayState) -> list[Action]:
    wins = [answer for answer in state.answers if answer.verb == act.WIN]
    return sorted(wins, key=lambda answer: (answer.seat - state.seat) % 4)


def _close_claims(state: PlayState, rules: PlayRules) -> None:
    """A win goes before pung and kong, these before a chow."""
    if wins := _wins(state):
        _win_offered(state, rules, wins)
        return
    by_rank = {act.PUNG: 1, act.KONG: 1, act.CHOW: 2}
    standing = [answer for answer in state.answers if answer.verb in by_rank]
    if not standing:
        _next_turn(state)
        return
    claim = min(standing, key=lambda answer: by_rank[answer.verb])
    kind, discarder, seat = state.offered, state.seat, claim.seat
    assert kind is not None
    state.rivers = replaced(state.rivers, discarder, state.rivers[discarder][:-1])
    _begin_turn(state, seat)
    state.by_wall = False
    if claim.verb == act.KONG:
        _take_out(state, seat, (COPIES - 1) * ONE[kind])
        _declare_kong(state, rules, kong(kind), discarder)
        return
    if claim.verb == act.PUNG:
        _take_out(state, seat, 2 * ONE[kind])
        _lay_down(state, seat, pung(kind))
    else:
        _take_out(state, seat, pack_tiles(claim.tiles) - ONE[kind])
        _lay_down(state, seat, chow(claim.tiles[0]))
    _continue(state, rules)


def _close_robbing(state: PlayState, rules: PlayRules) -> None:
    added = state.shown
    assert added is not None
    if wins := _wins(state):
        state.kongs = (*state.kongs, (state.seat, added, None, True))
        _win_offered(state, rules, wins)
        return
    seat = state.seat
    state.shown = None
    if not added.is_concealed:
        others = tuple(one for one in state.sets[seat] if (one.kind, one.tile) != (SetKind.PUNG, added.tile))
        state.sets = replaced(state.sets, seat, others)
    _declare_kong(state, rules, added, None)


def _win_offered(state: PlayState, rules: PlayRules, wins: list[Action]) -> None:
    kind = state.offered
    assert kind is not None
    declared = [winning_of(state, win.seat, state.hands[win.seat], kind, state.seat) for win in wins]
    state.winners = tuple(rules.winners(declared))
    _finish(state, WIN_END)


def _declare_kong(state: PlayState, rules: PlayRules, declared: TileSet, discarder: int | None) -> None:
    """Lay a kong down, whose tiles have left the hand; a replacement is owed."""
    seat = state.seat
    _lay_down(state, seat, declared)
    state.kongs = (*state.kongs, (seat, declared, discarder, False))
    state.kongs_in_turn += 1
    state.owed = replaced(state.owed, seat, state.owed[seat] + 1)
    _continue(state, rules)


def _take_out(state: PlayState, seat: int, tiles: int) -> None:
    state.hands = replaced(state.hands, seat, state.hands[seat] - tiles)


def _lay_down(state: PlayState, seat: int, declared: TileSet) -> None:
    state.sets = replaced(state.sets, seat, (*state.sets[seat], declared))


def _begin_turn(state: PlayState, seat: int) -> None:
    state.seat, state.drawn, state.from_tail = seat, None, False
    state.by_wall, state.kongs_in_turn = True, 0
    state.offered, state.shown, state.answers = None, None, ()


def _next_turn(state: PlayState) -> None:
    """The turn passes counter-clockwise; the deal is over when the wall is empty."""
    if not state.left:
        _finish(state, WALL_END)
        return
    _begin_turn(state, (state.seat + 1) % 4)
    state.phase = MUST_DRAW


def _finish(state: PlayState, end: str) -> None:
    state.end, state.phase, state.queue = end, OVER, ()


_PUSHES: dict[str, Callable[[PlayState, PlayRules, Action], None]] = {
    act.FLOWER: _push_flower,
    act.DRAW: _push_draw,
    act.LOOSE: _push_loose,
    act.GIVE: _push_give,
    act.DISCARD: _push_discard,
    act.PASS: _push_answer,
    act.CHOW: _push_answer,
    act.PUNG: _push_answer,
    act.KONG: _push_kong,
    act.WIN: _push_win,
}
