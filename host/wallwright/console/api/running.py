"""The API of a session in play, under /api/v1/event: time for the hall or one table, substitutes, signatures."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from ...errors import EventRefused
from ...event import running, sanctions, sat
from ...event.desk import Desk
from ...event.players import NAME_LIMIT
from ...naming import EventTable
from ...words import words
from ..guard import language_of, site_of
from ..person_fields import PersonLines, PersonText
from ..receipts import Given
from . import PREFIX, PROBLEMS
from .sessions import REASON_LIMIT, Done, Seen, Why

MINUTES_LIMIT = 600
"""More than that is a slip of the finger."""

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class Minutes(BaseModel):
    """How much time is added, taken away when it is negative, and why."""

    minutes: int = Field(ge=-MINUTES_LIMIT, le=MINUTES_LIMIT)
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class Substitute(Seen):
    """Whose seat is taken, by number, and by whom: name or number of a player, or a new name."""

    out: int
    into: PersonText = Field(max_length=NAME_LIMIT)
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class Swap(Seen):
    """`player` and `other`, by name or number, had each other's seats; or this table and `other_table` had each other's
    players.
    """

    player: int | None = None
    other: PersonText = Field(default="", max_length=NAME_LIMIT)
    other_table: int | None = None
    from_deal: int
    to_deal: int | None = None
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class Swapped(BaseModel):
    """Who sat where and what follows, in sentences."""

    lines: list[str]


class SeenWhy(Seen):
    """What was seen of a table, and the reason of what is done about it."""

    reason: PersonLines = Field(max_length=REASON_LIMIT)


class Substituted(BaseModel):
    """Who plays now, by number, and from which deal on."""

    player: int
    from_deal: int


class Left(BaseModel):
    """The time left after a clock was changed."""

    left_ms: int
    is_paused: bool


@router.post("/sessions/{session}/add-time", response_model=Left)
def add_time(session: int, body: Minutes, given: Given) -> Any:
    """Give the hall more minutes, or take some away."""
    return given.once(lambda: _add(given, session, None, body), body)


@router.post("/sessions/{session}/tables/{table}/add-time", response_model=Left)
def add_table_time(session: int, table: int, body: Minutes, given: Given) -> Any:
    """Give one table more minutes, or take some away."""
    return given.once(lambda: _add(given, session, table, body), body)


@router.post("/sessions/{session}/tables/{table}/pause", response_model=Left)
def pause_table(session: int, table: int, body: Why, given: Given) -> Any:
    """Let one table's clock stand still."""

    def act(desk: Desk) -> Left:
        running.pause(desk, session, body.reason, table)
        return _left(desk, session, table)

    return given.once(lambda: given.do(act), body)


@router.post("/sessions/{session}/tables/{table}/end_pause", response_model=Left)
def end_table_pause(session: int, table: int, body: Why, given: Given) -> Any:
    """Let one table's clock go on."""

    def act(desk: Desk) -> Left:
        running.end_pause(desk, session, table)
        return _left(desk, session, table)

    return given.once(lambda: given.do(act), body)


@router.post("/sessions/{session}/tables/{table}/substitute", response_model=Substituted)
def substitute(session: int, table: int, body: Substitute, given: Given) -> Any:
    """Let somebody take a player's seat from the deal in play, or the next one, on."""

    def act(desk: Desk) -> Substituted:
        if body.out not in desk.sheet(session, table).players:
            raise EventRefused(
                words("{name} has no seat at {table}", name=desk.state.name(body.out), table=EventTable(table))
            )
        number = sanctions.substitute(desk, session, body.out, body.into, body.reason)
        return Substituted(player=number, from_deal=desk.state.substitutions[-1].from_deal)

    def do() -> Substituted:
        return given.change(session, table, body.version, act)

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/swap-seats", response_model=Swapped)
def swap_seats(session: int, table: int, body: Swap, request: Request, given: Given) -> Any:
    """Note that players, or the groups of whole tables, sat on each other's seats: their deals become theirs."""
    say = site_of(request).voice(language_of(request))

    def act(desk: Desk) -> Swapped:
        deals: Any = {"from_deal": body.from_deal, "to_deal": body.to_deal}
        if body.other_table is not None:
            lines = sat.swap_tables(desk, session, (table, body.other_table), body.reason, **deals)
        elif body.player is None:
            raise EventRefused(words("name two players or more, each of them once"))
        else:
            players = (body.player, desk.player(body.other.strip()))
            lines = sat.swap_players(desk, session, players, body.reason, **deals)
        return Swapped(lines=[one.said(say) for one in lines])

    def do() -> Swapped:
        return given.change(session, table, body.version, act)

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/take-back", response_model=Done)
def take_back(session: int, table: int, body: SeenWhy, given: Given) -> Any:
    """Take a table's signature back, so that it may score or play again."""

    def do() -> Done:
        given.change(
            session,
            table,
            body.version,
            lambda desk: running.take_back_signature(desk, session, table, body.reason),
        )
        return Done()

    return given.once(do, body)


def _add(given: Given, session: int, table: int | None, body: Minutes) -> Left:
    def act(desk: Desk) -> Left:
        running.add_time(desk, session, body.minutes, body.reason, table)
        return _left(desk, session, table)

    return given.do(act)


def _left(desk: Desk, session: int, table: int | None) -> Left:
    clock = desk.session(session).clock if table is None else desk.state.clock_of(desk.sheet(session, table))
    return Left(left_ms=clock.left_ms(desk.format.limit_ms, desk.now()), is_paused=clock.is_paused)
