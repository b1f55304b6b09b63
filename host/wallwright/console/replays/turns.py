"""A finished deal of other games than Sichuan, step by step: of `rules.core.turns` as its table has tracked it, of any
game as it was declared. How something was won or called, and the clauses, the game says.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import BadDeal
from ...rules.core import acts
from ...rules.core.acts import Act
from ...rules.core.errors import RulesError
from ...rules.core.form import Form
from ...rules.core.form_parts import wind_notice
from ...rules.core.game import Record, TappedGame
from ...rules.core.game_rules import GameRules
from ...rules.core.notation import ToldDeal
from ...rules.core.sets import SetType
from ...rules.core.tiles import STANDING, parse_tile, parse_tiles, tile_name
from ...rules.core.turn_state import ON_DISCARD, ROB, ROBBED_KONG
from ...rules.core.turns import Turns
from ...tracking.moves import Moves
from ...words import Words, words
from .replay import END, START, Handed, Move, Position, Replay, SeatAt, names

WINS = "wins"
WON = words("won")
_CLAIMS = (acts.CHOW, acts.PUNG, acts.KONG, acts.HU)


class TurnsReplay(Replay):
    """The moves that a table has tracked. BadDeal when they do not reach the deal's end."""

    won = WON

    def __init__(self, moves: Moves[ToldDeal]) -> None:
        told = moves.deal
        if told.end is None:
            raise BadDeal(moves.number, words("its moves do not reach its end, so it is not shown; verify the journal"))
        self._told = told
        self._record = told.ruleset.asked(told.declared())
        form = form_of(told.ruleset, self._record)
        self.notices = tuple(notice.text for notice in moves.notices)
        self.facts = facts_of(form, self._record)
        first_ms = next((at_ms for at_ms in moves.times if at_ms is not None), 0)
        steps = [Move(START)]
        deal = self._begun()
        for number, (act, at_ms) in enumerate(zip(told.log, moves.times, strict=True)):
            source, by = _claimed_of(deal, act), _by(deal, act)
            deal.apply(act)
            since_ms = None if at_ms is None else at_ms - first_ms
            how, handed = _how(form, by), _handed(deal.handed())
            verb, is_doubtful = _verb(act, source), number in moves.doubtful
            steps.append(Move(verb, act.seat, tiles_of(act), source, since_ms, is_doubtful, how, handed))
        self.moves = (*steps, Move(END))

    def at(self, step: int) -> Position:
        """See Replay.at."""
        deal = self._begun()
        for act in self._told.log[:step]:
            deal.apply(act)
        seats = tuple(_tracked_seat(deal, seat) for seat in range(4))
        if step <= len(self._told.log):
            return Position(seats, deal.left, None, (), ())
        lines = self._told.game.explain(self._record)
        return Position(seats, deal.left, self._told.settle().points, (), (), lines)

    def _begun(self) -> Turns:
        told = self._told
        return told.game.start(told.ruleset.asked(told.begin), told.dealt, told.deal.wall_size)


class SettledReplay(Replay):
    """What was declared and came to these points: `record` in the shape of `wallwright rules settle`, by `rules`.

    RulesError when it cannot have happened. Of a record nothing is known here but events, winner and hands, as a form
    makes them of what was tapped in; a game that has others shows its begin and its end.
    """

    notices: tuple[str, ...] = ()
    won = WON

    def __init__(self, record: Record, rules: GameRules, points: tuple[int, int, int, int]) -> None:
        asked = rules.asked(record)
        self._points = points
        self._form = form_of(rules, asked)
        self._lines = rules.game.explain(asked)
        self.facts = facts_of(self._form, asked)
        self._shown: list[dict[int, SeatAt]] = [{}]
        moves = [Move(START)]
        for event in _declared(record):
            moves.append(_declared_move(event, self._form))
            self._shown.append(dict(self._winners(event)))
        self.moves = (*moves, Move(END))
        self._shown.append({seat: self._seat(hand) for seat, hand in enumerate(_hands_of(record)) if hand})

    def at(self, step: int) -> Position:
        """See Replay.at."""
        seats = [SeatAt()] * 4
        for shown in self._shown[: step + 1]:
            for seat, there in shown.items():
                seats[seat] = there if not seats[seat].has_won else seats[seat]
        is_end = step == len(self.moves) - 1
        points, lines = (self._points, self._lines) if is_end else (None, ())
        return Position(tuple(seats), None, points, (), (), lines)

    def _winners(self, event: Mapping[str, Any]) -> Iterator[tuple[int, SeatAt]]:
        for winner in _winners_of(event):
            yield winner["seat"], self._seat(winner, has_won=True)

    def _seat(self, hand: Mapping[str, Any], *, has_won: bool = False) -> SeatAt:
        """A hand that was shown, or its worth alone."""
        worth = None if self._form is None else hand.get(self._form.value_key)
        try:
            return SeatAt(
                names(parse_tiles(hand["standing"])),
                hand.get("winning"),
                tuple(names(sorted(parse_tiles(meld["tiles"]))) for meld in _list_of(hand.get("melds"))),
                has_won=has_won,
                flowers=names(parse_tile(one) for one in hand.get("flowers") or ()),
                worth=worth,
            )
        except (KeyError, TypeError, RulesError):
            return SeatAt(has_won=has_won, worth=worth)


def form_of(rules: GameRules, record: Record) -> Form | None:
    """The form of the game, which has words for what it declares; None where it has none."""
    return rules.game.form(record) if isinstance(rules.game, TappedGame) else None


def facts_of(form: Form | None, record: Record) -> tuple[Words, ...]:
    """What is said of a deal before its first step."""
    notices = () if form is None else tuple(form.notices)
    wind = wind_notice(record)
    return notices if "round_wind" not in record or wind in notices else (wind, *notices)


def tiles_of(act: Act) -> tuple[str, ...]:
    """The tiles that are shown with an act."""
    if act.tile is None:
        return ()
    return names((act.tile, act.tile + 1, act.tile + 2) if act.verb == acts.CHOW else (act.tile,))


def _claimed_of(deal: Turns, act: Act) -> int | None:
    """Whose tile is claimed by an act that is not done yet."""
    state = deal.state
    return state.source if act.verb in _CLAIMS and (state.queue or act.seat != state.seat) else None


def _by(deal: Turns, act: Act) -> str | None:
    """How an act that is not done yet wins."""
    if act.verb != acts.HU:
        return None
    if deal.state.phase == ROB:
        return ROBBED_KONG
    return deal.by if _claimed_of(deal, act) is None else ON_DISCARD


def _verb(act: Act, source: int | None) -> str:
    """What an act is called in `texts.DEAL_MOVES`."""
    if act.verb == acts.KONG:
        return "own kong" if source is None else "claimed kong"
    return WINS if act.verb == acts.HU else act.verb


def _tracked_seat(deal: Turns, seat: int) -> SeatAt:
    state, won = deal.state, deal.state.won
    hand = list(deal.hand(seat))
    has_won = won is not None and seat in won.winners
    latest = None
    if won is not None and won.from_ is not None:
        latest = won.tile if has_won else None
    elif state.phase == ROB and seat == state.source:
        # The tile of a kong that others may rob.
        latest = state.offered
    elif seat == state.seat and state.drawn in hand:
        latest = state.drawn
        hand.remove(latest)
    waiting = names(kind for kind in state.waiting[seat] if kind >= STANDING)
    return SeatAt(
        (*names(hand), *waiting),
        None if latest is None else tile_name(latest),
        tuple(names(one.tiles) for one in state.sets[seat]),
        names(state.rivers[seat]),
        has_won=has_won,
        flowers=names(state.flowers[seat]),
    )


def _handed(handed: Sequence[tuple[int, int, int]]) -> tuple[Handed, ...]:
    """An exchange, by who gave and who has it now."""
    pairs = dict.fromkeys((one, other) for one, _, other in handed)
    return tuple(
        Handed(one, names(kind for giver, kind, taker in handed if (giver, taker) == (one, other)), other)
        for one, other in pairs
    )


def _how(form: Form | None, by: object) -> Words | None:
    return None if form is None else form.labels.get(f"by.{by}")


def _declared(record: Record) -> Iterator[Mapping[str, Any]]:
    """What was declared, in its order; a winner whom the record names by itself comes last."""
    yield from (event for event in _list_of(record.get("events")) if isinstance(event, Mapping))
    winner, hands = record.get("winner"), _hands_of(record)
    if isinstance(winner, int) and winner in range(4):
        shown = hands[winner] if winner < len(hands) else {}
        yield {"type": "hu", "by": record.get("by"), "from": record.get("from"), "winners": [{**shown, "seat": winner}]}


def _declared_move(event: Mapping[str, Any], form: Form | None) -> Move:
    kind, seat, from_ = str(event.get("type")), event.get("seat"), event.get("from")
    winners = _winners_of(event)
    if winners:
        winning = winners[0].get("winning")
        how = _how(form, event.get("by"))
        return Move(WINS, winners[0]["seat"], () if winning is None else (winning,), from_, how=how)
    if kind == "kong" and event.get("kind") in tuple(SetType):
        return Move(f"{event['kind']} kong", seat, (), from_, how=words("robbed") if event.get("robbed") else None)
    said = None if form is None else form.labels.get(kind)
    return Move("declares", seat, (), from_, how=said or Words(kind))


def _winners_of(event: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    winners = _list_of(event.get("winners"))
    return [one for one in winners if isinstance(one, Mapping) and one.get("seat") in range(4)]


def _hands_of(record: Record) -> Sequence[Mapping[str, Any]]:
    """The hands by seat, an empty one for whoever showed none."""
    return [one if isinstance(one, Mapping) else {} for one in _list_of(record.get("hands"))[:4]]


def _list_of(found: object) -> Sequence[Any]:
    return found if isinstance(found, list | tuple) else ()
