"""Several tables at once: what they have told is confirmed, and signatures are taken where everything agrees.

What is disputed, waits for a referee or is not complete is left to people, each with why.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..words import Words, words
from . import results, running, signing
from .desk import Desk
from .format import NO_SIGNING
from .lifecycle import AWAITING
from .settling import sums_to_zero
from .table_sheet import TableSheet

Disputes = Mapping[tuple[int, int], Words]
"""By table and deal, 0 for the whole table: what is open about it, by what its tiles told or who has called."""


@dataclass(frozen=True, slots=True)
class Found:
    """What could be done in a session at once: `ready` are tables with their deals, `left` the others with why."""

    ready: tuple[tuple[int, tuple[int, ...]], ...]
    left: tuple[tuple[int, tuple[Words, ...]], ...]


@dataclass(frozen=True, slots=True)
class Together:
    """What was done at once: the tables, those that were left with why, and a checkpoint if one was made."""

    tables: tuple[int, ...]
    left: tuple[tuple[int, tuple[Words, ...]], ...]
    checkpoint: str = ""


def find_to_confirm(desk: Desk, session: int, disputes: Disputes) -> Found:
    """Return the tables with told deals that are complete and undisputed, and what is left of the others."""
    ready, left = [], []
    for sheet in desk.session(session).tables:
        good, why = _to_confirm(desk, sheet, disputes)
        if good:
            ready.append((sheet.table, good))
        if why:
            left.append((sheet.table, why))
    return Found(tuple(ready), tuple(left))


def find_to_sign(desk: Desk, session: int, disputes: Disputes) -> Found:
    """Return the tables that may sign because everything about them agrees, and why the others may not yet."""
    ready, left = [], []
    for sheet in desk.session(session).tables:
        if sheet.signed_off:
            continue
        why = _why_not_signed(desk, sheet, disputes)
        if why:
            left.append((sheet.table, why))
        else:
            ready.append((sheet.table, tuple(sorted(sheet.deals))))
    return Found(tuple(ready), tuple(left))


def confirm_all(desk: Desk, session: int, seen: Callable[[TableSheet], bool], disputes: Disputes) -> Together:
    """Confirm what `find_to_confirm` has found at the tables that are as somebody has `seen` them."""

    def act(table: int, deals: tuple[int, ...]) -> str:
        results.confirm(desk, session, table, deals)
        return ""

    return _do(desk, session, find_to_confirm(desk, session, disputes), seen, act)


def sign_all(desk: Desk, session: int, seen: Callable[[TableSheet], bool], disputes: Disputes) -> Together:
    """Take the signatures that `find_to_sign` has found, likewise."""

    def act(table: int, _: tuple[int, ...]) -> str:
        return running.sign_off(desk, session, table)

    return _do(desk, session, find_to_sign(desk, session, disputes), seen, act)


def _do(
    desk: Desk,
    session: int,
    found: Found,
    seen: Callable[[TableSheet], bool],
    act: Callable[[int, tuple[int, ...]], str],
) -> Together:
    done, left, checkpoint = [], list(found.left), ""
    for table, deals in found.ready:
        if seen(desk.sheet(session, table)):
            checkpoint = act(table, deals) or checkpoint
            done.append(table)
        else:
            left.append((table, (words("it has changed meanwhile; look at it again"),)))
    return Together(tuple(done), tuple(sorted(left)), checkpoint)


def _to_confirm(desk: Desk, sheet: TableSheet, disputes: Disputes) -> tuple[tuple[int, ...], tuple[Words, ...]]:
    good: list[int] = []
    whole = disputes.get((sheet.table, 0))
    if whole is not None and sheet.unconfirmed and not sheet.signed_off:
        return (), (whole,)
    why: list[Words] = []
    for deal in () if sheet.signed_off else sheet.unconfirmed:
        problems = _problems(desk, sheet, deal, disputes)
        why += problems
        if not problems:
            good.append(deal)
    return tuple(good), tuple(why)


def _problems(desk: Desk, sheet: TableSheet, number: int, disputes: Disputes) -> list[Words]:
    deal = sheet.deals[number]
    problems = []
    if not deal.approved:
        problems.append(words("deal {deal} waits for a referee", deal=number))
    if not sheet.is_balanced(deal) and sums_to_zero(desk.format):
        problems.append(words("the points of deal {deal} do not sum to zero", deal=number))
    if (sheet.table, number) in disputes:
        problems.append(words("deal {deal}: {why}", deal=number, why=disputes[sheet.table, number]))
    return problems


def _why_not_signed(desk: Desk, sheet: TableSheet, disputes: Disputes) -> tuple[Words, ...]:
    why: list[Words] = []
    if sheet.in_play is not None:
        why.append(words("deal {deal} has no result yet", deal=sheet.in_play.deal))
    elif running.may_start_deal(desk.state, sheet, desk.now()):
        why.append(words("it has time and deals left"))
    elif desk.session(sheet.session).state == AWAITING and not sheet.deals:
        why.append(words("it has no result at all"))
    for number in sorted(sheet.deals):
        why += _problems(desk, sheet, number, disputes)
        if not sheet.deals[number].confirmed:
            why.append(words("deal {deal} is not confirmed", deal=number))
    if desk.format.player_signing != NO_SIGNING and (absent := signing.missing(desk.state, sheet)):
        why.append(words("{names} have not signed", names=", ".join(map(desk.state.name, absent))))
    why += [text for (table, deal), text in disputes.items() if table == sheet.table and deal not in sheet.deals]
    return tuple(why)
