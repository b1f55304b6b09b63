"""Who deals next at the tables of an event, for their walls: see `wallwright.table.next_walls`."""

from collections.abc import Mapping
from typing import Any

from ..rules.core.game_rules import GameRules
from ..table.next_walls import Coming, begin_told
from .lifecycle import OPEN, PLANNED
from .reported_results import may_begin
from .state import EventState
from .table_sheet import TableSheet


def coming_at(state: EventState, unit: str, now_ms: int) -> Coming | None:
    """Return what is known of the walls to come at the board `unit`; None when no event says anything of it.

    The walls before a table's first deal of a session are those of its first dealer. They are built while the last deal
    of the session before is played, if it is known to be the last one.
    """
    table = state.units.get(unit)
    if state.format is None or table is None:
        return None
    rules = state.format.game
    if not rules.is_here:
        return None
    session = state.playing
    sheet = None if session is None else state.sheet(session.number, table)
    if sheet is None or sheet.signed_off:
        return _certain(rules, _first_dealer(state, table), None)
    last = max((*sheet.deals, *sheet.begun), default=0)
    if not may_begin(state, sheet, len({*sheet.deals, *sheet.begun}), now_ms):
        dealer, kept = _first_dealer(state, table), None
    elif last in sheet.begun:
        return _in_play(sheet, last, rules)
    else:
        dealer = sheet.dealers.get(last + 1, sheet.deals[last].next_dealer if last else 0)
        kept = sheet.kept_before(last + 1)
    if state.told.has_walls_up(unit):
        return Coming(rules, dealer, begin=begin_told(rules, dealer, kept))
    return _certain(rules, dealer, kept)


def _first_dealer(state: EventState, table: int) -> int:
    """Who deals first in the next session: seat 0, unless the deals were drawn for all tables."""
    to_come = (number for number, one in sorted(state.sessions.items()) if one.state in (PLANNED, OPEN))
    sheet = state.sheet(next(to_come, 0), table)
    return 0 if sheet is None else sheet.next_dealer


def _certain(rules: GameRules, dealer: int, kept: Mapping[str, Any] | None) -> Coming:
    return Coming(rules, dealer, is_certain=True, begin=begin_told(rules, dealer, kept))


def _in_play(sheet: TableSheet, number: int, rules: GameRules) -> Coming:
    begun = sheet.begun[number]
    if number + 1 in sheet.dealers:
        return Coming(rules, sheet.dealers[number + 1], is_certain=True)
    if begun.next_dealer is not None:
        return Coming(rules, begun.next_dealer, is_certain=True)
    dealer = begun.dealer_to_come(rules)
    if dealer is not None:
        return Coming(rules, dealer, is_certain=True)
    return Coming(rules, begun.dealer, begin=begun.begin or begin_told(rules, begun.dealer, sheet.kept_before(number)))
