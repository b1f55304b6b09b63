"""The API of results, under /api/v1/event: declared, confirmed, corrected, voided, signed; and of penalties."""

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import AfterValidator, BaseModel, Field

from ...event import results, running, sanctions
from ...event.desk import Desk as EventDesk
from ...words import Say, Words
from ..guard import Asking, Here, voice_of
from ..people.access import may_use
from ..person_fields import PersonLines, PersonText
from ..receipts import Given
from . import PREFIX, PROBLEMS
from .sessions import REASON_LIMIT, Done, Seen, Why

APPROVE = f"{PREFIX}/event/sessions/{{session}}/tables/{{table}}/approve"

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class VoidDeal(Seen):
    """Which deal counts for nothing, and why."""

    deal: int = Field(ge=1, le=10_000)
    reason: PersonLines = Field(max_length=REASON_LIMIT)


def _readable(record: dict[str, Any]) -> dict[str, Any]:
    """Refuse half characters, which JSON can say and no journal can keep."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("it has half a character in it (a lone surrogate)") from error
    return record


class Declared(BaseModel):
    """A deal as a scorer declares it: dealer, events, end and hands, as `wallwright rules settle` takes them.

    `corrects` is the number of a deal whose result it is to replace.
    """

    record: Annotated[dict[str, Any], AfterValidator(_readable)]
    corrects: int | None = Field(None, ge=1, le=10_000)


class Declaration(Declared, Seen):
    """The same, to be written; with a reason if it is irregular or a correction."""

    reason: PersonLines = Field("", max_length=REASON_LIMIT)


class Shown(BaseModel):
    """What a declaration comes to: points by seat, why, what a referee has to allow for a reason, and what only waits
    for one: a false Hu, a value that the table agreed on where the event wants that.
    """

    deal: int
    points: tuple[int, ...]
    lines: tuple[str, ...]
    irregular: tuple[str, ...]
    unproved: tuple[str, ...]


class GivenPenalty(BaseModel):
    """A penalty of the catalogue, for one session or for the event as a whole."""

    player: int
    name: PersonText = Field(max_length=50)
    reason: PersonLines = Field(max_length=REASON_LIMIT)
    amount: str = Field("", pattern=r"^(\d{1,4}(/[1-9]\d?)?)?$")
    session: int | None = None


@router.post("/sessions/{session}/tables/{table}/confirm", response_model=Done)
def confirm(session: int, table: int, body: Seen, given: Given) -> Any:
    """Confirm the results that a table has told."""

    def do() -> Done:
        return Done(
            deals=given.change(session, table, body.version, lambda desk: results.confirm(desk, session, table))
        )

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/preview")
def preview(session: int, table: int, body: Declared, request: Request, site: Here, _: Asking) -> Shown:
    """Settle a declared deal without writing it; it is explained in the language of the request."""
    request.state.deal = body.corrects
    shown = site.event.preview(session, table, body.record, body.corrects)
    say = voice_of(request)
    return Shown(
        deal=shown.deal,
        points=shown.settled.points,
        lines=_said(shown.settled.explain(), say),
        irregular=_said(shown.irregular, say),
        unproved=_said(shown.settled.unproved, say),
    )


@router.post("/sessions/{session}/tables/{table}/results", response_model=Done)
def declare(session: int, table: int, body: Declaration, request: Request, given: Given) -> Any:
    """Write a declared deal, or put it in the place of another one; that stays in the journal.

    What is irregular, or replaces another one, waits for who may approve it unless that is who is asking.
    """
    request.state.deal = body.corrects
    approved = may_use(given.person.role, "POST", APPROVE)

    def write(desk: EventDesk) -> int:
        shown = results.preview(desk, session, table, body.record, body.corrects)
        return results.record_result(desk, shown, body.reason, approved=approved)

    def do() -> Done:
        entry = given.change(session, table, body.version, write)
        return Done(deals=() if body.corrects is None else (body.corrects,), entry=entry)

    return given.once(do, body)


@router.post("/penalties", response_model=Done)
def give_penalty(body: GivenPenalty, given: Given) -> Any:
    """Give a penalty of the catalogue."""

    def do() -> Done:
        amount = Fraction(body.amount) if body.amount else None
        return Done(
            entry=given.do(
                lambda desk: sanctions.give_penalty(
                    desk, body.player, body.name, body.reason, amount=amount, session=body.session
                ),
            )
        )

    return given.once(do, body)


@router.post("/penalties/{penalty}/withdraw", response_model=Done)
def withdraw_penalty(penalty: int, body: Why, given: Given) -> Any:
    """Take a penalty back, by the number of its entry."""

    def do() -> Done:
        given.do(lambda desk: sanctions.withdraw_penalty(desk, penalty, body.reason))
        return Done(entry=penalty)

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/void", response_model=Done)
def void(session: int, table: int, body: VoidDeal, given: Given) -> Any:
    """Let a deal count as played and give no points."""

    def do() -> Done:
        given.change(
            session,
            table,
            body.version,
            lambda desk: results.void(desk, session, table, body.deal, body.reason),
        )
        return Done(deals=(body.deal,))

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/sign-off", response_model=Done)
def sign_off(session: int, table: int, body: Seen, given: Given) -> Any:
    """Take a table's signature under its results."""

    def do() -> Done:
        return Done(
            checkpoint=given.change(session, table, body.version, lambda desk: running.sign_off(desk, session, table))
        )

    return given.once(do, body)


def _said(lines: Iterable[Words], say: Say) -> tuple[str, ...]:
    return tuple(line.said(say) for line in lines)
