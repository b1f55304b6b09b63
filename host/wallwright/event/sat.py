"""Players who sat otherwise than was planned, found afterwards: their deals become theirs, from one deal on.

Results stay as they are, seat by seat; the people of the seats change. A signature was given for other people, so it is
taken back while its session is played or not published yet. After that the time for appeals begins anew, as after
any correction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import EventRefused
from ..journal.kinds.desk import OfDesk, PlayersSat, SatThere, SessionMoved, TableSignedOff
from ..naming import EventTable
from ..words import Listed, Seat, Words, words
from .desk import Desk, need_reason
from .lifecycle import FINAL, PLANNED, PLAYING, PROVISIONAL, UNDER_APPEAL, standing
from .pairs import EAST_WEST, SOUTH_NORTH
from .sanctions import named
from .state_parts import Session
from .table_sheet import TableSheet


@dataclass(frozen=True, slots=True)
class _Deals:
    """The deals from one to another, or all from one on, in which players sat otherwise."""

    first: int
    last: int | None


def swap_players(
    desk: Desk, session: int, players: Sequence[int], reason: str, *, from_deal: int = 1, to_deal: int | None = None
) -> tuple[Words, ...]:
    """Note that each of `players` had the seat of the next one, and the last one that of the first; say what follows.

    They may be of several tables. Who was to sit out may be among them if that is so from the first deal on.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise EventRefused(words("name two players or more, each of them once"))
    found, deals = _check(desk, session, reason, from_deal, to_deal)
    places = {player: _place(desk, found, player, deals) for player in players}
    others = (*players[1:], players[0])
    seats = tuple(_sat(player, other, places[other]) for player, other in zip(players, others, strict=True))
    return _write(desk, found, seats, deals, reason)


def swap_tables(
    desk: Desk, session: int, tables: Sequence[int], reason: str, *, from_deal: int = 1, to_deal: int | None = None
) -> tuple[Words, ...]:
    """Note that the four of each table played at the next one, and those of the last at the first, seat by seat."""
    if len(tables) < 2 or len(set(tables)) < len(tables):
        raise EventRefused(words("name two tables or more, each of them once"))
    found, deals = _check(desk, session, reason, from_deal, to_deal)
    fours = [desk.sheet(session, table).players_in(from_deal) for table in tables]
    places = {player: _place(desk, found, player, deals) for four in fours for player in four}
    seats = tuple(
        _sat(player, other, places[other])
        for four, others in zip(fours, (*fours[1:], fours[0]), strict=True)
        for player, other in zip(four, others, strict=True)
    )
    return _write(desk, found, seats, deals, reason)


def sat_instead(
    desk: Desk, session: int, out: int, into: str, reason: str, *, from_deal: int, to_deal: int | None = None
) -> tuple[Words, ...]:
    """Note that somebody without a seat in these deals, a player or a new name, had the one of `out`.

    Return what follows in sentences.
    `sanctions.substitute` is for somebody who takes a seat now.
    """
    found, deals = _check(desk, session, reason, from_deal, to_deal)
    number, new = named(desk, into)
    place = _place(desk, found, out, deals)
    if place is None:
        raise EventRefused(words("{name} was to sit out; name who has left a seat", name=desk.state.name(out)))
    if any(number in one.all_players for one in found.tables):
        problem = "{name} has a part in session {session} already; swap the two seats instead"
        raise EventRefused(words(problem, name=into, session=session))
    return _write(desk, found, (_sat(number, out, place),), deals, reason, new)


def _check(desk: Desk, number: int, reason: str, first: int, last: int | None) -> tuple[Session, _Deals]:
    need_reason(reason, words("that players sat otherwise is noted for a reason"))
    session = desk.session(number)
    if session.state == PLANNED:
        problem = "{session}; nobody has taken a seat in it yet"
        raise EventRefused(words(problem, session=standing(number, session.state)))
    if first < 1 or (last is not None and last < first):
        raise EventRefused(words("deals count from 1, and the last deal is not before the first one"))
    return session, _Deals(first, last)


def _place(desk: Desk, session: Session, player: int, deals: _Deals) -> tuple[TableSheet, int] | None:
    """Return the seat that somebody has as far as is known, in all of these deals; None for who sits out."""
    name = desk.state.name(player)
    sheet = next((one for one in session.tables if player in one.players_in(deals.first)), None)
    if sheet is None:
        if player not in session.byes:
            problem = "{name} has no seat in session {session} in deal {deal}; whoever took a seat is a substitute"
            raise EventRefused(words(problem, name=name, session=session.number, deal=deals.first))
        if deals != _Deals(1, None):
            problem = "{name} was to sit out; that somebody else did is noted from deal 1 on, to the end"
            raise EventRefused(words(problem, name=name))
        return None
    played = max((*sheet.deals, *sheet.begun), default=0)
    latest = max(played, sheet.next_deal)
    if deals.first > latest or (deals.last is not None and deals.last > played):
        problem = "{table} has come to deal {latest}; give deals up to that"
        raise EventRefused(words(problem, table=EventTable(sheet.table), latest=latest))
    for deal in sorted({one for table in session.tables for one in table.seated}):
        is_within = deals.first < deal <= (deals.last or deal)
        if is_within and not any(player in one.players_in(deal) for one in session.tables):
            problem = "{name} has left the seat from deal {deal} on; give only deals before that one"
            raise EventRefused(words(problem, name=name, deal=deal))
    return sheet, sheet.players_in(deals.first).index(player)


def _sat(player: int, other: int, place: tuple[TableSheet, int] | None) -> SatThere:
    if place is None:
        return SatThere(player=player, instead_of=other)
    return SatThere(player=player, instead_of=other, table=place[0].table, seat=place[1])


def _write(
    desk: Desk,
    session: Session,
    seats: tuple[SatThere, ...],
    deals: _Deals,
    reason: str,
    before: tuple[OfDesk, ...] = (),
) -> tuple[Words, ...]:
    """Write it, after what has to be written `before`, and return what follows in sentences."""
    sat = {one.instead_of: one.player for one in seats}
    if desk.format.by_partners:
        _keep_partners(desk, session, sat, deals.first)
    last = deals.last
    facts = [
        *before,
        PlayersSat(session=session.number, from_deal=deals.first, to_deal=last, seats=seats, reason=reason),
    ]
    lines = [_line(desk, one, deals) for one in seats]
    signed = [one.table for one in session.tables if one.signed_off and not sat.keys().isdisjoint(one.all_players)]
    tables = Listed(tuple(map(EventTable, signed)))
    reopens = bool(signed) and session.state == PROVISIONAL and desk.state.playing is None
    if reopens:
        facts.append(SessionMoved(session=session.number, trigger="reopen", reason=reason))
    if signed and (session.state in PLAYING or reopens):
        taken = (TableSignedOff(session=session.number, table=one, signed=False, reason=reason) for one in signed)
        facts += taken
        lines.append(words("The signatures of {tables} are taken back; these results are signed anew.", tables=tables))
    elif signed:
        lines.append(words("{tables} had signed; show the players what has changed.", tables=tables))
    if session.state in (UNDER_APPEAL, FINAL):
        lines.append(words("The time for appeals of session {session} begins anew.", session=session.number))
    desk.write_all(facts)
    return tuple(lines)


def _line(desk: Desk, one: SatThere, deals: _Deals) -> Words:
    who = {"player": desk.state.name(one.player), "other": desk.state.name(one.instead_of)}
    if one.table is None or one.seat is None:
        return words("{player} sat out in the place of {other}.", **who)
    text = "{player} has the seat of {other} from deal {first} on: {table}, {seat}."
    if deals.last is not None:
        text = "{player} had the seat of {other} from deal {first} to deal {last}: {table}, {seat}."
    table, seat = EventTable(one.table), Seat(one.seat)
    return words(text, first=deals.first, last=deals.last or 0, table=table, seat=seat, **who)


def _keep_partners(desk: Desk, session: Session, sat: Mapping[int, int], deal: int) -> None:
    """EventRefused when partners would not sit opposite each other any more, or a team would play against itself."""
    club = {number: player.club.casefold() for number, player in desk.state.players.items()}
    for sheet in session.tables:
        four = sheet.players_in(deal)
        now = [sat.get(one, one) for one in four]
        for one, other in (EAST_WEST, SOUTH_NORTH):
            if club[four[one]] == club[four[other]] and club[now[one]] != club[now[other]]:
                problem = "{one} and {other} are no partners; name both players of each pair that sat elsewhere"
                names = map(desk.state.name, (now[one], now[other]))
                raise EventRefused(words(problem, one=next(names), other=next(names)))
        if club[now[0]] == club[now[1]] and now != list(four):
            problem = "{club} would have played against itself at {table}; void these deals instead"
            name = desk.state.players[now[0]].club
            raise EventRefused(words(problem, club=name, table=EventTable(sheet.table)))
