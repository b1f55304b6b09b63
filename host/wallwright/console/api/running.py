"""The API of a session in play, under /api/v1/event: time for the hall or one table, substitutes, signatures."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ...errors import EventRefused
from ...event import running, sanctions
from ...event.desk import Desk
from ...event.players import NAME_LIMIT
from ...naming import EventTable
from ...words import words
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
