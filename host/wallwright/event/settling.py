"""Settles a declared deal by the rules of an event, whatever its game.

Sichuan, whose deals tables and bots report as well, has questions of its own to a scorer; every other game is asked for
what each game can say, see `wallwright.rules.core.game`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..errors import EventRefused
from ..rules.core.errors import RulesError
from ..rules.core.form import Form
from ..rules.core.game import ComparedGame, SessionGame, TappedGame, dealer_of
from ..rules.core.game_rules import GameRules
from ..rules.sichuan.agreed import contradictions
from ..rules.sichuan.doubts import doubts
from ..rules.sichuan.explain import explain
from ..rules.sichuan.form import form_of
from ..rules.sichuan.records import read_deal, settlement_record
from ..rules.sichuan.settlement import Settlement
from ..words import Seat, Words, told_by, words
from .doubtful import Doubtful
from .format import APPROVE, EventFormat


@dataclass(frozen=True, slots=True)
class Settled:
    """What a declared deal comes to. `declared` is the whole record, with what followed from the deal before.

    `body` has the further fields of its entry, `irregular` what the rules leave to a referee, `unproved` what waits for
    one, `explain` says the settlement in sentences.
    """

    declared: Mapping[str, Any]
    points: tuple[int, ...]
    body: Mapping[str, Any]
    irregular: tuple[Words, ...]
    unproved: tuple[Words, ...]
    explain: Callable[[], tuple[Words, ...]] = field(compare=False, repr=False)

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return dealer_of(self.declared)


def settle(
    event_format: EventFormat, record: Mapping[str, Any], dealer: int, kept: Mapping[str, Any] | None, *, asks: bool
) -> Settled:
    """Settle a deal that `dealer` deals unless the record says otherwise; `kept` is what the deal before has left.

    EventRefused says what cannot have happened. Doubtful, with `asks`, asks what may have been mistyped.
    """
    rules = event_format.ruleset
    if record.get("ruleset", rules.name) != rules.name or "fan_limit" in record or "options" in record:
        problem = "this event is played by {ruleset}; leave ruleset and fan_limit out of the deal"
        raise EventRefused(words(problem, ruleset=rules.said_name))
    try:
        if isinstance(rules, GameRules):
            return _by_game(rules, record, dealer, kept)
        return _by_sichuan(event_format, {"dealer": dealer, **record}, asks=asks)
    except RulesError as error:
        problem = "this cannot have happened: {why}. A referee may record the points as they stand, with a reason"
        raise EventRefused(words(problem, why=told_by(error))) from error


def form_of_deal(event_format: EventFormat, kept: Mapping[str, Any] | None) -> Form | None:
    """Return the form on which a deal is tapped in; `kept` is what the deal before has left, or the deal's own record.

    None when the game has none.
    """
    rules = event_format.ruleset
    if not isinstance(rules, GameRules):
        return form_of(rules)
    game = rules.game
    if not isinstance(game, TappedGame):
        return None
    return game.form(rules.asked(kept or game.next_deal(rules.asked({}), None)))


def explain_declared(event_format: EventFormat, declared: Mapping[str, Any]) -> tuple[Words, ...]:
    """Return a settlement in sentences, from the record that its entry keeps. Raises RulesError."""
    rules = event_format.ruleset
    if isinstance(rules, GameRules):
        return rules.game.explain(rules.asked(declared))
    return explain(read_deal(declared, rules).settle(), rules)


def sums_to_zero(event_format: EventFormat) -> bool:
    """Return whether what one player loses at these rules others receive, fines aside."""
    rules = event_format.ruleset
    return not isinstance(rules, GameRules) or rules.game.sums_to_zero(rules.asked({}))


def _by_game(rules: GameRules, record: Mapping[str, Any], dealer: int, kept: Mapping[str, Any] | None) -> Settled:
    game = rules.game
    declared = {**rules.begin_of(dealer, kept), **record}
    asked = rules.asked(declared)
    settled = game.settle(asked)
    coming = game.next_deal(asked, settled)
    points: Any = settled["points"]
    is_over = isinstance(game, SessionGame) and game.is_session_over(asked, settled)
    body = {
        "points": list(points),
        "penalties": [],
        "winners": list(game.winners(asked)),
        "next_dealer": dealer_of(coming),
        "kept": coming,
        **({"session_over": True} if is_over else {}),
    }
    irregular = game.contradictions(asked) if isinstance(game, ComparedGame) else ()
    return Settled(declared, tuple(points), body, irregular, (), partial(game.explain, asked))


def _by_sichuan(event_format: EventFormat, declared: Mapping[str, Any], *, asks: bool) -> Settled:
    rules = event_format.sichuan
    deal = read_deal(declared, rules)
    settlement = deal.settle()
    if asks and (found := doubts(deal, settlement)):
        raise Doubtful(found)
    settled = settlement_record(settlement)
    body = {
        "points": settled["points"],
        "penalties": settled["penalties"],
        "winners": list(settlement.winners),
        "next_dealer": settlement.next_dealer,
        "false_hu": [
            {"seat": judged.seat, "referee": judged.winner.referee}
            for hu in settlement.hu
            for judged in hu.winners
            if judged.false
        ],
        "agreed": [
            judged.seat
            for hu in settlement.hu
            for judged in hu.winners
            if judged.winner.standing is None and not judged.false
        ],
    }
    irregular = contradictions(deal)
    if settlement.end == "time_up" and rules.time_up != "stop":
        text = "{ruleset} plays the deal in progress out when time is up (SBR-4.9)"
        irregular += (words(text, ruleset=rules.said_name),)
    unproved = tuple(_unproved(settlement, event_format.agreed_values))
    lines = partial(explain, settlement, rules)
    return Settled(declared, tuple(settlement.points), body, irregular, unproved, lines)


def _unproved(settlement: Settlement, agreed_values: str) -> Iterator[Words]:
    for judged in (judged for hu in settlement.hu for judged in hu.winners):
        winner = judged.winner
        if judged.false:
            yield words("false Hu of {seat}: {why}", seat=Seat(winner.seat), why=judged.why)
        elif winner.standing is None and agreed_values == APPROVE:
            text = "Hu of {seat}: its value was agreed at the table, no tiles"
            yield words(text, seat=Seat(winner.seat))
