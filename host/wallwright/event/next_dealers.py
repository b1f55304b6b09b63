"""Who deals next at the tables of an event, for their walls: see `wallwright.table.next_walls`."""

from ..rules.core.game_rules import GameRules
from ..rules.sichuan.declared import DeclaredDeal
from ..rules.sichuan.ruleset import Ruleset
from ..table.next_walls import Coming, declared_dealer
from .reported_results import may_begin
from .state import EventState
from .table_sheet import TableSheet


def coming_at(state: EventState, unit: str, now_ms: int) -> Coming | None:
    """Return what is known of the walls to come at the board `unit`; None when no event's dealers change its walls.

    The walls before a table's first deal of a session, and after its last, are those of seat 0, which deals first.
    """
    table = state.units.get(unit)
    if state.format is None or table is None:
        return None
    ruleset = state.format.ruleset
    if isinstance(ruleset, GameRules):
        # Walls of 17 or 18 stacks a side are the same whoever deals.
        return None
    session = state.playing
    sheet = None if session is None else state.sheet(session.number, table)
    if sheet is None or sheet.signed_off:
        return Coming(ruleset, 0, is_certain=True)
    last = max((*sheet.deals, *sheet.begun), default=0)
    if last in sheet.begun:
        return _in_play(sheet, last, ruleset)
    dealer = sheet.deals[last].next_dealer if last else 0
    if state.told.has_walls_up(unit):
        return Coming(ruleset, dealer)
    goes_on = may_begin(state, sheet, len(sheet.deals), now_ms)
    return Coming(ruleset, dealer if goes_on else 0, is_certain=True)


def _in_play(sheet: TableSheet, number: int, ruleset: Ruleset) -> Coming:
    begun = sheet.begun[number]
    if begun.next_dealer is not None:
        return Coming(ruleset, begun.next_dealer, is_certain=True)
    deal = DeclaredDeal(ruleset, begun.dealer)
    for record in begun.declared:
        dealer = declared_dealer(deal, record)
        if dealer is not None:
            return Coming(ruleset, dealer, is_certain=True)
    return Coming(ruleset, begun.dealer)
