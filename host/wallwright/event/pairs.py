"""Pairs and teams that play the same deals: who are partners, who meets whom, and what the rooms' difference gives.

Partners have the same club in the list of players, and face each other. DECISION: the pair at East and West of a table
is compared with the pairs of the same seats that played the deal elsewhere: in a match of teams in the other room, else
at all other tables, of which the mean counts. What one gets the other loses, by the table of SBR-11.9. A deal that
nobody else has played is a no-play and compares with nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ..duplicate.match_points import hundredths, match_points
from ..errors import EventRefused
from ..person_text import same_key
from ..words import words
from .directions import howell, is_turned
from .format import HOWELL, PAIRS, TEAMS, EventFormat
from .players import Roster
from .seating import SessionSeating
from .state_parts import Session
from .table_sheet import DealResult, TableSheet

if TYPE_CHECKING:
    from .standings import Row

SIZES: Mapping[str, int] = {PAIRS: 2, TEAMS: 4}
"""Players of a pair or of a team."""
EAST_WEST, SOUTH_NORTH = (0, 2), (1, 3)
"""The seats of partners."""
Unit = tuple[int, ...]
"""The players of a pair, or of a team, its first pair before the second, as the list of players has them."""


@dataclass(slots=True)
class Compared:
    """What the deals of a session gave somebody: match points, and how many deals could be compared."""

    given: Fraction = Fraction(0)
    deals: int = 0


def units_of(roster: Roster, kind: str) -> dict[str, Unit]:
    """Return the pairs or teams by their club. EventRefused names one with fewer or more players than it has."""
    found: dict[str, list[int]] = {}
    for player in roster.players:
        found.setdefault(same_key(player.club), []).append(player.number)
    names = {same_key(player.club): player.club for player in roster.players}
    for club, players in found.items():
        if len(players) != SIZES[kind] or not club:
            problem = "{club}: partners share a club, {size} each, not {count}; correct the list of players"
            raise EventRefused(words(problem, club=repr(names[club]), count=len(players), size=SIZES[kind]))
    return {names[club]: tuple(players) for club, players in found.items()}


def plan_units(
    kind: str, movement: str, roster: Roster, lots: Sequence[int], sessions: int
) -> tuple[SessionSeating, ...]:
    """Seat pairs or teams by their lots, for so many sessions. An odd one sits out."""
    units = units_of(roster, kind)
    order = sorted(units.values(), key=lambda unit: min(map(lots.index, unit)))
    if kind == TEAMS:
        return tuple(_teams(order, number) for number in range(sessions))
    if movement == HOWELL:
        return tuple(_howell(order, number) for number in range(sessions))
    return tuple(_mitchell(order, number) for number in range(sessions))


def compared(event_format: EventFormat, session: Session) -> dict[int, Compared]:
    """Return by player what the deals of a session gave so far, rounded to hundredths."""
    found: dict[int, Compared] = {}
    for group in rooms(event_format, session.tables):
        for number in sorted({deal for sheet in group for deal in sheet.deals}):
            for result, given in of_deal(group, number):
                if given is None:
                    continue
                for seat, player in enumerate(result.players):
                    one = found.setdefault(player, Compared())
                    one.given += given[seat % 2]
                    one.deals += 1
    for one in found.values():
        one.given = hundredths(one.given)
    return found


def rooms(event_format: EventFormat, sheets: Sequence[TableSheet]) -> list[list[TableSheet]]:
    """Return the tables that are compared with each other: the two rooms of a match of teams, else all."""
    if event_format.duplicate == TEAMS:
        return [list(sheets[at : at + 2]) for at in range(0, len(sheets), 2)]
    return [list(sheets)]


def of_deal(sheets: Sequence[TableSheet], number: int) -> Iterator[tuple[DealResult, tuple[Fraction, Fraction] | None]]:
    """Yield the results of a deal with what East and West, and South and North, get; None where nobody else has one."""
    played = [deal for sheet in sheets for deal in sheet.counted() if deal.deal == number]
    sides = [(_points(deal, EAST_WEST), _points(deal, SOUTH_NORTH)) for deal in played]
    for at, deal in enumerate(played):
        others = [one for place, one in enumerate(sides) if place != at]
        if not others:
            yield deal, None
            continue
        east_west = sum(match_points(sides[at][0] - one[0]) for one in others)
        south_north = sum(match_points(sides[at][1] - one[1]) for one in others)
        yield deal, (Fraction(east_west, len(others)), Fraction(south_north, len(others)))


def rank_together(rows: Sequence["Row"], roster: Roster, event_format: EventFormat) -> tuple["Row", ...]:
    """Rank pairs or teams: partners stand together, by what the best of them has, points by all of them.

    The points of partners are added for ties. A substitute of no pair comes last, without a rank.
    """
    names = event_format.tie_break
    of_player = {row.player: row for row in rows}
    units = []
    for unit in units_of(roster, event_format.duplicate).values():
        mine = [of_player[one] for one in unit if one in of_player]
        if not mine:
            continue
        ranked = [row for row in mine if row.rank is not None]
        added = [
            sum((row.ties[at] for row in mine), Fraction(0)) if name != "lot" else max(row.ties[at] for row in mine)
            for at, name in enumerate(names)
        ]
        total = max((row.total for row in ranked), default=Fraction(0))
        gone = all(row.note for row in mine)
        units.append(((not ranked, gone, -total, *(-tie for tie in added)), mine))
    units.sort(key=lambda one: (*one[0], one[1][0].player))
    found: list[Row] = []
    before: tuple[object, ...] | None = None
    rank = 0
    for place, (key, mine) in enumerate(units, 1):
        rank = rank if key == before else place
        before = key
        found += [row if row.rank is None else replace(row, rank=rank) for row in mine]
    seen = {row.player for row in found}
    return (*found, *(replace(row, rank=None) for row in rows if row.player not in seen))


def _points(deal: DealResult, seats: tuple[int, int]) -> int:
    return sum(deal.points[seat] for seat in seats)


def _howell(units: Sequence[Unit], number: int) -> SessionSeating:
    """Everybody meets everybody: the first stays, the others go round it."""
    full: list[Unit | None] = [*units, *([None] if len(units) % 2 else [])]
    tables = []
    out: Unit = ()
    for one, other in howell(len(full), number):
        east_west, south_north = full[one], full[other]
        if east_west is None or south_north is None:
            out = east_west or south_north or ()
        else:
            tables.append(_table(east_west, south_north, number))
    return SessionSeating(tuple(tables), out)


def _mitchell(units: Sequence[Unit], number: int) -> SessionSeating:
    """One half stays at its tables, the other one moves up a table; the arrow turns at some tables of each session."""
    half = len(units) // 2
    staying, moving = units[: len(units) - half], units[len(units) - half :]
    tables = []
    seated = set()
    for at, one in enumerate(moving):
        place = (at + number) % len(staying)
        seated.add(place)
        turned = is_turned(len(staying), place, number)
        east_west, south_north = (one, staying[place]) if turned else (staying[place], one)
        tables.append((place, _table(east_west, south_north, number)))
    out = tuple(player for place, unit in enumerate(staying) if place not in seated for player in unit)
    return SessionSeating(tuple(table for _, table in sorted(tables)), out)


def _teams(units: Sequence[Unit], number: int) -> SessionSeating:
    """Two tables a match: the first pair of each team in one direction, the second pair in the other one."""
    meetings, out = _round(units, number)
    tables = []
    for one, other in meetings:
        tables.append(_table(one[:2], other[:2], number))
        tables.append(_table(other[2:], one[2:], number))
    return SessionSeating(tuple(tables), out)


def _round(units: Sequence[Unit], number: int) -> tuple[list[tuple[Unit, Unit]], Unit]:
    """One round of everybody against everybody, and who sits out. After the last one it begins again."""
    full: list[Unit | None] = [*units, *([None] if len(units) % 2 else [])]
    others = full[1:]
    turn = number % len(others)
    ring = [full[0], *others[turn:], *others[:turn]]
    meetings: list[tuple[Unit, Unit]] = []
    out: Unit = ()
    for one, other in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
        if one is None or other is None:
            out = one or other or ()
        else:
            meetings.append((one, other))
    return meetings, out


def _table(east_west: Sequence[int], south_north: Sequence[int], number: int) -> tuple[int, int, int, int]:
    """Partners change seats from session to session."""
    east, west = east_west if number % 2 == 0 else reversed(east_west)
    south, north = south_north if number % 2 == 0 else reversed(south_north)
    return east, south, west, north
